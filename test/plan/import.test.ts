// What import writes: the next plan is empty, for any table; what a file cannot say is left out, told, and stays.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSpec, planText, readText, standInPlace } from "../../src/commands/import-check.ts";
import { writeTableYaml } from "../../src/desired/write-yaml.ts";
import { checkSchema } from "../../src/iceberg/schema-check.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { type ImportOptions, importTable } from "../../src/plan/import-table.ts";
import { anyLiveTable } from "./import-arbitrary.ts";
import { field, liveOf, metadataOf, schemaOf } from "./support.ts";

const PLACE = standInPlace(
  { type: "local", warehouse: "/wh", place: { file: "", line: 1, column: 1 } },
  {
    label: "lake",
    lowerCaseNames: false,
    nestedNamespaces: true,
    tableLocation: true,
    seenByAthena: false,
  },
  "/wh",
);
const PLAIN: ImportOptions = { name: ["ns", "t"], catalog: null, pins: "none" };

function imported(metadata: TableMetadata, options: Partial<ImportOptions> = {}): { text: string; codes: string[] } {
  const { table, notes } = importTable(metadata, { ...PLAIN, ...options });
  return { text: writeTableYaml(table), codes: notes.map((one) => one.code) };
}

/** Everything that the next plan of a text would say. */
function planOf(text: string, metadata: TableMetadata): string[] {
  const spec = readText(text, "t.yaml", PLACE);
  if (!isSpec(spec)) return spec.map((one) => `${one.code}: ${one.what} ${one.why ?? ""}`);
  const { plan } = planText(spec, liveOf(metadata), PLACE);
  return [
    ...plan.steps.map((step) => `${step.kind} ${step.field?.path ?? step.text.subject}`),
    ...plan.blockers.map((one) => `${one.code}: ${one.what}`),
    ...plan.drift.map((one) => `drift ${one.subject}`),
  ];
}

/** Behind the two lines that every file begins with. */
function body(text: string): string {
  return text.split("\n").slice(2).join("\n");
}

describe("an imported table", () => {
  it("has an empty plan, with pins and without", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyLiveTable, (metadata) => {
        // Two fields of one dotted name: no engine reads such a table.
        fc.pre(checkSchema(currentSchema(metadata)).length === 0);
        // A table without a column that a file can name has no file.
        fc.pre(importTable(metadata, PLAIN).table.columns.length > 0);
        for (const pins of ["none", "all", { environment: "local" }] as const) {
          const { text } = imported(metadata, { pins });
          expect(planOf(text, metadata), text).toEqual([]);
        }
      }),
      { numRuns: Number(process.env["FLOEPLAN_RUNS"] ?? 100) },
    );
  });

  it("says all that a file can say", () => {
    const metadata = metadataOf(
      [
        {
          "identifier-field-ids": [1],
          ...schemaOf(
            field(1, "id", "long", { required: true, doc: "Never reused" }),
            field(2, "null", "decimal(9, 2)", { "write-default": "0.50" }),
            field(3, "a.b", "timestamptz"),
            field(4, "items", {
              type: "list",
              "element-id": 5,
              "element-required": true,
              element: { type: "struct", ...schemaOf(field(6, "sku", "string", { required: true, doc: "Stock\nunit" })) },
            }),
          ),
        },
      ],
      {
        "default-spec-id": 3,
        "partition-specs": [
          { "spec-id": 0, fields: [] },
          {
            "spec-id": 3,
            fields: [
              { "source-id": 3, "field-id": 1000, transform: "day", name: "a.b_day" },
              { "source-id": 1, "field-id": 1001, transform: "bucket[16]", name: "id_bucket_16" },
            ],
          },
        ],
        "default-sort-order-id": 1,
        "sort-orders": [
          {
            "order-id": 1,
            fields: [
              { "source-id": 3, transform: "identity", direction: "desc", "null-order": "nulls-last" },
              { "source-id": 1, transform: "identity", direction: "asc", "null-order": "nulls-last" },
            ],
          },
        ],
        properties: { comment: "One row per order", "write.format.default": "parquet", "read.split.target-size": "134217728" },
      },
    );
    const { text, codes } = imported(metadata, { name: ["lake", "b.c", "t"], catalog: "events" });
    expect(body(text)).toBe(`catalog: events
comment: "One row per order"
format-version: 2
columns:
  - { name: id, type: long, required: true, comment: "Never reused" }
  - { name: "null", type: "decimal(9,2)", default: "0.50" }
  - { name: a.b, type: timestamptz }
  - name: items
    type: list<required struct>
    fields:
      - { name: sku, type: string, required: true, comment: "Stock\\nunit" }
identifier-fields: [ id ]
partition-by:
  - 'day("a.b")'
  - bucket(16, id) as id_bucket_16
sort-by:
  - '"a.b" desc'
  - id nulls last
properties:
  read.split.target-size: 134217728
  write.format.default: parquet
`);
    expect(text.split("\n")[1]).toBe("table: [ lake, b.c, t ]");
    expect(codes).toEqual([]);
  });

  it("pins ids where they are asked for, in one environment where there are several", () => {
    const metadata = metadataOf([
      schemaOf(field(4, "m", { type: "map", "key-id": 5, key: "string", "value-id": 6, value: "int", "value-required": false })),
    ]);
    expect(imported(metadata, { pins: "all" }).text).toContain(
      "{ name: m, type: map, key: { type: string, id: 5 }, value: { type: int, id: 6 }, id: 4 }",
    );
    expect(imported(metadata, { pins: { environment: "prod" } }).text).toContain("id: { prod: 4 }");
  });

  it("has the write default of a field and not its initial default, which is history", () => {
    const metadata = metadataOf(
      [
        schemaOf(
          field(1, "a", "int", { "initial-default": 1, "write-default": 2 }),
          field(2, "b", "int", { "initial-default": 3 }),
        ),
      ],
      { "format-version": 3, "next-row-id": 0 },
    );
    expect(body(imported(metadata).text)).toBe(
      "format-version: 3\ncolumns:\n  - { name: a, type: int, default: 2 }\n  - { name: b, type: int }\n",
    );
  });
});

describe("what a file cannot say", () => {
  it("leaves a field without a name or with an impossible type out, and sees it without drift", () => {
    const metadata = metadataOf([
      schemaOf(
        field(1, "", "int"),
        field(2, "s", { type: "struct", ...schemaOf(field(3, "x", "int"), field(4, "odd", "decimal(4, 9)")) }),
        field(5, "l", { type: "list", "element-id": 6, element: "decimal(4, 9)", "element-required": false }),
      ),
    ]);
    const { text, codes } = imported(metadata);
    expect(body(text)).toContain(`unmanaged: [ "\\"\\"", "s.odd", "l" ]`);
    expect(codes).toEqual(["import-field-left-out", "import-field-left-out", "import-field-left-out"]);
    expect(planOf(text, metadata)).toEqual([]);
  });

  it("leaves a default of a nested type out, and keeps it live", () => {
    const list = { type: "list", "element-id": 2, element: "int", "element-required": false };
    const metadata = metadataOf([schemaOf(field(1, "l", list, { "write-default": [1] }))], {
      "format-version": 3,
      "next-row-id": 0,
    });
    const { text, codes } = imported(metadata);
    expect(text).not.toContain("default");
    expect(codes).toEqual(["import-part-left-out"]);
    expect(planOf(text, metadata)).toEqual([]);
  });

  it.each([
    ["a transform that nobody knows", { "source-id": 1, "field-id": 1000, transform: "zorder[2]", name: "z" }],
    ["several sources", { "source-ids": [1, 2], "field-id": 1000, transform: "bucket[4]", name: "z" }],
    ["a source inside a list", { "source-id": 4, "field-id": 1000, transform: "identity", name: "z" }],
    ["a name that another column has", { "source-id": 1, "field-id": 1000, transform: "bucket[4]", name: "b" }],
  ])("leaves the partitioning out for %s, and keeps it live", (_, partition) => {
    const list = { type: "list", "element-id": 4, element: "int", "element-required": false };
    const metadata = metadataOf([schemaOf(field(1, "a", "int"), field(2, "b", "int"), field(3, "l", list))], {
      "format-version": 3,
      "next-row-id": 0,
      "partition-specs": [{ "spec-id": 0, fields: [partition] }],
      "last-partition-id": 1000,
    });
    const { text, codes } = imported(metadata);
    expect(text).not.toContain("partition-by");
    expect(codes).toEqual(["import-part-left-out"]);
    expect(planOf(text, metadata)).toEqual([]);
  });

  it("leaves a default out that is no value of its type", () => {
    const metadata = metadataOf([schemaOf(field(1, "a", "int", { "write-default": "seven" }))]);
    const { text, codes } = imported(metadata);
    expect(text).toContain("{ name: a, type: int }");
    expect(codes).toEqual(["import-part-left-out"]);
    expect(planOf(text, metadata)).toEqual([]);
  });

  it("leaves out what is made from a field that is left out", () => {
    const metadata = metadataOf([schemaOf(field(1, "odd", "decimal(4, 9)"), field(2, "a", "int"))], {
      "partition-specs": [
        {
          "spec-id": 0,
          fields: [
            { "source-id": 2, "field-id": 1000, transform: "identity", name: "a" },
            { "source-id": 1, "field-id": 1001, transform: "bucket[4]", name: "odd_bucket" },
          ],
        },
      ],
      "last-partition-id": 1001,
      "default-sort-order-id": 1,
      "sort-orders": [
        { "order-id": 1, fields: [{ "source-id": 1, transform: "identity", direction: "asc", "null-order": "nulls-first" }] },
      ],
    });
    const { text, codes } = imported(metadata);
    expect(body(text)).toBe('format-version: 2\ncolumns:\n  - { name: a, type: int }\nunmanaged: [ "odd" ]\n');
    expect(codes).toEqual(["import-field-left-out", "import-part-left-out", "import-part-left-out"]);
    expect(planOf(text, metadata)).toEqual([]);
  });

  it("names a partition field wherever evolution and creation would name it differently", () => {
    const named = (transform: string, name: string) =>
      imported(
        metadataOf([schemaOf(field(1, "a", "string"))], {
          "partition-specs": [{ "spec-id": 0, fields: [{ "source-id": 1, "field-id": 1000, transform, name }] }],
          "last-partition-id": 1000,
        }),
      ).text.split("\n")[6];
    expect(named("identity", "a")).toBe("  - a");
    expect(named("identity", "part")).toBe("  - a as part");
    expect(named("bucket[4]", "a_bucket_4")).toBe("  - bucket(4, a) as a_bucket_4");
    expect(named("bucket[4]", "a_bucket")).toBe("  - bucket(4, a) as a_bucket");
  });

  it("leaves the void fields of a version 1 table out without a word: they say that nothing is there", () => {
    const metadata = metadataOf([schemaOf(field(1, "a", "int"))], {
      "partition-specs": [{ "spec-id": 0, fields: [{ "source-id": 1, "field-id": 1000, transform: "void", name: "a" }] }],
      "last-partition-id": 1000,
    });
    expect(imported(metadata)).toMatchObject({ codes: [], text: expect.not.stringContaining("partition-by") as string });
  });

  it("leaves the version out of a table that holds more than its version allows", () => {
    const metadata = metadataOf([schemaOf(field(1, "a", "timestamp_ns"))]);
    const { text, codes } = imported(metadata);
    expect(text).not.toContain("format-version");
    expect(codes).toEqual(["import-part-left-out"]);
    expect(planOf(text, metadata)).toEqual([]);
  });

  it("keeps an identifier that the format forbids live and out of the file", () => {
    const metadata = metadataOf([{ "identifier-field-ids": [1], ...schemaOf(field(1, "a", "double", { required: true })) }]);
    const { text, codes } = imported(metadata);
    expect(text).not.toContain("identifier-fields");
    expect(codes).toEqual(["import-part-left-out"]);
    expect(planOf(text, metadata)).toEqual([]);
  });
});
