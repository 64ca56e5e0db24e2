// `npm run model -- [--runs N] [--seed S] [--length N] [--on memory|glue|s3-tables|rest]`: random histories of one table against a model of it, thousands of
// them. Prints how often each invariant was put to the test; a broken one with the shortest history that breaks it.
import { parseArgs } from "node:util";
import fc from "fast-check";
import { LAKES } from "../test/model/played-lakes.ts";
import { runSequence, type Sequence, sequences } from "../test/model/sequence.ts";
import { newTally, tallyLines } from "../test/model/tally.ts";
import type { World } from "../test/model/world.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string" },
    length: { type: "string", default: "40" },
    on: { type: "string", default: "memory" },
  },
});
const open = LAKES[values.on];
if (open === undefined) {
  console.error(`There is no lake "${values.on}": ${Object.keys(LAKES).join(", ")}`);
  process.exit(64);
}
const lakes = await open();
const seed = values.seed === undefined ? Math.floor(Math.random() * 0x7fff_ffff) : Number(values.seed);
const runs = Number(values.runs);
const tally = newTally();

async function storyOf(sequence: Sequence): Promise<string> {
  let world: World | null = null;
  const keep = (one: World): void => {
    world = one;
  };
  await runSequence(sequence, await lakes.next(), newTally(), keep).catch(() => undefined);
  return ((world as World | null)?.story ?? []).join("\n");
}

const started = performance.now();
const details = await fc.check(
  fc.asyncProperty(sequences(Number(values.length)), async (sequence) => {
    await runSequence(sequence, await lakes.next(), tally);
  }),
  { numRuns: runs, seed },
);
console.log(`${values.on}, seed ${seed}, ${details.numRuns} sequences, ${Math.round((performance.now() - started) / 1000)} s`);
for (const line of tallyLines(tally)) console.log(line);
if (details.failed) {
  const [sequence] = details.counterexample ?? [];
  console.log(`\n${String(details.errorInstance instanceof Error ? details.errorInstance.stack : details.errorInstance)}`);
  console.log(`\nafter ${details.numShrinks} cuts:\n${JSON.stringify(sequence)}`);
  if (sequence !== undefined) console.log(`\n${await storyOf(sequence)}`);
}
await lakes.stop();
process.exit(details.failed ? 1 : 0);
