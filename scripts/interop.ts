// Runs the interop suites: software nobody here wrote reads what floeplan wrote, and the other way round.
// `npm run test:interop [-- NAME…]` runs test/interop/NAME/run.ts, all without a name. A suite prints one
// line a check (`ok …`, `not ok …`, `skip …`) and ends with code 0 unless a check failed.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

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
  const { status, lines } = await runSuite(join(folder, suite, "run.ts"));
  const count = (start: string): number => lines.filter((line) => line.startsWith(start)).length;
  totals.passed += count("ok ");
  totals.skipped += count("skip ");
  totals.failed += count("not ok ") + (status !== 0 && count("not ok ") === 0 ? 1 : 0);
  if (status !== 0) console.log(`# ${suite} ended with ${status}`);
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed === 0 ? 0 : 1);

/** Lines are passed on as they come; a signal to this process reaches the suite, which stops what it started. */
async function runSuite(file: string): Promise<{ readonly status: number | NodeJS.Signals; readonly lines: readonly string[] }> {
  const child = spawn(process.execPath, ["--import", "tsx", file, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    lines.push(line);
  }
  const status = await new Promise<number | NodeJS.Signals>((settle) => {
    if (child.exitCode !== null || child.signalCode !== null) settle(child.exitCode ?? child.signalCode ?? 1);
    else child.once("exit", (code, signal) => settle(code ?? signal ?? 1));
  });
  for (const signal of SIGNALS) process.off(signal, pass);
  return { status, lines };
}
