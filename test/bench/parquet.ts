// Rows a second and peak memory of converting one column of sixteen, dictionary and plain, against DuckDB's
// rewrite of the whole files in the same run. `npm run bench -- parquet [--rows N] [--folder DIR] [--python PATH]`:
// the Python needs the package duckdb, which makes the files too.
import { spawnSync } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bindConversion } from "../../src/conversion/index.ts";
import { FAILED } from "../../src/parquet/column-rewrite.ts";
import type { ByteSink, ByteSource } from "../../src/parquet/file-io.ts";
import { readFooter } from "../../src/parquet/footer.ts";
import type { ColumnValue, PhysicalTarget } from "../../src/parquet/physical.ts";
import { rewriteFile } from "../../src/parquet/rewrite-file.ts";
import { scanColumn } from "../../src/parquet/scan-column.ts";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "5000000" },
    folder: { type: "string", default: join(tmpdir(), "floeplan-bench-parquet") },
    python: { type: "string", default: "python3" },
    case: { type: "string" },
  },
});
const folder = join(options.folder, options.rows);

const COLUMNS = {
  event_date: { fieldId: 2, to: "date", format: "yyyyMMdd", target: { type: "INT32", logical: { kind: "date" } } },
  qty: { fieldId: 3, to: "int", format: undefined, target: { type: "INT32" } },
} as const satisfies Record<string, { fieldId: number; to: "date" | "int"; format: string | undefined; target: PhysicalTarget }>;
type Column = keyof typeof COLUMNS;

interface Figures {
  readonly name: string;
  readonly rows: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

// Few distinct dates stay a dictionary in every row group; numbers of ten digits do not.
const MAKE = `
import duckdb, os, sys
folder, rows = sys.argv[1], int(sys.argv[2])
con = duckdb.connect()
con.execute("set enable_progress_bar = false")
ids = ", ".join(f"{n}: {i + 1}" for i, n in enumerate("id event_date qty c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16".split()))
for f in range(5):
    n = rows // 5
    con.execute(f"""copy (select i id, strftime(date '2000-01-01' + cast(hash(i) % 3000 as int), '%Y%m%d') event_date,
      cast(hash(i + 7) % 2000000000 as varchar) qty, i * 3 c4, i % 100 c5, 'name ' || (i % 1000) c6, cast(i as double) / 7 c7,
      (i % 13)::decimal(18, 4) c8, timestamp '2020-01-01' + to_seconds(i) c9, i % 2 = 0 c10, 'country' || (i % 50) c11,
      hash(i) % 1048575 c12, md5(i::varchar)[1:8] c13, i % 7 c14, i % 100000 c15, 'x' || (i % 9) c16
      from range({f * n}, {(f + 1) * n}) t(i)) to '{folder}/{f}.parquet' (format parquet, compression zstd, field_ids {{{ids}}})""")
`;

const DUCKDB = `
import duckdb, json, resource, sys, time
folder, column, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
con = duckdb.connect()
con.execute("set enable_progress_bar = false")
before = resource.getrusage(resource.RUSAGE_SELF)
new = "try_strptime(event_date, '%Y%m%d')::date" if column == "event_date" else "try_cast(qty as int)"
start = time.time()
for f in range(5):
    con.execute(f"copy (select * replace ({new} as {column}) from '{folder}/{f}.parquet') to '{folder}/duckdb.tmp' (format parquet, compression zstd)")
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"name": f"DuckDB, whole files, {column}", "rows": rows, "seconds": time.time() - start,
  "cpuSeconds": usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime, "peakMiB": usage.ru_maxrss / 1024}))
`;

function python(script: string, ...parameters: string[]): string {
  const run = spawnSync(options.python, ["-c", script, ...parameters], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`${options.python} failed: ${run.stderr || String(run.error)}`);
  return run.stdout;
}

function fileSource(descriptor: number): ByteSource {
  return {
    sizeBytes: fstatSync(descriptor).size,
    read: async (offset, lengthBytes) => {
      const bytes = Buffer.allocUnsafe(lengthBytes);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, lengthBytes, offset));
    },
  };
}

function fileSink(descriptor: number, source: ByteSource): ByteSink {
  const slice = 1024 * 1024;
  return {
    write: async (bytes) => {
      writeSync(descriptor, bytes);
    },
    copy: async (offset, lengthBytes) => {
      for (let done = 0; done < lengthBytes; done += slice) {
        writeSync(descriptor, await source.read(offset + done, Math.min(slice, lengthBytes - done)));
      }
    },
  };
}

function converter(column: Column): (value: ColumnValue) => number | typeof FAILED {
  const { to, format } = COLUMNS[column];
  const rule = { from: "string", onError: "fail", trim: false, emptyAsNull: false, writersStopped: false } as const;
  const bound = bindConversion(format === undefined ? rule : { ...rule, format }, { kind: "string" }, { kind: to });
  if ("code" in bound || bound.convertBytes === undefined) throw new Error(`no conversion of bytes for ${column}`);
  const convert = bound.convertBytes.bind(bound);
  return (value) => {
    const converted = value instanceof Uint8Array ? convert(value) : undefined;
    return converted !== undefined && "value" in converted && typeof converted.value === "number" ? converted.value : FAILED;
  };
}

async function measure(work: "rewrite" | "preflight", column: Column): Promise<Figures> {
  const { fieldId, target } = COLUMNS[column];
  const convert = converter(column);
  let rows = 0;
  const start = performance.now();
  const cpuBefore = process.cpuUsage();
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".parquet"))) {
    const input = openSync(join(folder, name), "r");
    const output = openSync(join(folder, "rewritten.tmp"), "w");
    const source = fileSource(input);
    const footer = await readFooter(source);
    if (work === "preflight") {
      await scanColumn(source, footer, fieldId, { counts: (value) => convert(value) === FAILED, found: () => {} });
    } else {
      const rewrite = { retiredFieldId: fieldId, newFieldId: 17, target, required: false, convert };
      const answer = await rewriteFile(source, fileSink(output, source), footer, [rewrite]);
      if (answer.state !== "written") throw new Error(answer.state);
    }
    rows += footer.rows;
    closeSync(input);
    closeSync(output);
  }
  const cpu = process.cpuUsage(cpuBefore);
  return {
    name: `floeplan, ${work}, ${column}`,
    rows,
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  };
}

/** In a process of its own, so that its peak memory is its own. */
function measureApart(work: string, column: string): Figures {
  const parameters = [
    "--import",
    "tsx",
    import.meta.filename,
    "--case",
    `${work}:${column}`,
    "--rows",
    options.rows,
    "--folder",
    options.folder,
  ];
  const run = spawnSync(process.execPath, parameters, { encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as Figures;
}

function isColumn(text: string | undefined): text is Column {
  return text !== undefined && Object.hasOwn(COLUMNS, text);
}

if (options.case !== undefined) {
  const [work, column] = options.case.split(":");
  if ((work !== "rewrite" && work !== "preflight") || !isColumn(column)) throw new Error(`no case ${options.case}`);
  console.log(JSON.stringify(await measure(work, column)));
} else {
  mkdirSync(folder, { recursive: true });
  if (!readdirSync(folder).includes("4.parquet")) python(MAKE, folder, options.rows);
  const figures: Figures[] = [];
  for (const column of Object.keys(COLUMNS)) {
    figures.push(measureApart("preflight", column), measureApart("rewrite", column));
    figures.push(JSON.parse(python(DUCKDB, folder, column, options.rows)) as Figures);
  }
  for (const one of figures) {
    const speed = (of: number): string => (one.rows / of / 1e6).toFixed(2).padStart(6);
    console.log(
      `${one.name.padEnd(34)} ${speed(one.seconds)} M rows/s ${speed(one.cpuSeconds)} M rows/CPU-s ${one.peakMiB.toFixed(0).padStart(5)} MiB`,
    );
  }
  const speedOf = (name: string): number => {
    const found = figures.find((one) => one.name === name);
    return found === undefined ? Number.NaN : found.rows / found.seconds;
  };
  const ratio = (column: string): string =>
    (speedOf(`floeplan, rewrite, ${column}`) / speedOf(`DuckDB, whole files, ${column}`)).toFixed(2);
  console.log(`rewrite against DuckDB: dictionary ${ratio("event_date")} x, plain ${ratio("qty")} x`);
}
