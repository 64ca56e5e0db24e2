// A conversion on a REST server of which nothing is known yet makes two commits: one adds the schema, the other makes it
// current. Stopped between them, the next apply goes on with the ids that were given, and leaves nothing behind.
import { afterAll, beforeAll, expect, it } from "vitest";
import { apply, approvalOf } from "./support.ts";
import type { FaultWorld } from "./faults/fault-world.ts";
import { expectFinished, type Matrix, openMatrix } from "./faults/matrix.ts";
import { jobNamed } from "./faults/project.ts";
import { restFaults } from "./faults/rest-faults.ts";

const conversion = jobNamed("conversion");

const worlds: FaultWorld[] = [];
/** What an undisturbed apply comes to, on a server that nothing is known of. */
let matrix: Matrix;

async function start(): Promise<FaultWorld> {
  const world = await restFaults();
  worlds.push(world);
  return world;
}
beforeAll(async () => {
  matrix = await openMatrix(await start(), conversion);
});
afterAll(async () => {
  for (const world of worlds) await world.stop();
});

it.each([
  ["while files are written", (operations: readonly string[]) => operations.indexOf("CommitTable") + 4, "failed"],
  ["at the second commit", (operations: readonly string[]) => operations.lastIndexOf("CommitTable") + 1, "refused"],
])("is taken up with the same ids after it ended %s", async (_, callOf, outcome) => {
  const world = await start();
  await world.reset(conversion.isNew);
  const target = { ...matrix.target, catalog: world.catalog };
  const approval = await approvalOf(target);
  const before = world.objects();
  const armed = world.breakCall(callOf(matrix.operations), "denied for good", {});
  const first = await apply(target, approval);
  armed.heal();
  expect([first.outcome, armed.hasBroken()]).toEqual([outcome, true]);
  const waiting = world.metadata()?.document ?? {};
  expect([waiting["current-schema-id"], waiting["properties"]]).toEqual([
    0,
    expect.objectContaining({ "floeplan.pending.field-ids": "14-15" }),
  ]);
  const end = world.record();
  await expectFinished({ ...matrix, world, target, approval }, before, false);
  // Data files that were finished are not written again.
  const puts = (operations: readonly string[]): number => operations.filter((one) => one === "PutObject").length;
  expect(puts(end())).toBeLessThan(puts(matrix.operations.slice(0, matrix.operations.indexOf("CommitTable"))));
});
