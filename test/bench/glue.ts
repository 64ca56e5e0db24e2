// A plan of many tables in step in Glue, with time added to each call: against the bare GETs of the metadata files at
// the same concurrency, and against a loop over the tables by PyIceberg. Glue and S3 are the fakes of the tests, over
// real HTTP. `npm run bench -- glue [--tables N] [--latency MS] [--runs N]`. Needs dist/ and what the interop suites install.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createS3Store } from "../../src/storage/s3.ts";
import { exampleTable, javaEntry, type JsonMetadata } from "../blackbox/glue-tables.ts";
import { startGlue } from "../fakes/glue.ts";
import { FAKE_KEYS, startS3 } from "../fakes/s3.ts";
import { pythonEnvironment } from "../interop/support/python.ts";

process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

const { values: options } = parseArgs({
  options: {
    tables: { type: "string", default: "1000" },
    latency: { type: "string", default: "20" },
    runs: { type: "string", default: "3" },
  },
});
const TABLES = Number(options.tables);
const RUNS = Number(options.runs);
/** As many tables as floeplan's plan reads at once. */
const AT_ONCE = 8;
/** PyIceberg reads one after the other, and is measured on a part. */
const LOOPED = Math.min(100, TABLES);
const ACCOUNT = "011122223333";
const PROGRAM = resolve(import.meta.dirname, "../../dist/index.js");

const [glue, s3] = await Promise.all([startGlue({ account: ACCOUNT, databases: ["hr"] }), startS3({ buckets: ["acme-lake"] })]);
const folder = mkdtempSync(join(tmpdir(), "floeplan-bench-glue-"));
const { python } = await pythonEnvironment("light");
try {
  const locations = makeTables();
  const store = createS3Store({ endpoint: s3.url, region: "us-east-1", credentials: FAKE_KEYS });
  for (const fake of [glue, s3]) fake.setLatency(Number(options.latency));
  const [bare, plan, cpu, loop] = [[], [], [], []] as readonly number[][];
  for (let run = 0; run < RUNS; run++) {
    bare?.push(await timed(async () => await bareGets(locations, async (location) => void (await store.read(location)))));
    for (const fake of [glue, s3]) fake.clearCalls();
    const measured = JSON.parse(
      await ran(python, [join(import.meta.dirname, "measure.py"), process.execPath, PROGRAM, "plan", "--exit-code"]),
    ) as { readonly exit: number; readonly wall: number; readonly cpu: number };
    if (measured.exit !== 0) throw new Error(`floeplan plan ended with ${measured.exit}`);
    plan?.push(measured.wall);
    cpu?.push(measured.cpu);
    if (run === 0) console.log("calls of a plan", JSON.stringify({ ...glue.counts(), ...s3.counts() }));
    const names = locations.slice(0, LOOPED).map((_, index) => `hr.${nameOf(index)}`);
    const words = [glue.url, s3.url, FAKE_KEYS.accessKeyId, FAKE_KEYS.secretAccessKey, ...names];
    loop?.push(Number(await ran(python, [join(import.meta.dirname, "glue-loop.py"), ...words])) * (TABLES / LOOPED));
  }
  const [gets, ours, theirs] = [median(bare), median(plan), median(loop)];
  console.log(`${TABLES} tables in step, ${options.latency} ms added to each call, median of ${RUNS}, seconds:`);
  console.log(`  bare GETs, ${AT_ONCE} at once       ${gets.toFixed(2)}`);
  console.log(`  floeplan plan, whole program ${ours.toFixed(2)} (processor ${median(cpu).toFixed(2)})`);
  console.log(`  PyIceberg load_table loop    ${theirs.toFixed(2)} (${LOOPED} tables measured)`);
  console.log(`plan/gets ${(ours / gets).toFixed(2)}, plan/pyiceberg ${(ours / theirs).toFixed(3)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([glue.stop(), s3.stop()]);
}

function nameOf(index: number): string {
  return `t${String(index).padStart(4, "0")}`;
}

/** The example's table under many names, each with its own metadata file; the project that declares them all. */
function makeTables(): readonly string[] {
  mkdirSync(join(folder, "tables"));
  writeFileSync(
    join(folder, "floeplan.yaml"),
    `floeplan: 1\ntables: [ "tables/*.yaml" ]\nenvironments:\n  prod: { catalogs: { lake: { type: glue, account: "${ACCOUNT}" } } }\n`,
  );
  return Array.from({ length: TABLES }, (_, index) => {
    const name = nameOf(index);
    const table = exampleTable("iceberg_employee", `s3://acme-lake/hr/${name}`);
    const bytes = table.objects.get(table.metadataLocation) ?? new Uint8Array();
    const metadata = JSON.parse(new TextDecoder().decode(bytes)) as JsonMetadata;
    s3.objects.put(table.metadataLocation, bytes);
    glue.tables.put("hr", javaEntry(name, metadata, table.metadataLocation, table.previousLocation));
    const columns = metadata.schemas[0]?.fields.map((field) => `  - { name: ${field.name}, type: string }\n`) ?? [];
    writeFileSync(join(folder, `tables/${name}.yaml`), `table: hr.${name}\ncolumns:\n${columns.join("")}`);
    return table.metadataLocation;
  });
}

async function bareGets(locations: readonly string[], get: (location: string) => Promise<void>): Promise<void> {
  let next = 0;
  const take = async (): Promise<void> => {
    for (let location = locations[next++]; location !== undefined; location = locations[next++]) await get(location);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}

async function ran(command: string, words: readonly string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: folder, CI: "true", ...s3.variables, ...glue.variables };
  const child = spawn(command, [...words], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const exit = await new Promise((settle) => child.once("close", settle));
  if (exit !== 0) throw new Error(`${command} ended with ${String(exit)}\n${output}${errors}`);
  return output;
}

function median(values: readonly number[] = []): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
