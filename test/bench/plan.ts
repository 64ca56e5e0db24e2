// How planning grows: metadata files up to 100 MB, 10,000 YAML files, a table of 10,000 columns, 1,000 tables; each at
// a quarter, a half and the whole, against what reads the same in the same run: the bytes, JSON.parse, the YAML parser,
// PyIceberg. `npm run bench -- plan [--part metadata|files|wide|flat|tables] [--scale 1]`. Processor seconds, since machines are
// shared. Needs `npm run build` and what the interop suites install.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pythonEnvironment } from "../interop/support/python.ts";
import { writeBigMetadata, writeProject } from "./plan/inputs.ts";

const { values: options } = parseArgs({
  options: { part: { type: "string" }, scale: { type: "string", default: "1" } },
});
const ROOT = resolve(import.meta.dirname, "../..");
const SCALE = Number(options.scale);
const GROWTH = [0.25, 0.5, 1].map((part) => part * SCALE);
const folder = mkdtempSync(join(tmpdir(), "floeplan-bench-plan-"));
const { python } = await pythonEnvironment("light");

interface Measured {
  readonly seconds: Readonly<Record<string, number>>;
  readonly peakMiB: number;
}

function run(command: readonly string[], directory = ROOT): string {
  const [program = "", ...words] = command;
  const done = spawnSync(program, words, { cwd: directory, encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`${command.join(" ")} ended with ${done.status}\n${done.stderr}`);
  return done.stdout.trim().split("\n").at(-1) ?? "";
}

function phase(name: string, ...words: readonly string[]): Measured {
  const file = join(import.meta.dirname, "plan/phase.ts");
  return JSON.parse(run([process.execPath, "--max-old-space-size=4096", "--import", "tsx", file, name, ...words])) as Measured;
}

function pyiceberg(...words: readonly string[]): Measured {
  return JSON.parse(run([python, join(import.meta.dirname, "plan/load.py"), ...words])) as Measured;
}

/** The whole program, its start too. */
function floeplan(project: string, ...words: readonly string[]): Measured {
  const text = run(
    [python, join(import.meta.dirname, "measure.py"), process.execPath, join(ROOT, "dist/index.js"), ...words],
    project,
  );
  const { cpu, peakMiB, exit } = JSON.parse(text) as { cpu: number; peakMiB: number; exit: number };
  if (exit !== 0 && exit !== 2) throw new Error(`floeplan ${words.join(" ")} ended with ${exit}`);
  return { seconds: { all: cpu }, peakMiB };
}

type Row = Readonly<Record<string, Measured>>;

/** A line a size, then the growth of each column from the first size to the last, and our ratios at the last. */
function table(title: string, sizes: readonly number[], ours: string, row: (size: number) => Row): Record<string, number> {
  console.log(title);
  const rows = sizes.map((size) => {
    const measured = row(size);
    const cells = Object.entries(measured).map(([name, one]) => `${name} ${shown(one)}`);
    console.log(`  ${size.toLocaleString("en-US")}: ${cells.join(" | ")}`);
    return measured;
  });
  const [first = {}, last = {}] = [rows[0], rows.at(-1)];
  const factor = (sizes.at(-1) ?? 1) / (sizes[0] ?? 1);
  const total = (one: Measured | undefined): number => one?.seconds["all"] ?? sum(one);
  const figures: Record<string, number> = {
    seconds: rounded(total(last[ours])),
    peakMiB: Math.round(last[ours]?.peakMiB ?? 0),
    growth: rounded(total(last[ours]) / Math.max(0.001, total(first[ours])) / factor),
    memoryGrowth: rounded((last[ours]?.peakMiB ?? 0) / (first[ours]?.peakMiB ?? 1) / factor),
  };
  for (const name of Object.keys(last)) {
    if (name !== ours) figures[`ratioTo ${name}`] = rounded(total(last[ours]) / Math.max(0.001, total(last[name])));
  }
  console.log(`  at ${factor} times the size ${figures["growth"]} of the time that linear growth gives`);
  return figures;
}

function sum(one: Measured | undefined): number {
  return Object.entries(one?.seconds ?? {}).reduce((all, [name, value]) => (name === "steps" ? all : all + value), 0);
}

function shown({ seconds, peakMiB }: Measured): string {
  const parts = Object.entries(seconds).map(([name, value]) =>
    name === "steps" ? `${value} steps` : name === "all" ? `${value.toFixed(2)} s` : `${name} ${value.toFixed(2)}`,
  );
  return `${parts.join(", ")}, ${Math.round(peakMiB)} MiB`;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

const PARTS: Readonly<Record<string, () => Record<string, number>>> = {
  metadata: () =>
    table(
      "metadata file, bytes: read, plan one column more, write",
      GROWTH.map((part) => part * 100_000_000),
      "floeplan",
      (bytes) => {
        const [source, target] = [join(folder, "big.metadata.json"), join(folder, "out.metadata.json")];
        writeBigMetadata(source, bytes);
        return {
          floeplan: phase("metadata", source, target),
          "reading and writing the bytes": phase("bytes", source, target),
          "JSON.parse and stringify": phase("json", source, target),
          PyIceberg: pyiceberg("metadata", source, target),
        };
      },
    ),
  files: () =>
    table(
      "YAML files: validate",
      GROWTH.map((part) => part * 10_000),
      "floeplan",
      (count) => {
        const project = join(folder, `files-${count}`);
        writeProject(project, count, false);
        return { floeplan: floeplan(project, "validate"), "the YAML parser": phase("yaml", project) };
      },
    ),
  wide: () =>
    table(
      "fields, six deep: read the declaration, create, plan many edits, apply",
      GROWTH.map((part) => part * 10_000),
      "floeplan",
      (fields) => ({
        floeplan: phase("wide", String(fields)),
        "PyIceberg (edits by name alone)": pyiceberg("wide", String(fields)),
      }),
    ),
  flat: () =>
    table(
      "columns side by side: read the declaration, create, plan many edits, apply",
      GROWTH.map((part) => part * 10_000),
      "floeplan",
      (fields) => ({
        floeplan: phase("flat", String(fields)),
      }),
    ),
  tables: () =>
    table(
      "tables of a local warehouse: plan",
      GROWTH.map((part) => part * 1000),
      "floeplan",
      (count) => {
        const project = join(folder, `tables-${count}`);
        writeProject(project, count, true);
        return {
          floeplan: floeplan(project, "plan"),
          "PyIceberg (loads alone)": pyiceberg("tables", join(project, "warehouse")),
        };
      },
    ),
};

try {
  const wanted = Object.entries(PARTS).filter(([name]) => options.part === undefined || options.part === name);
  const figures = Object.fromEntries(wanted.map(([name, part]) => [name, part()]));
  console.log(JSON.stringify(figures));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
