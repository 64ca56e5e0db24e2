// What the whole program answers to an AWS that is not as it should be, and what it asks of AWS: what stops it, with
// which exit code and which words; that nothing was written then; how many calls it makes, and which actions they need.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { glueError } from "../fakes/glue.ts";
import { s3Error } from "../fakes/s3.ts";
import { foreignColumn } from "./glue-foreign.ts";
import { ACCOUNT, BUCKET, exampleFile, type Lake, PROJECT, startLake } from "./glue-support.ts";

const EMPLOYEE = "hr.iceberg_employee";
const OTHER_ACCOUNT = "444455556666";
let lake: Lake;

beforeEach(async () => {
  lake = await startLake({
    databases: {
      hr: {},
      linked: { TargetDatabase: { CatalogId: OTHER_ACCOUNT, DatabaseName: "core" } },
      federated: {
        FederatedDatabase: {
          Identifier: `arn:aws:s3tables:us-east-1:${ACCOUNT}:bucket/events`,
          ConnectionName: "aws:s3tables",
        },
      },
    },
  });
});
afterEach(async () => await lake.stop());

const declare = (table: string, more = "", columns = "  - { name: a, type: string }\n"): void =>
  lake.write("tables/one.yaml", `table: ${table}\ncolumns:\n${columns}${more}`);

describe("an entry that is no Iceberg table of this catalog", () => {
  it("stops plan and apply, with what it is and what to do, and is left as it is", async () => {
    const [iceberg, marked] = [{ table_type: "ICEBERG" }, `s3://${BUCKET}/hr/x/metadata/00001-x.metadata.json`];
    const link = { CatalogId: OTHER_ACCOUNT, DatabaseName: "core", Name: "orders" };
    const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
      ["hive", { TableType: "EXTERNAL_TABLE", Parameters: { classification: "parquet" } }, "Hive table of parquet files"],
      ["view", { TableType: "VIRTUAL_VIEW", ViewOriginalText: "SELECT 1" }, "It is a view"],
      ["link", { TargetTable: link }, `resource link to "core.orders" of account ${OTHER_ACCOUNT}`],
      ["bare", { Parameters: { ...iceberg, previous_metadata_location: marked } }, `it came after "${marked}"`],
      ["lost", { Parameters: { ...iceberg, metadata_location: marked } }, `Glue names "${marked}", and nothing is there`],
    ];
    for (const [Name, members] of cases) lake.glue.tables.put("hr", { Name, ...members });
    const tables = cases.map(([name]) => `hr.${name}`);
    const before = lake.state(...tables);
    for (const [name, , words] of cases) {
      declare(`hr.${name}`);
      expect(await lake.said(1, "plan"), name).toContain(words);
      expect(await lake.said(1, "apply", "--yes"), name).toContain(words);
    }
    expect(lake.state(...tables)).toEqual(before);
  });

  it("is told with the database, where that is a link or federated", async () => {
    declare("linked.orders");
    expect(await lake.said(1, "plan")).toContain(`in a catalog with \`account: "${OTHER_ACCOUNT}"\``);
    declare("federated.orders");
    expect(await lake.said(1, "plan")).toContain(`arn:aws:s3tables:us-east-1:${ACCOUNT}:bucket/events`);
  });
});

describe("a declaration that Glue would refuse", () => {
  const long = (length: number): string => "x".repeat(length);
  const wide = Array.from({ length: 520 }, (_, index) => `{ name: ${long(250)}${index}, type: int }`).join(", ");

  it.each([
    ["a name in capitals", (): void => declare("hr.Orders"), 'Write "orders"', "one.yaml:1:1"],
    ["two levels", (): void => declare("hr.eu.orders"), "Glue has one level of namespaces", "one.yaml:1:1"],
    [
      "a column's name",
      (): void => declare("hr.orders", "", `  - { name: ${long(256)}, type: int }\n`),
      "Its name has 256 characters",
      "one.yaml:3:5",
    ],
    [
      "a type",
      (): void => declare("hr.orders", "", `  - { name: a, type: int }\n  - { name: wide, type: struct, fields: [ ${wide} ] }\n`),
      'Cannot list the type of "wide" in Glue',
      "one.yaml:4:5",
    ],
    [
      "a parameter",
      (): void => declare("hr.orders", `glue: { parameters: { ok: "1", ${long(256)}: "1" } }\n`),
      "Glue takes keys of 1 to 255 characters",
      "one.yaml:4:32",
    ],
  ])("is blocked in the plan with its place, and nothing is written: %s", async (_, write, words, place) => {
    write();
    const plan = await lake.said(3, "plan");
    expect([plan, plan.includes(place)]).toEqual([expect.stringContaining(words), true]);
    lake.clearCalls();
    expect((await lake.run("apply", "--yes")).exit).toBe(3);
    expect(
      Object.keys({ ...lake.glue.counts(), ...lake.s3.counts() }).filter((name) => /^(Put|Create|Update)/.test(name)),
    ).toEqual([]);
  });
});

describe("a refusal by AWS", () => {
  beforeEach(() => {
    lake.seed();
    lake.write("tables/employee.yaml", exampleFile("tables/hr/iceberg_employee.yaml"));
  });

  it("by Lake Formation ends with 77 and names the grant, on reading and on the commit", async () => {
    const denied = glueError(
      "AccessDeniedException",
      "Insufficient Lake Formation permission(s): Required Describe on iceberg_employee",
    );
    const end = lake.glue.fault({ on: (call) => call.operation.startsWith("GetTable"), answer: denied, times: 99 });
    expect(await lake.said(77, "plan")).toContain("Grant DESCRIBE");
    end();
    await lake.said(0, "plan", "--out", "plan.json");
    const before = lake.state(EMPLOYEE);
    const alter = glueError(
      "AccessDeniedException",
      "Insufficient Lake Formation permission(s): Required Alter on iceberg_employee",
    );
    lake.glue.fault({ on: "UpdateTable", answer: alter });
    expect(await lake.said(77, "apply", "--plan", "plan.json")).toContain("Grant ALTER");
    // Only what nobody refers to may be new, and the table is the one before.
    expect((lake.state(EMPLOYEE) as { entries: unknown }).entries).toEqual((before as { entries: unknown }).entries);
    await lake.said(0, "apply", "--plan", "plan.json");
  });

  it("by S3 ends with 77 and names the action", async () => {
    lake.s3.fault({ on: "GetObject", answer: s3Error(403, "AccessDenied", { message: "Access Denied" }), times: 99 });
    expect(await lake.said(77, "plan")).toContain("s3:GetObject");
  });

  it("for another account is not taken for an empty catalog", async () => {
    lake.write("floeplan.yaml", PROJECT.replace(ACCOUNT, OTHER_ACCOUNT));
    const plan = await lake.said(77, "plan");
    expect(plan).toContain(`arn:aws:glue:us-east-1:${OTHER_ACCOUNT}:catalog`);
    expect(plan).not.toContain("new table");
  });

  it("of throttling ends with 75, and of keys that do not hold with 77", async () => {
    const throttled = glueError("ThrottlingException", "Rate exceeded");
    const end = lake.glue.fault({ on: () => true, answer: throttled, times: 2 });
    expect(await lake.said(0, "plan")).toContain("new id 14");
    end();
    const keys = { AWS_ACCESS_KEY_ID: "AKIASTRANGER", AWS_SECRET_ACCESS_KEY: "none" };
    expect((await lake.runWith(keys, "plan")).exit).toBe(77);
  });
});

describe("properties that only some engines know", () => {
  it("are set by the commit, and the plan says who obeys and shows them", async () => {
    lake.seed();
    declare(
      EMPLOYEE,
      "properties: { write_compression: zstd, vacuum_min_snapshots_to_keep: 3, optimize_rewrite_delete_file_threshold: 2, write.spark.accept-any-schema: true }\n",
      "  - { name: employeeid, type: string }\n",
    );
    const plan = await lake.said(0, "plan");
    expect(plan).toContain("write_compression zstd metadata table property; obeyed and shown by Athena");
    expect(plan).toContain("write.spark.accept-any-schema true behaviour table property; obeyed by Spark; Athena");
    await lake.said(0, "apply", "--yes");
    expect(lake.metadata(EMPLOYEE).properties).toMatchObject({
      write_compression: "zstd",
      vacuum_min_snapshots_to_keep: "3",
      optimize_rewrite_delete_file_threshold: "2",
      "write.spark.accept-any-schema": "true",
    });
    // Iceberg's properties are none of Glue's parameters: Java does not copy them there either.
    expect(Object.keys(lake.parameters(EMPLOYEE)).sort()).toEqual([
      "metadata_location",
      "previous_metadata_location",
      "table_type",
    ]);
  });
});

describe("calls", () => {
  it("of a plan of n tables in step are a page of entries for each hundred, and one file a table", async () => {
    for (let index = 0; index < 105; index++) {
      const name = `t${String(index).padStart(3, "0")}`;
      if (index === 0) lake.seed("iceberg_employee", name);
      else lake.glue.tables.put("hr", { ...pick(lake.glue.tables.get("hr", "t000")), Name: name });
      lake.write(
        `tables/${name}.yaml`,
        `table: hr.${name}\ncolumns:\n  - { name: employeeid, type: string }\nunmanaged: [ "*" ]\n`,
      );
    }
    lake.clearCalls();
    expect(await lake.said(0, "plan", "--exit-code")).toContain("No changes. 105 tables in step.");
    expect([lake.glue.counts(), lake.s3.counts()]).toEqual([{ GetTables: 2 }, { GetObject: 105 }]);
  });

  it("of an apply in metadata are one file, one UpdateTable and the reading around it", async () => {
    lake.seed();
    declare(EMPLOYEE, "comment: One row per employee\n", "  - { name: employeeid, type: string }\n");
    lake.clearCalls();
    await lake.said(0, "apply", "--yes");
    const { UpdateTable, ...reads } = lake.glue.counts();
    const { PutObject, ...objects } = lake.s3.counts();
    expect([UpdateTable, PutObject]).toEqual([1, 1]);
    expect([Object.keys(reads), Object.keys(objects)]).toEqual([["GetTable"], ["GetObject"]]);
    // The plan before it, the plan that is committed, the proof of its requirements' read, and the one after it.
    expect(Number(reads["GetTable"])).toBeLessThanOrEqual(4);
  });

  it("need the actions of the documented roles and no others", async () => {
    lake.seed();
    lake.write("tables/employee.yaml", exampleFile("tables/hr/iceberg_employee.yaml"));
    declare("sales.orders");
    foreignColumn(lake, EMPLOYEE, "by_spark");
    lake.clearCalls();
    for (const words of [["plan", "--preflight"], ["drift"], ["status"], ["show", EMPLOYEE], ["import"]])
      await lake.said(0, ...words);
    expect(actions(lake)).toEqual(["glue:GetDatabase", "glue:GetDatabases", "glue:GetTable", "glue:GetTables", "s3:GetObject"]);
    await lake.said(0, "plan", "--out", "plan.json");
    lake.clearCalls();
    await lake.said(0, "apply", "--plan", "plan.json");
    await lake.said(0, "rollback", EMPLOYEE, "--yes");
    expect(actions(lake).filter((action) => !action.startsWith("glue:Get"))).toEqual([
      "glue:CreateDatabase",
      "glue:CreateTable",
      "glue:UpdateTable",
      "s3:DeleteObject",
      "s3:GetObject",
      "s3:PutObject",
    ]);
  });
});

/** Members of an answered entry that an input may have. */
function pick(entry: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { TableType, Parameters, StorageDescriptor, Owner } = entry;
  return { TableType, Parameters, StorageDescriptor, Owner };
}

function actions({ glue, s3 }: Lake): readonly string[] {
  const action: Readonly<Record<string, string>> = { HeadObject: "GetObject", ListObjectsV2: "ListBucket" };
  return [
    ...new Set([
      ...glue.calls.map(({ operation }) => `glue:${operation}`),
      ...s3.calls.map(({ operation }) => `s3:${action[operation] ?? operation}`),
    ]),
  ].sort();
}
