// ★ One declared and one live table → the steps between them, or the reasons why not. Pure. The steps are
// simulated on the live metadata and must end exactly at the declaration, else the table is blocked.
import { type Diagnostic, hasErrors, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { catalogNotes, catalogProblems } from "./checks/catalog-checks.ts";
import { checkTable } from "./checks/table-checks.ts";
import { startDraft, type TableDraft } from "./draft.ts";
import { finishDraft } from "./finish-draft.ts";
import type { TableChange } from "./table-change.ts";
import { findDrift } from "./drift.ts";
import { tableFingerprint } from "./fingerprint.ts";
import { makePair } from "./make-pair.ts";
import { findNotes } from "./notes.ts";
import type { Step, TablePlan } from "./plan.ts";
import { isDiagnostic, NO_NEW_ID, type PlannedStep } from "./planned-step.ts";
import { simulate } from "./simulate.ts";
import { STEP_KINDS } from "./steps/index.ts";
import { tableFacts } from "./table-facts.ts";
import type { PlanInput, TablePair } from "./table-pair.ts";

export interface PlannedTable {
  readonly plan: TablePlan;
  readonly pair: TablePair;
  /** What the steps come to on the live metadata; null when the table is blocked or has no steps. */
  readonly change: TableChange | null;
}

export function planTable(input: PlanInput): PlannedTable {
  const { pair, problems } = makePair(input);
  const { steps, blockers: found } = detectSteps(pair);
  const detected = [...problems, ...found, ...checkTable(pair, steps)];
  const blockers = detected.filter((one) => one.severity === "error");
  const notes = [...detected.filter((one) => one.severity !== "error"), ...findNotes(pair, steps)];

  if (blockers.length > 0 || steps.length === 0) {
    const all = [...notes, ...catalogNotes(pair, pair.live?.metadata ?? null)];
    return { plan: tablePlan(pair, steps.map(describeAlone), blockers, all), pair, change: null };
  }
  const { described, change } = takeUpPending(pair, steps) ?? taken(steps, startDraft(pair));
  if (!("updates" in change)) return { plan: tablePlan(pair, described, [change], notes), pair, change: null };
  const { after, problems: wrong } = simulate(input, change);
  const stopped = [...wrong, ...catalogProblems(pair, after, change.catalogParameters)];
  const all = [...notes, ...catalogNotes(pair, after, change)];
  return { plan: tablePlan(pair, described, stopped, all), pair, change: hasErrors(stopped) ? null : change };
}

interface TakenSteps {
  readonly described: readonly Step[];
  readonly change: TableChange | Diagnostic;
}

function taken(steps: readonly PlannedStep[], draft: TableDraft): TakenSteps {
  return { described: steps.map((step) => describe(step, step.edit(draft))), change: finishDraft(draft) };
}

/** With the ids of the schema that waits; null where the steps do not come to it. */
function takeUpPending(pair: TablePair, steps: readonly PlannedStep[]): TakenSteps | null {
  const pending = pair.pair?.pending ?? null;
  if (pending === null || pending.aboveId === null) return null;
  const made = taken(steps, startDraft(pair, pending.aboveId));
  return "updates" in made.change && made.change.schema.schemaId === pending.schema.schemaId ? made : null;
}

/** All kinds over one pair, in registry order. */
function detectSteps(pair: TablePair): {
  readonly steps: readonly PlannedStep[];
  readonly blockers: readonly Diagnostic[];
} {
  const steps: PlannedStep[] = [];
  const blockers: Diagnostic[] = [];
  for (const kind of STEP_KINDS) {
    for (const found of kind.detect(pair)) {
      if (isDiagnostic(found)) blockers.push(found);
      else steps.push(found);
    }
  }
  return { steps, blockers };
}

function describe(step: PlannedStep, result: ReturnType<PlannedStep["edit"]>): Step {
  const { id, kind, field, effect, before, after, place, evidence, sql, expression, failing } = step;
  const told = { id, kind, field, effect, before, after, place, evidence, sql, text: step.text(result) };
  return { ...told, ...(expression === undefined ? {} : { expression }), ...(failing === undefined ? {} : { failing }) };
}

function describeAlone(step: PlannedStep): Step {
  return describe(step, NO_NEW_ID);
}

function tablePlan(
  pair: TablePair,
  steps: readonly Step[],
  blockers: readonly Diagnostic[],
  notes: readonly Diagnostic[],
): TablePlan {
  const { spec, live } = pair;
  return {
    table: spec.name,
    environment: spec.environment,
    catalog: spec.catalog,
    identifier: spec.identifier,
    file: spec.file,
    uuid: live?.metadata.tableUuid ?? null,
    fingerprint: tableFingerprint(steps.map((step) => step.id)),
    owner: spec.owner,
    meta: spec.meta,
    facts: tableFacts(pair),
    steps,
    blockers: sortDiagnostics(blockers),
    drift: findDrift(pair),
    notes: sortDiagnostics(notes),
  };
}
