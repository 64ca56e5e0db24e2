// Decoders compiled from a writer's schema: one closure a type, chosen once a file and run once a value. Reads the
// types that a column may have been written with (int for long, text for bytes, any order of a union).
import { ToolError } from "../diagnostics/tool-error.ts";
import {
  type AvroCursor,
  failAt,
  nextItems,
  readBlockCount,
  readBoolean,
  readBytes,
  readFixed,
  readInt,
  readLong,
  readString,
  skipBytes,
  skipLong,
} from "./avro-cursor.ts";
import { type AvroRecord, type AvroSchema, type AvroUnion, childSchemas } from "./avro-schema.ts";

export type Decode<T> = (cursor: AvroCursor) => T;

/** Makes a decoder for a type that is no union; null when the type cannot hold such a value. */
type Maker<T> = (schema: Exclude<AvroSchema, AvroUnion>) => Decode<T> | null;

/** What a decoder was wanted for: the file and the column, for messages. */
export interface ColumnPlace {
  readonly location: string;
  readonly column: string;
}

export function decodeInt(schema: AvroSchema, place: ColumnPlace): Decode<number> {
  return required(schema, place, "an int", intMaker);
}
export function decodeLong(schema: AvroSchema, place: ColumnPlace): Decode<bigint> {
  return required(schema, place, "a long", longMaker);
}
export function decodeBoolean(schema: AvroSchema, place: ColumnPlace): Decode<boolean> {
  return required(schema, place, "a boolean", (one) => (one.kind === "boolean" ? readBoolean : null));
}
export function decodeString(schema: AvroSchema, place: ColumnPlace): Decode<string> {
  return required(schema, place, "a text", stringMaker);
}
export function decodeBytes(schema: AvroSchema, place: ColumnPlace): Decode<Uint8Array> {
  return required(schema, place, "bytes", bytesMaker);
}

/** The same decoders for a column that may be null, whether or not the writer's schema says so. */
export function optional<T>(
  schema: AvroSchema,
  place: ColumnPlace,
  decoder: (schema: AvroSchema, place: ColumnPlace) => Decode<T>,
): Decode<T | null> {
  if (schema.kind === "null") return () => null;
  if (schema.kind !== "union") return decoder(schema, place);
  const branches = schema.branches.map(
    (branch): Decode<T | null> => (branch.kind === "null" ? () => null : decoder(branch, place)),
  );
  return branchDecoder(branches);
}

export function decodeList<T>(
  schema: AvroSchema,
  place: ColumnPlace,
  item: (schema: AvroSchema, place: ColumnPlace) => Decode<T>,
): Decode<readonly T[]> {
  return required(schema, place, "a list", (one) => {
    if (one.kind !== "array") return null;
    const decode = item(one.items, place);
    return (cursor) => {
      const items: T[] = [];
      for (let left = nextItems(cursor); left > 0; left = nextItems(cursor)) {
        for (; left > 0; left--) items.push(decode(cursor));
      }
      return items;
    };
  });
}

/** A map with whole-number keys: an array of key-value records (spec "Avro", logical type `map`). */
export function decodeIntMap<V>(
  schema: AvroSchema,
  place: ColumnPlace,
  value: (schema: AvroSchema, place: ColumnPlace) => Decode<V>,
): Decode<ReadonlyMap<number, V>> {
  return required(schema, place, "a map", (one) => {
    if (one.kind !== "array") return null;
    const readPair = pairReader(recordIn(one.items, place), place, value);
    const enter = one.items.kind === "union" ? enterValue(one.items) : null;
    return (cursor) => {
      const map = new Map<number, V>();
      for (let left = nextItems(cursor); left > 0; left = nextItems(cursor)) {
        for (; left > 0; left--) if (enter === null || enter(cursor)) readPair(cursor, map);
      }
      return map;
    };
  });
}

/** Steps over a value without making anything of it. */
export function skipValue(schema: AvroSchema): Decode<void> {
  // What takes no room takes no time either, however often it is said to occur.
  if (minimumSize(schema) === 0) return () => {};
  switch (schema.kind) {
    case "null":
      return () => {};
    case "boolean":
      return (cursor) => skipBytes(cursor, 1);
    case "int":
    case "long":
    case "enum":
      return skipLong;
    case "float":
      return (cursor) => skipBytes(cursor, 4);
    case "double":
      return (cursor) => skipBytes(cursor, 8);
    case "bytes":
    case "string":
      return (cursor) => void readBytes(cursor);
    case "fixed":
      return (cursor) => skipBytes(cursor, schema.size);
    case "union":
      return branchDecoder(schema.branches.map(skipValue));
    case "record": {
      const fields = schema.fields.map((field) => skipValue(field.schema));
      return (cursor) => {
        for (const skip of fields) skip(cursor);
      };
    }
    case "array":
      return skipItems([skipValue(schema.items)], minimumSize(schema.items) > 0);
    case "map":
      return skipItems([(cursor) => void readBytes(cursor), skipValue(schema.values)], true);
  }
}

/** The record of a column, through a union with null if need be. Throws `corrupt` when it holds none. */
export function recordIn(schema: AvroSchema, place: ColumnPlace): AvroRecord {
  const branches = schema.kind === "union" ? schema.branches.filter((branch) => branch.kind !== "null") : [schema];
  const [record] = branches;
  return record?.kind === "record" && branches.length === 1 ? record : failType(place, "a record");
}

/** Steps into a value: true when it is there, false when a union says null. */
export function enterValue(schema: AvroSchema): Decode<boolean> {
  if (schema.kind !== "union") return () => true;
  return branchDecoder(schema.branches.map((branch) => () => branch.kind !== "null"));
}

/** Fewest bytes that a value can take. A type that can take none always takes none: a null, or a record of nulls. */
export function minimumSize(schema: AvroSchema): number {
  switch (schema.kind) {
    case "null":
      return 0;
    case "fixed":
      return schema.size;
    case "record":
      return childSchemas(schema).reduce((sum, child) => sum + minimumSize(child), 0);
    default:
      return 1;
  }
}

/** Reads the branch number of a union. */
export function branchDecoder<T>(branches: readonly Decode<T>[]): Decode<T> {
  return (cursor) => {
    const start = cursor.position;
    const decode = branches[readInt(cursor)];
    return decode === undefined ? failAt(cursor, "A union has no such branch", start) : decode(cursor);
  };
}

export function failType(place: ColumnPlace, wanted: string): never {
  throw new ToolError("corrupt", `Cannot read the Avro file "${place.location}"`, {
    why: `Its schema does not give the column "${place.column}" the type that Iceberg wants: ${wanted}`,
    context: { file: place.location },
  });
}

function required<T>(schema: AvroSchema, place: ColumnPlace, wanted: string, maker: Maker<T>): Decode<T> {
  if (schema.kind !== "union") return maker(schema) ?? failType(place, wanted);
  return branchDecoder(
    schema.branches.map((branch): Decode<T> => {
      if (branch.kind === "null") return (cursor) => failAt(cursor, `The required column "${place.column}" is null`);
      return required(branch, place, wanted, maker);
    }),
  );
}

const intMaker: Maker<number> = (schema) => (schema.kind === "int" || schema.kind === "long" ? readInt : null);
const longMaker: Maker<bigint> = (schema) => (schema.kind === "int" || schema.kind === "long" ? readLong : null);

const stringMaker: Maker<string> = (schema) => {
  if (schema.kind === "string" || schema.kind === "bytes") return readString;
  if (schema.kind !== "enum") return null;
  return (cursor) => schema.symbols[readInt(cursor)] ?? failAt(cursor, "An enum has no such symbol");
};

const bytesMaker: Maker<Uint8Array> = (schema) => {
  if (schema.kind === "bytes" || schema.kind === "string") return readBytes;
  return schema.kind === "fixed" ? (cursor) => readFixed(cursor, schema.size) : null;
};

function pairReader<V>(
  record: AvroRecord,
  place: ColumnPlace,
  value: (schema: AvroSchema, place: ColumnPlace) => Decode<V>,
): (cursor: AvroCursor, map: Map<number, V>) => void {
  const [first, second, ...others] = record.fields;
  if (first?.name !== "key" || second?.name !== "value" || others.length > 0) return failType(place, "a map");
  const decodeKey = decodeInt(first.schema, place);
  const decodeValue = value(second.schema, place);
  return (cursor, map) => {
    const key = decodeKey(cursor);
    map.set(key, decodeValue(cursor));
  };
}

function skipItems(parts: readonly Decode<void>[], takeRoom: boolean): Decode<void> {
  return (cursor) => {
    for (;;) {
      const { count, sizeBytes } = readBlockCount(cursor);
      if (count === 0) return;
      if (sizeBytes !== null) skipBytes(cursor, sizeBytes);
      else if (takeRoom) for (let left = count; left > 0; left--) for (const skip of parts) skip(cursor);
    }
  };
}
