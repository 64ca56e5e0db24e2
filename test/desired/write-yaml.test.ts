// New files: what is written reads back as the same declaration, reads the same in YAML 1.1 and 1.2, and looks as
// the writing rules say.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse as parseWithLibrary } from "yaml";
import { formatPath } from "../../src/iceberg/field-path.ts";
import type { WrittenField, WrittenPart, WrittenTable, WrittenType } from "../../src/desired/written-table.ts";
import { partitionText, sortText, writeSharedYaml, writeTableYaml } from "../../src/desired/write-yaml.ts";
import { doubleQuoted, isPlainInBlock, scalarText, singleQuoted, sourceScalarText } from "../../src/desired/yaml/quoting.ts";
import { anyTable, anyText } from "./arbitrary-table.ts";
import { bare, codes, declared, parse, read } from "./support.ts";

/** What a reader must find for a written field. */
function expectedField(field: WrittenField): unknown {
  return {
    name: field.name,
    type: expectedType(field.type),
    required: field.required,
    ...(field.comment === undefined ? {} : { comment: { value: field.comment } }),
    ...(field.default === undefined ? {} : { default: { value: field.default } }),
    renamedFrom: (field.renamedFrom ?? []).map((value) => ({ value })),
    convert: field.convert === undefined ? null : { value: field.convert },
    id: field.id === undefined ? null : { value: field.id },
    meta: field.meta ?? null,
    group: null,
  };
}

function expectedType(type: WrittenType): unknown {
  switch (type.kind) {
    case "struct":
      return { kind: "struct", fields: type.fields.map(expectedField) };
    case "list":
      return { kind: "list", element: expectedPart(type.element) };
    case "map":
      return { kind: "map", key: expectedPart(type.key), value: expectedPart(type.value) };
    default:
      return type;
  }
}

function expectedPart(part: WrittenPart): unknown {
  return {
    type: expectedType(part.type),
    required: part.required,
    id: part.id === undefined ? null : { value: part.id },
    convert: null,
  };
}

/** Findings that are about the random table itself, not about how it is written. */
const OF_THE_TABLE = new Set(["field-impossible", "pinned-id-twice", "pinned-id-environments", "format-version-too-low"]);

function isReadBack(table: WrittenTable, text: string): void {
  const { declaration, diagnostics } = read(text, ["dev"]);
  expect(codes(diagnostics.filter((one) => !OF_THE_TABLE.has(one.code)))).toEqual([]);
  expect(declaration?.parts).toEqual(table.table);
  expect(bare(declaration?.columns)).toEqual(
    bare(table.columns.map((column) => ("use" in column ? column : expectedField(column)))),
  );
  expect(declaration?.comment?.value).toEqual(table.comment);
  expect(declaration?.owner).toEqual(table.owner ?? null);
  expect(declaration?.formatVersion?.value).toEqual(table.formatVersion);
  expect([...(declaration?.properties ?? [])].map(([key, { value }]) => [key, value])).toEqual([...(table.properties ?? [])]);
  expect(declaration?.dropped.map(({ field, reason }) => ({ field, reason }))).toEqual(table.dropped ?? []);
  expect(declaration?.unmanaged.map(({ value }) => value)).toEqual(table.unmanaged ?? []);
  expect(bare(declaration?.meta)).toEqual(bare(table.meta ?? null));
}

describe("a written table", () => {
  it("reads back as the same declaration", () => {
    fc.assert(
      fc.property(anyTable, (table) => isReadBack(table, writeTableYaml(table))),
      { numRuns: 100 },
    );
  });

  it("reads the same by another reader, in YAML 1.2 and in YAML 1.1", () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const text = writeTableYaml(table);
        const data: unknown = parseWithLibrary(text, { version: "1.2" });
        expect(parseWithLibrary(text, { version: "1.1" })).toEqual(data);
        expect(data).toMatchObject({ columns: table.columns.map((column) => ("use" in column ? {} : { name: column.name })) });
      }),
      { numRuns: 50 },
    );
  });

  it("keeps simple fields to one line of at most 120 columns", () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const lines = writeTableYaml(table).split("\n");
        for (const line of lines) if (/^\s*- \{ name:/.test(line)) expect(line.length).toBeLessThanOrEqual(120);
      }),
      { numRuns: 100 },
    );
  });

  it("looks as the writing rules say", () => {
    const table: WrittenTable = {
      table: ["sales", "orders"],
      comment: "One row per order",
      owner: "@acme/sales-data",
      formatVersion: 2,
      columns: [
        { name: "order_id", type: { kind: "long" }, required: true, comment: "Unique order number, never reused" },
        { name: "yes", type: { kind: "decimal", precision: 9, scale: 2 }, required: false, renamedFrom: ["no", "old"] },
        {
          name: "note",
          type: { kind: "string" },
          required: false,
          comment: "A comment that is so long that the field does not fit on one line of one hundred and twenty columns",
        },
        {
          name: "items",
          type: {
            kind: "list",
            element: {
              required: true,
              type: { kind: "struct", fields: [{ name: "sku", type: { kind: "string" }, required: true }] },
            },
          },
          required: false,
        },
        { name: "days", type: { kind: "list", element: { required: true, type: { kind: "date" }, id: 7 } }, required: false },
        {
          name: "by_key",
          type: {
            kind: "map",
            key: { required: true, type: { kind: "struct", fields: [] } },
            value: { required: false, type: { kind: "int" } },
          },
          required: false,
        },
        { use: "audit" },
      ],
      identifierFields: ["order_id"],
      partitionBy: [
        { source: "order_id", transform: "bucket[16]", name: "shard" },
        { source: '"a.b".c', transform: "day", name: null },
      ],
      sortBy: [{ source: "order_id", transform: "identity", direction: "desc", nullOrder: "nulls-last" }],
      properties: new Map([
        ["write.target-file-size-bytes", "536870912"],
        ["write.spark.fanout.enabled", null],
        ["version", "1.10"],
      ]),
      dropped: [{ field: "legacy", reason: "replaced, DATA-812" }],
      unmanaged: ["*_tmp"],
    };
    expect(writeTableYaml(table)).toBe(`# yaml-language-server: $schema=https://unpkg.com/floeplan@1/schemas/table.schema.json
table: sales.orders
comment: "One row per order"
owner: "@acme/sales-data"
format-version: 2
columns:
  - { name: order_id, type: long, required: true, comment: "Unique order number, never reused" }
  - { name: "yes", type: "decimal(9,2)", renamed-from: [ "no", old ] }
  - name: note
    type: string
    comment: "A comment that is so long that the field does not fit on one line of one hundred and twenty columns"
  - name: items
    type: list<required struct>
    fields:
      - { name: sku, type: string, required: true }
  - { name: days, type: list, element: { type: date, required: true, id: 7 } }
  - name: by_key
    type: map
    key:
      type: struct
      fields: []
    value: int
  - use: audit
identifier-fields: [ order_id ]
partition-by:
  - bucket(16, order_id) as shard
  - 'day("a.b".c)'
sort-by:
  - order_id desc
properties:
  write.target-file-size-bytes: 536870912
  write.spark.fanout.enabled: null
  version: "1.10"
dropped:
  - { field: legacy, reason: "replaced, DATA-812" }
unmanaged: [ "*_tmp" ]
`);
  });

  it("pins an id for all environments, or for those that are named", () => {
    const text = writeTableYaml({
      table: ["ns", "t"],
      columns: [
        { name: "a", type: { kind: "int" }, required: false, id: 3 },
        {
          name: "b",
          type: { kind: "list", element: { type: { kind: "int" }, required: false, id: new Map([["prod", 5]]) } },
          required: false,
          id: new Map([
            ["dev", 4],
            ["a b", 7],
          ]),
        },
      ],
    });
    expect(text).toContain("  - { name: a, type: int, id: 3 }\n");
    expect(text).toContain("{ name: b, type: list, element: { type: int, id: { prod: 5 } }, id: { dev: 4, a b: 7 } }");
    const { declaration, diagnostics } = read(text, ["dev", "prod", "a b"]);
    expect(codes(diagnostics)).toEqual(["4:31 pinned-id-environments"]);
    expect(declaration?.columns[1]?.id?.value).toEqual(
      new Map([
        ["dev", 4],
        ["a b", 7],
      ]),
    );
  });
});

describe("a written group", () => {
  it("reads back as it was", () => {
    const text = writeSharedYaml("audit", [
      { name: "at", type: { kind: "timestamptz" }, required: true, comment: "Set by the loader" },
    ]);
    expect(text).toBe(`# yaml-language-server: $schema=https://unpkg.com/floeplan@1/schemas/shared.schema.json
columns-of: audit
columns:
  - { name: at, type: timestamptz, required: true, comment: "Set by the loader" }
`);
  });
});

describe("texts of partition and sort fields", () => {
  it("read back as what they say", () => {
    const names = fc.array(anyText, { minLength: 1, maxLength: 2 });
    const transforms = fc.constantFrom("identity", "bucket[16]", "truncate[4]");
    fc.assert(
      fc.property(names, transforms, fc.option(anyText), (path, transform, name) => {
        const [first = "", second] = path;
        const inner = `{ name: ${doubleQuoted(second ?? "x")}, type: string }`;
        const column =
          second === undefined
            ? `  - { name: ${doubleQuoted(first)}, type: string }`
            : `  - { name: ${doubleQuoted(first)}, type: struct, fields: [ ${inner} ] }`;
        const [source] = declared(`table: a.b\ncolumns:\n${column}\nidentifier-fields: []\n`).columns;
        if (source === undefined) return;
        const written = formatPath(path);
        const partition = { source: written, transform, name };
        const sort = { source: written, transform, direction: "desc", nullOrder: "nulls-first" } as const;
        const lists = `partition-by:\n  - ${doubleQuoted(partitionText(partition))}\nsort-by:\n  - ${doubleQuoted(sortText(sort))}\n`;
        const { declaration } = read(`table: a.b\ncolumns:\n${column}\n${lists}`);
        expect(bare(declaration?.partitionBy?.value)).toEqual([partition]);
        expect(bare(declaration?.sortBy?.value)).toEqual([sort]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("quoting", () => {
  it("gives every text back, in block and in {} and [], in YAML 1.1 and 1.2", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const written of [scalarText(text), doubleQuoted(text)]) {
          for (const version of ["1.1", "1.2"] as const) {
            expect(parseWithLibrary(`{ a: ${written}, b: [ ${written} ] }`, { version })).toEqual({ a: text, b: [text] });
            expect(parseWithLibrary(`a: ${written}\nb:\n  - ${written}\n`, { version })).toEqual({ a: text, b: [text] });
            expect(parseWithLibrary(`{ ${written}: 1 }`, { version })).toEqual({ [text]: 1 });
          }
        }
        if (isPlainInBlock(text)) expect(parseWithLibrary(`- ${text}`, { version: "1.1" })).toEqual([text]);
        if (!/\p{Cc}|\ufeff|\u2028/u.test(text)) expect(parseWithLibrary(`a: ${singleQuoted(text)}`)).toEqual({ a: text });
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the written text of values that count by it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { root } = parse(`a: ${sourceScalarText(text)}`);
        const value = root?.kind === "map" ? root.entries[0]?.value : undefined;
        expect(value?.kind === "scalar" ? value.text : null).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it("writes nothing invisible and nothing that turns text around", () => {
    for (const sign of ["\u202e", "\u200b", "\ufeff", "\u00a0", "\u2028", "\u0000", "\u007f", "\u{E0041}"]) {
      expect(doubleQuoted(`a${sign}b`)).toMatch(/^"a\\(?:u[0-9a-f]{4}|U[0-9a-f]{8})b"$/);
    }
  });
});
