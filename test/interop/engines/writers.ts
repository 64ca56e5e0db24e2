// The writing side of the engines, without a server: what one writes, all read.
import { join } from "node:path";
import { sqlCatalog } from "../support/engines/pyiceberg.ts";
import { sameRows } from "../support/expect.ts";
import { EngineError } from "../support/worker.ts";
import { newestMetadata } from "../support/places.ts";
import { type Row, rowSet } from "../support/rows.ts";
import { type Bed, sameInAllEngines } from "./bed.ts";

export async function checkPyIcebergWrites(bed: Bed): Promise<void> {
  const { suite, pyiceberg } = bed;
  const catalog = sqlCatalog(suite.scratch);
  const metadata = await suite.check("PyIceberg makes, evolves, appends and deletes", async () => {
    const fields = [
      { id: 1, name: "id", required: true, type: "long" },
      { id: 2, name: "name", required: false, type: "string" },
      { id: 3, name: "amount", required: false, type: "decimal(9, 2)" },
      { id: 4, name: "gone", required: false, type: "int" },
    ];
    await pyiceberg.create(catalog, "rig.written", {
      schema: { type: "struct", "schema-id": 0, fields },
      partition: [{ source: "id", transform: "bucket[4]", name: "id_bucket" }],
      properties: { "format-version": "2" },
      location: `file://${join(suite.scratch, "written")}`,
    });
    await pyiceberg.append(catalog, "rig.written", [
      { id: 1n, name: "one", amount: "1.50", gone: 1n },
      { id: 2n, name: "two", amount: null, gone: null },
      { id: 3n, name: "three", amount: "-0.01", gone: 3n },
    ]);
    await pyiceberg.evolve(catalog, "rig.written", [
      { change: "rename-field", field: "name", to: "full_name" },
      { change: "widen-type", field: "amount", type: "decimal(12, 2)" },
      { change: "add-field", field: "since", type: "date", doc: "first day" },
      { change: "move-first", field: "since" },
      { change: "drop-field", field: "gone" },
      { change: "remove-partition-field", name: "id_bucket" },
      { change: "add-partition-field", source: "since", transform: "year", name: "since_year" },
      { change: "set-properties", properties: { purpose: "rig" } },
    ]);
    await pyiceberg.append(catalog, "rig.written", [{ since: "2024-02-29", id: 4n, full_name: null, amount: "9999999999.99" }]);
    await pyiceberg.delete(catalog, "rig.written", "id = 2");
    return (await pyiceberg.load(catalog, "rig.written")).location;
  });
  if (metadata === null) return;
  const expected = rowSet({ since: "date", id: "long", full_name: "string", amount: "decimal(12,2)" }, [
    { since: null, id: 1n, full_name: "one", amount: "1.50" },
    { since: null, id: 3n, full_name: "three", amount: "-0.01" },
    { since: "2024-02-29", id: 4n, full_name: null, amount: "9999999999.99" },
  ]);
  await sameInAllEngines(bed, "what PyIceberg wrote", metadata, expected);
}

/** Merge-on-read deletes and new rows on format version 2, a default on version 3. `catalog` is Spark's name of the warehouse. */
export async function checkSparkWrites(bed: Bed, warehouse: string, catalog: string): Promise<void> {
  const { suite, duckdb, spark } = bed;
  for (const version of [2, 3]) {
    const table = `${catalog}.rig.spark_v${version}`;
    const written = await suite.check(`Spark writes, deletes and appends to a table of format version ${version}`, async () => {
      await spark.sql(`CREATE TABLE ${table} (id BIGINT, at TIMESTAMP, part STRING) USING iceberg PARTITIONED BY (part)
        TBLPROPERTIES ('format-version' = '${version}', 'write.delete.mode' = 'merge-on-read')`);
      await spark.sql(
        `INSERT INTO ${table} SELECT id, timestamp_micros(id * 1000001), if(id % 2 = 0, 'even', 'odd') FROM range(100)`,
      );
      await spark.sql(`DELETE FROM ${table} WHERE id % 10 IN (3, 4)`);
      await spark.sql(`INSERT INTO ${table} VALUES (1000, NULL, 'even')`);
      return true;
    });
    if (written === null) continue;
    const rows: readonly Row[] = [
      ...range(100)
        .filter((id) => id % 10 !== 3 && id % 10 !== 4)
        .map((id) => ({ id: BigInt(id), at: instant(id), part: id % 2 === 0 ? "even" : "odd" })),
      { id: 1000n, at: null, part: "even" },
    ];
    const types = { id: "long", at: "timestamptz", part: "string" };
    const folder = join(warehouse, `rig/spark_v${version}`);
    await sameInAllEngines(bed, `what Spark wrote (v${version})`, await newestMetadata(folder), rowSet(types, rows));
    if (version < 3) continue;
    await suite.check("Iceberg Java adds a field with a default, which Spark has no SQL for", async () => {
      await spark.evaluate(`
table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, "${table}")
text = jvm.org.apache.iceberg.types.Types.StringType.get()
table.updateSchema().addColumn("site", text, "where", jvm.org.apache.iceberg.expressions.Expressions.lit("unknown")).commit()`);
    });
    const defaulted = rowSet(
      { ...types, site: "string" },
      rows.map((row) => ({ ...row, site: "unknown" })),
    );
    await sameInAllEngines(bed, "a default", await newestMetadata(folder), defaulted);
  }
  await suite.check("an engine's refusal is told, and the engine goes on", async () => {
    const refusal = await duckdb.sql("SELECT * FROM no_such_table").catch((error: unknown) => error);
    if (!(refusal instanceof EngineError) || refusal.type !== "CatalogException")
      throw new Error(`Not refused: ${String(refusal)}`);
    sameRows(await duckdb.sql("SELECT 9007199254740993::BIGINT AS n"), rowSet({ n: "long" }, [{ n: 9_007_199_254_740_993n }]));
  });
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function instant(id: number): string {
  const micros = id * 1_000_001;
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, "0")}Z`;
}
