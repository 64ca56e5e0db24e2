// `npm run faults -- [local|glue|s3-tables|rest] [--job NAME] [--program|--broken] [--sample N] [--jobs N]`: breaks every
// call of an apply in every way, and kills the built program, or has its clock jump, at every
// call, on each catalog. One line a way, then the sum.
// A small sample of it is in `npm test`.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { type FaultUnit, runUnit, UNITS, type WayCount } from "./faults-unit.ts";

const ROOT = resolve(import.meta.dirname, "..");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    job: { type: "string" },
    way: { type: "string" },
    program: { type: "boolean" },
    broken: { type: "boolean" },
    sample: { type: "string" },
    jobs: { type: "string" },
    built: { type: "string" },
    unit: { type: "string" },
  },
});

const sample = values.sample === undefined ? null : Number(values.sample);

if (values.unit === undefined) process.exitCode = await runAll();
else await runUnit(JSON.parse(values.unit) as FaultUnit, { built: values.built ?? "", only: values.way ?? null, sample });

async function runAll(): Promise<number> {
  const both = values.program === values.broken;
  const units = UNITS.filter(
    ({ subject, job, isProgram }) =>
      (positionals.length === 0 || positionals.includes(subject)) &&
      (values.job === undefined || values.job === job) &&
      (both || isProgram === (values.program === true)),
  );
  const built = mkdtempSync(join(tmpdir(), "floeplan-faults-built-"));
  try {
    await run([process.execPath, "--import", "tsx", "scripts/build.ts", built], () => undefined);
    const counts = new Map<string, WayCount>();
    const waiting = [...units];
    const work = async (): Promise<void> => {
      for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) await runChild(unit, built, counts);
    };
    const width = Number(values.jobs ?? availableParallelism());
    await Promise.all(Array.from({ length: width }, work));
    return sum([...counts.values()]);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

/** A process of its own, so that what one unit leaves behind is not the next one's. */
async function runChild(unit: FaultUnit, built: string, counts: Map<string, WayCount>): Promise<void> {
  const way = values.way === undefined ? [] : ["--way", values.way];
  const some = values.sample === undefined ? [] : ["--sample", values.sample];
  const words = ["--import", "tsx", "scripts/faults.ts", "--built", built, "--unit", JSON.stringify(unit), ...way, ...some];
  const exit = await run([process.execPath, ...words], (line) => {
    const count = JSON.parse(line) as WayCount;
    counts.set(`${count.unit} ${count.way}`, count);
    const ends = Object.entries(count.ends).map(([end, times]) => `${times} ${end}`);
    console.log(`${count.unit}: ${count.way}: ${count.points} points, ${count.failures.length} failed (${ends.join(", ")})`);
    for (const failure of count.failures) console.log(`  ${failure.replaceAll("\n", "\n  ")}`);
  });
  if (exit !== 0) {
    const title = `${unit.subject} ${unit.job}`;
    counts.set(title, { unit: title, way: "the whole", points: 1, failures: [`ended with ${exit}`], ends: {} });
  }
}

function sum(counts: readonly WayCount[]): number {
  const points = counts.reduce((total, one) => total + one.points, 0);
  const failed = counts.reduce((total, one) => total + one.failures.length, 0);
  console.log(`${points} points, ${points - failed} passed, ${failed} failed`);
  return failed === 0 && points > 0 ? 0 : 1;
}

async function run([file = "", ...words]: readonly string[], onLine: (line: string) => void): Promise<number | null> {
  const child = spawn(file, words, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", onLine);
  return await new Promise((settle) => child.on("close", settle));
}
