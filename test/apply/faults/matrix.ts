// One point of the matrix: an apply whose call of some number breaks in some way. The table must stay whole and readable,
// what the apply said must be true, and the next apply must end where an undisturbed one does (invariants I4, I7, I8).
import assert from "node:assert/strict";
import type { Approval } from "../../../src/apply/approval.ts";
import type { Target } from "../../../src/apply/table-state.ts";
import { DEFAULT_POLICY } from "../../../src/desired/project-config.ts";
import { type Json, type JsonMap, mapOf, mapsOf, textOf } from "../../fakes/rest-json.ts";
import { apply, approvalOf, planOf } from "../support.ts";
import { expectWhole } from "./expect-whole.ts";
import { type BreakEvents, type FaultWorld, FOREIGN, UNBROKEN } from "./fault-world.ts";
import { type RowReader, type Rows, rowReader } from "./near-rows.ts";
import { declare, type Job } from "./project.ts";

/** One job on one catalog, with what an undisturbed apply came to. */
export interface Matrix {
  readonly world: FaultWorld;
  readonly job: Job;
  readonly target: Target;
  readonly approval: Approval;
  /** Calls of the apply, in order. */
  readonly operations: readonly string[];
  readonly wanted: State;
  readonly rowsBefore: Rows;
  readonly readRows: RowReader;
}

export interface State {
  readonly table: JsonMap;
  readonly rows: Rows;
  readonly beside: Json;
}

/** What happens while the call is broken. */
export type Meanwhile =
  | "nothing"
  | "another commits"
  | "another commits after it"
  | "the clock jumps ahead"
  | "the clock jumps back";

/** A way to break calls with what happens beside. */
export interface Way {
  readonly title: string;
  readonly gets: string;
  readonly meanwhile: Meanwhile;
  readonly fits: (operation: string) => boolean;
}

/** All ways of a catalog. */
export function waysOf({ ways }: FaultWorld): readonly Way[] {
  const beside = (gets: string, meanwhile: Meanwhile, fits: Way["fits"] = () => true): Way => ({
    title: gets === UNBROKEN ? meanwhile : `${gets}, and ${meanwhile}`,
    gets,
    meanwhile,
    fits,
  });
  return [
    ...ways.map(({ title, fits }) => ({ title, gets: title, meanwhile: "nothing" as const, fits })),
    ...ways.filter(({ isDoubt }) => isDoubt).map(({ title, fits }) => beside(title, "another commits", fits)),
    ...ways.filter(({ isDoubt }) => isDoubt).map(({ title, fits }) => beside(title, "another commits after it", fits)),
    ...(["another commits", "the clock jumps ahead", "the clock jumps back"] as const).map((one) => beside(UNBROKEN, one)),
  ];
}

const HOURS_MS = 5 * 3_600_000;

export async function openMatrix(world: FaultWorld, job: Job): Promise<Matrix> {
  const target: Target = { spec: declare(world.folder, job.declaration), policy: DEFAULT_POLICY, catalog: world.catalog };
  await world.reset(job.isNew);
  const readRows = rowReader();
  const rowsBefore = await readRows(world);
  const snapshotsBefore = snapshotsOf(world);
  const approval = await approvalOf(target);
  const end = world.record();
  const { outcome, error } = await apply(target, approval);
  const operations = end();
  assert.deepEqual([outcome, error], ["applied", null]);
  const wanted = await stateOf(world, readRows);
  assert.equal(snapshotsOf(world) - snapshotsBefore, job.snapshots);
  return { world, job, target, approval, operations, wanted, rowsBefore, readRows };
}

/** Breaks one call; the answer is how the broken apply ended. Throws where something does not hold. */
export async function breakPoint(matrix: Matrix, call: number, { gets, meanwhile }: Way): Promise<string> {
  const { world, job, target, approval } = matrix;
  await world.reset(job.isNew);
  const before = world.objects();
  let foreign: Promise<boolean> = Promise.resolve(false);
  const another = (): void => {
    foreign = world.commitForeign();
  };
  const events: Readonly<Record<Meanwhile, BreakEvents>> = {
    nothing: {},
    "another commits": { onBreak: another },
    "another commits after it": { onNext: another },
    "the clock jumps ahead": { onBreak: () => world.setClock(HOURS_MS) },
    "the clock jumps back": { onBreak: () => world.setClock(-HOURS_MS) },
  };
  const armed = world.breakCall(call, gets, events[meanwhile]);
  let first: { readonly outcome: string; readonly error: unknown };
  try {
    first = await apply(target, approval, world.nowMs).catch((error: unknown) => ({ outcome: "thrown", error }));
  } finally {
    armed.heal();
  }
  try {
    const hasForeign = await foreign;
    assert.notEqual(
      first.outcome,
      "thrown",
      `it threw: ${first.error instanceof Error ? (first.error.stack ?? "") : String(first.error)}`,
    );
    expectTruth(matrix, first.outcome);
    const operation = matrix.operations[call - 1] ?? "";
    if (armed.isPassing && !UNDOING.has(operation)) assert.deepEqual(world.litter(), [], "nothing unfinished is left");
    await expectFinished(matrix, before, hasForeign);
  } finally {
    world.setClock(0);
  }
  return armed.hasBroken() ? first.outcome : "not reached";
}

/** What is left where these fail is theirs. */
const UNDOING: ReadonlySet<string> = new Set(["unlink", "AbortMultipartUpload"]);

/** After a break: whole as it is, and the next apply ends where an undisturbed one does. */
export async function expectFinished(
  matrix: Matrix,
  before: ReadonlyMap<string, Uint8Array>,
  hasForeign: boolean,
): Promise<void> {
  const { world, target, approval, wanted, rowsBefore, readRows } = matrix;
  expectWhole(world, before);
  const rows = await readRows(world);
  const isRight = [rowsBefore, wanted.rows].some((right) => JSON.stringify(rows) === JSON.stringify(right));
  assert.ok(isRight, "the rows are those of before or those of after");

  const second = await apply(target, approval, world.nowMs);
  assert.match(
    second.outcome,
    /^(applied|in-step)$/,
    `the next apply: ${second.outcome} ${String(second.error?.message)} ${String(second.error?.why)} ${JSON.stringify(second.problems)}`,
  );
  assert.deepEqual(await stateOf(world, readRows), wanted);
  if (hasForeign) assert.equal(propertiesOf(world)[FOREIGN], "yes", "another writer's commit is lost");
  expectWhole(world, before);
  assert.deepEqual((await planOf(target)).plan.steps, [], "the plan is empty");
}

const DONE: ReadonlySet<string> = new Set(["applied", "in-step"]);
const NOT_DONE: ReadonlySet<string> = new Set(["refused", "conflict"]);

/** What an apply said of itself is so. */
function expectTruth({ world, job }: Matrix, outcome: string): void {
  const hasLanded = propertiesOf(world)["floeplan.applied.plan"] !== undefined;
  if (DONE.has(outcome)) assert.ok(hasLanded, `it said "${outcome}", and the table is as before`);
  else if (NOT_DONE.has(outcome)) assert.ok(!hasLanded, `it said "${outcome}", and the table is changed`);
  else assert.match(outcome, /^(failed|unknown)$/, `an outcome that a broken call does not explain (${job.name})`);
}

async function stateOf(world: FaultWorld, readRows: RowReader): Promise<State> {
  const document = world.metadata()?.document ?? {};
  const schema = mapsOf(document["schemas"] ?? []).find((one) => one["schema-id"] === document["current-schema-id"]);
  const refs = Object.entries(document["refs"] === undefined ? {} : mapOf(document["refs"]));
  const { [FOREIGN]: _, ...properties } = propertiesOf(world);
  return {
    table: {
      schema: schema?.["fields"] ?? null,
      identifier: schema?.["identifier-field-ids"] ?? null,
      // One more would be left behind by an apply that did not come to its end.
      schemas: mapsOf(document["schemas"] ?? []).length,
      "last-column-id": document["last-column-id"] ?? null,
      version: document["format-version"] ?? null,
      spec: document["partition-specs"] ?? null,
      "default-spec-id": document["default-spec-id"] ?? null,
      order: document["sort-orders"] ?? null,
      "last-sequence-number": document["last-sequence-number"] ?? null,
      // One more than an undisturbed apply makes would be one too many.
      snapshots: snapshotsOf(world),
      refs: refs.map(([name, ref]) => `${name} ${textOf(mapOf(ref)["type"])}`).sort(),
      properties: Object.keys(properties).sort(),
    },
    rows: await readRows(world),
    beside: world.beside(),
  };
}

function propertiesOf(world: FaultWorld): Readonly<Record<string, string>> {
  const document = world.metadata()?.document;
  return (document?.["properties"] ?? {}) as Readonly<Record<string, string>>;
}

function snapshotsOf(world: FaultWorld): number {
  return mapsOf(world.metadata()?.document["snapshots"] ?? []).length;
}
