// One sequence: a table is made from a random file, then a list of operations runs over it. Sequences are plain lists of
// records, so that a failing one is cut down to the shortest that still fails.
import fc from "fast-check";
import type { Declared } from "./declaration.ts";
import { newColumn } from "./edits.ts";
import type { Lake } from "./lake.ts";
import { applied, type Operation, OPERATIONS, type OperationName } from "./operations.ts";
import { newRun, planNow, specFor } from "./product.ts";
import type { Tally } from "./tally.ts";
import { newWorld, type World } from "./world.ts";

/** How often each operation comes up beside the others. */
const WEIGHTS: Readonly<Record<OperationName, number>> = {
  "edit the file": 30,
  "revert in Git": 6,
  "mend the file": 8,
  "adopt the drift": 3,
  "another writer commits": 14,
  "another hand writes the document": 2,
  "another writer appends": 10,
  plan: 3,
  apply: 18,
  "apply while others commit": 8,
  "apply with an old plan": 4,
  "apply with no approval": 3,
  "apply that dies": 6,
  "two branches are merged": 4,
  "two applies at once": 3,
  "a loss and its return": 5,
  "a property of two owners": 2,
  "roll back a conversion": 3,
};

const MOST = 1_000_000;

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.oneof(
    ...(Object.entries(WEIGHTS) as [OperationName, number][]).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) })),
  ),
  a: fc.noBias(fc.nat(MOST)),
  b: fc.noBias(fc.nat(MOST)),
});

export interface Sequence {
  readonly formatVersion: number;
  readonly operations: readonly Operation[];
}

export function sequences(length: number): fc.Arbitrary<Sequence> {
  return fc.record({
    formatVersion: fc.constantFrom(2, 2, 2, 1, 3),
    operations: fc.array(operation, { minLength: 1, maxLength: length, size: "max" }),
  });
}

function firstFile(formatVersion: number): Declared {
  return {
    columns: [
      newColumn(1, "f1", { kind: "int" }),
      newColumn(2, "f2", { kind: "string" }),
      newColumn(3, "f3", { kind: "string" }),
      newColumn(4, "f4", {
        kind: "struct",
        fields: [newColumn(5, "f5", { kind: "float" }), newColumn(6, "f6", { kind: "string" })],
      }),
      newColumn(7, "f7", { kind: "list", fields: [newColumn(8, "f8", { kind: "int" })] }),
    ],
    partitionBy: null,
    sortBy: null,
    identifier: null,
    properties: { "app.team": "sales" },
    comment: null,
    dropped: [],
    formatVersion,
  };
}

/** Runs to the end or throws; the world is handed out first, so that its story outlives a failure. */
export async function runSequence(
  { formatVersion, operations }: Sequence,
  lake: Lake,
  tally: Tally,
  onWorld: (world: World) => void = () => undefined,
): Promise<void> {
  const world = newWorld(lake, firstFile(formatVersion), tally);
  onWorld(world);
  const spec = specFor(world, world.declared);
  if (spec === null) throw new Error("The first file is wrong");
  const { plan } = await planNow(world, spec);
  await applied(world, newRun(world.declared, plan.steps));
  for (const { kind, a, b } of operations) {
    world.story.push(`${kind} (${a}, ${b})`);
    try {
      await OPERATIONS[kind](world, a, b);
    } finally {
      lake.cutAfter(null);
    }
  }
  tally.add("sequences");
  tally.add("operations", operations.length);
}
