// The statements of a live table. What each engine takes is told by its own documentation and sources (named in the
// product's files); that Spark makes the same table of them is held by the interop suite `s3-tables`.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currentSchema, defaultSortOrder, defaultSpec } from "../../src/iceberg/table-metadata.ts";
import type { JsonObject } from "../../src/iceberg/json.ts";
import { tableDdl } from "../../src/plan/table-ddl.ts";
import type { DdlTable, SqlEngine } from "../../src/plan/table-ddl-parts.ts";
import { metadataOf } from "./support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };

function tableOf(schema: JsonObject, more: JsonObject = {}, facts: Partial<DdlTable> = {}): DdlTable {
  const metadata = metadataOf([schema], more);
  return {
    identifier: ORDERS,
    formatVersion: metadata.formatVersion,
    schema: currentSchema(metadata),
    spec: defaultSpec(metadata),
    sortOrder: defaultSortOrder(metadata),
    properties: metadata.properties,
    location: "s3://lake/sales/orders",
    ...facts,
  };
}

const field = (id: number, name: string, type: unknown, more: JsonObject = {}): JsonObject =>
  ({ id, name, required: false, type, ...more }) as JsonObject;
const partition = (id: number, source: number, transform: string, name: string): JsonObject => ({
  "field-id": id,
  "source-id": source,
  transform,
  name,
});
const spec = (...fields: readonly JsonObject[]): JsonObject => ({ "partition-specs": [{ "spec-id": 0, fields: [...fields] }] });
const told = (table: DdlTable, engine: SqlEngine): string =>
  tableDdl(table, engine)
    .statements.map((one) => `${one};\n`)
    .join("");
const notes = (table: DdlTable, engine: SqlEngine): readonly string[] => tableDdl(table, engine).notes;

const ORDER_TABLE = tableOf(
  {
    "identifier-field-ids": [1],
    fields: [
      field(1, "id", "long", { required: true, doc: "Order's number" }),
      field(2, "customer", "string"),
      field(3, "amount", "decimal(9, 2)"),
      field(4, "ordered_at", "timestamptz"),
      field(5, "lines", {
        type: "list",
        "element-id": 6,
        "element-required": false,
        element: {
          type: "struct",
          fields: [field(7, "sku", "string", { required: true, doc: "Article" }), field(8, "qty", "int")],
        },
      }),
      field(9, "tags", {
        type: "map",
        "key-id": 10,
        key: "string",
        "value-id": 11,
        "value-required": true,
        value: "double",
      }),
    ],
  },
  {
    ...spec(partition(1000, 4, "day", "ordered_at_day"), partition(1001, 2, "bucket[16]", "customer_bucket")),
    "sort-orders": [
      {
        "order-id": 1,
        fields: [{ "source-id": 2, transform: "identity", direction: "desc", "null-order": "nulls-last" }],
      },
    ],
    "default-sort-order-id": 1,
    properties: {
      comment: "One row an order",
      owner: "etl",
      "write.format.default": "parquet",
      "write.parquet.compression-codec": "zstd",
      vacuum_min_snapshots_to_keep: "3",
      team: "o'hara",
    },
  },
);

describe("the statements of Spark", () => {
  it("say all but what Spark keeps for itself", () => {
    expect(told(ORDER_TABLE, "spark")).toBe(`CREATE TABLE \`sales\`.\`orders\` (
  \`id\` bigint NOT NULL COMMENT 'Order\\'s number',
  \`customer\` string,
  \`amount\` decimal(9,2),
  \`ordered_at\` timestamp,
  \`lines\` array<struct<\`sku\`: string NOT NULL COMMENT 'Article', \`qty\`: int>>,
  \`tags\` map<string, double>
)
USING iceberg
PARTITIONED BY (day(\`ordered_at\`), bucket(16, \`customer\`))
LOCATION 's3://lake/sales/orders'
COMMENT 'One row an order'
TBLPROPERTIES (
  'format-version' = '2',
  'team' = 'o\\'hara',
  'vacuum_min_snapshots_to_keep' = '3',
  'write.format.default' = 'parquet',
  'write.parquet.compression-codec' = 'zstd'
);
ALTER TABLE \`sales\`.\`orders\` WRITE LOCALLY ORDERED BY \`customer\` DESC NULLS LAST;
ALTER TABLE \`sales\`.\`orders\` SET IDENTIFIER FIELDS \`id\`;
`);
    expect(notes(ORDER_TABLE, "spark")).toEqual([
      'required elements of lists and values of maps: "tags.value"',
      "properties that Spark sets by itself: owner = etl",
    ]);
  });

  it("give partition fields names of their own after the table is made, since CREATE TABLE takes none", () => {
    const table = tableOf(
      { fields: [field(1, "id", "long"), field(2, "at", "timestamp")] },
      spec(
        partition(1000, 2, "month", "at_month"),
        partition(1001, 1, "truncate[10]", "tens"),
        // As CREATE TABLE names it, and not ADD PARTITION FIELD.
        partition(1002, 1, "bucket[4]", "id_bucket"),
      ),
      { location: null },
    );
    expect(told(table, "spark")).toBe(`CREATE TABLE \`sales\`.\`orders\` (
  \`id\` bigint,
  \`at\` timestamp_ntz
)
USING iceberg
TBLPROPERTIES (
  'format-version' = '2'
);
ALTER TABLE \`sales\`.\`orders\` ADD PARTITION FIELD month(\`at\`);
ALTER TABLE \`sales\`.\`orders\` ADD PARTITION FIELD truncate(10, \`id\`) AS \`tens\`;
ALTER TABLE \`sales\`.\`orders\` ADD PARTITION FIELD bucket(4, \`id\`) AS \`id_bucket\`;
`);
  });

  it("quote names and text, so that none of it is anything else", () => {
    const table = tableOf(
      { fields: [field(1, "a`b", "string", { doc: "x'); DROP TABLE t; --\n\\" })] },
      { properties: { "k'": "v\\'" } },
      { identifier: { namespace: ["n`"], name: "t" }, location: null },
    );
    expect(told(table, "spark")).toBe(`CREATE TABLE \`n\`\`\`.\`t\` (
  \`a\`\`b\` string COMMENT 'x\\'); DROP TABLE t; --\n\\\\'
)
USING iceberg
TBLPROPERTIES (
  'format-version' = '2',
  'k\\'' = 'v\\\\\\''
);
`);
  });
});

describe("the statement of Athena", () => {
  it("says columns, partitions and the properties that Athena has, and the rest is told", () => {
    expect(told(ORDER_TABLE, "athena")).toBe(`CREATE TABLE \`sales\`.\`orders\` (
  \`id\` bigint COMMENT 'Order''s number',
  \`customer\` string,
  \`amount\` decimal(9,2),
  \`ordered_at\` timestamp,
  \`lines\` array<struct<\`sku\`: string, \`qty\`: int>>,
  \`tags\` map<string, double>
)
PARTITIONED BY (day(\`ordered_at\`), bucket(16, \`customer\`))
LOCATION 's3://lake/sales/orders'
TBLPROPERTIES (
  'table_type' = 'ICEBERG',
  'vacuum_min_snapshots_to_keep' = '3'
);
`);
    expect(notes(ORDER_TABLE, "athena")).toEqual([
      '"ordered_at" is timestamptz, and would be made timestamp',
      'required fields: "id", "lines.element.sku", "tags.value"',
      'comments inside structs: "lines.element.sku"',
      "identifier fields: id",
      "sort order: customer desc nulls last",
      "comment of the table: One row an order",
      "properties: owner = etl, team = o'hara, write.format.default = parquet, write.parquet.compression-codec = zstd",
    ]);
  });

  it("has no location where the catalog chooses it, as in S3 Tables", () => {
    const table = tableOf({ fields: [field(1, "id", "int")] }, {}, { location: null });
    expect(told(table, "athena")).toBe(
      "CREATE TABLE `sales`.`orders` (\n  `id` int\n)\nTBLPROPERTIES (\n  'table_type' = 'ICEBERG'\n);\n",
    );
    expect(notes(table, "athena")).toEqual([]);
  });
});

describe("the statement of Trino", () => {
  it("says it in the connector's properties, the column before the number", () => {
    expect(told(ORDER_TABLE, "trino")).toBe(`CREATE TABLE "sales"."orders" (
  "id" bigint NOT NULL COMMENT 'Order''s number',
  "customer" varchar,
  "amount" decimal(9,2),
  "ordered_at" timestamp(6) with time zone,
  "lines" array(row("sku" varchar, "qty" integer)),
  "tags" map(varchar, double)
)
COMMENT 'One row an order'
WITH (
  format_version = 2,
  location = 's3://lake/sales/orders',
  partitioning = ARRAY['day(ordered_at)', 'bucket(customer, 16)'],
  sorted_by = ARRAY['customer DESC NULLS LAST'],
  format = 'PARQUET',
  compression_codec = 'ZSTD',
  extra_properties = MAP(ARRAY['owner', 'team', 'vacuum_min_snapshots_to_keep'], ARRAY['etl', 'o''hara', '3'])
);
`);
    expect(notes(ORDER_TABLE, "trino")).toEqual([
      'required fields inside other fields: "lines.element.sku", "tags.value"',
      'comments inside structs: "lines.element.sku"',
      "identifier fields: id",
      "extra_properties needs these keys in `iceberg.allowed-extra-properties` of Trino's catalog",
    ]);
  });

  it("quotes what is no plain identifier, and tells what its grammar lacks", () => {
    const table = tableOf(
      { fields: [field(1, "Order Id", "long"), field(2, "s", { type: "struct", fields: [field(3, "day", "date")] })] },
      {
        ...spec(partition(1000, 1, "bucket[4]", "spread"), partition(1001, 3, "year", "s.day_year")),
        "sort-orders": [
          {
            "order-id": 1,
            fields: [{ "source-id": 3, transform: "month", direction: "asc", "null-order": "nulls-first" }],
          },
        ],
        "default-sort-order-id": 1,
        properties: { "write.data.path": "s3://elsewhere", "write.target-file-size-bytes": "1048576" },
      },
      { identifier: { namespace: ["a", "b"], name: "t" }, location: null },
    );
    expect(told(table, "trino")).toBe(`CREATE TABLE "a.b"."t" (
  "Order Id" bigint,
  "s" row("day" date)
)
WITH (
  format_version = 2,
  partitioning = ARRAY['bucket("Order Id", 4)', 'year("s.day")'],
  target_max_file_size = '1048576B'
);
`);
    expect(notes(table, "trino")).toEqual([
      'names that Trino would write in lower case: "Order Id"',
      'the name of the partition field "spread"',
      "the sort order, since it has transforms",
      "properties: write.data.path = s3://elsewhere",
    ]);
  });
});

describe("what no engine can say", () => {
  const table = tableOf(
    {
      fields: [
        field(1, "u", "uuid"),
        field(2, "t", "time"),
        field(3, "f", "fixed[4]"),
        field(4, "n", "timestamp_ns"),
        field(5, "d", "int", { "initial-default": 1, "write-default": 2 }),
      ],
    },
    {
      "format-version": 3,
      "next-row-id": 0,
      ...spec(partition(1000, 1, "void", "u"), partition(1001, 9, "identity", "gone")),
      properties: { "schema.name-mapping.default": "[]" },
    },
  );

  it.each([
    [
      "spark",
      [
        '"u" is uuid, and would be made string',
        '"t" is time, and would be made string',
        '"f" is fixed[4], and would be made binary',
        '"n" is timestamp_ns, and would be made timestamp',
      ],
    ],
    [
      "athena",
      [
        "format version 3: Athena makes 2",
        '"u" is uuid, and would be made string',
        '"t" is time, and would be made string',
        '"f" is fixed[4], and would be made binary',
        '"n" is timestamp_ns, and would be made timestamp',
      ],
    ],
    ["trino", ['"f" is fixed[4], and would be made binary']],
  ] as const)("is told: %s", (engine, types) => {
    expect(notes(table, engine)).toEqual([
      ...types,
      'default values: "d"',
      'the partition field "gone" has no one source',
      "schema.name-mapping.default: it names field ids of this table",
    ]);
    // A field that was removed from the spec is none.
    expect(told(table, engine)).not.toMatch(/partition/i);
  });
});

describe("text from outside", () => {
  /** Names and literals as each engine's own grammar ends them; what is left is the statement itself. */
  const TOKENS: Readonly<Record<SqlEngine, RegExp>> = {
    spark: /`(?:``|[^`])*`|'(?:\\[\s\S]|[^'\\])*'/g,
    athena: /`(?:``|[^`])*`|'(?:''|[^'])*'/g,
    trino: /"(?:""|[^"])*"|'(?:''|[^'])*'/g,
  };
  const nasty = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
    fc.constantFrom("'", "''", "\\", "\\'", "`", "``", '"', '""', "');--", "*/", "a\nb", "\u2028", "x' OR '1'='1"),
  );

  function skeleton(engine: SqlEngine, [name = "", doc = "", comment = "", key = "", value = ""]: readonly string[]): string {
    const table = tableOf(
      {
        fields: [
          field(1, name, "int", { doc }),
          field(2, "in_struct", { type: "struct", fields: [field(3, name, "string", { doc })] }),
        ],
      },
      {
        ...spec(partition(1000, 1, "bucket[4]", `${name}_bucket`), partition(1001, 3, "identity", "own")),
        "sort-orders": [
          { "order-id": 1, fields: [{ "source-id": 1, transform: "identity", direction: "asc", "null-order": "nulls-first" }] },
        ],
        "default-sort-order-id": 1,
        properties: { comment: `c${comment}`, [`k.${key}`]: value },
      },
      { identifier: { namespace: [name], name: name }, location: `s3://b/${value}` },
    );
    return told(table, engine).replaceAll(TOKENS[engine], "?");
  }

  it.each(["spark", "athena", "trino"] as const)("stays inside its quotes, whatever it is: %s", (engine) => {
    const plain = skeleton(engine, ["n", "d", "c", "k", "v"]);
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 5, maxLength: 5 }), (texts) => {
        expect(skeleton(engine, texts)).toBe(plain);
      }),
      { numRuns: 300 },
    );
  });
});
