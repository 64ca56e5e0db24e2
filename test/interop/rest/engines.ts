// One table of a REST catalog that Spark, PyIceberg and floeplan change in turn, all through the catalog: after every
// step of floeplan both engines read what was declared and go on writing, and floeplan's next plan is empty.
import { join } from "node:path";
import { type CatalogProperties, type PyIceberg, restCatalog } from "../support/engines/pyiceberg.ts";
import { type Spark, sparkRestCatalog } from "../support/engines/spark.ts";
import { sameRows, type Suite } from "../support/expect.ts";
import { type Row, type RowSet, rowSet } from "../support/rows.ts";
import { type RestProject, restProject } from "./project.ts";

export interface Engines {
  readonly spark: Spark;
  readonly pyiceberg: PyIceberg;
}

const TABLE = "shop.orders";
const SPARK_TABLE = `r.${TABLE}`;

const TYPES_BEFORE = { id: "int", day: "string", amount: "string", note: "string" };
const BEFORE: readonly Row[] = Array.from({ length: 400 }, (_, index) => ({
  id: BigInt(index),
  day: index % 7 === 0 ? null : `2024${two(1 + (index % 12))}${two(1 + (index % 28))}`,
  amount: index % 11 === 0 ? null : `${index}.${index % 10}5`,
  note: index % 3 === 0 ? null : `note ${index} ä 😀`,
}));

/** Steps that change metadata alone. */
const EVOLVED = `table: shop.orders
comment: One row per order
columns:
  - { name: id, type: long, comment: "Order number" }
  - { name: day, type: string }
  - { name: amount, type: string }
  - { name: channel, type: string }
  - { name: remark, type: string, renamed-from: [ note ], comment: "As the customer wrote it" }
  - name: place
    type: struct
    fields: [ { name: city, type: string, comment: "Without the postal code" } ]
partition-by: [ channel ]
sort-by: [ id ]
properties: { owner.team: shop, write.parquet.compression-codec: zstd }
`;
const TYPES_EVOLVED = {
  id: "long",
  day: "string",
  amount: "string",
  channel: "string",
  remark: "string",
  place: "struct<city:string>",
};

const CONVERTED = EVOLVED.replace(
  "{ name: day, type: string }",
  "{ name: day, type: date, convert: { from: string, format: yyyyMMdd } }",
).replace("{ name: amount, type: string }", '{ name: amount, type: "decimal(10,2)", convert: { from: string } }');
const TYPES_CONVERTED = { ...TYPES_EVOLVED, day: "date", amount: "decimal(10,2)" };

const evolved = ({ note = null, ...row }: Row): Row => ({ ...row, channel: null, remark: note, place: null });
const converted = ({ day, ...row }: Row): Row => ({
  ...row,
  day: typeof day === "string" ? day.replace(/^(....)(..)(..)$/, "$1-$2-$3") : null,
});

export async function engineChecks(suite: Suite, url: string, { spark, pyiceberg }: Engines): Promise<void> {
  const catalog = restCatalog(url);
  const bed = { spark, pyiceberg, catalog };
  await spark.addCatalog("r", sparkRestCatalog(url));
  const project = await restProject({ folder: join(suite.scratch, "project"), catalog: `{ type: rest, uri: "${url}" }` });
  let rows: readonly Row[] = BEFORE;

  await suite.check("Spark makes a table, PyIceberg appends, floeplan imports it and plans nothing", async () => {
    await spark.sql("CREATE NAMESPACE r.shop");
    await spark.sql(`CREATE TABLE ${SPARK_TABLE} (id INT, day STRING, amount STRING, note STRING) USING iceberg`);
    await spark.sql(`INSERT INTO ${SPARK_TABLE} VALUES ${BEFORE.slice(0, 250).map(valuesOf).join(", ")}`);
    await pyiceberg.append(catalog, TABLE, BEFORE.slice(250));
    await bothRead(bed, rowSet(TYPES_BEFORE, rows));
    await project.expect(0, "import");
    await isInStep(project);
    await project.forget();
  });

  await suite.check("floeplan evolves it, and both engines read it", async () => {
    await project.declare(EVOLVED);
    await project.apply();
    rows = rows.map(evolved);
    await bothRead(bed, rowSet(TYPES_EVOLVED, rows));
    await isInStep(project);
    const { metadata } = await pyiceberg.load(catalog, TABLE);
    for (const wanted of ["Without the postal code", "As the customer wrote it", "One row per order", '"owner.team":"shop"'])
      if (!metadata.replaceAll(/\s*:\s*/g, ":").includes(wanted)) throw new Error(`The metadata file lacks ${wanted}`);
  });

  await suite.check("both engines write it, into the new partitions and columns", async () => {
    await spark.sql(
      `INSERT INTO ${SPARK_TABLE} VALUES (1000, '20250101', '1.25', 'web', 'by Spark', named_struct('city', 'Bern'))`,
    );
    const ours = { id: 1001n, day: "20250102", amount: "2.50", channel: "shop", remark: null, place: { city: "Ulm" } };
    await pyiceberg.append(catalog, TABLE, [ours]);
    await spark.sql(`DELETE FROM ${SPARK_TABLE} WHERE id = 5`);
    const theirs = { id: 1000n, day: "20250101", amount: "1.25", channel: "web", remark: "by Spark", place: { city: "Bern" } };
    rows = [...rows.filter(({ id }) => id !== 5n), theirs, ours];
    await bothRead(bed, rowSet(TYPES_EVOLVED, rows));
    await isInStep(project);
  });

  await suite.check("floeplan converts two columns in one commit, and both engines read the declared values", async () => {
    await project.declare(CONVERTED);
    await project.apply();
    await bothRead(bed, rowSet(TYPES_CONVERTED, rows.map(converted)));
    await isInStep(project);
    const told = await spark.sql(`SELECT id FROM ${SPARK_TABLE} WHERE day = DATE '2025-01-01' AND amount = 1.25`);
    sameRows(told, rowSet({ id: "long" }, [{ id: 1000n }]));
    sameRows(
      await pyiceberg.rows(catalog, TABLE, { filter: "day == '2025-01-02'", fields: ["id"] }),
      rowSet({ id: "long" }, [{ id: 1001n }]),
    );
  });

  await suite.check("the way back brings schema and rows, and the second conversion the same values", async () => {
    await project.expect(0, "rollback", TABLE, "--yes");
    await bothRead(bed, rowSet(TYPES_EVOLVED, rows));
    await project.expect(0, "release", TABLE, "--yes");
    await project.apply();
    rows = rows.map(converted);
    await bothRead(bed, rowSet(TYPES_CONVERTED, rows));
  });

  await suite.check("both engines write and compact the converted table, and floeplan plans nothing", async () => {
    await spark.sql(
      `INSERT INTO ${SPARK_TABLE} VALUES (2000, DATE '2026-01-01', 3.75, 'web', NULL, named_struct('city', 'Graz'))`,
    );
    const ours = { id: 2001n, day: "2026-01-02", amount: "4.00", channel: "web", remark: "last", place: null };
    await pyiceberg.append(catalog, TABLE, [ours]);
    const theirs = { id: 2000n, day: "2026-01-01", amount: "3.75", channel: "web", remark: null, place: { city: "Graz" } };
    rows = [...rows, theirs, ours];
    await bothRead(bed, rowSet(TYPES_CONVERTED, rows));
    await spark.sql(`CALL r.system.rewrite_data_files(table => '${TABLE}', options => map('rewrite-all', 'true'))`);
    await bothRead(bed, rowSet(TYPES_CONVERTED, rows));
    await isInStep(project);
  });

  await suite.check("a column that Spark adds is drift, and not dropped", async () => {
    await spark.sql(`ALTER TABLE ${SPARK_TABLE} ADD COLUMN by_spark string`);
    const told = await project.expect(2, "drift", "--exit-code");
    if (!told.includes("by_spark")) throw new Error(told);
    if (!(await project.expect(0, "plan")).includes("No changes")) throw new Error("A foreign column must be drift");
  });

  await newTable(suite, bed);
}

async function newTable(suite: Suite, { spark, pyiceberg, catalog }: Bed): Promise<void> {
  await suite.check("a table that floeplan makes is written and read by both engines", async () => {
    const project = await restProject({
      folder: join(suite.scratch, "new"),
      catalog: `{ type: rest, uri: "${catalog["uri"]}" }`,
    });
    await project.declare(
      "table: web.visits\ncolumns:\n  - { name: id, type: long, required: true }\n  - { name: at, type: timestamptz }\n  - { name: tags, type: list<string> }\npartition-by: [ day(at) ]\nidentifier-fields: [ id ]\n",
    );
    await project.apply();
    await spark.sql("INSERT INTO r.web.visits VALUES (1, TIMESTAMP '2024-05-01T10:00:00Z', array('a', 'b'))");
    const row = { id: 2n, at: "2024-05-02T11:00:00.000000Z", tags: ["c"] };
    await pyiceberg.append(catalog, "web.visits", [row]);
    const [bySpark, byPython] = [await spark.sql("SELECT * FROM r.web.visits"), await pyiceberg.rows(catalog, "web.visits")];
    sameRows(bySpark, byPython);
    if (bySpark.count !== 2) throw new Error(`${bySpark.count} rows`);
    await isInStep(project);
  });
}

interface Bed extends Engines {
  readonly catalog: CatalogProperties;
}

async function bothRead({ spark, pyiceberg, catalog }: Bed, wanted: RowSet): Promise<void> {
  sameRows(await spark.sql(`SELECT * FROM ${SPARK_TABLE}`), wanted);
  sameRows(await pyiceberg.rows(catalog, TABLE), wanted);
}

async function isInStep(project: RestProject): Promise<void> {
  const told = await project.expect(0, "plan", "--exit-code");
  if (!told.includes("No changes")) throw new Error(told);
}

function valuesOf(row: Row): string {
  const literal = (cell: Row[string] | undefined): string =>
    typeof cell === "string" ? `'${cell}'` : typeof cell === "bigint" ? cell.toString() : "NULL";
  return `(${[row["id"], row["day"], row["amount"], row["note"]].map(literal).join(", ")})`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
