// The process in which the inputs of a campaign run. Tells each input before it uses it, so that one that ends the process
// is known.
import { readFileSync } from "node:fs";
import type { Task, Told } from "./campaign.ts";
import { count, noFigures } from "./figures.ts";
import { BOUNDS, judge } from "./judge.ts";
import { randomOf } from "./random.ts";
import { readSeeds } from "./seeds.ts";
import { TARGETS } from "./targets/index.ts";

/** Figures are told this often: what is lost with a child is run again. */
const BATCH = 500;
/** The first inputs pay for compiling. */
const WARM = 200;

async function run(task: Task): Promise<void> {
  const found = TARGETS.find((one) => one.name === task.target);
  if (found === undefined) throw new Error(`There is no target ${task.target}`);
  const target = await found.open(readSeeds(task.folders, found.isSeed));
  let figures = noFigures(task.target);
  for (let number = -1; number >= -WARM && task.file === null; number--) {
    if (task.skip.includes(number)) continue;
    const input = target.make(randomOf(task.seed, number));
    await tell({ kind: "starts", number, input: Buffer.from(input).toString("base64") });
    await judge(target, input);
  }
  for (let number = task.from; number < task.to; number++) {
    if (!task.skip.includes(number)) {
      const input = task.file === null ? target.make(randomOf(task.seed, number)) : new Uint8Array(readFileSync(task.file));
      const text = Buffer.from(input).toString("base64");
      await tell({ kind: "starts", number, input: text });
      const rssBefore = process.resourceUsage().maxRSS;
      const judged = await judge(target, input);
      const grown = (process.resourceUsage().maxRSS - rssBefore) * 1024;
      const finding =
        judged.finding ?? (grown > BOUNDS.takenBytes ? `The process grew by ${Math.round(grown / 2 ** 20)} MiB` : null);
      count(figures, number, { ...judged, takenBytes: Math.max(judged.takenBytes, grown), finding }, input.length);
      if (finding !== null) await tell({ kind: "found", number, what: finding, input: text });
    }
    if ((number + 1) % BATCH === 0 || number + 1 === task.to) {
      figures.peakBytes = process.resourceUsage().maxRSS * 1024;
      await tell({ kind: "counted", next: number + 1, figures });
      figures = noFigures(task.target);
    }
  }
}

async function tell(told: Told): Promise<void> {
  await new Promise<void>((done) => process.send?.(told, () => done()));
}

process.once("disconnect", () => process.exit(1));
process.once("message", (task: Task) => {
  run(task).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
