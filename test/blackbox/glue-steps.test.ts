// Every kind of step on Glue: one table from its creation on through a series of declarations,
// and the example's table with real data. After each apply Glue's own list is that of the current schema, what others
// keep in the entry is still there, and the next plan is empty.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STEP_KINDS } from "../../src/plan/steps/index.ts";
import { exampleFile, type Lake, startLake } from "./glue-support.ts";
import { currentFields } from "./glue-tables.ts";
import type { Ran } from "./support.ts";

const ORDERS = "sales.orders";
const seen = new Set<string>();
let lake: Lake;

beforeAll(async () => {
  lake = await startLake({ databases: ["hr"] });
});
afterAll(async () => await lake.stop());

interface Applied {
  readonly tables: readonly { readonly outcome: string; readonly steps: readonly { readonly kind: string }[] }[];
}

type Run = (...words: readonly string[]) => Promise<Ran>;

/** The program that is shipped. */
const built: Run = async (...words) => await lake.built({}, ...words);

/** Plans, applies all of it, and gives the kinds of the steps that were taken. */
async function apply(table: string, run: Run = async (...words) => await lake.run(...words)): Promise<readonly string[]> {
  expect(await run("plan", table, "--out", "plan.json")).toMatchObject({ exit: 0, stderr: "" });
  const { stdout, stderr, exit } = await run("apply", table, "--plan", "plan.json", "--format", "json");
  expect([exit, stderr]).toEqual([0, ""]);
  const [one] = (JSON.parse(stdout) as Applied).tables;
  expect(one?.outcome).toBe("applied");
  const kinds = (one?.steps ?? []).map(({ kind }) => kind);
  for (const kind of kinds) seen.add(kind);
  lake.expectListInStep(table);
  return [...new Set(kinds)].sort();
}

const declare = (text: string): void => lake.write("tables/orders.yaml", `table: ${ORDERS}\n${text}`);
const columns = (): string =>
  currentFields(lake.metadata(ORDERS))
    .map(({ id, name, type, required }) => `${id} ${name} ${typeof type === "string" ? type : type.type}${required ? "!" : ""}`)
    .join(", ");

// One story: each chapter goes on where the one before it ended.
describe("all kinds of steps", { shuffle: false }, () => {
  describe("a table that floeplan makes", () => {
    it("is made with its database, in the place that the project says", async () => {
      declare(`comment: One row per order
columns:
  - { name: order_id, type: int, required: true, comment: "Unique order number" }
  - { name: customer, type: string, required: true }
  - { name: amount, type: "decimal(9,2)" }
  - { name: note, type: string }
  - { name: region, type: string }
  - name: items
    type: list<struct>
    fields: [ { name: sku, type: string }, { name: qty, type: int } ]
partition-by: [ "bucket(4, region)" ]
properties: { write.parquet.compression-codec: zstd, vacuum_min_snapshots_to_keep: 5 }
glue: { parameters: { data_class: internal, team: sales } }
`);
      expect(await apply(ORDERS, built)).toEqual(["create-namespace", "create-table", "set-glue-parameters"]);
      const entry = lake.glue.tables.get("sales", "orders");
      expect(entry).toMatchObject({
        TableType: "EXTERNAL_TABLE",
        Description: "One row per order",
        Parameters: { table_type: "ICEBERG", data_class: "internal", team: "sales" },
        StorageDescriptor: { Location: "s3://acme-lake/sales/orders" },
      });
      expect(lake.parameters(ORDERS)["previous_metadata_location"]).toBeUndefined();
      expect(columns()).toBe(
        "1 order_id int!, 2 customer string!, 3 amount decimal(9, 2), 4 note string, 5 region string, 6 items list",
      );
      // Others keep things there, too.
      lake.glue.tables.patch("sales", "orders", {
        Owner: "crawler",
        Parameters: { ...lake.parameters(ORDERS), classification: "parquet" },
      });
    });

    it("is changed at every depth in one commit", async () => {
      declare(`comment: One row for each order
columns:
  - { name: note, type: string, comment: "As the customer wrote it" }
  - { name: order_id, type: long, required: true, comment: "Unique order number" }
  - { name: channel, type: string }
  - { name: client, type: string, renamed-from: [ customer ] }
  - { name: amount, type: "decimal(12,2)", required: true }
  - { name: region, type: string }
  - name: items
    type: list<struct>
    fields: [ { name: sku, type: string }, { name: qty, type: long }, { name: price, type: "decimal(9,2)" } ]
identifier-fields: [ order_id ]
partition-by: []
sort-by: [ order_id ]
properties: { vacuum_min_snapshots_to_keep: 9, write.spark.accept-any-schema: true }
glue: { parameters: { data_class: secret } }
`);
      expect(await apply(ORDERS)).toEqual([
        "add-field",
        "evolve-partition-spec",
        "move-field",
        "remove-glue-parameters",
        "remove-properties",
        "rename-field",
        "replace-sort-order",
        "set-comment",
        "set-doc",
        "set-glue-parameters",
        "set-identifier-fields",
        "set-optional",
        "set-properties",
        "set-required",
        "widen-type",
      ]);
      expect(columns()).toBe(
        "4 note string, 1 order_id long!, 10 channel string, 2 client string, 3 amount decimal(12, 2)!, 5 region string, 6 items list",
      );
      expect(lake.glue.tables.get("sales", "orders")).toMatchObject({ Owner: "crawler", Description: "One row for each order" });
      expect(lake.parameters(ORDERS)).toEqual({
        table_type: "ICEBERG",
        metadata_location: lake.metadataLocation(ORDERS),
        previous_metadata_location: lake.metadata(ORDERS)["metadata-log"].at(-1)?.["metadata-file"],
        data_class: "secret",
        classification: "parquet",
      });
      const { properties } = lake.metadata(ORDERS);
      expect([properties["write.spark.accept-any-schema"], properties["vacuum_min_snapshots_to_keep"]]).toEqual(["true", "9"]);
      expect(properties["write.parquet.compression-codec"]).toBeUndefined();
    });

    const THIRD = `columns:
  - { name: note, type: string }
  - { name: order_id, type: long, required: true }
  - { name: channel, type: string, default: web }
  - { name: client, type: string }
  - { name: amount, type: "decimal(12,2)", required: true }
`;

    it("is brought to version 3, loses a partition source with the old spec, and gets it back under its id", async () => {
      declare(`format-version: 3
${THIRD}dropped: [ { field: region, reason: "never filled" }, { field: items, reason: "in another table now" } ]
properties: { vacuum_min_snapshots_to_keep: 9, write.spark.accept-any-schema: true }
`);
      expect(await apply(ORDERS)).toEqual([
        "drop-field",
        "remove-glue-parameters",
        "remove-unused-specs",
        "set-default",
        "upgrade-format-version",
      ]);
      expect(lake.metadata(ORDERS)).toMatchObject({ "format-version": 3, "partition-specs": [{ fields: [] }] });
      declare(`${THIRD}  - { name: region, type: string }\n`);
      expect(await apply(ORDERS)).toEqual(["remove-properties", "restore-field"]);
      expect(columns()).toBe(
        "4 note string, 1 order_id long!, 10 channel string, 2 client string, 3 amount decimal(12, 2)!, 5 region string",
      );
    });

    it("gets its list in Glue back from a tool that spoiled it, and its columns stay as they are", async () => {
      const [before, list] = [columns(), lake.columns(ORDERS)];
      lake.glue.tables.patch("sales", "orders", {
        StorageDescriptor: {
          Columns: [...list.slice(1), { Name: "stray", Type: "string" }],
          Location: "s3://acme-lake/sales/orders",
        },
      });
      expect(await apply(ORDERS)).toEqual(["sync-glue-columns"]);
      expect(columns()).toBe(before);
      expect(lake.columns(ORDERS)).toEqual(list);
      expect(lake.glue.tables.get("sales", "orders")).toMatchObject({
        Owner: "crawler",
        Parameters: { classification: "parquet" },
      });
      expect(await lake.said(0, "plan", ORDERS, "--exit-code")).toContain("No changes. 1 table in step.");
    });
  });

  describe("a table that Spark made", () => {
    it("is converted with its data, in one commit, and the next plan is empty", async () => {
      lake.seed();
      lake.write("tables/employee.yaml", exampleFile("tables/hr/iceberg_employee.yaml"));
      const kinds = await apply("hr.iceberg_employee", built);
      expect(kinds).toEqual(["add-field", "convert-type", "drop-field", "rename-field", "set-comment", "set-doc"]);
      expect(lake.metadata("hr.iceberg_employee")["metadata-log"]).toHaveLength(5);
      expect(lake.glue.tables.get("hr", "iceberg_employee")).toMatchObject({ VersionId: "1", Owner: "spark" });
      const { stdout } = await built("show", "hr.iceberg_employee", "--format", "json", "--rows", "2000");
      const { rows } = JSON.parse(stdout) as { readonly rows: readonly Readonly<Record<string, string>>[] };
      expect(rows).toHaveLength(1607);
      expect(rows[0]).toMatchObject({
        employeeid: "1601",
        first_name: "Tihu",
        validity_startdate: "2006-04-17",
        validity_enddate: "9999-12-31",
        department: null,
      });
      expect(await lake.said(0, "plan", "hr.iceberg_employee", "--exit-code")).toContain("No changes. 1 table in step.");
    });
  });

  describe("the steps above", () => {
    it("are all kinds that there are", () => {
      expect([...seen].sort()).toEqual(STEP_KINDS.map(({ kind }) => kind).sort());
    });
  });
});
