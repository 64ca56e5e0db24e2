// The same little history through servers: Glue on moto, Glue on ministack, Iceberg's REST catalog. PyIceberg makes the
// table, Spark and DuckDB write to it, all read it.
import { join } from "node:path";
import { type CatalogProperties, glueCatalog, restCatalog, s3Properties } from "../support/engines/pyiceberg.ts";
import { sparkGlueCatalog, sparkRestCatalog } from "../support/engines/spark.ts";
import { sameRows } from "../support/expect.ts";
import { type Row, rowSet } from "../support/rows.ts";
import type { AwsEmulator } from "../support/services/aws.ts";
import { startRestServer } from "../support/services/rest-server.ts";
import type { Bed } from "./bed.ts";

const SCHEMA = {
  type: "struct",
  "schema-id": 0,
  fields: [
    { id: 1, name: "id", required: false, type: "long" },
    { id: 2, name: "name", required: false, type: "string" },
  ],
};
const TYPES = { id: "long", name: "string" };
const FIRST: readonly Row[] = [
  { id: 1n, name: "PyIceberg" },
  { id: 2n, name: null },
];
const SECOND: Row = { id: 3n, name: "Spark" };

export async function checkGlue(bed: Bed, server: string, aws: AwsEmulator): Promise<void> {
  const { suite, duckdb, pyiceberg, spark } = bed;
  const warehouse = "s3://rig/warehouse";
  const catalog = glueCatalog(aws, warehouse);
  const expected = rowSet(TYPES, [...FIRST, SECOND]);
  const made = await suite.check(`PyIceberg makes a table in Glue on ${server}`, async () => {
    await aws.makeBucket("rig");
    await pyiceberg.create(catalog, "rig.history", { schema: SCHEMA });
    await pyiceberg.append(catalog, "rig.history", FIRST);
    return true;
  });
  if (made === null) return;
  await suite.check(`Spark appends in Glue on ${server} and reads`, async () => {
    await spark.addCatalog(server, sparkGlueCatalog(aws, warehouse));
    await spark.sql(`INSERT INTO ${server}.rig.history VALUES (3, 'Spark')`);
    sameRows(await spark.sql(`SELECT * FROM ${server}.rig.history`), expected);
  });
  await suite.check(`PyIceberg and DuckDB read it from S3 on ${server}`, async () => {
    sameRows(await pyiceberg.rows(catalog, "rig.history"), expected);
    const { location } = await pyiceberg.load(catalog, "rig.history");
    sameRows(await pyiceberg.staticRows(location, {}, s3Properties(aws)), expected);
    await duckdb.useS3(aws);
    sameRows(await duckdb.scan(location), expected);
  });
}

export async function checkRest(bed: Bed): Promise<void> {
  const { suite, duckdb, pyiceberg, spark } = bed;
  const server = await suite.check("Iceberg's REST server starts", async () => {
    return await startRestServer({ folder: join(suite.scratch, "rest") });
  });
  if (server === null) return;
  const catalog: CatalogProperties = restCatalog(server.url);
  await suite.check("PyIceberg makes a table in the REST catalog, Spark appends, both read", async () => {
    const expected = rowSet(TYPES, [...FIRST, SECOND]);
    await pyiceberg.create(catalog, "rig.history", { schema: SCHEMA });
    await pyiceberg.append(catalog, "rig.history", FIRST);
    await spark.addCatalog("rest", sparkRestCatalog(server.url));
    await spark.sql("INSERT INTO rest.rig.history VALUES (3, 'Spark')");
    sameRows(await spark.sql("SELECT * FROM rest.rig.history"), expected);
    sameRows(await pyiceberg.rows(catalog, "rig.history", { filter: "id >= 1", fields: ["id", "name"] }), expected);
  });
  await suite.check("DuckDB deletes through the REST catalog, the others read what is left", async () => {
    const expected = rowSet(TYPES, [...FIRST.slice(0, 1), SECOND]);
    await duckdb.attachRest("rest", server.url);
    await duckdb.sql('DELETE FROM "rest".rig.history WHERE id = 2');
    sameRows(await duckdb.sql('SELECT * FROM "rest".rig.history'), expected);
    sameRows(await pyiceberg.rows(catalog, "rig.history"), expected);
    sameRows(await spark.sql("SELECT * FROM rest.rig.history"), expected);
  });
}
