// Any Avro value by its schema, as plain data: for files whose columns are not known beforehand. Manifests are read
// by the quicker typed decoders (avro-decode.ts). Logical types are left to the caller; their attributes are kept.
import {
  type AvroCursor,
  failAt,
  nextItems,
  readBoolean,
  readBytes,
  readDouble,
  readFixed,
  readFloat,
  readInt,
  readLong,
  readString,
} from "./avro-cursor.ts";
import { branchDecoder, type Decode, failType, minimumSize } from "./avro-decode.ts";
import { type AvroFile } from "./avro-container.ts";
import type { AvroRecord, AvroSchema, AvroUnion } from "./avro-schema.ts";
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
import { bug } from "../diagnostics/tool-error.ts";

/** int, float, double → number; long → bigint; bytes, fixed → Uint8Array; enum → its symbol; map → Map; record → object. */
export type AvroValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly AvroValue[]
  | ReadonlyMap<string, AvroValue>
  | AvroObject;

interface AvroObject {
  readonly [name: string]: AvroValue;
}

/** Every object of the file, in order. */
export function* readAvroValues(file: AvroFile): Generator<AvroValue> {
  const decode = decodeValue(file.schema, file.location);
  for (const { count, cursor } of file.blocks()) for (let left = count; left > 0; left--) yield decode(cursor);
}

function decodeValue(schema: AvroSchema, location: string): Decode<AvroValue> {
  switch (schema.kind) {
    case "null":
      return () => null;
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
    case "bytes":
      return readBytes;
    case "string":
      return readString;
    case "fixed":
      return (cursor) => readFixed(cursor, schema.size);
    case "enum":
      return (cursor) => schema.symbols[readInt(cursor)] ?? failAt(cursor, "An enum has no such symbol");
    case "union":
      return branchDecoder(schema.branches.map((branch) => decodeValue(branch, location)));
    case "record":
      return decodeRecord(schema, location);
    case "array":
      return decodeItems(schema.items, location);
    case "map": {
      const entry = decodeValue(schema.values, location);
      return (cursor) => {
        const map = new Map<string, AvroValue>();
        for (let left = nextItems(cursor); left > 0; left = nextItems(cursor)) {
          for (; left > 0; left--) map.set(readString(cursor), entry(cursor));
        }
        return map;
      };
    }
  }
}

/** Writes a value as `decodeValue` gives it. A union takes the first branch that can hold the value. */
export function encodeValue(sink: AvroSink, schema: AvroSchema, value: AvroValue): void {
  switch (schema.kind) {
    case "union":
      return encodeUnion(sink, schema, value);
    case "null":
      return;
    case "record":
      if (!isObject(value)) return failValue(schema);
      for (const field of schema.fields) encodeValue(sink, field.schema, value[field.name] ?? null);
      return;
    case "array":
      if (!Array.isArray(value)) return failValue(schema);
      if (value.length > 0) writeInt(sink, value.length);
      for (const item of value) encodeValue(sink, schema.items, item);
      return writeInt(sink, 0);
    case "map":
      if (!(value instanceof Map)) return failValue(schema);
      if (value.size > 0) writeInt(sink, value.size);
      for (const [key, item] of value) {
        writeString(sink, key);
        encodeValue(sink, schema.values, item);
      }
      return writeInt(sink, 0);
    case "enum":
      return writeInt(sink, typeof value === "string" ? schema.symbols.indexOf(value) : failValue(schema));
    default:
      return encodeScalar(sink, schema, value);
  }
}

function encodeScalar(sink: AvroSink, schema: AvroSchema, value: AvroValue): void {
  if (typeof value === "boolean" && schema.kind === "boolean") return writeBoolean(sink, value);
  if (typeof value === "string" && schema.kind === "string") return writeString(sink, value);
  if (typeof value === "bigint" && schema.kind === "long") return writeLong(sink, value);
  if (typeof value === "number") {
    if (schema.kind === "int") return writeInt(sink, value);
    if (schema.kind === "float") return writeFloat(sink, value);
    if (schema.kind === "double") return writeDouble(sink, value);
  }
  if (value instanceof Uint8Array) {
    if (schema.kind === "bytes") return writeBytes(sink, value);
    if (schema.kind === "fixed" && schema.size === value.byteLength) return writeRaw(sink, value);
  }
  return failValue(schema);
}

function encodeUnion(sink: AvroSink, union: AvroUnion, value: AvroValue): void {
  const index = union.branches.findIndex((branch) => canHold(branch, value));
  const branch = union.branches[index];
  if (branch === undefined) return failValue(union);
  writeInt(sink, index);
  encodeValue(sink, branch, value);
}

function canHold(schema: AvroSchema, value: AvroValue): boolean {
  if (value === null) return schema.kind === "null";
  if (typeof value === "boolean") return schema.kind === "boolean";
  if (typeof value === "bigint") return schema.kind === "long";
  if (typeof value === "number")
    return schema.kind === "float" || schema.kind === "double" || (schema.kind === "int" && Number.isInteger(value));
  if (typeof value === "string") return schema.kind === "string" || (schema.kind === "enum" && schema.symbols.includes(value));
  if (value instanceof Uint8Array)
    return schema.kind === "bytes" || (schema.kind === "fixed" && schema.size === value.byteLength);
  if (value instanceof Map) return schema.kind === "map";
  if (Array.isArray(value)) return schema.kind === "array";
  return schema.kind === "record" && schema.fields.every((field) => Object.hasOwn(value, field.name));
}

function decodeRecord(record: AvroRecord, location: string): Decode<AvroObject> {
  const fields = record.fields.map((field) => ({ name: field.name, decode: decodeValue(field.schema, location) }));
  // From entries, so that a field called `__proto__` is a field like any other.
  return (cursor) => Object.fromEntries(fields.map(({ name, decode }): [string, AvroValue] => [name, decode(cursor)]));
}

function decodeItems(itemSchema: AvroSchema, location: string): Decode<readonly AvroValue[]> {
  if (minimumSize(itemSchema) === 0) failType({ location, column: "element" }, "a list of values that take room");
  const item = decodeValue(itemSchema, location);
  return (cursor: AvroCursor) => {
    const items: AvroValue[] = [];
    for (let left = nextItems(cursor); left > 0; left = nextItems(cursor)) {
      for (; left > 0; left--) items.push(item(cursor));
    }
    return items;
  };
}

function isObject(value: AvroValue): value is AvroObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Map) &&
    !(value instanceof Uint8Array)
  );
}

function failValue(schema: AvroSchema): never {
  throw bug(`A value does not fit the Avro type ${schema.kind}`);
}
