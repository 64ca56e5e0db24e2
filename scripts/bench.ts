// Runs a bench: `npm run bench -- NAME [ARGUMENTS]` runs test/bench/NAME.ts. A bench prints ratios against
// something real measured in the same run; its last line holds the figures.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../test/bench");
const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => name.slice(0, -3))
  : [];
const name = process.argv[2];
if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join(" | ")}`);
  process.exit(64);
}
const run = spawnSync(process.execPath, ["--import", "tsx", join(folder, `${name}.ts`), ...process.argv.slice(3)], {
  stdio: "inherit",
});
process.exit(run.status ?? 1);
