// A conversion by the whole program: one column of sixteen in a table of five million rows, against DuckDB's COPY of
// the whole files in the same run. `npm run bench -- rewrite [--rows N] [--runs N]`. Needs what the interop suites install.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pythonEnvironment } from "../interop/support/python.ts";

const { values: options } = parseArgs({
  options: { rows: { type: "string", default: "5000000" }, runs: { type: "string", default: "3" } },
});
const ROWS = Number(options.rows);
const FILES = 10;
const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAM = join(ROOT, "dist/index.js");
const folder = join(tmpdir(), `floeplan-bench-rewrite-${ROWS}`);
const made = join(folder, "made");
const work = join(folder, "work");

interface Measured {
  readonly exit: number;
  readonly wall: number;
  readonly cpu: number;
  readonly peakMiB: number;
}

const { python } = await pythonEnvironment("light");

function measure(command: readonly string[], directory: string): Measured {
  const run = spawnSync(python, [join(import.meta.dirname, "measure.py"), ...command], { cwd: directory, encoding: "utf8" });
  const measured = JSON.parse(run.stdout) as Measured;
  if (measured.exit !== 0) throw new Error(`${command.join(" ")} ended with ${measured.exit}\n${run.stderr}`);
  return measured;
}

/** The table is made where it is used, since its metadata holds its paths; a copy is kept aside. */
function fresh(): void {
  rmSync(work, { recursive: true, force: true });
  if (!existsSync(made)) {
    mkdirSync(work, { recursive: true });
    const run = spawnSync(python, [join(import.meta.dirname, "rewrite-table.py"), work, String(ROWS), String(FILES)], {
      stdio: "inherit",
    });
    if (run.status !== 0) throw new Error("the table could not be made");
    mkdirSync(folder, { recursive: true });
    renameSync(work, made);
  }
  cpSync(made, work, { recursive: true });
}

const COLUMNS = ["event_date", "qty"] as const;
const TYPES: Readonly<Record<string, string>> = {
  id: "long",
  event_date: "string",
  qty: "string",
  amount: "long",
  ratio: "double",
  flag: "boolean",
  ts: "timestamp",
  country: "string",
  note: "string",
};

function project(converted: (typeof COLUMNS)[number]): void {
  const names = [...Object.keys(TYPES), ...Array.from({ length: 7 }, (_, k) => `c${k}`)];
  const lines = names.map((name) => {
    if (name !== converted) return `  - { name: ${name}, type: ${TYPES[name] ?? "long"} }`;
    return name === "event_date"
      ? "  - { name: event_date, type: date, convert: { from: string, format: yyyyMMdd } }"
      : "  - { name: qty, type: int, convert: { from: string } }";
  });
  mkdirSync(join(folder, "project/tables"), { recursive: true });
  writeFileSync(
    join(folder, "project/floeplan.yaml"),
    `floeplan: 1\ntables: [ "tables/*.yaml" ]\nenvironments:\n  bench: { catalogs: { lake: { type: local, warehouse: ${JSON.stringify(work)} } } }\n`,
  );
  writeFileSync(join(folder, "project/tables/t.yaml"), `table: bench.t\ncolumns:\n${lines.join("\n")}\n`);
}

function floeplan(converted: (typeof COLUMNS)[number]): Measured {
  fresh();
  project(converted);
  const directory = join(folder, "project");
  measure([process.execPath, PROGRAM, "plan", "--out", "plan.json"], directory);
  return measure([process.execPath, PROGRAM, "apply", "--plan", "plan.json"], directory);
}

const COPY = `
import duckdb, glob, os, sys
con = duckdb.connect()
con.execute("set enable_progress_bar = false")
os.makedirs(sys.argv[2], exist_ok=True)
for path in glob.glob(sys.argv[1] + "/**/*.parquet", recursive=True):
    con.execute(f"""copy (select * replace ({sys.argv[3]}) from read_parquet('{path}', hive_partitioning = false))
        to '{sys.argv[2]}/{os.path.basename(path)}' (format parquet, compression zstd)""")
`;

function duckdb(converted: (typeof COLUMNS)[number]): Measured {
  fresh();
  const expression =
    converted === "event_date" ? "strptime(event_date, '%Y%m%d')::date as event_date" : "cast(qty as int) as qty";
  return measure([python, "-c", COPY, join(work, "bench/t/data"), join(work, "copied"), expression], folder);
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".parquet"))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

fresh();
console.log(`${ROWS} rows, 16 columns, ${FILES} files, ${Math.round(sizeOf(work) / 1024 / 1024)} MiB of Parquet`);
const figures: Record<string, unknown> = { rows: ROWS };
for (const column of COLUMNS) {
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  for (let run = 0; run < Number(options.runs); run++) {
    ours.push(floeplan(column));
    theirs.push(duckdb(column));
  }
  const say = (name: string, runs: readonly Measured[]): { wall: number; peak: number } => {
    const wall = middle(runs.map((one) => one.wall));
    const peak = Math.max(...runs.map((one) => one.peakMiB));
    console.log(
      `${column}: ${name} ${wall.toFixed(2)} s, ${Math.round(ROWS / wall).toLocaleString("en-US")} rows/s, ${middle(runs.map((one) => one.cpu)).toFixed(2)} s of processor, peak ${Math.round(peak)} MiB`,
    );
    return { wall, peak };
  };
  const a = say("floeplan apply (checked, converted, committed, verified)", ours);
  const b = say("DuckDB COPY of the whole files", theirs);
  const ratios = ours.map((one, index) => one.wall / (theirs[index]?.wall ?? 1));
  console.log(`${column}: ratio of the two, run by run: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`);
  figures[column] = {
    rowsPerSecond: Math.round(ROWS / a.wall),
    peakMiB: Math.round(a.peak),
    ratioToDuckDb: Number(middle(ratios).toFixed(2)),
    duckDbPeakMiB: Math.round(b.peak),
  };
}
console.log(JSON.stringify(figures));
