// Schemas, specs and sort orders both ways: key order as Java writes it, unknown keys kept, faults with their path.
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { JsonValue } from "../../src/iceberg/json.ts";
import { parseJson } from "../../src/iceberg/json-parse.ts";
import { writeJson } from "../../src/iceberg/json-write.ts";
import { readPartitionFields, readPartitionSpec, writePartitionSpec } from "../../src/iceberg/partition-spec-json.ts";
import { readField, readSchema, readType, writeField, writeSchema, writeType } from "../../src/iceberg/schema-json.ts";
import { readSortOrder, writeSortOrder } from "../../src/iceberg/sort-order-json.ts";

// As Java's SchemaParser writes it.
const SCHEMA = `{"type":"struct","schema-id":3,"identifier-field-ids":[1,2],"fields":[\
{"id":1,"name":"id","required":true,"type":"long","doc":"a \\"doc\\""},\
{"id":2,"name":"ns","required":true,"type":"timestamp_ns","initial-default":"2024-01-01T00:00:00.000000001","write-default":"2024-01-01T00:00:00.000000001"},\
{"id":3,"name":"pay","required":false,"type":"decimal(9, 2)","initial-default":"14.20"},\
{"id":4,"name":"big","required":false,"type":"long","write-default":9223372036854775807},\
{"id":5,"name":"points","required":false,"type":{"type":"list","element-id":6,"element":{"type":"struct","fields":[{"id":7,"name":"x","required":true,"type":"double","write-default":1.0}]},"element-required":true}},\
{"id":8,"name":"attrs","required":false,"type":{"type":"map","key-id":9,"key":"string","value-id":10,"value":"fixed[16]","value-required":false}},\
{"id":11,"name":"ratio","required":false,"type":"float","write-default":-0.0}]}`;

function fault(read: () => unknown): { kind: string; what: string; why: string | undefined } {
  try {
    read();
  } catch (error) {
    if (error instanceof ToolError) return { kind: error.kind, what: error.message, why: error.why };
    throw error;
  }
  throw new Error("it was accepted");
}

const struct = (...fields: JsonValue[]): JsonValue => ({ type: "struct", "schema-id": 0, fields });
const field = (id: number, name: string, type: JsonValue = "int"): JsonValue => ({ id, name, required: false, type });

describe("readSchema and writeSchema", () => {
  it("give back the text that Java writes, byte for byte", () => {
    expect(writeJson(writeSchema(readSchema(parseJson(SCHEMA))))).toBe(SCHEMA);
  });

  it("read every part", () => {
    const schema = readSchema(parseJson(SCHEMA));
    expect(schema.schemaId).toBe(3);
    expect(schema.identifierFieldIds).toEqual([1, 2]);
    expect(schema.fields[3]).toEqual({
      id: 4,
      name: "big",
      required: false,
      type: { kind: "long" },
      writeDefault: 9223372036854775807n,
    });
    expect(schema.fields[4]?.type).toEqual({
      kind: "list",
      elementId: 6,
      element: { kind: "struct", fields: [{ id: 7, name: "x", required: true, type: { kind: "double" }, writeDefault: 1 }] },
      elementRequired: true,
    });
  });

  it("take a missing schema id for 0 and missing identifier fields for none", () => {
    expect(readSchema({ type: "struct", fields: [] })).toEqual({ schemaId: 0, identifierFieldIds: [], fields: [] });
    expect(writeJson(writeSchema({ schemaId: 0, identifierFieldIds: [], fields: [] }))).toBe(
      '{"type":"struct","schema-id":0,"fields":[]}',
    );
  });

  it("sort identifier fields, whose order has no meaning", () => {
    expect(readSchema({ type: "struct", "identifier-field-ids": [7, 3, 7], fields: [] }).identifierFieldIds).toEqual([3, 7]);
  });

  it("keep keys that they do not know, at the schema and at its fields", () => {
    const json = {
      type: "struct",
      "schema-id": 0,
      fields: [{ id: 1, name: "a", required: true, type: "int", "x-note": [1] }],
      "x-origin": "y",
    };
    const schema = readSchema(json);
    expect(schema.extra).toEqual({ "x-origin": "y" });
    expect(schema.fields[0]?.extra).toEqual({ "x-note": [1] });
    expect(writeSchema(schema)).toEqual(json);
  });

  it("take a null doc and a null default for none", () => {
    const read = readField({
      id: 1,
      name: "a",
      required: false,
      type: "int",
      doc: null,
      "initial-default": null,
      "write-default": null,
    });
    expect(read).toEqual({ id: 1, name: "a", required: false, type: { kind: "int" } });
    expect(Object.keys(writeField(read))).toEqual(["id", "name", "required", "type"]);
  });

  it("show whole defaults of floats and doubles with a decimal point, nested ones too: Java refuses them without", () => {
    const list = readField({
      id: 1,
      name: "a",
      required: false,
      type: { type: "list", "element-id": 2, element: "double", "element-required": false },
      "write-default": [1, 2.5],
    });
    expect(writeJson(writeField(list))).toContain('"write-default":[1.0,2.5]');
    const map = readField({
      id: 1,
      name: "a",
      required: false,
      type: { type: "map", "key-id": 2, key: "int", "value-id": 3, value: "float", "value-required": false },
      "write-default": { keys: [1], values: [4] },
    });
    expect(writeJson(writeField(map))).toContain('"write-default":{"keys":[1],"values":[4.0]}');
    const nested = readField({
      id: 1,
      name: "a",
      required: false,
      type: { type: "struct", fields: [field(2, "x", "double"), field(3, "y")] },
      "write-default": { 2: 1, 3: 1 },
    });
    expect(writeJson(writeField(nested))).toContain('"write-default":{"2":1.0,"3":1}');
  });

  it.each<[string, JsonValue, string, string]>([
    ["no struct", { type: "list" }, 'Cannot read "schema.type"', 'A schema must have the type "struct"'],
    ["no fields", { type: "struct" }, 'Cannot read "schema.fields"', "It is missing; an array is required"],
    ["no object", [], 'Cannot read "schema"', "An object is required, found []"],
    [
      "an id twice",
      struct(field(1, "a"), field(2, "s", { type: "struct", fields: [field(1, "b")] })),
      'Cannot read "schema.fields[1].type.fields[0].id"',
      "Field id 1 stands twice in the schema",
    ],
    [
      "an element id twice",
      struct(field(1, "a", { type: "list", "element-id": 1, element: "int", "element-required": true })),
      'Cannot read "schema.fields[0].type.element-id"',
      "Field id 1 stands twice in the schema",
    ],
    [
      "a name twice",
      struct(field(1, "a"), field(2, "a")),
      'Cannot read "schema.fields[1].name"',
      'The struct has two fields named "a"',
    ],
    [
      "no id",
      struct({ name: "a", required: true, type: "int" }),
      'Cannot read "schema.fields[0].id"',
      "It is missing; a 32-bit integer is required",
    ],
    [
      "an id that is text",
      struct({ id: "1", name: "a", required: true, type: "int" }),
      'Cannot read "schema.fields[0].id"',
      'A 32-bit integer is required, found "1"',
    ],
    [
      "an id beyond 32 bits",
      struct({ id: 2147483648, name: "a", required: true, type: "int" }),
      'Cannot read "schema.fields[0].id"',
      "A 32-bit integer is required, found 2147483648",
    ],
    [
      "a required flag that is text",
      struct({ id: 1, name: "a", required: "true", type: "int" }),
      'Cannot read "schema.fields[0].required"',
      'True or false is required, found "true"',
    ],
    [
      "no type",
      struct({ id: 1, name: "a", required: true }),
      'Cannot read "schema.fields[0].type"',
      "It is missing; an object is required",
    ],
    [
      "a nested type of no kind",
      struct(field(1, "a", { type: "set" })),
      'Cannot read "schema.fields[0].type.type"',
      'A nested type must be "struct", "list" or "map"',
    ],
    [
      "a map without its value flag",
      struct(field(1, "a", { type: "map", "key-id": 2, key: "int", "value-id": 3, value: "int" })),
      'Cannot read "schema.fields[0].type.value-required"',
      "It is missing; true or false is required",
    ],
  ])("refuse %s with the path", (_, json, what, why) => {
    expect(fault(() => readSchema(json))).toEqual({ kind: "corrupt", what, why });
  });

  it("say that a type is not known rather than that the file is broken", () => {
    expect(fault(() => readSchema(struct(field(1, "a", "interval"))))).toEqual({
      kind: "unsupported",
      what: 'Cannot read "schema.fields[0].type"',
      why: 'The type "interval" is not known',
    });
  });

  it("read and write a type alone", () => {
    expect(writeType(readType("decimal(9,2)"))).toBe("decimal(9, 2)");
    expect(writeType(readType("decimal(2, 5)"))).toBe("decimal(2, 5)");
    expect(readType({ type: "struct", fields: [] })).toEqual({ kind: "struct", fields: [] });
  });
});

describe("partition specs", () => {
  it("are written with Java's keys in Java's order", () => {
    const text = '{"spec-id":2,"fields":[{"name":"ts_day","transform":"day","source-id":2,"field-id":1000}]}';
    expect(writeJson(writePartitionSpec(readPartitionSpec(parseJson(text))))).toBe(text);
  });

  it("have several sources in version 3", () => {
    const json = { "spec-id": 0, fields: [{ name: "z", transform: "zorder", "source-ids": [1, 2], "field-id": 1000 }] };
    const spec = readPartitionSpec(json);
    expect(spec.fields[0]?.sourceIds).toEqual([1, 2]);
    expect(writePartitionSpec(spec)).toEqual(json);
    expect(
      readPartitionFields([{ name: "a", transform: "identity", "source-ids": [4], "field-id": 1000 }])[0]?.sourceIds,
    ).toEqual([4]);
  });

  it("of old writers count their fields from 1000", () => {
    const fields = readPartitionFields([
      { name: "a", transform: "identity", "source-id": 1 },
      { name: "b", transform: "day", "source-id": 2 },
    ]);
    expect(fields.map((one) => one.fieldId)).toEqual([1000, 1001]);
  });

  it("are refused where only some fields have ids, or a transform has no source", () => {
    const some = [
      { name: "a", transform: "identity", "source-id": 1 },
      { name: "b", transform: "day", "source-id": 2, "field-id": 1001 },
    ];
    expect(fault(() => readPartitionFields(some)).why).toBe(
      '1 of 2 partition fields have no "field-id"; all or none must have one',
    );
    expect(fault(() => readPartitionFields([{ name: "a", transform: "identity", "source-ids": [] }])).what).toBe(
      'Cannot read "fields[0].source-ids"',
    );
  });
});

describe("sort orders", () => {
  it("are written with Java's keys in Java's order", () => {
    const text =
      '{"order-id":3,"fields":[{"transform":"identity","source-id":2,"direction":"asc","null-order":"nulls-first"},{"transform":"bucket[4]","source-id":3,"direction":"desc","null-order":"nulls-last"}]}';
    expect(writeJson(writeSortOrder(readSortOrder(parseJson(text))))).toBe(text);
  });

  it("read directions in any case", () => {
    const order = readSortOrder({
      "order-id": 1,
      fields: [{ transform: "identity", "source-id": 2, direction: "DESC", "null-order": "NULLS-LAST" }],
    });
    expect(order.fields[0]).toMatchObject({ direction: "desc", nullOrder: "nulls-last" });
  });

  it("keep id 0 for unsorted", () => {
    const one = { transform: "identity", "source-id": 2, direction: "asc", "null-order": "nulls-first" };
    expect(fault(() => readSortOrder({ "order-id": 0, fields: [one] })).kind).toBe("corrupt");
    expect(fault(() => readSortOrder({ "order-id": 1, fields: [] })).kind).toBe("corrupt");
    expect(fault(() => readSortOrder({ "order-id": 1, fields: [{ ...one, direction: "up" }] })).why).toBe(
      '"asc" or "desc" is required, found "up"',
    );
    expect(fault(() => readSortOrder({ "order-id": 1, fields: [{ ...one, "null-order": "first" }] })).kind).toBe("corrupt");
  });
});
