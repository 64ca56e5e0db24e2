// What is wrong with a table file, and where it stands. Every case is one mistake that a person makes.
import { describe, expect, it } from "vitest";
import { codes, declared, read, table } from "./support.ts";

const F = (type: string): string => table(`  - { name: a, type: ${type} }`);
const A = "  - { name: a, type: int }";

const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  // Shape
  ["a list instead of a map", "- a", ["1:1 wrong-kind"]],
  ["a mistyped key, told as missing and unknown", "colums: []\ntable: a.b", ["1:1 missing-key", "1:1 unknown-key"]],
  ["a key of another tool", table(A, "partitioned_by: [ a ]"), ["4:1 unknown-key"]],
  ["an equal key of which the second is wrong", table(A, "comment: x\ncomment: [ y ]"), ["5:1 duplicate-key", "5:10 wrong-kind"]],
  ["no columns", "table: a.b\ncolumns: []", ["2:1 too-few-items"]],
  ["an empty key", "table: a.b\ncolumns:", ["2:1 empty-value"]],
  ["a field that is text", table("  - name"), ["3:5 wrong-kind"]],
  ["yes for true", table("  - { name: a, type: int, required: yes }"), ["3:37 wrong-kind"]],
  ["an empty comment key", table("  - { name: a, type: int, comment: }"), ["3:27 empty-value"]],
  ["the null on-error", table("  - { name: a, type: date, convert: { from: string, on-error: null } }"), ["3:63 empty-value"]],
  [
    "a word that is none of the choices",
    table("  - { name: a, type: date, convert: { from: string, on-error: ignore } }"),
    ["3:63 value-not-allowed"],
  ],
  ["a format version that does not exist", table(A, "format-version: 4"), ["4:17 value-not-allowed"]],
  ["the reserved key", table(A, "s3-tables: { x: 1 }"), ["4:1 key-refused"]],
  ["a property that is a list", table(A, "properties: { p: [ 1 ] }"), ["4:18 wrong-kind"]],
  // Names
  ["a null name", table("  - { name: ~, type: int }"), ["3:13 empty-value"]],
  ["a null name as a word", table("  - { name: null, type: int }"), ["3:13 empty-value"]],
  ["an empty name", table('  - { name: "", type: int }'), ["3:13 name-malformed"]],
  ["a table without a namespace", "table: orders\ncolumns: [ { name: a, type: int } ]", ["1:8 name-malformed"]],
  ["an empty level", 'table: [ a, "" ]\ncolumns: [ { name: a, type: int } ]', ["1:8 name-malformed"]],
  ["a field twice", table(`${A}\n${A}`), ["4:13 field-declared-twice"]],
  ["an old name that is the new one", table("  - { name: a, type: int, renamed-from: [ b, a ] }"), ["3:46 renamed-from-itself"]],
  [
    "paths that cannot be told apart",
    table("  - { name: a.b, type: int }\n  - { name: a, type: struct, fields: [ { name: b, type: int } ] }"),
    ["4:48 field-impossible"],
  ],
  // Types
  ["a mistyped type", F("strng"), ["3:22 type-unknown"]],
  ["a mistyped type inside", F('"map<string, dat>"'), ["3:35 type-unknown"]],
  ["a decimal that is too wide", F('"decimal(40,2)"'), ["3:23 type-unknown"]],
  ["a bracket that stays open", F('"list<string"'), ["3:22 type-unknown"]],
  ["a struct without fields", F("list<struct>"), ["3:22 missing-key"]],
  ["a list without element", F("list"), ["3:22 missing-key"]],
  ["a map without value", table("  - { name: a, type: map, key: string }"), ["3:22 missing-key"]],
  ["fields beside a plain type", table("  - { name: a, type: int, fields: [] }"), ["3:27 type-parts-mismatch"]],
  ["an element beside brackets", table("  - { name: a, type: list<int>, element: int }"), ["3:33 type-parts-mismatch"]],
  [
    "fields for two structs",
    table('  - { name: a, type: "map<struct, struct>", fields: [ { name: b, type: int } ] }'),
    ["3:22 type-parts-mismatch"],
  ],
  [
    "a comment on an element",
    table('  - { name: a, type: list, element: { type: string, comment: "x" } }'),
    ["3:53 part-has-no-name"],
  ],
  [
    "renamed-from on a value",
    table("  - { name: a, type: map, key: string, value: { type: string, renamed-from: b } }"),
    ["3:63 part-has-no-name"],
  ],
  [
    "an optional map key",
    table("  - { name: a, type: map, key: { type: string, required: false }, value: int }"),
    ["3:58 map-key-optional"],
  ],
  ["a required unknown", table("  - { name: a, type: unknown, required: true }"), ["3:13 field-impossible"]],
  [
    "a type of version 3 in version 2",
    table("  - { name: a, type: timestamp_ns }", "format-version: 2"),
    ["3:13 format-version-too-low"],
  ],
  // Defaults
  ["a default of another type", table("  - { name: a, type: int, default: abc }"), ["3:36 default-malformed"]],
  ["a date that is not ISO", table("  - { name: a, type: date, default: 20240131 }"), ["3:37 default-malformed"]],
  ["digits beyond the scale", table('  - { name: a, type: "decimal(9,2)", default: 1.234 }'), ["3:47 default-malformed"]],
  ["a default of a list", table("  - { name: a, type: list<int>, default: 1 }"), ["3:42 default-malformed"]],
  ["a default that is not there", table("  - { name: a, type: int, default: }"), ["3:36 empty-value"]],
  // Conversions
  [
    "a conversion of a list",
    table("  - { name: a, type: list<int>, convert: { from: string } }"),
    ["3:33 convert-needs-primitive"],
  ],
  [
    "a conversion from a list",
    table("  - { name: a, type: int, convert: { from: list<string> } }"),
    ["3:44 convert-needs-primitive"],
  ],
  [
    "a pattern with minutes for months",
    table("  - { name: a, type: date, convert: { from: string, format: yyyymmdd } }"),
    ["3:37 conversion-format-wrong"],
  ],
  [
    "a conversion that does not exist",
    table("  - { name: a, type: uuid, convert: { from: date } }"),
    ["3:37 conversion-unknown"],
  ],
  // Pins
  ["one id for two environments", table("  - { name: a, type: int, id: 7 }"), ["3:31 pinned-id-environments"]],
  ["an id for an unknown environment", table("  - { name: a, type: int, id: { prd: 7 } }"), ["3:33 environment-unknown"]],
  [
    "an id twice",
    table("  - { name: a, type: int, id: { dev: 7 } }\n  - { name: b, type: int, id: { dev: 7, prod: 8 } }"),
    ["4:31 pinned-id-twice"],
  ],
  ["an id below one", table("  - { name: a, type: int, id: 0 }"), ["3:31 value-out-of-range", "3:31 pinned-id-environments"]],
  ["an id of the format's own", table("  - { name: a, type: int, id: { dev: 2147483448 } }"), ["3:38 value-out-of-range"]],
  ["a new element", table("  - { name: a, type: list, element: { type: int, id: new } }"), ["3:54 value-not-allowed"]],
  // Layout
  ["an unknown transform", table(A, "partition-by: [ foo(a) ]"), ["4:17 partition-malformed"]],
  ["arguments the other way round", table(A, 'partition-by: [ "bucket(a, 16)" ]'), ["4:17 partition-malformed"]],
  ["a bucket of none", table(A, 'partition-by: [ "bucket(0, a)" ]'), ["4:17 partition-malformed"]],
  ["text behind a partition field", table(A, "partition-by: [ a desc ]"), ["4:17 partition-malformed"]],
  ["a source that is not declared", table(A, "partition-by: [ day(b) ]"), ["4:17 field-not-declared"]],
  ["a transform for another type", table(A, "partition-by: [ day(a) ]"), ["4:17 transform-impossible"]],
  ["a source in a list", table("  - { name: a, type: list<int> }", "partition-by: [ a.element ]"), ["4:17 transform-impossible"]],
  ["a partition field twice", table(A, "partition-by: [ a, a as b ]"), ["4:20 partition-malformed"]],
  [
    "a partition field named like another column",
    table(`${A}\n  - { name: b, type: int }`, 'partition-by: [ "bucket(8, a) as b" ]'),
    ["5:17 transform-impossible"],
  ],
  ["a mistyped direction", table(A, "sort-by: [ a dsc ]"), ["4:12 sort-malformed"]],
  ["a sort field twice", table(A, "sort-by: [ a, a desc ]"), ["4:15 sort-malformed"]],
  [
    "sorting by a struct",
    table("  - { name: a, type: struct, fields: [ { name: b, type: int } ] }", "sort-by: [ a ]"),
    ["4:12 transform-impossible"],
  ],
  ["brackets in a path", table(A, 'identifier-fields: [ "a[].b" ]'), ["4:22 path-malformed"]],
  ["an optional identifier", table(A, "identifier-fields: [ a ]"), ["4:22 identifier-impossible"]],
  [
    "a double as identifier",
    table("  - { name: a, type: double, required: true }", "identifier-fields: [ a ]"),
    ["4:22 identifier-impossible"],
  ],
  // Properties, comments
  ["a comment in two places", table(A, "comment: x\nproperties: { comment: y }"), ["5:15 comment-in-two-places"]],
  ["a property of floeplan", table(A, "properties: { floeplan.owner: x }"), ["4:15 property-reserved"]],
  ["a property of Iceberg", table(A, "properties: { format-version: 2 }"), ["4:15 property-reserved"]],
  ["Glue's pointer", table(A, "glue: { parameters: { metadata_location: x } }"), ["4:23 property-reserved"]],
  ["a property without a value", table(A, "properties: { p: }"), ["4:15 empty-value"]],
  // Lists of fields
  ["declared and dropped", table(A, "dropped: [ { field: a, reason: x } ]"), ["4:12 dropped-and-declared"]],
  [
    "dropped and renamed",
    table("  - { name: b, type: int, renamed-from: [ a ] }", "dropped: [ { field: a, reason: x } ]"),
    ["4:12 dropped-and-renamed"],
  ],
  [
    "dropped and renamed in a struct",
    table(
      "  - { name: s, type: struct, fields: [ { name: b, type: int, renamed-from: [ a ] } ] }",
      "dropped: [ { field: s.a, reason: x }, { field: a, reason: x } ]",
    ),
    ["4:12 dropped-and-renamed"],
  ],
  ["dropped without a reason", table(A, "dropped: [ { field: b } ]"), ["4:12 missing-key"]],
  ["dropped for an empty reason", table(A, 'dropped: [ { field: b, reason: " " } ]'), ["4:32 empty-value"]],
  ["declared and unmanaged", table(A, 'unmanaged: [ "*" ]'), ["4:14 unmanaged-and-declared"]],
  ["a glob that is no path", table(A, 'unmanaged: [ "a..b" ]'), ["4:14 path-malformed"]],
  ["a group that does not exist", table("  - use: audit"), ["3:10 group-unknown"]],
  // Environments
  ["columns of one environment", table(A, "environments: { dev: { columns: [] } }"), ["4:24 key-refused"]],
  ["a comment of one environment", table(A, 'environments: { dev: { comment: "x" } }'), ["4:24 unknown-key"]],
  ["an environment that does not exist", table(A, "environments: { dv: { skip: true } }"), ["4:17 environment-unknown"]],
  ["a placeholder that does not exist", table(A, 'location: "s3://b/{tabel}"'), ["4:11 template-malformed"]],
];

describe("a table file", () => {
  for (const [what, text, found] of CASES) {
    it(`is told about ${what}`, () => {
      expect(codes(read(text).diagnostics)).toEqual(found);
    });
  }

  it("tells all of its findings at once, also behind a broken column", () => {
    const text = table("  - { name: a, type: strng }\n  - { name: b, type: int, default: x }", "sort-by: [ b dsc ]");
    expect(codes(read(text).diagnostics)).toEqual(["3:22 type-unknown", "4:36 default-malformed", "5:12 sort-malformed"]);
  });

  it("does not tell what follows from a misread line", () => {
    const text = table("  - { name: a, type: decimal(9,2), comment: Price, net }", "partition-by: [ bucket(16, a) ]");
    expect(codes(read(text).diagnostics)).toEqual(["3:22 unquoted-comma", "3:45 unquoted-comma", "4:17 unquoted-comma"]);
  });

  it("names table and field in its findings", () => {
    const [found] = read(
      table("  - name: items\n    type: list<struct>\n    fields: [ { name: sku, type: strng } ]"),
    ).diagnostics;
    expect(found?.table).toBe("sales.orders");
    expect(found?.field).toBe("items.element.sku");
    expect(found?.mend).toBe('Did you mean "string"?');
  });

  it("offers the nearest spelling of keys, words, types, transforms and fields", () => {
    const mends = (text: string): unknown => read(text).diagnostics.map((one) => one.mend);
    expect(mends(table("  - { name: a, type: int, requird: true }"))).toEqual(['Did you mean "required"?']);
    expect(mends(table(A, "partition-by: [ bukket(16) ]"))).toEqual(['Did you mean "bucket"?']);
    expect(mends(table("  - { name: customer, type: int }", "sort-by: [ custmer ]"))).toEqual(['Did you mean "customer"?']);
    expect(mends(table("  - { name: a, type: date, convert: { from: string, on-error: set_null } }"))).toEqual([
      'Did you mean "set-null"?',
    ]);
  });

  it("lists no more than a hundred findings of one kind and says so", () => {
    const columns = Array.from({ length: 150 }, (_, index) => `  - { name: c${index}, type: int, x: 1 }`).join("\n");
    const { diagnostics } = read(table(columns));
    expect(diagnostics.filter((one) => one.code === "unknown-key")).toHaveLength(100);
    expect(diagnostics.filter((one) => one.code === "more-findings")).toHaveLength(1);
  });
});

describe("names of other systems", () => {
  const aliases: readonly (readonly [string, string])[] = [
    ["bigint", "long"],
    ["INTEGER", "int"],
    ["smallint", "int"],
    ["tinyint", "int"],
    ["varchar(20)", "string"],
    ["char(3)", "string"],
    ["timestamp_ntz", "timestamp"],
    ["timestamp_ltz", "timestamptz"],
    ["timestamp with time zone", "timestamptz"],
    ["timestamp(6)", "timestamp"],
    ["timestamp(6) with time zone", "timestamptz"],
    ["numeric(9, 2)", '"decimal(9,2)"'],
    ["array<bigint>", "list<long>"],
    ["map<varchar(9), array<smallint>>", '"map<string, list<int>>"'],
    ["list<required bigint>", "list<required long>"],
  ];
  for (const [written, canonical] of aliases) {
    it(`read ${written} with a note and one edit to ${canonical}`, () => {
      const { diagnostics } = read(F(`"${written}"`));
      expect(diagnostics.map((one) => [one.code, one.severity, one.edits?.map((edit) => edit.text)])).toEqual([
        ["type-alias", "note", [canonical]],
      ]);
    });
  }

  it("take Iceberg's own names in any case without a note", () => {
    expect(read(F("LONG")).diagnostics).toEqual([]);
    expect(declared(F('"Decimal( 9 , 2 )"')).columns[0]?.type).toEqual({ kind: "decimal", precision: 9, scale: 2 });
  });

  it("take Spark's names of transforms with a note", () => {
    const { diagnostics } = read(table("  - { name: a, type: date }", "partition-by:\n  - days(a)\n  - months(a) as m"));
    expect(diagnostics.map((one) => [one.code, one.edits?.[0]?.text])).toEqual([
      ["transform-alias", "day"],
      ["transform-alias", "month"],
    ]);
  });
});
