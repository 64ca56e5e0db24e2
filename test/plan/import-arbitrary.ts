// Random live tables as metadata documents: hostile names and texts, all types, defaults, layouts, properties of
// engines, floeplan's memory. Regular by the format, and sometimes not.
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/iceberg/json.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { anyText } from "../desired/arbitrary-table.ts";

/** A type before its ids are given, with a value that can be its default. */
type Shape =
  | { readonly text: string; readonly value: JsonValue | undefined }
  | { readonly fields: readonly FieldShape[] }
  | { readonly element: Shape; readonly required: boolean }
  | { readonly key: Shape; readonly value: Shape; readonly required: boolean };

interface FieldShape {
  readonly name: string;
  readonly type: Shape;
  readonly required: boolean;
  readonly doc: string | null;
  readonly hasDefault: boolean;
}

const OLD_TYPES: readonly (readonly [string, JsonValue | undefined])[] = [
  ["boolean", true],
  ["int", -7],
  ["long", 9_007_199_254_740_993n],
  ["float", 1.5],
  ["double", 0.1],
  ["date", "2024-02-29"],
  ["time", "10:20:30.123456"],
  ["timestamp", "2024-02-29T10:20:30.123456"],
  ["timestamptz", "2024-02-29T10:20:30.123456+00:00"],
  ["string", "a: b # c"],
  ["uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7"],
  ["fixed[3]", "00ff10"],
  ["binary", "cafe"],
  ["decimal(9, 2)", "-0.50"],
  ["decimal(38, 38)", undefined],
];

const NEW_TYPES: readonly (readonly [string, JsonValue | undefined])[] = [
  ["timestamp_ns", "2024-02-29T10:20:30.123456789"],
  ["timestamptz_ns", "2024-02-29T10:20:30.123456789+00:00"],
  ["variant", undefined],
  ["geometry", undefined],
  ["geometry(srid:4326)", undefined],
  ["geography(OGC:CRS84, karney)", undefined],
  ["unknown", undefined],
];

/** Read by the reference implementation, stored by nobody, declared by no file. */
const ODD_TYPES: readonly (readonly [string, JsonValue | undefined])[] = [["decimal(4, 9)", undefined]];

const primitive = (version: number): fc.Arbitrary<Shape> =>
  fc
    .oneof(
      { weight: 40, arbitrary: fc.constantFrom(...OLD_TYPES) },
      { weight: version >= 3 ? 20 : 0, arbitrary: fc.constantFrom(...NEW_TYPES) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD_TYPES) },
    )
    .map(([text, value]): Shape => ({ text, value }));

function shapes(version: number): fc.Arbitrary<FieldShape> {
  const { field } = fc.letrec<{ type: Shape; field: FieldShape }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3, depthIdentifier: "live-type" },
      primitive(version),
      fc.uniqueArray(tie("field"), { maxLength: 3, selector: (one) => one.name }).map((fields): Shape => ({ fields })),
      fc.record({ element: tie("type"), required: fc.boolean() }),
      fc.record({ key: primitive(version), value: tie("type"), required: fc.boolean() }),
    ),
    field: fc.record({
      name: fc.oneof({ weight: 60, arbitrary: anyText }, { weight: 1, arbitrary: fc.constant("") }),
      type: tie("type"),
      required: fc.boolean(),
      doc: fc.option(anyText),
      hasDefault: fc.boolean(),
    }),
  }));
  return field;
}

interface Ids {
  next: number;
  /** Ids of primitive fields that stand in structs only, with their path and type. */
  readonly sources: { readonly id: number; readonly path: string; readonly type: string; readonly required: boolean }[];
}

function fieldJson(field: FieldShape, path: string, ids: Ids, inStruct: boolean, required: boolean): JsonObject {
  const id = ids.next++;
  const { type } = field;
  const isRequired = field.required && !("text" in type && type.text === "unknown");
  const own = path === "" ? field.name : `${path}.${field.name}`;
  if (inStruct && "text" in type) ids.sources.push({ id, path: own, type: type.text, required: isRequired && required });
  return {
    id,
    name: field.name,
    required: isRequired,
    type: typeJson(type, own, ids, inStruct, isRequired && required),
    ...(field.doc === null ? {} : { doc: field.doc }),
    ...(field.hasDefault && "text" in type && type.value !== undefined ? { "write-default": type.value } : {}),
    ...(field.hasDefault && "element" in type ? { "write-default": [] } : {}),
  };
}

function typeJson(type: Shape, path: string, ids: Ids, inStruct: boolean, required: boolean): JsonValue {
  if ("text" in type) return type.text;
  if ("fields" in type)
    return { type: "struct", fields: type.fields.map((field) => fieldJson(field, path, ids, inStruct, required)) };
  if ("element" in type) {
    const id = ids.next++;
    const isUnknown = "text" in type.element && type.element.text === "unknown";
    return {
      type: "list",
      "element-id": id,
      element: typeJson(type.element, path, ids, false, false),
      "element-required": type.required && !isUnknown,
    };
  }
  const [key, value] = [ids.next++, ids.next++];
  const isUnknown = "text" in type.value && type.value.text === "unknown";
  return {
    type: "map",
    "key-id": key,
    key: typeJson(type.key, path, ids, false, false),
    "value-id": value,
    value: typeJson(type.value, path, ids, false, false),
    "value-required": type.required && !isUnknown,
  };
}

const TRANSFORMS = ["identity", "bucket[16]", "truncate[4]", "day", "month", "void", "zorder[2]"] as const;

const layout = fc.array(
  fc.record({
    source: fc.nat(),
    transform: fc.constantFrom(...TRANSFORMS),
    name: fc.option(fc.stringMatching(/^p[ "a-z.)]{0,8}$/)),
    direction: fc.constantFrom("asc", "desc"),
    nulls: fc.constantFrom("nulls-first", "nulls-last"),
  }),
  { maxLength: 3 },
);

const properties = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      "owner",
      "EXTERNAL",
      "write.parquet.compression-codec",
      "write.data.path",
      "impala.x",
      "uuid",
      "write.format.default",
    ),
    anyText.filter((key) => !key.startsWith("floeplan.")),
  ),
  fc.oneof(anyText, fc.constantFrom("", "zstd", "null", "1.10", "s3://bucket/x")),
  { maxKeys: 4, noNullPrototype: true },
);

/** Of format version 1, 2 or 3. */
export const anyLiveTable: fc.Arbitrary<TableMetadata> = fc
  .constantFrom(1, 2, 3)
  .chain((version) =>
    fc.record({
      version: fc.constant(version),
      fields: fc.uniqueArray(shapes(version), { minLength: 1, maxLength: 5, selector: (one) => one.name }),
      partitions: layout,
      sorts: layout,
      identifiers: fc.boolean(),
      properties,
      comment: fc.option(anyText),
      memory: fc.boolean(),
    }),
  )
  .map(({ version, fields, partitions, sorts, identifiers, properties: given, comment, memory }) => {
    const ids: Ids = { next: 1, sources: [] };
    const columns = fields.map((field) => fieldJson(field, "", ids, true, true));
    const last = ids.next - 1;
    const pick = (index: number): Ids["sources"][number] | undefined => ids.sources[index % Math.max(1, ids.sources.length)];
    const names = new Set<string>();
    const spec = partitions.flatMap(({ source, transform, name }, index): JsonObject[] => {
      const from = pick(source);
      const fieldName = name ?? `${from?.path ?? ""}_${transform}`;
      if (from === undefined || names.has(fieldName)) return [];
      names.add(fieldName);
      return [{ "source-id": from.id, "field-id": 1000 + index, transform, name: fieldName }];
    });
    const order = sorts.flatMap(({ source, transform, direction, nulls }): JsonObject[] => {
      const from = pick(source);
      return from === undefined ? [] : [{ "source-id": from.id, transform, direction, "null-order": nulls }];
    });
    const identifierIds = identifiers
      ? ids.sources.filter(({ type, required }) => required && !/float|double|variant|geo/.test(type)).map(({ id }) => id)
      : [];
    const document: JsonObject = {
      "format-version": version,
      "table-uuid": "11111111-2222-3333-4444-555555555555",
      location: "/wh/ns/t",
      ...(version === 1 ? {} : { "last-sequence-number": 0 }),
      ...(version < 3 ? {} : { "next-row-id": 0 }),
      "last-updated-ms": 1_700_000_000_000,
      "last-column-id": last,
      ...(version === 1 ? { schema: { type: "struct", "schema-id": 0, fields: columns } } : {}),
      "current-schema-id": 0,
      schemas: [{ type: "struct", "schema-id": 0, "identifier-field-ids": identifierIds, fields: columns }],
      ...(version === 1 ? { "partition-spec": spec } : {}),
      "default-spec-id": 0,
      "partition-specs": [{ "spec-id": 0, fields: spec }],
      "last-partition-id": 1002,
      "default-sort-order-id": order.length === 0 ? 0 : 1,
      "sort-orders": [{ "order-id": 0, fields: [] }, ...(order.length === 0 ? [] : [{ "order-id": 1, fields: order }])],
      properties: {
        ...given,
        ...(comment === null ? {} : { comment }),
        ...(memory ? memoryOf(last, given) : {}),
      },
      "current-snapshot-id": -1,
      snapshots: [],
    };
    return readMetadata(new TextEncoder().encode(text(document)), "/wh/ns/t/metadata/v1.metadata.json");
  });

/** A table that floeplan applied before: all fields, and every second property. */
function memoryOf(last: number, given: Readonly<Record<string, string>>): Record<string, string> {
  const declared = Object.entries(given).filter(([key], index) => index % 2 === 0 && key !== "uuid" && key !== "");
  return {
    "floeplan.applied.field-ids": `1-${last}`,
    "floeplan.applied.properties": JSON.stringify(Object.fromEntries(declared)),
  };
}

function text(document: JsonObject): string {
  return JSON.stringify(document, (_, value: unknown) => (typeof value === "bigint" ? `long ${value}` : value)).replace(
    /"long (\d+)"/g,
    "$1",
  );
}
