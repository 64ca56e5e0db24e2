// One declaration in several environments, by the whole command line: what a table's `environments:` changes, pins that
// differ, and the policy on the order of columns. Glue and S3 are played; the other catalog is a folder.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ACCOUNT, BUCKET, type Lake, startLake } from "./glue-support.ts";
import { currentFields, type JsonMetadata } from "./glue-tables.ts";

const GLUE = `lake: { type: glue, region: us-east-1, account: "${ACCOUNT}" }`;
const PROJECT = `floeplan: 1
default-catalog: lake
environments:
  dev:
    catalogs: { ${GLUE}, files: { type: local, warehouse: ./warehouse } }
    namespace: "{namespace}_dev"
    location: "s3://${BUCKET}/dev/{namespace}/{table}"
    policy: { column-order: append }
  prod:
    catalogs: { ${GLUE}, files: { type: local, warehouse: ./warehouse } }
    location: "s3://${BUCKET}/{namespace}/{table}"
`;
let lake: Lake;

beforeEach(async () => {
  lake = await startLake({}, PROJECT);
  mkdirSync(join(lake.folder, "warehouse"));
});
afterEach(async () => await lake.stop());

const declare = (name: string, columns: string, more = ""): void =>
  lake.write(`tables/${name}.yaml`, `table: sales.${name}\ncolumns:\n${columns}${more}`);
const apply = async (environment: string): Promise<void> => {
  await lake.said(0, "apply", "-e", environment, "--yes");
  await lake.said(0, "plan", "-e", environment, "--exit-code");
};
const fields = (metadata: JsonMetadata): string =>
  currentFields(metadata)
    .map(({ id, name }) => `${id} ${name}`)
    .join(", ");
interface Layout {
  readonly "partition-specs": readonly { readonly "spec-id": number; readonly fields: readonly Term[] }[];
  readonly "sort-orders": readonly { readonly "order-id": number; readonly fields: readonly Term[] }[];
  readonly "default-spec-id": number;
  readonly "default-sort-order-id": number;
  readonly location: string;
  readonly properties: Readonly<Record<string, string>>;
}
interface Term {
  readonly transform: string;
  readonly "source-id": number;
}
const terms = (fields: readonly Term[] = []): string[] => fields.map((one) => `${one.transform} ${one["source-id"]}`);
const layout = (table: string): unknown => {
  const metadata = lake.metadata(table) as unknown as Layout;
  return {
    location: metadata.location,
    partition: terms(metadata["partition-specs"].find((one) => one["spec-id"] === metadata["default-spec-id"])?.fields),
    sort: terms(metadata["sort-orders"].find((one) => one["order-id"] === metadata["default-sort-order-id"])?.fields),
    properties: Object.fromEntries(Object.entries(metadata.properties).filter(([key]) => key.startsWith("write.t."))),
  };
};

it("a table takes the name, place, properties and layout of its environment, and may be left out of one", async () => {
  const columns = "  - { name: id, type: long }\n  - { name: day, type: date }\n";
  declare(
    "orders",
    columns,
    `partition-by: [ day ]
sort-by: [ id ]
properties: { write.t.both: x, write.t.size: 10 }
environments:
  dev:
    table: sandbox.try
    location: "s3://${BUCKET}/elsewhere"
    partition-by: []
    sort-by: [ day desc ]
    properties: { write.t.size: 1, write.t.dev: y }
`,
  );
  declare("audit", columns, "environments: { dev: { skip: true } }\n");
  declare("events", columns, "environments: { dev: { catalog: files } }\n");
  await apply("dev");
  await apply("prod");
  expect(layout("sandbox.try")).toEqual({
    location: `s3://${BUCKET}/elsewhere`,
    partition: [],
    sort: ["identity 2"],
    properties: { "write.t.both": "x", "write.t.size": "1", "write.t.dev": "y" },
  });
  expect(layout("sales.orders")).toEqual({
    location: `s3://${BUCKET}/sales/orders`,
    partition: ["identity 2"],
    sort: ["identity 1"],
    properties: { "write.t.both": "x", "write.t.size": "10" },
  });
  const there = (table: string): boolean => lake.glue.tables.get(...(table.split(".") as [string, string])) !== undefined;
  expect(["sales_dev.audit", "sales.audit", "sales_dev.events", "sales.events", "sales_dev.orders"].map(there)).toEqual([
    false,
    true,
    false,
    true,
    false,
  ]);
  expect(existsSync(join(lake.folder, "warehouse/sales_dev/events/metadata/v1.metadata.json"))).toBe(true);
  expect(await lake.said(0, "status")).toMatch(/sales\.audit - in step .*sales\.events in step in step/);
});

it("pins name the field of each environment, whatever its id there", async () => {
  declare("orders", "  - { name: a, type: string }\n  - { name: b, type: string }\n");
  await apply("dev");
  declare("orders", "  - { name: b, type: string }\n  - { name: a, type: string }\n");
  await apply("prod");
  const pinned = (dev: number, prod: number): void =>
    declare("orders", `  - { name: client, type: string, id: { dev: ${dev}, prod: ${prod} } }\n  - { name: b, type: string }\n`);
  pinned(9, 2);
  expect(await lake.said(3, "plan", "-e", "dev")).toContain("pinned-id-unknown");
  await lake.said(0, "plan", "-e", "prod");
  pinned(1, 2);
  expect(await lake.said(2, "plan", "-e", "dev", "--exit-code")).toContain("> client was a");
  await apply("dev");
  await apply("prod");
  expect(fields(lake.metadata("sales_dev.orders"))).toBe("1 client, 2 b");
  expect(fields(lake.metadata("sales.orders"))).toBe("2 client, 1 b");
});

it("new columns go last and nothing is moved where the policy says append, and stand as declared elsewhere", async () => {
  const column = (name: string): string => `  - { name: ${name}, type: string }\n`;
  declare("orders", ["a", "b", "c"].map(column).join(""));
  await apply("dev");
  await apply("prod");
  declare("orders", ["c", "new", "a", "b"].map(column).join(""));
  await apply("dev");
  await apply("prod");
  expect(fields(lake.metadata("sales_dev.orders"))).toBe("1 a, 2 b, 3 c, 4 new");
  expect(fields(lake.metadata("sales.orders"))).toBe("3 c, 4 new, 1 a, 2 b");
});

it("an environment that is only observed is planned and drifted, and nothing is applied to it", async () => {
  lake.write("floeplan.yaml", `${PROJECT}    policy: { mode: observe }\n`);
  declare("orders", "  - { name: a, type: string }\n");
  expect(await lake.said(2, "plan", "-e", "prod", "--exit-code")).toContain("sales.orders");
  await lake.said(0, "drift", "-e", "prod");
  expect(await lake.said(3, "apply", "-e", "prod", "--yes")).toContain("environment-observed");
  for (const command of ["rollback", "release", "abort"])
    expect(await lake.said(3, command, "sales.orders", "-e", "prod", "--yes")).toContain("environment-observed");
  expect(lake.glue.tables.get("sales", "orders")).toBeUndefined();
  await apply("dev");
});

it("plan --ddl says what a person would type on each engine, or that there is nothing to type", async () => {
  declare("orders", "  - { name: a, type: int }\n  - { name: b, type: string }\n");
  await apply("prod");
  declare(
    "orders",
    "  - { name: a, type: long, id: { prod: 1 } }\n  - { name: c, type: string, renamed-from: b }\n",
    "partition-by: [ a ]\n",
  );
  const ddl = async (engine: string): Promise<string> => await lake.said(0, "plan", "-e", "prod", "--ddl", engine);
  const spark = await ddl("spark");
  expect(spark).toContain("RENAME COLUMN `b` TO `c`;");
  expect(spark).toContain("ALTER COLUMN `a` TYPE bigint;");
  expect(spark).toContain("ADD PARTITION FIELD `a`");
  expect(await ddl("trino")).toContain('RENAME COLUMN "b" TO "c";');
  expect(await ddl("athena")).toContain("athena has no statement for it; floeplan does it in the commit");
});

it("a lagging environment gets renames only, however often a column was renamed", async () => {
  const named = (name: string, hints: string): void => declare("orders", `  - { name: ${name}, type: string${hints} }\n`);
  named("first", "");
  await apply("dev");
  await apply("prod");
  named("second", ", renamed-from: [ first ]");
  await apply("dev");
  named("third", ", renamed-from: [ second, first ]");
  for (const environment of ["dev", "prod"]) {
    await lake.said(0, "plan", "-e", environment, "--out", "plan.json");
    const { tables } = JSON.parse(readFileSync(join(lake.folder, "plan.json"), "utf8")) as {
      readonly tables: readonly { readonly steps: readonly { readonly kind: string }[] }[];
    };
    expect(tables.flatMap(({ steps }) => steps.map(({ kind }) => kind))).toEqual(["rename-field"]);
    await apply(environment);
  }
  expect([fields(lake.metadata("sales_dev.orders")), fields(lake.metadata("sales.orders"))]).toEqual(["1 third", "1 third"]);
});
