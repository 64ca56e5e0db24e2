// Random histories of one table, on the real planner and the real apply: nothing that may happen around a plan breaks an
// invariant. The same sequences in each run; `npm run model` plays thousands of others.
import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryLake } from "./lake.ts";
import { runSequence, sequences } from "./sequence.ts";
import { INVARIANTS, newTally } from "./tally.ts";

const SEED = 20_261_130;

it("keeps I1 to I10 whatever others do between a plan and its commit", async () => {
  const tally = newTally();
  await fc.assert(
    fc.asyncProperty(sequences(25), async (sequence) => {
      await runSequence(sequence, await memoryLake(), tally);
    }),
    { seed: SEED, numRuns: 20 },
  );
  for (const invariant of INVARIANTS) {
    const labels = [...tally.counts].filter(([label]) => label.startsWith(`${invariant} `));
    expect(labels.length, `${invariant} was put to the test`).toBeGreaterThan(0);
  }
});
