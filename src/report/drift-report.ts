// What is live and in no file, as a report: a section a table with each drift, where it came from and what to write
// for its three answers; what stands between Git and other writers; tables that nobody declares. Decides what is
// said; how it looks is in formats/.
import { typedCommand } from "../diagnostics/typed-command.ts";
import type { JsonObject } from "../iceberg/json.ts";
import type { Drift, TablePlan } from "../plan/plan.ts";
import { findingOf, type Sources } from "./excerpt.ts";
import { type NotRead, notReadSection } from "./not-read.ts";
import { diagnosticJson } from "./formats/diagnostics-json.ts";
import { driftJson } from "./formats/plan-json.ts";
import { hasSteps } from "./plan-counts.ts";
import { IMPORTANCE, type LeafBlock, type Report, type Section } from "./report.ts";
import { driftRow } from "./step-rows.ts";
import { counted, prose, text, type Text } from "./text.ts";

/** A live table in a namespace of declared tables that no file declares. */
export interface UnmanagedTable {
  readonly catalog: string;
  readonly name: string;
}

export interface DriftReportOptions {
  readonly environment: string;
  readonly sources: Sources;
  readonly verbose: boolean;
  readonly notRead: readonly NotRead[];
  readonly unmanaged: readonly UnmanagedTable[];
  /** False: only their number is said. */
  readonly listUnmanaged: boolean;
}

/** With more drift than this the answers hide it: then they are shown when asked for. */
const ANSWERS_SHOWN = 20;

export function driftReport(plans: readonly TablePlan[], options: DriftReportOptions): Report {
  const count = plans.reduce((sum, plan) => sum + plan.drift.length, 0);
  const withAnswers = !options.verbose && count <= ANSWERS_SHOWN;
  const summary = summaryOf(plans, options);
  const listed = options.listUnmanaged ? options.unmanaged : [];
  return {
    tone: options.notRead.length > 0 || plans.some(isBlocked) ? "blocked" : count + listed.length > 0 ? "drifted" : "good",
    headline: text`Drift in ${options.environment}: ${prose(verdictOf(plans, listed))}`,
    alerts: [],
    overview: null,
    sections: [
      ...plans.filter((plan) => plan.drift.length > 0 || isBlocked(plan)).map((plan) => tableSection(plan, withAnswers, options)),
      ...options.notRead.map((one) => notReadSection(one, options.environment)),
      ...(listed.length === 0 ? [] : [unmanagedSection(listed, options.environment)]),
    ],
    summary,
    ...nextOf(plans, withAnswers, options),
    json: driftReportJson(plans, options),
  };
}

function isBlocked(plan: TablePlan): boolean {
  return plan.blockers.length > 0;
}

function tableSection(plan: TablePlan, withAnswers: boolean, { sources }: DriftReportOptions): Section {
  const rows = plan.drift.map((drift) => ({ row: driftRow(drift), drift }));
  const blocks: LeafBlock[] = withAnswers
    ? rows.flatMap(({ row, drift }): LeafBlock[] => [
        { kind: "steps", file: plan.file, rows: [{ ...row, answers: [] }] },
        ...answersBlock(drift),
      ])
    : [{ kind: "steps", file: plan.file, rows: rows.map(({ row }) => row) }];
  if (isBlocked(plan)) {
    blocks.push({ kind: "findings", detail: "full", items: plan.blockers.map((one) => findingOf(one, sources)) });
  }
  return {
    importance: isBlocked(plan) ? IMPORTANCE.blocked : IMPORTANCE.drift,
    tone: isBlocked(plan) ? "blocked" : "drifted",
    context: plan.environment,
    title: text`${plan.table}`,
    state: isBlocked(plan) ? "blocked" : null,
    file: plan.file,
    brief: prose(plan.drift.length > 0 ? `${plan.drift.length} drifted` : counted(plan.blockers.length, "blocker")),
    blocks,
  };
}

/** The worst comes first. */
function verdictOf(plans: readonly TablePlan[], listed: readonly UnmanagedTable[]): string {
  const blocked = plans.filter(isBlocked).length;
  const count = plans.reduce((sum, plan) => sum + plan.drift.length, 0);
  const parts = [
    ...(blocked === 0 ? [] : [`${counted(blocked, "table")} blocked`]),
    ...(count === 0 ? [] : [counted(count, "difference")]),
    ...(listed.length === 0 ? [] : [`${counted(listed.length, "table")} that no file declares`]),
  ];
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** What each answer does to the table and its rows. */
const ANSWER_WORDS = [
  ["keep", "# keep it: nothing of the table changes"],
  ["drop", "# drop it: the next apply takes it out of the table"],
  ["leave", "# leave it: seen and left alone from now on"],
] as const;

function answersBlock({ answers }: Drift): LeafBlock[] {
  const lines = ANSWER_WORDS.flatMap(([key, word]) => {
    const answer = answers[key];
    return answer === null ? [] : [word, answer];
  });
  return lines.length === 0 ? [] : [{ kind: "snippet", language: "yaml", text: lines.join("\n") }];
}

function unmanagedSection(tables: readonly UnmanagedTable[], environment: string): Section {
  return {
    importance: IMPORTANCE.drift,
    tone: "drifted",
    context: environment,
    title: prose("Tables that no file declares"),
    state: null,
    file: null,
    brief: prose(counted(tables.length, "table")),
    blocks: [
      {
        kind: "table",
        columns: [
          { title: "table", align: "left" },
          { title: "catalog", align: "left" },
        ],
        rows: tables.map(({ name, catalog }) => ({ importance: IMPORTANCE.drift, cells: [text`${name}`, text`${catalog}`] })),
      },
    ],
  };
}

function summaryOf(plans: readonly TablePlan[], { notRead, unmanaged, listUnmanaged }: DriftReportOptions): Text {
  const drifted = plans.filter((plan) => plan.drift.length > 0);
  const count = drifted.reduce((sum, plan) => sum + plan.drift.length, 0);
  const sentences = [
    count === 0
      ? `No drift in ${counted(plans.length, "table")}.`
      : `${count} drifted in ${drifted.length} of ${counted(plans.length, "table")}.`,
  ];
  const say = (number: number, one: string, many: string, rest: string): void => {
    if (number > 0) sentences.push(`${counted(number, one, many)} ${rest}.`);
  };
  say(plans.filter(isBlocked).length, "table is", "tables are", "blocked");
  say(plans.filter((plan) => hasSteps(plan) && !isBlocked(plan)).length, "table is", "tables are", "behind its file");
  say(notRead.length, "thing was", "things were", "not read");
  const listing = listUnmanaged ? "" : ": --unmanaged-tables lists them";
  say(
    unmanaged.length,
    "table",
    "tables",
    `in these namespaces ${unmanaged.length === 1 ? "is" : "are"} declared by no file${listing}`,
  );
  return prose(sentences.join(" "));
}

function nextOf(
  plans: readonly TablePlan[],
  answersAreShown: boolean,
  { environment }: DriftReportOptions,
): Pick<Report, "next" | "more"> {
  const drift = plans.flatMap((plan) => plan.drift);
  if (drift.every(({ answers }) => answers.keep === null && answers.drop === null && answers.leave === null))
    return { next: null };
  const hasColumns = drift.some(({ kind }) => kind === "field");
  const keeps = hasColumns ? `; ${typedCommand("import --update", null, environment)} keeps all columns` : "";
  const next = prose(`keep, drop or leave what has drifted${keeps}`);
  return answersAreShown ? { next } : { next, more: prose("-v shows what to write") };
}

function driftReportJson(plans: readonly TablePlan[], { environment, notRead, unmanaged }: DriftReportOptions): JsonObject {
  return {
    floeplan: 1,
    environment,
    tables: plans.map((plan) => ({
      table: plan.table,
      catalog: plan.catalog,
      identifier: { namespace: plan.identifier.namespace, name: plan.identifier.name },
      file: plan.file,
      uuid: plan.uuid,
      owner: plan.owner,
      drift: plan.drift.map(driftJson),
      blockers: plan.blockers.map(diagnosticJson),
      steps: plan.steps.length,
    })),
    "not-read": notRead.map(({ what, error }) => ({
      what,
      kind: error.kind,
      why: error.why === undefined ? error.message : `${error.message}: ${error.why}`,
      mend: error.mend ?? null,
    })),
    "unmanaged-tables": unmanaged.map(({ name, catalog }) => ({ table: name, catalog })),
  };
}
