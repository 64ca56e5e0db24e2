// A foreign column during a conversion, a run that is killed, the way back, a second conversion, a late writer.
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sparkHadoopCatalog } from "../support/engines/spark.ts";
import type { Suite } from "../support/expect.ts";
import { newestMetadata, REPOSITORY } from "../support/places.ts";
import { type Row, rowSet, rowsOf } from "../support/rows.ts";
import { allRead, type Engines } from "./demo.ts";
import { asDeclared, TYPES } from "./expected.ts";
import { EMPLOYEE, employeesProject, planAndApply, type Project } from "./project.ts";

/** The ten columns between the first and the last but one. */
const NULLS = Array.from({ length: 10 }, () => "NULL").join(", ");

interface Metadata {
  readonly "current-schema-id": number;
  readonly "current-snapshot-id": number;
  readonly "last-column-id": number;
  readonly schemas: readonly {
    readonly "schema-id": number;
    readonly fields: readonly { readonly id: number; readonly name: string; readonly type: unknown }[];
  }[];
}

async function metadataOf(folder: string): Promise<Metadata> {
  return JSON.parse(await readFile(await newestMetadata(folder), "utf8")) as Metadata;
}

function columns({ schemas, "current-schema-id": current }: Metadata): ReadonlyMap<string, number> {
  return new Map(schemas.find((schema) => schema["schema-id"] === current)?.fields.map((field) => [field.name, field.id]) ?? []);
}

export async function interruptionChecks(suite: Suite, engines: Engines): Promise<void> {
  await suite.check("a foreign ADD COLUMN during a conversion: its id stays, ours move on, nothing is lost", async () => {
    const { project, folder, table, before } = await fresh(suite, engines, "foreign");
    await project.expect(0, "plan", EMPLOYEE, "--out", "plan.json");
    await project.expect(0, "apply", EMPLOYEE, "--plan", "plan.json", "--dry-run");
    await engines.spark.sql(`ALTER TABLE ${table} ADD COLUMN by_spark string`);
    await engines.spark.sql(`INSERT INTO ${table} VALUES ('0000042', ${NULLS}, '20300101', NULL, 'x')`);
    await project.expect(0, "apply", EMPLOYEE, "--plan", "plan.json");
    const ids = columns(await metadataOf(folder));
    if (ids.get("by_spark") !== 14) throw new Error(`by_spark has id ${ids.get("by_spark")}`);
    const late: Row = { ...emptyRow(), employeeid: 42n, validity_startdate: "2030-01-01", by_spark: "x" };
    const wanted = [...before.map(asDeclared).map((row) => ({ ...row, by_spark: null })), late];
    await allRead(
      engines,
      folder,
      table,
      rowSet(
        ordered(TYPES, ids),
        wanted.map((row) => row),
      ),
    );
    const stdout = await project.expect(0, "plan", EMPLOYEE);
    if (!stdout.includes("by_spark")) throw new Error("the foreign column must stay drift");
  });

  await suite.check("a killed run is taken up, also after a foreign ADD COLUMN", async () => {
    const { project, folder, table, before } = await fresh(suite, engines, "killed");
    await project.expect(0, "plan", EMPLOYEE, "--out", "plan.json");
    for (const wait of [250, 400, 550, 700, 850]) {
      await killedApply(project, wait);
      await project.expect(0, "show", EMPLOYEE);
    }
    await engines.spark.sql(`ALTER TABLE ${table} ADD COLUMN after_kill string`);
    const { stdout } = await project.run("plan", EMPLOYEE, "--out", "plan.json");
    if (!stdout.includes("No changes")) await project.expect(0, "apply", EMPLOYEE, "--plan", "plan.json");
    const ids = columns(await metadataOf(folder));
    await allRead(
      engines,
      folder,
      table,
      rowSet(
        ordered(TYPES, ids),
        before.map(asDeclared).map((row) => ({ ...row, after_kill: null })),
      ),
    );
  });

  await suite.check("the way back brings schema and data, and a second conversion gives new ids and right rows", async () => {
    const { project, folder, table, before } = await fresh(suite, engines, "back");
    const original = await metadataOf(folder);
    await planAndApply(project, EMPLOYEE);
    const first = await metadataOf(folder);
    await project.expect(0, "rollback", EMPLOYEE, "--yes");
    const back = await metadataOf(folder);
    if (JSON.stringify([...columns(back)]) !== JSON.stringify([...columns(original)]))
      throw new Error("the columns before are not back");
    await allRead(
      engines,
      folder,
      table,
      rowSet(Object.fromEntries([...columns(original).keys()].map((name) => [name, "string"])), before),
    );
    await project.expect(0, "release", EMPLOYEE, "--yes");
    await planAndApply(project, EMPLOYEE);
    const second = columns(await metadataOf(folder));
    for (const name of ["employeeid", "addressid", "validity_startdate", "validity_enddate"]) {
      if ((second.get(name) ?? 0) <= first["last-column-id"]) throw new Error(`${name} got the old id ${second.get(name)} again`);
    }
    await allRead(engines, folder, table, rowSet(TYPES, before.map(asDeclared)));
    const names = (await readdir(join(folder, "data"))).filter((name) => name.startsWith("floeplan-"));
    if (names.length !== 8) throw new Error(`two conversions of four files left ${names.length} files`);
  });

  await suite.check("a late file of a writer that loaded the table before is found", async () => {
    const { project, table } = await fresh(suite, engines, "late");
    const cached = table.replace(/^\w+\./, "cachedlate.");
    await engines.spark.addCatalog("cachedlate", {
      ...sparkHadoopCatalog(project.warehouse),
      "cache-enabled": "true",
      "cache.expiration-interval-ms": "-1",
    });
    await engines.spark.sql(`SELECT count(*) AS n FROM ${cached}`);
    await planAndApply(project, EMPLOYEE);
    const values = Array.from({ length: 11 }, (_, index) => `'${index}'`).join(", ");
    await engines.spark.sql(`INSERT INTO ${cached} VALUES (${values}, '20310101', '99991231')`);
    const stdout = await project.expect(3, "plan", EMPLOYEE);
    if (!stdout.includes("late-files")) throw new Error(stdout);
  });
}

interface Fresh {
  readonly project: Project;
  readonly folder: string;
  readonly table: string;
  readonly before: readonly Row[];
}

async function fresh(suite: Suite, engines: Engines, name: string): Promise<Fresh> {
  const project = await employeesProject(join(suite.scratch, name));
  const folder = join(project.warehouse, "hr/iceberg_employee");
  await engines.spark.addCatalog(name, sparkHadoopCatalog(project.warehouse));
  return { project, folder, table: `${name}.${EMPLOYEE}`, before: rowsOf(await engines.duckdb.scan(folder)) };
}

function emptyRow(): Row {
  return Object.fromEntries(Object.keys(TYPES).map((column) => [column, null]));
}

/** The declared types and those of foreign text columns, in the order that is live. */
function ordered(types: Readonly<Record<string, string>>, ids: ReadonlyMap<string, number>): Record<string, string> {
  return Object.fromEntries([...ids.keys()].map((name) => [name, types[name] ?? "string"]));
}

/** Kills the apply some time after its start, wherever it is then. */
async function killedApply({ folder }: Project, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [join(REPOSITORY, "dist/index.js"), "apply", EMPLOYEE, "--plan", "plan.json"], {
    cwd: folder,
    stdio: "ignore",
  });
  const ended = new Promise((settle) => child.once("close", settle));
  await Promise.race([sleep(afterMs), ended]);
  child.kill("SIGKILL");
  await ended;
}
