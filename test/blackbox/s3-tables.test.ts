// The story of the partition that nobody could see, by the whole program: a table that a job made in S3 Tables is looked
// at, imported, and evolved in place with a conversion, while the service and others commit to it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import { LAST_ADDED, type TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Field } from "../../src/iceberg/type.ts";
import { committedBy, lateAppendTo } from "./late-append.ts";
import { DAYS, type LineOrder, lineOrders } from "./lineorder.ts";
import { exampleFile, type JsonMetadata, startTableBucket, type TableBucketRun } from "./s3-tables-support.ts";

const TABLE = "ssb.lineorder";
const FILE = "tables/ssb/lineorder.yaml";
const EVOLVED = exampleFile("pull-request/lineorder.yaml");
let bucket: TableBucketRun;

beforeAll(async () => {
  bucket = await startTableBucket();
  bucket.seed();
});
afterAll(async () => {
  // Whatever was done before: the storage of a table has no lists and no deletes.
  expect(Object.keys(bucket.s3.counts()).sort()).toEqual(["GetObject", "HeadObject", "PutObject"]);
  await bucket.stop();
});

const live = (): JsonMetadata => bucket.metadata("ssb", "lineorder");
const columns = (): string => {
  const { schemas, "current-schema-id": current } = live();
  const schema = schemas.find((one) => one["schema-id"] === current);
  return (schema?.fields ?? []).map(({ id, name, type }) => `${id} ${name} ${String(type)}`).join(", ");
};
/** Another writer's commit on what is live. */
function commitForeign(updates: readonly TableUpdate[]): void {
  const metadata = readMetadata(new TextEncoder().encode(bucket.metadataText("ssb", "lineorder")), TABLE);
  const location = bucket.tables.tables.get("ssb", "lineorder")?.metadataLocation ?? "";
  bucket.tables.tables.commit("ssb", "lineorder", committedBy(metadata, location, updates));
}
const withoutFirstLine = (text: string): string => text.slice(text.indexOf("\n") + 1);
const ddl = async (engine: string): Promise<string> => (await bucket.run("show", TABLE, "--ddl", engine)).stdout;

async function rows(): Promise<readonly Readonly<Record<string, string>>[]> {
  const { stdout } = await bucket.run("show", TABLE, "--format", "json", "--rows", "1000");
  return (JSON.parse(stdout) as { readonly rows: readonly Readonly<Record<string, string>>[] }).rows;
}

/** Every row as text, in one order, as `show` prints it. */
function asText(all: readonly (LineOrder | Readonly<Record<string, string>>)[]): readonly string[] {
  return all
    .map((row) =>
      Object.entries(row)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(" "),
    )
    .sort();
}

// One story: each chapter goes on where the one before it ended.
describe("a table of a job, from its first look to late files", { shuffle: false }, () => {
  it("shows what Athena does not: the partitions, and the statement that makes such a table, without a project too", async () => {
    expect(await bucket.said(0, "show", TABLE, "--s3-tables", bucket.tables.arn, "--rows", "0")).toContain(
      "partitioned by lo_orderdate = identity(lo_orderdate), id 1000 (spec 0 of 1)",
    );
    const { stdout } = await bucket.run("show", TABLE, "--ddl", "athena", "--s3-tables", bucket.tables.arn);
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      "-- ssb.lineorder in s3-tables (s3-tables events in us-east-1), format version 2; a table made by this has field ids of its own",
      "-- Athena cannot say properties: write.parquet.compression-codec = zstd",
      "CREATE TABLE `ssb`.`lineorder` (",
      "  `lo_orderkey` int,",
    ]);
    expect(stdout).toContain(
      "  `lo_orderdate` string\n)\nPARTITIONED BY (`lo_orderdate`)\nTBLPROPERTIES (\n  'table_type' = 'ICEBERG'\n);\n",
    );
  });

  it("refuses two catalogs at once, and a table bucket that is no ARN", async () => {
    expect(await bucket.said(64, "show", TABLE, "--glue", "us-east-1", "--s3-tables", bucket.tables.arn)).toContain(
      'Cannot use "--glue" with "--s3-tables"',
    );
    expect(await bucket.said(78, "show", TABLE, "--s3-tables", "events")).toContain('"events" is not the ARN of a table bucket');
  });

  it("imports the table as the example has it, and the plan of that is empty", async () => {
    const { stdout } = await bucket.run("import", TABLE, "--s3-tables", bucket.tables.arn);
    expect(await bucket.said(0, "import")).toContain("1 table: 1 written.");
    const imported = readFileSync(join(bucket.folder, FILE), "utf8");
    expect(withoutFirstLine(imported)).toBe(withoutFirstLine(exampleFile(FILE)));
    expect(stdout).toBe(imported);
    expect(await bucket.said(0, "plan", "--exit-code")).toContain("No changes. 1 table in step.");
  });

  it("says what the conversion's tag does to the service's snapshot management, unless the policy leaves the tag out", async () => {
    bucket.write(FILE, EVOLVED);
    const notes = async (): Promise<readonly { readonly what: string; readonly mend?: string }[]> => {
      const { stdout } = await bucket.run("plan", "--format", "json");
      const { tables } = JSON.parse(stdout) as {
        readonly tables: readonly { readonly notes: readonly { readonly what: string; readonly mend?: string }[] }[];
      };
      return (tables[0]?.notes ?? []).filter(({ what }) => what.includes("S3 Tables"));
    };
    const what = "The tag that this conversion leaves stops S3 Tables from expiring snapshots of this table";
    expect(await notes()).toMatchObject([{ what, mend: expect.stringContaining("policy: { snapshot-tag: none }") }]);
    expect(await bucket.said(0, "plan")).toContain(`note: ${what}`);
    const project = readFileSync(join(bucket.folder, "floeplan.yaml"), "utf8");
    bucket.write("floeplan.yaml", `${project}policy: { snapshot-tag: none }\n`);
    expect(await notes()).toEqual([]);
    bucket.write("floeplan.yaml", project);
  });

  it("tells the job's author what to write from then on", async () => {
    const { stdout } = await bucket.run("plan", "--ddl", "spark");
    expect(stdout).toContain("ALTER TABLE `ssb`.`lineorder` ALTER COLUMN `lo_revenue` TYPE bigint;\n");
    expect(stdout).toMatch(/^-- writers send from then on: CASE WHEN `lo_commitdate` RLIKE .* AS DATE\) END AS lo_commitdate$/m);
  });

  it("evolves in one commit on top of what the service's own maintenance committed meanwhile", async () => {
    const before = live();
    const planned = await bucket.built("plan", "--preflight", "--out", "plan.json");
    expect([planned.exit, planned.stdout]).toEqual([0, expect.stringContaining("0 of 471 fail")]);
    // As text: the snapshot ids are no numbers of JavaScript.
    const maintained = bucket.metadataText("ssb", "lineorder").replace('"properties":{', '"properties":{"compacted":"yes",');
    bucket.tables.tables.commit("ssb", "lineorder", maintained);
    bucket.tables.clearCalls();
    const applied = await bucket.built("apply", "--plan", "plan.json");
    expect([applied.exit, applied.stderr, applied.stdout]).toEqual([0, "", expect.stringContaining("1 table: 1 applied.")]);
    expect(bucket.tables.counts()).toMatchObject({ UpdateTableMetadataLocation: 1 });

    const after = live();
    expect(after).toMatchObject({
      "table-uuid": before["table-uuid"],
      location: before.location,
      "default-spec-id": 0,
      "default-sort-order-id": 1,
      properties: { compacted: "yes", comment: "One row per line of an order" },
    });
    expect(columns()).toBe(
      "1 lo_orderkey int, 2 lo_linenumber int, 3 lo_custkey int, 4 lo_partkey int, 5 lo_suppkey int, 6 lo_orderpriority string, " +
        "7 lo_shippriority string, 8 lo_quantity int, 9 lo_extendedprice int, 10 lo_ordertotalprice int, 11 lo_discount int, " +
        "12 lo_revenue long, 13 lo_supplycost int, 14 lo_tax int, 18 lo_commitdate date, 16 lo_shipmode string, 17 lo_orderdate string",
    );
    expect(Object.values(after.refs).map(({ type }) => type)).toEqual(expect.arrayContaining(["branch", "tag"]));
    expect(asText(await rows())).toEqual(asText(DAYS.flatMap(lineOrders)));
    const again = await bucket.said(0, "plan", "--exit-code");
    expect(again).toContain("No changes. 1 table in step.");
    expect(again).toContain("S3 Tables does not expire snapshots of this table");
  });

  it("shows the evolved table's statements, each engine in its own words", async () => {
    expect(await ddl("spark")).toContain(
      "ALTER TABLE `ssb`.`lineorder` WRITE LOCALLY ORDERED BY `lo_orderkey` ASC NULLS FIRST, `lo_linenumber` ASC NULLS FIRST;\n",
    );
    expect(await ddl("athena")).toContain(
      "-- Athena cannot say sort order: lo_orderkey asc nulls first, lo_linenumber asc nulls first\n",
    );
    expect(await ddl("trino")).toContain(
      "  sorted_by = ARRAY['lo_orderkey ASC NULLS FIRST', 'lo_linenumber ASC NULLS FIRST'],\n",
    );
  });

  it("tells drift and where the table stands, and goes back", async () => {
    expect(await bucket.said(0, "drift", "--exit-code")).toContain("No drift in 1 table.");
    const current = readMetadata(new TextEncoder().encode(bucket.metadataText("ssb", "lineorder")), TABLE);
    const schema = currentSchema(current);
    const column: Field = { id: current.lastColumnId + 1, name: "utm_medium", required: false, type: { kind: "string" } };
    commitForeign([
      { action: "add-schema", schema: { ...schema, fields: [...schema.fields, column] }, lastColumnId: column.id },
      { action: "set-current-schema", schemaId: LAST_ADDED },
    ]);
    const drifted = await bucket.built("drift", "--exit-code");
    expect([drifted.exit, drifted.stdout]).toEqual([2, expect.stringContaining("? utm_medium")]);
    const status = await bucket.built("status", "--format", "json");
    expect(JSON.parse(status.stdout)).toMatchObject({ tables: [{ table: TABLE, environments: { prod: { state: "drift" } } }] });
    expect(await bucket.said(0, "rollback", TABLE, "--yes", "--reason", "a test")).toContain(
      "lo_commitdate is the old column again",
    );
    expect(columns()).toContain("15 lo_commitdate string");
    // The column of somebody else stays.
    const back = DAYS.flatMap(lineOrders).map((row) => ({ ...row, utm_medium: "null" }));
    expect(asText(await rows())).toEqual(asText(back));
  });

  it("is told of late: files of a writer that had loaded the table before the conversion block, by plan, drift and status", async () => {
    await bucket.said(0, "release", TABLE, "--yes");
    await bucket.said(0, "plan", "--out", "again.json");
    await bucket.said(0, "apply", "--plan", "again.json");
    expect(columns()).toContain("lo_commitdate date");
    const converted = readMetadata(new TextEncoder().encode(bucket.metadataText("ssb", "lineorder")), TABLE);
    commitForeign(lateAppendTo(converted, bucket.s3.objects));
    const late = 'holds "lo_commitdate" only under its retired field id 15 [late-files]';
    for (const [exit, ...words] of [
      [3, "plan"],
      [0, "drift"],
    ] as const) {
      const ran = await bucket.built(...words);
      expect([ran.exit, (ran.stdout + ran.stderr).replaceAll(/\s+/g, " ")]).toEqual([exit, expect.stringContaining(late)]);
    }
    expect(await bucket.said(0, "status")).toContain(`${TABLE} blocked`);
  });

  it("makes a table of its own, under the name that S3 Tables takes, and refuses another", async () => {
    bucket.write(
      "tables/ssb/customer.yaml",
      "table: ssb.customer\nnew: true\ncolumns:\n  - { name: id, type: long, required: true }\n",
    );
    await bucket.said(0, "apply", "ssb.customer", "--yes");
    expect(bucket.metadata("ssb", "customer").location).toBe(bucket.tables.tables.get("ssb", "customer")?.warehouse);
    bucket.write("tables/ssb/part.yaml", "table: ssb.Part\nnew: true\ncolumns:\n  - { name: id, type: long }\n");
    expect(await bucket.said(3, "plan", "ssb.Part")).toContain("lower-case letters");
  });
});
