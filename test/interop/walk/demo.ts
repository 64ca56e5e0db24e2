// The README's demo, read by three engines; Spark then appends and all read again.
import { join } from "node:path";
import type { DuckDb } from "../support/engines/duckdb.ts";
import type { PyIceberg } from "../support/engines/pyiceberg.ts";
import type { Spark } from "../support/engines/spark.ts";
import { sameRows, type Suite } from "../support/expect.ts";
import { newestMetadata } from "../support/places.ts";
import { type Row, type RowSet, rowSet, rowsOf } from "../support/rows.ts";
import { asDeclared, TYPES, TYPES_BEFORE } from "./expected.ts";
import { EMPLOYEE, planAndApply, type Project } from "./project.ts";

export interface Engines {
  readonly duckdb: DuckDb;
  readonly pyiceberg: PyIceberg;
  readonly spark: Spark;
}

const NOTHING: Row = Object.fromEntries(Object.keys(TYPES).map((column) => [column, null]));

/** The same rows in all three. */
export async function allRead(
  { duckdb, pyiceberg, spark }: Engines,
  folder: string,
  sparkTable: string,
  wanted: RowSet,
): Promise<void> {
  const metadata = await newestMetadata(folder);
  sameRows(await duckdb.scan(metadata), wanted);
  sameRows(await pyiceberg.staticRows(metadata), wanted);
  sameRows(await spark.sql(`SELECT * FROM ${sparkTable}`), wanted);
}

export async function demoChecks(suite: Suite, project: Project, engines: Engines, sparkTable: string): Promise<void> {
  const folder = join(project.warehouse, "hr/iceberg_employee");
  const before = rowsOf(await engines.duckdb.scan(folder));
  const expected = rowSet(TYPES, before.map(asDeclared));

  await suite.check("floeplan plans and applies the demo", async () => await planAndApply(project, EMPLOYEE));
  await suite.check(
    "DuckDB, PyIceberg and Spark read what was declared",
    async () => await allRead(engines, folder, sparkTable, expected),
  );
  await suite.check("the state before is under a tag, and Spark reads it as it was", async () => {
    const tags = rowsOf(await engines.spark.sql(`SELECT name FROM ${sparkTable}.refs WHERE type = 'TAG'`));
    sameRows(
      await engines.spark.sql(`SELECT * FROM ${sparkTable} VERSION AS OF '${text(tags[0]?.["name"])}'`),
      rowSet(TYPES_BEFORE, before),
    );
  });
  await suite.check("filters on the new types prune and answer right", async () => {
    const count = (row: Row): boolean =>
      typeof row["validity_startdate"] === "string" && row["validity_startdate"] >= "2020-01-01";
    const wanted = BigInt(rowsOf(expected).filter(count).length);
    const told = rowsOf(
      await engines.spark.sql(`SELECT count(*) AS n FROM ${sparkTable} WHERE validity_startdate >= DATE '2020-01-01'`),
    );
    if (told[0]?.["n"] !== wanted) throw new Error(`Spark counts ${text(told[0]?.["n"])}, not ${wanted}`);
    const metadata = await newestMetadata(folder);
    const duck = rowsOf(
      await engines.duckdb.sql(
        `SELECT count(*) AS n FROM iceberg_scan('${metadata}') WHERE validity_startdate >= DATE '2020-01-01'`,
      ),
    );
    if (duck[0]?.["n"] !== wanted) throw new Error(`DuckDB counts ${text(duck[0]?.["n"])}, not ${wanted}`);
  });
  await suite.check("Spark's metadata tables work", async () => {
    for (const name of ["files", "entries", "manifests", "partitions", "all_data_files", "history", "metadata_log_entries"]) {
      await engines.spark.sql(`SELECT count(*) AS n FROM ${sparkTable}.${name}`);
    }
  });
  await suite.check("Spark appends and deletes, all read it, and floeplan's next plan is empty", async () => {
    await engines.spark.sql(`INSERT INTO ${sparkTable} VALUES (7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      DATE '2027-01-01', NULL, named_struct('site', 'A', 'room', NULL))`);
    await engines.spark.sql(`DELETE FROM ${sparkTable} WHERE employeeid = 1601`);
    const added = { ...NOTHING, employeeid: 7n, validity_startdate: "2027-01-01", office: { site: "A", room: null } };
    const more = rowSet(TYPES, [...rowsOf(expected).filter((row) => row["employeeid"] !== 1601n), added]);
    await allRead(engines, folder, sparkTable, more);
    const stdout = await project.expect(0, "plan", EMPLOYEE, "--exit-code");
    if (!stdout.includes("No changes")) throw new Error(stdout);
  });
  await suite.check("Spark compacts and evolves the table further", async () => {
    await engines.spark.sql(
      `CALL local.system.rewrite_data_files(table => '${EMPLOYEE}', options => map('rewrite-all', 'true'))`,
    );
    await engines.spark.sql(`ALTER TABLE ${sparkTable} ADD COLUMN by_spark string`);
    const stdout = await project.expect(0, "plan", EMPLOYEE);
    if (!stdout.includes("by_spark") || !stdout.includes("No changes"))
      throw new Error(`a foreign column must be drift\n${stdout}`);
  });
}

function text(cell: Row[string] | undefined): string {
  return typeof cell === "string" || typeof cell === "bigint" ? cell.toString() : "no text";
}
