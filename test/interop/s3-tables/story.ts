// Story S2: a day job fills a partitioned table in S3 Tables that nobody can look at. floeplan shows it, imports it and
// evolves it in place. The job as it was fails loudly; with the one cast that the plan tells it goes on.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DAYS, type LineOrder, lineOrders } from "../../blackbox/lineorder.ts";
import { sparkS3TablesCatalog } from "../support/engines/spark.ts";
import type { Suite } from "../support/expect.ts";
import { REPOSITORY } from "../support/places.ts";
import { type Row, rowSet } from "../support/rows.ts";
import { EngineError } from "../support/worker.ts";
import { makeTableBucket } from "./bucket.ts";
import { allRead, type Engines, projectOf } from "./project.ts";

const TABLE = "ssb.lineorder";
const FIRST = DAYS[0];
const example = async (path: string): Promise<string> => await readFile(join(REPOSITORY, "examples/s3-tables", path), "utf8");

/** Iceberg's words for the columns, before and after. */
const BEFORE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(lineOrders(FIRST)[0] ?? {}).map(([column, value]) => [column, typeof value === "number" ? "int" : "string"]),
);
const AFTER = { ...BEFORE, lo_revenue: "long", lo_commitdate: "date" };

const rowOf = (line: LineOrder): Row =>
  Object.fromEntries(Object.entries(line).map(([column, value]) => [column, typeof value === "number" ? BigInt(value) : value]));
const allDays = (days: readonly string[]): readonly Row[] => days.flatMap(lineOrders).map(rowOf);

export async function storyChecks(suite: Suite, engines: Engines): Promise<void> {
  const { moto, spark } = engines;
  const bucket = await makeTableBucket(moto, "events", ["ssb"]);
  const project = await projectOf(join(suite.scratch, "story"), bucket, engines);
  await spark.addCatalog("events", sparkS3TablesCatalog(moto, bucket.arn));

  /** The statements of a job for a day; comments are no statements. */
  const run = async (sql: string, day: string = FIRST): Promise<void> => {
    const statements = sql
      .replaceAll(/^--.*$/gm, "")
      .replaceAll(FIRST, day)
      .split(";");
    for (const statement of statements) if (statement.trim() !== "") await spark.sql(statement);
  };
  const [job, jobAfter] = [await example("job/day.sql"), await example("job/day-after.sql")];

  const made = await suite.check("Spark makes the table through AWS's catalog, and the day job fills three days", async () => {
    const columns = Object.keys(BEFORE);
    const values = DAYS.flatMap(lineOrders).map(
      (line) =>
        `(${Object.values(line)
          .map((value: number | string) => (typeof value === "number" ? String(value) : `'${value}'`))
          .join(", ")})`,
    );
    await spark.sql("CREATE DATABASE landing");
    await spark.sql(`CREATE TABLE landing.lineorder USING parquet PARTITIONED BY (lo_orderdate)
      LOCATION '${join(suite.scratch, "landing")}' AS SELECT * FROM VALUES ${values.join(", ")} AS t(${columns.join(", ")})`);
    await run(await example("job/make-lineorder.sql"));
    for (const day of [FIRST, ...DAYS]) await run(job, day);
    await allRead(engines, bucket, TABLE, rowSet(BEFORE, allDays(DAYS)));
    return true;
  });
  if (made === null) return;

  await suite.check("floeplan imports it as the example has it, and the next plan is empty", async () => {
    const text = await project.expect(0, "import", TABLE, "--s3-tables", bucket.arn);
    const withoutFirst = (file: string): string => file.slice(file.indexOf("\n") + 1);
    if (withoutFirst(text) !== withoutFirst(await example("tables/ssb/lineorder.yaml"))) throw new Error(text);
    await project.write("tables/ssb/lineorder.yaml", text);
    const planned = await project.expect(0, "plan", "--exit-code");
    if (!planned.includes("No changes. 1 table in step.")) throw new Error(planned);
  });

  let told = "";
  await suite.check("the plan says what the tag does, and what the job has to send", async () => {
    await project.write("tables/ssb/lineorder.yaml", await example("pull-request/lineorder.yaml"));
    const planned = await project.expect(0, "plan", "--preflight", "--out", "plan.json");
    if (!planned.includes("stops S3 Tables from expiring snapshots")) throw new Error(planned);
    const ddl = await project.expect(0, "plan", "--ddl", "spark");
    told = /^-- writers send from then on: (.+)$/m.exec(ddl)?.[1] ?? "";
    if (told === "") throw new Error(ddl);
  });

  const isApplied = await suite.check("the plan is applied, in place, and every engine reads the new types", async () => {
    await project.expect(0, "apply", "--plan", "plan.json");
    await allRead(engines, bucket, TABLE, rowSet(AFTER, allDays(DAYS)));
    return true;
  });
  if (isApplied === null) return;

  await suite.check("the unchanged job fails loudly on Spark and writes nothing", async () => {
    try {
      await run(job, DAYS[1]);
    } catch (error) {
      if (!(error instanceof EngineError) || !/lo_commitdate[\s\S]*"STRING"[\s\S]*"DATE"/.test(error.message)) throw error;
      // Its DELETE has been done; nothing was put in its place, and no null.
      await allRead(engines, bucket, TABLE, rowSet(AFTER, allDays([DAYS[0], DAYS[2]])));
      return;
    }
    throw new Error("It went through");
  });

  await suite.check("the job with the example's cast puts the day there, once however often it runs", async () => {
    await run(jobAfter, DAYS[1]);
    await run(jobAfter, DAYS[1]);
    await allRead(engines, bucket, TABLE, rowSet(AFTER, allDays(DAYS)));
  });

  await suite.check("the job with the plan's own expression does, too", async () => {
    const cast = "CAST(lo_commitdate AS date) AS lo_commitdate";
    if (!jobAfter.includes(cast)) throw new Error(`The example lost its cast: ${jobAfter}`);
    await run(
      jobAfter.replace(cast, () => told),
      DAYS[2],
    );
    await allRead(engines, bucket, TABLE, rowSet(AFTER, allDays(DAYS)));
  });

  await suite.check("floeplan sees nothing left to do, and no late file", async () => {
    const planned = await project.expect(0, "plan", "--exit-code");
    if (!planned.includes("No changes. 1 table in step.")) throw new Error(planned);
  });

  await suite.check("Spark makes a table like it of `show --ddl spark`, and floeplan shows that as the same", async () => {
    const copied = (text: string): string => text.replaceAll("`lineorder`", "`copy`").replace("ssb.lineorder", "ssb.copy");
    const ddl = copied(await project.expect(0, "show", TABLE, "--ddl", "spark"));
    await run(ddl.replaceAll("TABLE `ssb`", "TABLE events.`ssb`"));
    const again = await project.expect(0, "show", "ssb.copy", "--ddl", "spark", "--s3-tables", bucket.arn);
    const statements = (text: string): string => text.replaceAll(/^--.*\n/gm, "");
    if (statements(again) !== statements(ddl)) throw new Error(`${again}\nexpected:\n${ddl}`);
  });

  await suite.check("floeplan does not go back over the rows that the job wrote since", async () => {
    await project.expect(3, "rollback", TABLE, "--yes", "--reason", "too late");
    await allRead(engines, bucket, TABLE, rowSet(AFTER, allDays(DAYS)));
  });
}
