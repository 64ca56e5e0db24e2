// Reads and writes Avro records column by column, matched by field id (older writers named some differently), with
// columns that are not known carried as bytes. Tables of columns say what is known: manifest-columns.ts and
// manifest-list-columns.ts. Knows no meaning of any column.
import { bug } from "../diagnostics/tool-error.ts";
import { type AvroCursor, failAt } from "./avro-cursor.ts";
import {
  type ColumnPlace,
  type Decode,
  decodeBoolean,
  decodeBytes,
  decodeInt,
  decodeIntMap,
  decodeList,
  decodeLong,
  decodeString,
  failType,
  optional,
  skipValue,
} from "./avro-decode.ts";
import { type AvroField, type AvroRecord, type AvroSchema, numberAttribute } from "./avro-schema.ts";
import { type AvroSink, writeBoolean, writeBytes, writeInt, writeLong, writeString } from "./avro-sink.ts";
import type { CarriedValues } from "./manifest.ts";

/** How a kind of value is read from any schema that can hold it, and written. */
export interface Codec<V> {
  readonly decode: (schema: AvroSchema, place: ColumnPlace) => Decode<V>;
  readonly encode: (sink: AvroSink, value: V) => void;
}

export const INT: Codec<number> = { decode: decodeInt, encode: writeInt };
export const LONG: Codec<bigint> = { decode: decodeLong, encode: writeLong };
export const BOOLEAN: Codec<boolean> = { decode: decodeBoolean, encode: writeBoolean };
export const STRING: Codec<string> = { decode: decodeString, encode: writeString };
export const BYTES: Codec<Uint8Array> = { decode: decodeBytes, encode: writeBytes };
export const INTS: Codec<readonly number[]> = listOf(INT);
export const LONGS: Codec<readonly bigint[]> = listOf(LONG);
export const LONG_BY_ID: Codec<ReadonlyMap<number, bigint>> = mapOf(LONG);
export const BYTES_BY_ID: Codec<ReadonlyMap<number, Uint8Array>> = mapOf(BYTES);

export function listOf<V>(item: Codec<V>): Codec<readonly V[]> {
  return {
    decode: (schema, place) => decodeList(schema, place, item.decode),
    encode: (sink, items) => {
      if (items.length > 0) writeInt(sink, items.length);
      for (const one of items) item.encode(sink, one);
      writeInt(sink, 0);
    },
  };
}

function mapOf<V>(value: Codec<V>): Codec<ReadonlyMap<number, V>> {
  return {
    decode: (schema, place) => decodeIntMap(schema, place, value.decode),
    encode: (sink, map) => {
      if (map.size > 0) writeInt(sink, map.size);
      for (const [key, one] of map) {
        writeInt(sink, key);
        value.encode(sink, one);
      }
      writeInt(sink, 0);
    },
  };
}

/** Names as numbers from 0. */
export function namesOf<Name extends string>(names: readonly Name[]): Codec<Name> {
  return {
    decode: (schema, place) => {
      const decode = decodeInt(schema, place);
      return (cursor) => names[decode(cursor)] ?? failAt(cursor, `The column "${place.column}" holds a number without a meaning`);
    },
    encode: (sink, name) => writeInt(sink, names.indexOf(name)),
  };
}

export type Draft<Row> = { -readonly [Key in keyof Row]: Row[Key] };

export interface ReadColumn<Row> {
  readonly id: number;
  /** By which it is found where the writer left out field ids. */
  readonly name: string;
  /** A file without it cannot be read. */
  readonly mandatory: boolean;
  reader(schema: AvroSchema, place: ColumnPlace): (cursor: AvroCursor, row: Draft<Row>) => void;
}

export interface Column<Row> extends ReadColumn<Row> {
  /** `required`: by the schema that is written. */
  writer(required: boolean): (sink: AvroSink, row: Row) => void;
}

/** A column that always has a value. */
export function column<Row, Key extends keyof Row>(id: number, name: string, key: Key, codec: Codec<Row[Key]>): Column<Row> {
  return {
    id,
    name,
    mandatory: true,
    reader: (schema, place) => {
      const decode = codec.decode(schema, place);
      return (cursor, row) => {
        row[key] = decode(cursor);
      };
    },
    writer: (required) => (sink, row) => {
      if (!required) writeInt(sink, 1);
      codec.encode(sink, row[key]);
    },
  };
}

/** A column that may be missing or null; `preset` is its value then. */
export function optionalColumn<Row, Key extends keyof Row>(
  id: number,
  name: string,
  key: Key,
  codec: Codec<NonNullable<Row[Key]>>,
  preset: Row[Key],
): Column<Row> {
  return {
    id,
    name,
    mandatory: false,
    reader: (schema, place) => {
      const decode = optional(schema, place, codec.decode);
      return (cursor, row) => {
        row[key] = decode(cursor) ?? preset;
      };
    },
    writer: (required) => (sink, row) => {
      const value = row[key] ?? null;
      if (required && value === null) throw bug(`The column "${name}" is required and has no value`);
      if (!required) writeInt(sink, value === null ? 0 : 1);
      if (value !== null) codec.encode(sink, value);
    },
  };
}

export interface RecordReader<Row> {
  /** Fills the row; gives back what it carries beside. */
  readonly read: (cursor: AvroCursor, row: Draft<Row>) => CarriedValues | null;
  /** Columns of the file that no known one matches. */
  readonly carried: readonly AvroField[];
}

export interface ReadPlan {
  readonly location: string;
  /** Ids of columns not to read. */
  readonly skip: ReadonlySet<number>;
  /** Columns that are read over and forgotten: id → name. */
  readonly forget: ReadonlyMap<number, string>;
  /** Keep the values of unknown columns? */
  readonly carry: boolean;
}

export function recordReader<Row>(record: AvroRecord, columns: readonly ReadColumn<Row>[], plan: ReadPlan): RecordReader<Row> {
  const byId = new Map(columns.map((one) => [one.id, one]));
  const byName = new Map(columns.map((one) => [one.name, one]));
  const forgottenNames = new Set(plan.forget.values());
  const found = new Set<number>();
  const carried: AvroField[] = [];

  const readers = record.fields.map((field): ((cursor: AvroCursor, row: Draft<Row>, values: Uint8Array[]) => void) => {
    const id = numberAttribute(field, "field-id");
    const known = id === null ? byName.get(field.name) : byId.get(id);
    const skip = skipValue(field.schema);
    if (known !== undefined && found.has(known.id))
      return failType({ location: plan.location, column: known.name }, "one column only");
    if (known !== undefined) found.add(known.id);
    if (known !== undefined && !plan.skip.has(known.id)) {
      return known.reader(field.schema, { location: plan.location, column: known.name });
    }
    const forgotten = id === null ? forgottenNames.has(field.name) : plan.forget.has(id);
    if (known !== undefined || !plan.carry || forgotten) return skip;
    carried.push(field);
    return (cursor, _row, values) => {
      const start = cursor.position;
      skip(cursor);
      values.push(cursor.bytes.subarray(start, cursor.position));
    };
  });
  for (const one of columns) {
    if (one.mandatory && !found.has(one.id))
      failType({ location: plan.location, column: one.name }, "a column of that name or id");
  }

  return {
    carried,
    read: (cursor, row) => {
      const values: Uint8Array[] = [];
      for (const read of readers) read(cursor, row, values);
      return carried.length > 0 ? { columns: carried, values } : null;
    },
  };
}

/** The field of a record by its id, or by its name where the writer left the ids out. */
export function findField(record: AvroRecord, id: number, name: string): AvroField | undefined {
  return record.fields.find((field) => {
    const found = numberAttribute(field, "field-id");
    return found === null ? field.name === name : found === id;
  });
}
