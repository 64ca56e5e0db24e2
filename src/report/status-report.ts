// How each table stands in each environment, as one table, and a line for each that does not go on by itself. Decides
// what is said; how it looks is in formats/.
import type { JsonObject, JsonValue } from "../iceberg/json.ts";
import { IMPORTANCE, type Report, type Section, type TableBlock, type Tone } from "./report.ts";
import { counted, prose, text, type Text } from "./text.ts";

/** How a table stands in an environment, the most pressing that is true. */
export type TableState =
  | { readonly state: "in-step" }
  /** Steps to take, and drift beside them. */
  | { readonly state: "behind"; readonly steps: number; readonly drift: number }
  | { readonly state: "drift"; readonly drift: number }
  /** A conversion under way or interrupted; null where the share is not known. */
  | { readonly state: "rewriting"; readonly percent: number | null }
  | { readonly state: "held"; readonly why: string }
  | { readonly state: "blocked"; readonly why: string }
  /** Declared, and not made yet. */
  | { readonly state: "not-there" }
  /** The table or its catalog did not answer. */
  | { readonly state: "unreachable"; readonly why: string }
  /** Not declared in this environment. */
  | { readonly state: "left-out" };

export interface StatusRow {
  readonly table: string;
  readonly file: string;
  /** By environment. */
  readonly states: ReadonlyMap<string, TableState>;
}

export interface StatusReportOptions {
  /** In promotion order. */
  readonly environments: readonly string[];
  readonly verbose: boolean;
}

/** More lines than this say no more than the table. */
const REASONS_SHOWN = 20;

interface StateWords {
  readonly tone: Tone;
  /** In the summary, behind a number. */
  readonly summary: string;
}

/** From the calmest to the most pressing. */
const WORDS: Readonly<Record<TableState["state"], StateWords>> = {
  "left-out": { tone: "quiet", summary: "not declared" },
  "in-step": { tone: "good", summary: "in step" },
  "not-there": { tone: "changed", summary: "not there" },
  behind: { tone: "changed", summary: "behind" },
  drift: { tone: "drifted", summary: "drifted" },
  rewriting: { tone: "rewritten", summary: "rewriting" },
  held: { tone: "blocked", summary: "held" },
  blocked: { tone: "blocked", summary: "blocked" },
  unreachable: { tone: "blocked", summary: "unreachable" },
};

const STATES = Object.keys(WORDS) as readonly TableState["state"][];

export function statusReport(rows: readonly StatusRow[], options: StatusReportOptions): Report {
  const states = rows.flatMap((row) => options.environments.map((name) => stateIn(row, name)));
  const worst = STATES.findLast((state) => states.some((one) => one.state === state)) ?? "in-step";
  const { tone } = WORDS[worst];
  const summary = summaryOf(rows, states, options.environments.length);
  const reasons = reasonsSection(rows, options);
  return {
    tone,
    headline: text`Status of ${prose(counted(rows.length, "table"))} in ${options.environments.join(", ")}`,
    alerts: [],
    overview: null,
    sections: [...(rows.length === 0 ? [] : [tableSection(rows, options, tone)]), ...(reasons === null ? [] : [reasons])],
    summary,
    next: null,
    json: statusJson(rows, options),
  };
}

function stateIn(row: StatusRow, environment: string): TableState {
  return row.states.get(environment) ?? { state: "left-out" };
}

function words(one: TableState): string {
  switch (one.state) {
    case "in-step":
      return "in step";
    case "behind":
      return one.drift === 0 ? `${one.steps} behind` : `${one.steps} behind, ${one.drift} drifted`;
    case "drift":
      return `${one.drift} drifted`;
    case "rewriting":
      return one.percent === null ? "rewriting" : `rewriting ${one.percent} %`;
    case "held":
    case "blocked":
    case "unreachable":
      return one.state;
    case "not-there":
      return "not there";
    case "left-out":
      return "-";
  }
}

/** The table is the answer: it stays whole as long as anything does. */
function tableSection(rows: readonly StatusRow[], { environments }: StatusReportOptions, tone: Tone): Section {
  return {
    importance: IMPORTANCE.blocked,
    tone,
    context: null,
    title: prose("Tables and environments"),
    state: null,
    file: null,
    brief: prose(counted(rows.length, "table")),
    blocks: [
      {
        kind: "table",
        columns: ["table", ...environments].map((title) => ({ title, align: "left" as const })),
        rows: rows.map((row) => ({
          importance: IMPORTANCE.blocked,
          cells: [text`${row.table}`, ...environments.map((name) => prose(words(stateIn(row, name))))],
        })),
      },
    ],
  };
}

function reasonsSection(rows: readonly StatusRow[], { environments, verbose }: StatusReportOptions): Section | null {
  const reasons = reasonsOf(rows, environments).map(({ environment, tables, one }): TableBlock["rows"][number] => {
    const [first = "", ...others] = tables;
    const which = others.length === 0 ? text`${first}` : text`${first} ${prose(`and ${others.length} more`)}`;
    return { importance: IMPORTANCE.warning, cells: [text`${environment}`, which, prose(words(one)), prose(one.why)] };
  });
  if (reasons.length === 0) return null;
  const shown = verbose ? reasons : reasons.slice(0, REASONS_SHOWN);
  const more = reasons.length - shown.length;
  return {
    importance: IMPORTANCE.warning,
    tone: "blocked",
    context: null,
    title: prose("What stands in the way"),
    state: null,
    file: null,
    brief: prose(counted(reasons.length, "reason")),
    blocks: [
      {
        kind: "table",
        columns: ["environment", "table", "", "why"].map((title) => ({ title, align: "left" as const })),
        rows: shown,
      },
      ...(more === 0 ? [] : [{ kind: "paragraph" as const, text: prose(`${more} more: -v shows them.`) }]),
    ],
  };
}

interface Reason {
  readonly environment: string;
  readonly one: Extract<TableState, { readonly why: string }>;
  readonly tables: string[];
}

/** Tables of an environment that stop for one and the same reason stand together. */
function reasonsOf(rows: readonly StatusRow[], environments: readonly string[]): readonly Reason[] {
  const reasons = new Map<string, Reason>();
  for (const row of rows) {
    for (const environment of environments) {
      const one = stateIn(row, environment);
      if (!("why" in one)) continue;
      const key = JSON.stringify([environment, one.state, one.why]);
      const reason = reasons.get(key) ?? { environment, one, tables: [] };
      reason.tables.push(row.table);
      reasons.set(key, reason);
    }
  }
  return [...reasons.values()];
}

/** With several environments each table counts once in each of them. */
function summaryOf(rows: readonly StatusRow[], states: readonly TableState[], environments: number): Text {
  if (rows.length === 0) return prose("No table is selected.");
  const parts = STATES.flatMap((state) => {
    const count = states.filter((one) => one.state === state).length;
    return count === 0 || state === "left-out" ? [] : [`${count} ${WORDS[state].summary}`];
  });
  const where = environments === 1 ? "" : ` in ${environments} environments`;
  return prose(`${counted(rows.length, "table")}${where}: ${parts.join(", ")}.`);
}

function statusJson(rows: readonly StatusRow[], { environments }: StatusReportOptions): JsonObject {
  return {
    floeplan: 1,
    environments: [...environments],
    tables: rows.map((row) => ({
      table: row.table,
      file: row.file,
      environments: Object.fromEntries(environments.map((name) => [name, stateJson(stateIn(row, name))])),
    })),
  };
}

function stateJson(one: TableState): JsonObject {
  const parts: readonly (readonly [string, JsonValue])[] = Object.entries(one).map(([key, value]) => [key, value as JsonValue]);
  return Object.fromEntries(parts);
}
