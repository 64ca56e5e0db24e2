// Story S1, the example in examples/glue: a job's second delivery has a column that its table lacks, and another order.
// Spark says its own errors before; after floeplan's apply the job works, with the session setting that the README names.
// Athena, which refuses to set the property, runs nowhere outside AWS: that part is not proved here.
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Spark } from "../support/engines/spark.ts";
import { sameRows } from "../support/expect.ts";
import { REPOSITORY } from "../support/places.ts";
import { type Row, rowSet } from "../support/rows.ts";
import type { Bed } from "./history.ts";
import { BUCKET } from "./project.ts";

const TABLE = "test_database.test_table";
const EXAMPLE = join(REPOSITORY, "examples/glue");

const TOO_MANY = "[INSERT_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS] Cannot write to `lake`.`test_database`.`test_table`";

const FIRST: readonly Row[] = [
  { col1: "aaa", col2: "1" },
  { col1: "bbb", col2: "2" },
  { col1: "ccc", col2: "3" },
];
const SECOND: readonly Row[] = [
  { col1: "ddd", col2: "444", col3: "XXX" },
  { col1: "eee", col2: "555", col3: "YYY" },
  { col1: "fff", col2: "666", col3: "ZZZ" },
];

export async function story(bed: Bed): Promise<void> {
  const { suite, spark, pyiceberg, catalog, project } = bed;
  const file = join(project.folder, "tables/test_database/test_table.yaml");

  await suite.check(
    "S1: a Glue job's first file is in the table, and the second one's append fails, with Spark's own error",
    async () => {
      await spark.sql("CREATE NAMESPACE lake.test_database");
      await spark.sql(`CREATE TABLE lake.${TABLE} (col1 STRING, col2 STRING) USING iceberg
      LOCATION 's3://${BUCKET}/output' TBLPROPERTIES ('format-version' = '2')`);
      expectSaid(await append(spark, "first.csv"), "");
      expectSaid(await append(spark, "second.csv"), TOO_MANY);
      expectSaid(await append(spark, "second.csv", { mergeSchema: true }), TOO_MANY);
      sameRows(await spark.sql(`SELECT * FROM lake.${TABLE}`), rowSet({ col1: "string", col2: "string" }, FIRST));
    },
  );
  await suite.check("S1: floeplan plans what the README shows, and applies it in one commit", async () => {
    await cp(join(EXAMPLE, "tables"), join(project.folder, "tables"), { recursive: true });
    const after = await readFile(file, "utf8");
    // The file as it was before, by the diff of the README.
    const readme = await readFile(join(EXAMPLE, "README.md"), "utf8");
    const added = [...readme.matchAll(/^\+(?!\+)(.*)$/gm)].map(([, line = ""]) => line);
    const before = added.reduce((text, line) => text.replace(`${line}\n`, ""), after);
    if (before === after) throw new Error("The README shows no diff");
    await writeFile(file, before);
    await project.inStep(TABLE);
    await writeFile(file, after);
    const plan = await project.run("plan", TABLE);
    // Below the steps stand facts of this very table.
    const steps = plan.stdout.slice(0, plan.stdout.indexOf("\n    3 rows"));
    if (steps === "" || !readme.includes(steps)) throw new Error(`The README shows another plan than\n${plan.stdout}`);
    await project.apply(TABLE);
  });
  await suite.check("S1: the job's append needs the session setting, and works with it; both engines read six rows", async () => {
    expectSaid(await append(spark, "second.csv", { mergeSchema: true }), "col2 is out of order, before col1");
    await spark.evaluate('spark.conf.set("spark.sql.iceberg.check-ordering", "false")');
    expectSaid(await append(spark, "second.csv", { mergeSchema: true }), "");
    await spark.evaluate('spark.conf.unset("spark.sql.iceberg.check-ordering")');
    const rows = rowSet({ col1: "string", col2: "string", col3: "string" }, [
      ...FIRST.map((row) => ({ ...row, col3: null })),
      ...SECOND,
    ]);
    sameRows(await spark.sql(`SELECT * FROM lake.${TABLE}`), rows);
    sameRows(await pyiceberg.rows(catalog, TABLE), rows);
    await project.inStep(TABLE);
    const shown = (await project.columns(TABLE)).map(({ Name }) => Name);
    if (shown.join() !== "col1,col2,col3") throw new Error(`Glue shows ${shown.join()}`);
  });
  await suite.check(
    "S1: without the property a plain append takes columns by name, in any order, and refuses others",
    async () => {
      const other = "lake.test_database.plain";
      await spark.sql(`CREATE TABLE ${other} (col1 STRING, col2 STRING, col3 STRING) USING iceberg`);
      expectSaid(await append(spark, "second.csv", { mergeSchema: false, table: other }), "");
      sameRows(await spark.sql(`SELECT * FROM ${other}`), rowSet({ col1: "string", col2: "string", col3: "string" }, SECOND));
      await spark.sql(`ALTER TABLE ${other} DROP COLUMN col3`);
      expectSaid(await append(spark, "second.csv", { mergeSchema: false, table: other }), "TOO_MANY_DATA_COLUMNS");
    },
  );
}

/** As the job does it; what Spark says, nothing where it worked. */
async function append(
  spark: Spark,
  name: string,
  { mergeSchema, table = `lake.${TABLE}` }: { readonly mergeSchema: boolean; readonly table?: string } = { mergeSchema: false },
): Promise<string> {
  const code = `
frame = spark.read.option("header", "true").csv(${JSON.stringify(join(EXAMPLE, "data", name))})
writer = frame.writeTo("${table}")
try:
    ${mergeSchema ? 'writer.option("mergeSchema", "true").append()' : "writer.append()"}
    result = ""
except Exception as error:
    result = str(error)
`;
  return String(await spark.evaluate(code));
}

/** Words of nothing: nothing may be said. */
function expectSaid(said: string, words: string): void {
  if (words === "" ? said !== "" : !said.includes(words)) throw new Error(`Spark said ${said === "" ? "nothing" : said}`);
}
