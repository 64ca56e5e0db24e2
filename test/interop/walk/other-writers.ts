// Tables that PyIceberg and DuckDB wrote, brought into the layout of a local warehouse, go through the same walk.
import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sparkHadoopCatalog } from "../support/engines/spark.ts";
import type { Suite } from "../support/expect.ts";
import { type Row, rowSet } from "../support/rows.ts";
import { startRestServer } from "../support/services/rest-server.ts";
import { allRead, type Engines } from "./demo.ts";
import { planAndApply, smallProject } from "./project.ts";

const TABLE = `table: shop.orders
columns:
  - { name: id, type: long }
  - { name: day, type: date, convert: { from: string, format: yyyyMMdd } }
  - { name: amount, type: "decimal(10,2)", convert: { from: string } }
  - { name: paid, type: boolean, convert: { from: string, true-values: [ "Y" ], false-values: [ "N" ] } }
  - { name: note, type: string, comment: "As the customer wrote it" }
`;

const BEFORE: readonly Row[] = Array.from({ length: 500 }, (_, index) => ({
  id: BigInt(index),
  day: index % 7 === 0 ? null : `2024${String(1 + (index % 12)).padStart(2, "0")}${String(1 + (index % 28)).padStart(2, "0")}`,
  amount: index % 11 === 0 ? null : `${index}.${index % 10}5`,
  paid: index % 5 === 0 ? null : index % 2 === 0 ? "Y" : "N",
  note: index % 3 === 0 ? null : `note ${index} ä 😀`,
}));

const TYPES = { id: "long", day: "date", amount: "decimal(10,2)", paid: "boolean", note: "string" };

const AFTER: readonly Row[] = BEFORE.map((row) => ({
  ...row,
  day: typeof row["day"] === "string" ? row["day"].replace(/^(....)(..)(..)$/, "$1-$2-$3") : null,
  paid: row["paid"] === null ? null : row["paid"] === "Y",
}));

export async function otherWriterChecks(suite: Suite, engines: Engines): Promise<void> {
  await suite.check("a table that PyIceberg wrote goes through the walk", async () => {
    const project = await smallProject(join(suite.scratch, "pyiceberg"), TABLE);
    const folder = join(project.warehouse, "shop/orders");
    const catalog = { type: "sql", uri: `sqlite:///${project.folder}/catalog.db`, warehouse: `file://${project.warehouse}` };
    const field = (id: number, name: string, type: string) => ({ id, name, type, required: false });
    await engines.pyiceberg.create(catalog, "shop.orders", {
      schema: {
        type: "struct",
        fields: [
          field(1, "id", "long"),
          field(2, "day", "string"),
          field(3, "amount", "string"),
          field(4, "paid", "string"),
          field(5, "note", "string"),
        ],
      },
      location: folder,
    });
    await engines.pyiceberg.append(catalog, "shop.orders", BEFORE.slice(0, 300));
    const { location } = await engines.pyiceberg.append(catalog, "shop.orders", BEFORE.slice(300));
    await adopt(folder, location.replace(/^file:\/\//, ""));
    await planAndApply(project, "shop.orders");
    await engines.spark.addCatalog("bypy", sparkHadoopCatalog(project.warehouse));
    await allRead(engines, folder, "bypy.shop.orders", rowSet(TYPES, AFTER));
    await project.expect(0, "plan", "shop.orders", "--exit-code");
  });

  await suite.check("a table that DuckDB wrote through a REST catalog goes through the walk", async () => {
    const project = await smallProject(join(suite.scratch, "duckdb"), TABLE);
    const folder = join(project.warehouse, "shop/orders");
    const server = await startRestServer({
      folder: join(suite.scratch, "rest"),
      properties: { warehouse: `file://${project.warehouse}` },
    });
    await engines.duckdb.attachRest("rest", server.url);
    await engines.duckdb.sql(`CREATE SCHEMA rest.shop`);
    await engines.duckdb.sql(
      `CREATE TABLE rest.shop.orders (id BIGINT, day VARCHAR, amount VARCHAR, paid VARCHAR, note VARCHAR)`,
    );
    for (const part of [BEFORE.slice(0, 250), BEFORE.slice(250)]) {
      const values = part.map(
        (row) => `(${[row["id"], row["day"], row["amount"], row["paid"], row["note"]].map(literal).join(", ")})`,
      );
      await engines.duckdb.sql(`INSERT INTO rest.shop.orders VALUES ${values.join(", ")}`);
    }
    await adopt(folder, await newestOf(folder));
    await planAndApply(project, "shop.orders");
    await engines.spark.addCatalog("byduck", sparkHadoopCatalog(project.warehouse));
    await allRead(engines, folder, "byduck.shop.orders", rowSet(TYPES, AFTER));
    await project.expect(0, "plan", "shop.orders", "--exit-code");
  });
}

function literal(value: Row[string] | undefined): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return typeof value === "bigint" ? value.toString() : "NULL";
}

/** The newest metadata file becomes the first version of the standard layout. */
async function adopt(folder: string, metadata: string): Promise<void> {
  await copyFile(metadata, join(folder, "metadata/v1.metadata.json"));
  await writeFile(join(folder, "metadata/version-hint.text"), "1");
}

async function newestOf(folder: string): Promise<string> {
  const names = (await readdir(join(folder, "metadata"))).filter((name) => /^\d{5}-.*\.metadata\.json$/.test(name)).sort();
  return join(folder, "metadata", names.at(-1) ?? "");
}
