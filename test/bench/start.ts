// What a person waits before anything happens, and what is fetched: the program's `--help` against an empty node, in turn,
// and the sizes of what is published. `npm run bench -- start [--runs N]`. Needs dist/.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "15" } } });
const RUNS = Number(options.runs);
const DIST = resolve(import.meta.dirname, "../../dist");

function seconds(words: readonly string[]): number {
  const from = performance.now();
  const { status } = spawnSync(process.execPath, words, { stdio: "ignore" });
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}`);
  return (performance.now() - from) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function sizeOf(path: string): number {
  if (statSync(path).isFile()) return statSync(path).size;
  return readdirSync(path).reduce((total, name) => total + sizeOf(join(path, name)), 0);
}

const [help, empty] = [[], []] as readonly number[][];
for (let run = 0; run <= RUNS; run++) {
  const pair = [seconds([join(DIST, "index.js"), "--help"]), seconds(["-e", "0"])] as const;
  // The first warms the caches.
  if (run > 0) for (const [index, list] of [help, empty].entries()) list?.push(pair[index] ?? Number.NaN);
}
const [ours, bare] = [median(help ?? []), median(empty ?? [])];
const mebibytes = (path: string): string => (sizeOf(path) / 1024 / 1024).toFixed(2);
console.log(
  `median of ${RUNS}, seconds: --help ${ours.toFixed(3)}, an empty node ${bare.toFixed(3)}; ratio ${(ours / bare).toFixed(2)}`,
);
console.log(
  `MiB: dist ${mebibytes(DIST)}, of which dist/index.js ${mebibytes(join(DIST, "index.js"))} and dist/action.js ${mebibytes(join(DIST, "action.js"))}`,
);
