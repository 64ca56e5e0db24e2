// `npm run model:races -- [--on local,glue,…] [--writers N] [--commits N]`: writers at once on one table of each catalog.
// One line a catalog: commits, conflicts, lost. Ends with 1 when a commit is lost.
import { parseArgs } from "node:util";
import { LAKES } from "../test/model/played-lakes.ts";
import { race } from "../test/model/races.ts";

const { values } = parseArgs({
  options: {
    on: { type: "string", default: "local,glue,s3-tables,rest" },
    writers: { type: "string", default: "8" },
    commits: { type: "string", default: "100" },
  },
});
let lost = 0;
for (const name of values.on.split(",")) {
  const open = LAKES[name];
  if (open === undefined) {
    console.error(`There is no lake "${name}": ${Object.keys(LAKES).join(", ")}`);
    process.exit(64);
  }
  const lakes = await open();
  const started = performance.now();
  const figures = await race(await lakes.next(), Number(values.writers), Number(values.commits));
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${name}: ${figures.done} commits by ${values.writers} writers, ${figures.conflicts} conflicts, ${figures.lost} lost, ${seconds} s`,
  );
  lost += figures.lost;
  await lakes.stop();
}
process.exit(lost === 0 ? 0 : 1);
