// The sections of a plan's report: one a table that has something to say, one a cause that changes many tables.
import { sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { formatInstant } from "../iceberg/iso-time.ts";
import type { Step, TableFacts, TablePlan } from "../plan/plan.ts";
import { formatBytes, plural } from "../diagnostics/number-words.ts";
import { findingOf, type Sources } from "./excerpt.ts";
import type { Cause } from "./plan-causes.ts";
import { countsInWords } from "./plan-counts.ts";
import { IMPORTANCE, type LeafBlock, type Section, type StepRow, type Tone } from "./report.ts";
import { driftRow, stepRow } from "./step-rows.ts";
import { counted, joinTexts, prose, text, type Text } from "./text.ts";

export interface SectionOptions {
  /** Ids of steps that a cause shows. */
  readonly gathered: ReadonlySet<string>;
  /** False: nobody can approve these steps. */
  readonly withIds: boolean;
  readonly sources: Sources;
  readonly showNotes: boolean;
  /** Notes with their reason and mend. */
  readonly fullNotes: boolean;
  /** Null: every step is the declaration's own. */
  readonly waiting: WaitingSteps | null;
}

/** Steps that are merged already and not applied yet. */
export interface WaitingSteps {
  readonly ids: ReadonlySet<string>;
  /** As `waitingFrom` says it. */
  readonly from: Text;
}

/** `main (pull request 118)`: what brought them, where that is known. */
export function waitingFrom(branch: string, pullRequests: readonly number[]): Text {
  if (pullRequests.length === 0) return text`${branch}`;
  const noun = pullRequests.length === 1 ? "pull request" : "pull requests";
  return text`${branch} (${prose(`${noun} ${pullRequests.join(", ")}`)})`;
}

/** Null for a table of which there is nothing to say, or nothing that a cause does not say. */
export function tableSection(table: TablePlan, options: SectionOptions): Section | null {
  const own = table.steps.filter((step) => !options.gathered.has(step.id));
  const elsewhere = table.steps.length - own.length;
  const isWaiting = (id: string): boolean => options.waiting?.ids.has(id) === true;
  const rowOf = (step: Step): StepRow => (options.withIds ? stepRow(step) : { ...stepRow(step), id: null });
  const rows = [...own.filter((step) => !isWaiting(step.id)).map(rowOf), ...table.drift.map(driftRow)];
  const waiting = own.filter((step) => isWaiting(step.id)).map(rowOf);
  const notes = sortDiagnostics(table.notes);
  const warnings = notes.filter((note) => note.severity !== "note");
  const shownNotes = options.showNotes ? notes.filter((note) => note.severity === "note") : [];
  if (rows.length + waiting.length + table.blockers.length + warnings.length + shownNotes.length === 0) return null;

  const find = (diagnostics: typeof notes) => diagnostics.map((one) => findingOf(one, options.sources));
  const blocks: LeafBlock[] = [];
  if (rows.length > 0) blocks.push({ kind: "steps", file: table.file, rows });
  if (waiting.length > 0 && options.waiting !== null) {
    blocks.push({ kind: "paragraph", text: text`Waiting from ${options.waiting.from}, merged and not applied yet:` });
    blocks.push({ kind: "steps", file: table.file, rows: waiting });
  }
  const facts = own.some((step) => step.effect !== "metadata") ? factsText(table.facts) : null;
  if (facts !== null) blocks.push({ kind: "paragraph", text: facts });
  if (elsewhere > 0)
    blocks.push({ kind: "paragraph", text: prose(`${counted(elsewhere, "more step")} from shared files, above.`) });
  if (table.blockers.length > 0) blocks.push({ kind: "findings", detail: "full", items: find(sortDiagnostics(table.blockers)) });
  if (warnings.length > 0) blocks.push({ kind: "findings", detail: "full", items: find(warnings) });
  if (shownNotes.length > 0)
    blocks.push({ kind: "findings", detail: options.fullNotes ? "full" : "line", items: find(shownNotes) });

  const counts = countsInWords([table]);
  return {
    ...weightOf([...rows, ...waiting], table.blockers.length, warnings.length),
    context: table.environment,
    title: text`${table.table}`,
    state: table.blockers.length > 0 ? "blocked" : null,
    file: table.file,
    brief: prose(counts === "" ? counted(notes.length, "note") : counts),
    blocks,
  };
}

/** `41 M rows, 48 GiB in 812 files, 3 delete files; last written 2026-08-20 by spark (local-17)`. */
function factsText(facts: TableFacts | null): Text | null {
  if (facts === null) return null;
  const { size, lastWrite } = facts;
  const parts: Text[] = [];
  if (size !== null) {
    const deletes = size.deleteFiles === 0 ? "" : `, ${counted(size.deleteFiles, "delete file")}`;
    const files = `${formatBytes(size.bytes)} in ${counted(size.dataFiles, "file")}${deletes}`;
    parts.push(prose(`${plural(size.rows, "row", "rows")}, ${files}`));
  }
  if (lastWrite !== null) parts.push(text`last written ${formatInstant(lastWrite.atMs).slice(0, 10)} by ${lastWrite.writer}`);
  return parts.length === 0 ? null : joinTexts(parts, "; ");
}

interface Weight {
  readonly importance: number;
  readonly tone: Tone;
}

function weightOf(rows: readonly StepRow[], blockers: number, warnings: number): Weight {
  if (blockers > 0) return { importance: IMPORTANCE.blocked, tone: "blocked" };
  const heaviest = rows.reduce<StepRow | null>(
    (most, row) => (most === null || row.importance > most.importance ? row : most),
    null,
  );
  if (warnings > 0 && (heaviest === null || heaviest.importance < IMPORTANCE.warning)) {
    return { importance: IMPORTANCE.warning, tone: "drifted" };
  }
  return heaviest === null
    ? { importance: IMPORTANCE.note, tone: "quiet" }
    : { importance: heaviest.importance, tone: heaviest.tone };
}

/** `shared/audit.yaml:3 changes 214 tables: + ingested_by`; causes of one file and the same tables stand together. */
export function causeSections(causes: readonly Cause[], environment: string): Section[] {
  const together = new Map<string, Cause[]>();
  for (const cause of causes) {
    const key = JSON.stringify([cause.step.place?.file, cause.tables.map((table) => table.table)]);
    const group = together.get(key);
    if (group === undefined) together.set(key, [cause]);
    else group.push(cause);
  }
  return [...together.values()].map((group) => causeSection(group, environment));
}

function causeSection(group: readonly Cause[], environment: string): Section {
  const rows = group.map(({ step, sameDetail }) => {
    const row = stepRow(step);
    // Ids, evidence and SQL differ from table to table; they are in the JSON.
    return { ...row, detail: sameDetail ? row.detail : "", id: null, facts: [] };
  });
  const [first] = group;
  const place = first?.step.place ?? null;
  const file = place?.file ?? null;
  const tables = first?.tables ?? [];
  const where = group.length === 1 && place !== null ? `${place.file}:${place.line}` : (file ?? "");
  const subjects: Text[] = group.map(({ step }) => text`${prose(step.text.symbol)} ${step.text.subject}`);
  const count = counted(tables.length, "table");
  return {
    ...weightOf(rows, 0, 0),
    context: environment,
    title: text`${where} changes ${prose(count)}: ${joinTexts(subjects, ", ")}`,
    state: null,
    file: null,
    brief: prose(""),
    blocks: [
      { kind: "steps", file, rows },
      {
        kind: "paragraph",
        text: joinTexts(
          tables.map((table) => text`${table.table}`),
          ", ",
        ),
      },
    ],
  };
}
