// Runs the interop suites: software nobody here wrote reads what floeplan wrote, and the other way round.
// `npm run test:interop [-- NAME…]` runs test/interop/NAME/run.ts, all without a name. A suite prints one
// line a check (`ok …`, `not ok …`, `skip …`) and ends with code 0 unless a check failed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../test/interop");
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
const suites = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, "run.ts")))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();
if (suites.length === 0) {
  console.error(`No interop suite named ${wanted.join(", ")}`);
  process.exit(64);
}
const totals = { passed: 0, failed: 0, skipped: 0 };
for (const suite of suites) {
  console.log(`# ${suite}`);
  const run = spawnSync(process.execPath, ["--import", "tsx", join(folder, suite, "run.ts"), ...options], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  process.stdout.write(run.stdout);
  const count = (start: string): number => run.stdout.split("\n").filter((line) => line.startsWith(start)).length;
  totals.passed += count("ok ");
  totals.skipped += count("skip ");
  totals.failed += count("not ok ") + (run.status !== 0 && count("not ok ") === 0 ? 1 : 0);
  if (run.status !== 0) console.log(`# ${suite} ended with ${run.status ?? run.signal}`);
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed === 0 ? 0 : 1);
