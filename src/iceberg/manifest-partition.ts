// The partition tuple of a manifest: its columns by spec and schema or as a file holds them, its values both ways.
// Values are read as the type that the table has now, whatever promotion lies between.
import { bug } from "../diagnostics/tool-error.ts";
import {
  type AvroCursor,
  failAt,
  readBoolean,
  readBytes,
  readDouble,
  readFixed,
  readFloat,
  readInt,
  readLong,
  readString,
} from "./avro-cursor.ts";
import { type Decode, enterValue, failType, optional, recordIn } from "./avro-decode.ts";
import { type AvroField, type AvroSchema, numberAttribute, textAttribute } from "./avro-schema.ts";
import {
  type AvroSink,
  writeBoolean,
  writeBytes,
  writeDouble,
  writeFloat,
  writeInt,
  writeLong,
  writeRaw,
  writeString,
} from "./avro-sink.ts";
import { bytesToInteger, integerToFixed, type SingleValue } from "./bound.ts";
import type { PartitionColumn, PartitionValue } from "./manifest.ts";
import { adapterOf, storedType } from "./manifest-partition-type.ts";
import { decimalBytes } from "./manifest-schema.ts";
import { NO_PARTITION_FIELD_ID, type PartitionSpec } from "./partition-spec.ts";
import { indexSchema } from "./schema-index.ts";
import { parseTransform, resultType } from "./transform.ts";
import type { PrimitiveType, Schema } from "./type.ts";
import { isPrimitive } from "./type.ts";

const UNKNOWN: PrimitiveType = { kind: "unknown" };
const UUID_BYTES = 16;
const LONG_KINDS: ReadonlySet<string> = new Set(["long", "time", "timestamp", "timestamptz", "timestamp_ns", "timestamptz_ns"]);

/**
 * The columns of a spec's tuple. A source that the current schema has lost is looked up in the older ones, newest
 * first. Where none has it, or the transform is not known, the type is `unknown` and a file's own one counts.
 */
export function partitionColumnsOf(spec: PartitionSpec, current: Schema, older: readonly Schema[]): readonly PartitionColumn[] {
  const schemas = [current, ...older.toSorted((a, b) => b.schemaId - a.schemaId)];
  return spec.fields.map(({ fieldId, name, transform, sourceIds }) => {
    const [sourceId] = sourceIds;
    const source = schemas
      .map((schema) => (sourceId === undefined ? undefined : indexSchema(schema).byId(sourceId)))
      .find((node) => node !== undefined);
    const parsed = parseTransform(transform);
    const type = parsed.kind === "unknown" ? UNKNOWN : resultType(parsed, source?.type ?? UNKNOWN);
    return { fieldId, name, type: isPrimitive(type) ? type : UNKNOWN };
  });
}

export interface PartitionReader {
  /** `wanted`, with the file's type where the table no longer tells one; or the file's own columns. */
  readonly columns: readonly PartitionColumn[];
  readonly decode: Decode<readonly PartitionValue[]>;
}

/** `wanted`: the columns that values are to be aligned with; null takes the file's own. */
export function partitionReader(
  schema: AvroSchema,
  location: string,
  wanted: readonly PartitionColumn[] | null,
): PartitionReader {
  const record = recordIn(schema, { location, column: "partition" });
  const stored = record.fields.map((field, index) => storedColumn(field, index, location));
  const columns = (wanted ?? stored).map((column) => {
    const match = stored.find((one) => one.fieldId === column.fieldId);
    return column.type.kind === "unknown" && match !== undefined ? { ...column, type: match.type } : column;
  });
  const steps = record.fields.map((field, index) => {
    const one = stored[index];
    const slot = columns.findIndex((column) => column.fieldId === one?.fieldId);
    const target = columns[slot];
    if (one === undefined || target === undefined) {
      return failType({ location, column: field.name }, "a field of the partition spec");
    }
    const adapt =
      adapterOf(one.type, target.type) ??
      failType({ location, column: field.name }, `a value that is read as ${target.type.kind}`);
    const decode = optional(field.schema, { location, column: field.name }, (inner) => valueDecoder(inner, one.type));
    return { slot, decode, adapt };
  });
  const enter = enterValue(schema);
  const decode = (cursor: AvroCursor): readonly PartitionValue[] => {
    const values: PartitionValue[] = columns.map(() => null);
    if (!enter(cursor)) return values;
    for (const step of steps) {
      const value = step.decode(cursor);
      values[step.slot] = value === null ? null : step.adapt(value);
    }
    return values;
  };
  return { columns, decode };
}

/** Writes the tuple as a record of optional fields. */
export function partitionWriter(
  columns: readonly PartitionColumn[],
): (sink: AvroSink, values: readonly PartitionValue[]) => void {
  return (sink, values) => {
    if (values.length !== columns.length) throw bug("A partition tuple does not have the fields of its spec");
    for (const [index, { type }] of columns.entries()) {
      const value = values[index] ?? null;
      if (type.kind === "unknown") {
        if (value !== null) throw bug("A partition value has no type");
        continue;
      }
      writeInt(sink, value === null ? 0 : 1);
      if (value !== null) encodePartitionValue(sink, type, value);
    }
  };
}

/** One text for equal tuples of a spec. */
export function partitionKey(values: readonly PartitionValue[]): string {
  return values
    .map((value) => {
      if (value === null) return "";
      const text = value instanceof Uint8Array ? Buffer.from(value).toString("hex") : Object.is(value, -0) ? "-0" : String(value);
      return `${text.length}:${text}`;
    })
    .join(",");
}

// Old v1 writers left the ids out; they count from 1000 then (spec "Partition Field IDs").
function storedColumn(field: AvroField, index: number, location: string): PartitionColumn {
  const name = textAttribute(field, "iceberg-field-name") ?? field.name;
  const fieldId = numberAttribute(field, "field-id") ?? NO_PARTITION_FIELD_ID + 1 + index;
  return { fieldId, name, type: storedType(field.schema, { location, column: name }) };
}

function valueDecoder(schema: AvroSchema, type: PrimitiveType): Decode<SingleValue> {
  switch (schema.kind) {
    case "boolean":
      return readBoolean;
    case "int":
      return readInt;
    case "long":
      return readLong;
    case "float":
      return readFloat;
    case "double":
      return readDouble;
    case "string":
      return readString;
    case "enum":
      return (cursor) => schema.symbols[readInt(cursor)] ?? failAt(cursor, "An enum has no such symbol");
    case "bytes":
      return type.kind === "decimal" ? (cursor) => bytesToInteger(readBytes(cursor)) : readBytes;
    case "fixed": {
      const { size } = schema;
      return type.kind === "decimal" ? (cursor) => bytesToInteger(readFixed(cursor, size)) : (cursor) => readFixed(cursor, size);
    }
    default:
      throw bug(`A partition column of the Avro type ${schema.kind} passed the check`);
  }
}

function encodePartitionValue(sink: AvroSink, type: PrimitiveType, value: SingleValue): void {
  if (value instanceof Uint8Array) return encodeBytes(sink, type, value);
  if (typeof value === "bigint") {
    if (type.kind === "decimal") return writeRaw(sink, integerToFixed(value, decimalBytes(type.precision)));
    if (LONG_KINDS.has(type.kind)) return writeLong(sink, value);
  }
  if (typeof value === "number") {
    if (type.kind === "float") return writeFloat(sink, value);
    if (type.kind === "double") return writeDouble(sink, value);
    if (type.kind === "int" || type.kind === "date") return writeInt(sink, value);
  }
  if (type.kind === "string" && typeof value === "string") return writeString(sink, value);
  if (type.kind === "boolean" && typeof value === "boolean") return writeBoolean(sink, value);
  return failValue(type);
}

function encodeBytes(sink: AvroSink, type: PrimitiveType, value: Uint8Array): void {
  if (type.kind === "binary") return writeBytes(sink, value);
  if (type.kind === "uuid" && value.byteLength === UUID_BYTES) return writeRaw(sink, value);
  if (type.kind === "fixed" && value.byteLength === type.length) return writeRaw(sink, value);
  return failValue(type);
}

function failValue(type: PrimitiveType): never {
  throw bug(`A partition value does not have the form of the type ${type.kind}`);
}
