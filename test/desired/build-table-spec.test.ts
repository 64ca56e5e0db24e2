// From files to TableSpec: the example of the format's contract, what absent keys mean, environments, catalogs,
// templates, locations, pins and groups.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { resolveTable } from "../../src/desired/build-table-spec.ts";
import { loadProject, resolveProject } from "../../src/desired/load-project.ts";
import type { TableSpec } from "../../src/desired/table-spec.ts";
import { bare, declared, table } from "./support.ts";
import { writeProject } from "./project-support.ts";

const ACME = resolve(import.meta.dirname, "../data/desired/acme-lake");

function specs(folder: string, environment: string): readonly TableSpec[] {
  const project = loadProject(folder);
  expect(project.diagnostics).toEqual([]);
  const { tables, diagnostics } = resolveProject(project, environment);
  expect(diagnostics).toEqual([]);
  return tables;
}

function spec(folder: string, environment: string, name: string): TableSpec {
  const found = specs(folder, environment).find((one) => one.name === name);
  if (found === undefined) throw new Error(`No ${name}`);
  return found;
}

const plain = { required: false, renamedFrom: [], convert: null, id: null, meta: null, group: null };
const part = { required: false, id: null, convert: null };
const rule = { from: "string", format: "yyyyMMdd", onError: "fail", trim: false, emptyAsNull: false, writersStopped: false };

describe("the example of the contract", () => {
  it("gives the columns that the file says", () => {
    const { columns } = spec(ACME, "prod", "sales.orders");
    expect(bare(columns)).toEqual([
      {
        ...plain,
        name: "order_id",
        type: { kind: "long" },
        required: true,
        comment: { value: "Unique order number, never reused" },
      },
      { ...plain, name: "customer", type: { kind: "string" }, renamedFrom: [{ value: "client" }, { value: "cust_name" }] },
      { ...plain, name: "amount", type: { kind: "decimal", precision: 9, scale: 2 } },
      { ...plain, name: "ordered_at", type: { kind: "timestamptz" } },
      { ...plain, name: "order_date", type: { kind: "date" }, convert: { value: { ...rule, onError: "set-null" } } },
      { ...plain, name: "ship_day", type: { kind: "date" }, convert: { value: { ...rule, history: "move-aside" } } },
      {
        ...plain,
        name: "items",
        type: {
          kind: "list",
          element: {
            ...part,
            type: {
              kind: "struct",
              fields: [
                { ...plain, name: "sku", type: { kind: "string" }, required: true },
                { ...plain, name: "price", type: { kind: "decimal", precision: 9, scale: 2 } },
              ],
            },
          },
        },
      },
      { ...plain, name: "tags", type: { kind: "list", element: { ...part, type: { kind: "string" }, required: true } } },
      {
        ...plain,
        name: "attrs",
        type: {
          kind: "map",
          key: { ...part, type: { kind: "string" }, required: true },
          value: { ...part, type: { kind: "string" } },
        },
      },
      {
        ...plain,
        name: "ingested_at",
        type: { kind: "timestamptz" },
        required: true,
        comment: { value: "Set by the loader" },
        group: "audit",
      },
      { ...plain, name: "source_file", type: { kind: "string" }, group: "audit" },
    ]);
  });

  it("gives everything else that the file says", () => {
    const { columns: _, ...rest } = spec(ACME, "prod", "sales.orders");
    expect(bare(rest)).toEqual({
      name: "sales.orders",
      identifier: { namespace: ["sales"], name: "orders" },
      catalog: "lake",
      environment: "prod",
      owner: "@acme/sales-data",
      meta: { pii: false, sla: "4h" },
      comment: { value: "One row per order" },
      identifierFields: [{ value: "order_id" }],
      partitionBy: [
        { source: "ship_day", transform: "identity", name: null },
        { source: "customer", transform: "bucket[16]", name: "customer_bucket" },
      ],
      sortBy: [{ source: "ordered_at", transform: "identity", direction: "desc", nullOrder: "nulls-last" }],
      properties: { "write.target-file-size-bytes": { value: "536870912" }, "write.spark.fanout.enabled": { value: null } },
      glueParameters: { data_class: { value: "internal" } },
      location: "s3://acme-lake/sales/orders",
      newTableProperties: { "write.parquet.compression-codec": "zstd" },
      newTableFormatVersion: 2,
      dropped: [
        { field: "legacy_flag", reason: "replaced by channel, DATA-812" },
        { field: "items.element.gift", reason: "never filled" },
      ],
      unmanaged: [{ value: "utm_*" }],
      remember: true,
      isNew: false,
      project: "acme-lake",
    });
  });

  it("lays the environment's own keys over the table's", () => {
    const dev = spec(ACME, "dev", "sales.orders");
    expect(dev.identifier).toEqual({ namespace: ["sales_dev"], name: "orders" });
    expect(dev.location).toBe("s3://acme-lake-dev/sales/orders");
    expect(dev.partitionBy).toEqual([]);
    expect(bare(dev.properties)).toEqual({
      "write.target-file-size-bytes": { value: "33554432" },
      "write.spark.fanout.enabled": { value: null },
    });
    expect(dev.sortBy).toHaveLength(1);
  });

  it("reads defaults as they are written and structs below maps", () => {
    const clicks = spec(ACME, "prod", "web.clicks");
    expect(clicks.columns.map((column) => column.default?.value)).toEqual([undefined, "web", "0.00", undefined]);
    expect(clicks.formatVersion).toBe(3);
    expect(clicks.catalog).toBe("events");
    expect(clicks.location).toBeNull();
    expect(bare(clicks.columns[3]?.type)).toMatchObject({
      kind: "map",
      value: {
        type: { kind: "struct", fields: [{ name: "variant" }, { name: "scores", type: { element: { required: true } } }] },
      },
    });
  });

  it("has places in the files that say it: a group's fields in the shared file", () => {
    const orders = spec(ACME, "prod", "sales.orders");
    const place = (name: string): string => {
      const { file, line, column } = orders.columns.find((one) => one.name === name)?.place ?? { file: "", line: 0, column: 0 };
      return `${file}:${line}:${column}`;
    };
    expect(place("order_id")).toBe("tables/sales/orders.yaml:6:5");
    expect(place("order_date")).toBe("tables/sales/orders.yaml:10:5");
    expect(place("ingested_at")).toBe("shared/audit.yaml:4:5");
    expect(orders.properties.get("write.spark.fanout.enabled")?.place.line).toBe(33);
    expect(orders.places["partition-by"]?.line).toBe(27);
    expect(orders.dropped[1]?.place.line).toBe(37);
  });

  it("reads the project file", () => {
    const { config } = loadProject(ACME);
    expect(bare(config)).toMatchObject({
      project: "acme-lake",
      engines: ["athena", "spark"],
      defaultCatalog: "lake",
      environments: [
        {
          name: "dev",
          catalogs: { lake: { type: "glue", region: "eu-west-1", account: "011122223333" } },
          policy: { mode: "apply", columnOrder: "declared", maxRewriteBytes: 200 * 2 ** 30, approve: null },
        },
        {
          name: "prod",
          allowedLocations: ["s3://acme-lake/"],
          policy: {
            mode: "observe",
            columnOrder: "declared",
            maxRewriteBytes: 200 * 2 ** 30,
            approve: { by: ["@acme/data-platform"], count: 1 },
          },
        },
      ],
      lint: {
        "missing-comment": { level: "warning", options: {} },
        "name-style": { level: "error", options: { pattern: "snake_case" } },
      },
    });
  });
});

describe("a key that is not there", () => {
  it("is not the same as one that asks for none", () => {
    const absent = declared(table("  - { name: a, type: int }"));
    expect([
      absent.comment,
      absent.partitionBy,
      absent.sortBy,
      absent.identifierFields,
      absent.formatVersion,
      absent.location,
    ]).toEqual(Array.from({ length: 6 }, () => undefined));
    const none = declared(
      table(
        '  - { name: a, type: int, comment: "", default: null }',
        'comment: ""\npartition-by: []\nsort-by: []\nidentifier-fields: []',
      ),
    );
    expect([none.comment?.value, none.partitionBy?.value, none.sortBy?.value, none.identifierFields?.value]).toEqual([
      "",
      [],
      [],
      [],
    ]);
    expect(none.columns[0]?.comment?.value).toBe("");
    expect(none.columns[0]?.default?.value).toBeNull();
    expect(absent.columns[0]?.default).toBeUndefined();
  });

  it("takes the property comment for the table's comment", () => {
    expect(declared(table("  - { name: a, type: int }", "properties: { comment: x, p: 1 }"))).toMatchObject({
      comment: { value: "x" },
    });
    const none = declared(table("  - { name: a, type: int }", "properties: { comment: ~ }"));
    expect([none.comment?.value, none.properties.size]).toEqual(["", 0]);
  });
});

describe("source text", () => {
  it("counts for names, old names, properties and defaults", () => {
    const read = declared(
      table(
        '  - { name: 2024, type: string, renamed-from: [ 1.10, true ], default: 007 }\n  - { name: "null", type: int }',
        "properties: { a: 1.10, b: 1e3, c: true, d: 011, e: 0x1F, f: yes }",
      ),
    );
    expect(read.columns.map((column) => column.name)).toEqual(["2024", "null"]);
    expect(read.columns[0]?.renamedFrom.map((name) => name.value)).toEqual(["1.10", "true"]);
    expect(read.columns[0]?.default?.value).toBe("007");
    expect([...read.properties.values()].map((property) => property.value)).toEqual([
      "1.10",
      "1e3",
      "true",
      "011",
      "0x1F",
      "yes",
    ]);
  });
});

describe("short and long forms of types", () => {
  const fields = "fields: [ { name: x, type: int } ]";
  const forms: readonly (readonly [string, string])[] = [
    [`type: list<struct>, ${fields}`, `type: list, element: { type: struct, ${fields} }`],
    [`type: "map<string, struct>", ${fields}`, `type: map, key: string, value: { type: struct, ${fields} }`],
    [`type: list<list<struct>>, ${fields}`, `type: list, element: { type: list<struct>, ${fields} }`],
    ["type: list<required string>", "type: list, element: { type: string, required: true }"],
    [
      'type: "map<int, required double>"',
      "type: map, key: { type: int, required: true }, value: { type: double, required: true }",
    ],
    ['type: "struct<x: int>"', `type: struct, ${fields}`],
    ["type: list<int>", "type: array, element: int"],
  ];
  for (const [short, long] of forms) {
    it(`are equal for { ${short} }`, () => {
      const type = (keys: string): unknown => bare(declared(table(`  - { name: a, ${keys} }`)).columns[0]?.type);
      expect(type(short)).toEqual(type(long));
    });
  }

  it("keep what a long form says beside its type", () => {
    const [column] = declared(
      table("  - { name: a, type: list, element: { type: date, id: { dev: 5 }, convert: { from: string, format: yyyyMMdd } } }"),
    ).columns;
    expect(bare(column?.type)).toMatchObject({ element: { convert: { value: { from: "string" } }, id: { value: { dev: 5 } } } });
  });
});

describe("partition fields and sort fields", () => {
  const columns =
    '  - { name: ts, type: timestamptz }\n  - { name: c, type: string }\n  - { name: "a b", type: string }\n  - { name: s, type: struct, fields: [ { name: x.y, type: int } ] }';
  const partitions: readonly (readonly [string, unknown])[] = [
    ["ts", { source: "ts", transform: "identity", name: null }],
    ["identity(ts)", { source: "ts", transform: "identity", name: null }],
    ["DAY( ts )", { source: "ts", transform: "day", name: null }],
    ["hour(ts) as h", { source: "ts", transform: "hour", name: "h" }],
    ['"bucket(16, c) AS \\"my name\\""', { source: "c", transform: "bucket[16]", name: "my name" }],
    ["truncate(4,c)", { source: "c", transform: "truncate[4]", name: null }],
    ["void(c)", { source: "c", transform: "void", name: null }],
    ["'\"a b\"'", { source: '"a b"', transform: "identity", name: null }],
    ["'bucket(2, s.\"x.y\")'", { source: 's."x.y"', transform: "bucket[2]", name: null }],
  ];
  for (const [text, expected] of partitions) {
    it(`read ${text}`, () => {
      expect(bare(declared(table(columns, `partition-by:\n  - ${text}`)).partitionBy?.value)).toEqual([expected]);
    });
  }

  // The reference implementation's default: ascending sorts nulls first, descending last.
  const sorts: readonly (readonly [string, string, string])[] = [
    ["ts", "asc", "nulls-first"],
    ["ts asc", "asc", "nulls-first"],
    ["ts DESC", "desc", "nulls-last"],
    ["ts nulls last", "asc", "nulls-last"],
    ["ts desc nulls first", "desc", "nulls-first"],
    ["ts asc NULLS LAST", "asc", "nulls-last"],
  ];
  for (const [text, direction, nullOrder] of sorts) {
    it(`sort by ${text}`, () => {
      expect(bare(declared(table(columns, `sort-by:\n  - ${text}`)).sortBy?.value)).toEqual([
        { source: "ts", transform: "identity", direction, nullOrder },
      ]);
    });
  }
});

describe("environments", () => {
  const folder = mkdtempSync(join(tmpdir(), "floeplan-spec-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function resolved(config: string, text: string, environment = "dev"): ReturnType<typeof resolveTable> {
    const root = writeProject(folder, { "floeplan.yaml": config, "tables/t.yaml": text });
    const project = loadProject(root);
    const found = project.config?.environments.find((one) => one.name === environment);
    const read = project.tables[0]?.declaration;
    if (project.config === null || found === undefined || read === undefined || read === null) {
      throw new Error(JSON.stringify(project.diagnostics));
    }
    return resolveTable(read, project.config, found);
  }

  const glue = "{ type: glue, region: eu-west-1 }";
  const local = "{ type: local, warehouse: ./wh }";
  const config = (keys: string): string => `floeplan: 1\nenvironments:\n  dev: { ${keys} }\n`;
  const A = "  - { name: a, type: int }";

  it("fill the namespace template level by level", () => {
    const namespace = (template: string, name: string): unknown =>
      resolved(config(`catalogs: { lake: ${glue} }, namespace: "${template}"`), `table: ${name}\ncolumns:\n${A}`).spec?.identifier
        .namespace;
    expect(namespace("{namespace}_dev", "sales.orders")).toEqual(["sales_dev"]);
    expect(namespace("dev_{namespace}", "a.b.c")).toEqual(["dev_a", "b"]);
    expect(namespace("dev.{namespace}", "a.b.c")).toEqual(["dev", "a", "b"]);
    expect(namespace("{namespace}.x", "a.b.c")).toEqual(["a", "b", "x"]);
    expect(namespace("{namespace}_dev", '[ a, "b.c", t ]')).toEqual(["a", "b.c_dev"]);
    expect(namespace("sandbox", "a.b.c")).toEqual(["sandbox"]);
  });

  it("take an override of the name as it stands", () => {
    const { spec: one } = resolved(
      config(`catalogs: { lake: ${glue} }, namespace: "{namespace}_dev"`),
      table(A, "environments: { dev: { table: x.y } }"),
    );
    expect(one?.identifier).toEqual({ namespace: ["x"], name: "y" });
    expect(one?.name).toBe("sales.orders");
  });

  it("skip a table", () => {
    expect(resolved(config(`catalogs: { lake: ${glue} }`), table(A, "environments: { dev: { skip: true } }"))).toEqual({
      spec: null,
      diagnostics: [],
    });
  });

  it("choose the catalog: the override, the table's, the project's, the only one", () => {
    const two = `catalogs: { lake: ${glue}, wh: ${local} }`;
    const catalog = (head: string, keys: string, rest: string): unknown =>
      resolved(`${head}${config(keys)}`, table(A, rest)).spec?.catalog;
    expect(catalog("", `catalogs: { lake: ${glue} }`, "")).toBe("lake");
    expect(catalog("default-catalog: wh\n", two, "")).toBe("wh");
    expect(catalog("default-catalog: wh\n", two, "catalog: lake")).toBe("lake");
    expect(catalog("", two, "catalog: lake\nenvironments: { dev: { catalog: wh } }")).toBe("wh");
    expect(resolved(config(two), table(A)).diagnostics.map((one) => one.code)).toEqual(["catalog-not-chosen"]);
    expect(
      resolved(config(two), table(A, "catalog: lakes")).diagnostics.map((one) => [one.code, one.place?.line, one.mend]),
    ).toEqual([["catalog-unknown", 4, 'Did you mean "lake"?']]);
  });

  it("fill locations with the declared names and hold them to what is allowed", () => {
    const at = (keys: string, rest = ""): readonly unknown[] => {
      const { spec: one, diagnostics } = resolved(config(keys), table(A, rest));
      return [one?.location, ...diagnostics.map((found) => found.code)];
    };
    const named = `catalogs: { lake: ${glue} }, namespace: "{namespace}_dev"`;
    expect(at(`${named}, location: "s3://b/{namespace}/{table}"`)).toEqual(["s3://b/sales/orders"]);
    expect(at(named)).toEqual([null]);
    expect(at(named, 'location: "s3://c/x/{table}"')).toEqual(["s3://c/x/orders"]);
    expect(at(named, 'location: "s3://c/x"\nenvironments: { dev: { location: "s3://d/y" } }')).toEqual(["s3://d/y"]);
    const allowed = `${named}, location: "s3://b/{namespace}/{table}", allowed-locations: [ "s3://b" ]`;
    expect(at(allowed)).toEqual(["s3://b/sales/orders"]);
    expect(at(allowed, 'location: "s3://bb/x"')).toEqual([undefined, "location-not-allowed"]);
    expect(at(allowed, 'location: "s3://b/../c"')).toEqual([undefined, "location-not-allowed"]);
    expect(at(`catalogs: { wh: ${local} }, location: "s3://b/{table}"`)).toEqual([null]);
    expect(at(`catalogs: { wh: ${local} }`, 'location: "s3://b/x"')).toEqual([undefined, "location-refused"]);
  });

  it("take the pins of their own", () => {
    const text = table(
      "  - { name: a, type: int, id: { dev: 5, prod: 7 } }\n  - { name: b, type: list, element: { type: int, id: { prod: 9 } } }\n  - { name: c, type: int, id: new }",
    );
    const two = `floeplan: 1\nenvironments:\n  dev: { catalogs: { lake: ${glue} } }\n  prod: { catalogs: { lake: ${glue} } }\n`;
    const pins = (environment: string): unknown => {
      const columns = resolved(two, text, environment).spec?.columns ?? [];
      return columns.map((column) => [column.id?.value ?? null, column.type.kind === "list" ? column.type.element.id : null]);
    };
    expect(pins("dev")).toEqual([
      [5, null],
      [null, null],
      ["new", null],
    ]);
    expect(pins("prod")).toEqual([
      [7, null],
      [null, 9],
      ["new", null],
    ]);
  });

  it("merge a comment that stands among their properties", () => {
    const { spec: one } = resolved(
      config(`catalogs: { lake: ${glue} }`),
      table(A, "comment: x\nenvironments: { dev: { properties: { comment: y, p: 1 } } }"),
    );
    expect(one?.comment?.value).toBe("y");
    expect([...(one?.properties.keys() ?? [])]).toEqual(["p"]);
  });
});
