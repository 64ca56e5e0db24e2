// Reads one Thrift struct of the compact protocol into a tree. Every length is checked against the bytes that
// are there, so a broken file costs no more memory than it has bytes. Knows no field of Parquet.
import { corrupt } from "./corrupt.ts";
import { THRIFT, type ThriftField, type ThriftStruct, type ThriftType, type ThriftValue } from "./thrift-tree.ts";

/** The bytes ended inside the struct: more of the file may complete it. */
export class ThriftTruncated extends Error {}

interface Cursor {
  readonly bytes: Uint8Array;
  position: number;
}

/** Deeper than any Parquet structure; stops a hostile file from exhausting the stack. */
const MAX_DEPTH = 32;

/** Ids of fields are 16-bit integers. */
const MIN_FIELD_ID = -0x8000;
const MAX_FIELD_ID = 0x7fff;

/** The struct that starts at `start`, and where it ends. Throws ThriftTruncated where the bytes do not suffice. */
export function readStruct(bytes: Uint8Array, start = 0): { readonly value: ThriftStruct; readonly end: number } {
  const cursor = { bytes, position: start };
  const value = structValue(cursor, 0);
  return { value, end: cursor.position };
}

function byte(cursor: Cursor): number {
  const value = cursor.bytes[cursor.position];
  if (value === undefined) throw new ThriftTruncated();
  cursor.position++;
  return value;
}

/** Unsigned varint that must fit 32 bits, for lengths. */
function length(cursor: Cursor): number {
  let result = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const next = byte(cursor);
    result += (next & 0x7f) * 2 ** shift;
    if (next < 0x80) {
      if (result > 0x7fffffff) break;
      return result;
    }
  }
  throw corrupt("A length in the Thrift data is larger than 31 bits");
}

function zigzag32(cursor: Cursor): number {
  let low = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const next = byte(cursor);
    low |= (next & 0x7f) << shift;
    if (next < 0x80) return (low >>> 1) ^ -(low & 1);
  }
  throw corrupt("A 32-bit integer in the Thrift data has too many bytes");
}

function zigzag64(cursor: Cursor): bigint {
  let low = 0;
  for (let shift = 0; shift < 28; shift += 7) {
    const next = byte(cursor);
    low |= (next & 0x7f) << shift;
    if (next < 0x80) return BigInt((low >>> 1) ^ -(low & 1));
  }
  let result = BigInt(low);
  for (let shift = 28n; shift < 70n; shift += 7n) {
    const next = byte(cursor);
    result |= BigInt(next & 0x7f) << shift;
    if (next < 0x80) return BigInt.asIntN(64, (result >> 1n) ^ -(result & 1n));
  }
  throw corrupt("A 64-bit integer in the Thrift data has too many bytes");
}

function take(cursor: Cursor, lengthBytes: number): Uint8Array {
  const end = cursor.position + lengthBytes;
  if (end > cursor.bytes.length) throw new ThriftTruncated();
  const taken = cursor.bytes.subarray(cursor.position, end);
  cursor.position = end;
  return taken;
}

function typeOf(code: number): ThriftType {
  if (code === 2) return THRIFT.boolean;
  for (const known of Object.values(THRIFT)) if (known === code) return known;
  throw corrupt(`The Thrift data has a field of unknown type ${code}`);
}

function structValue(cursor: Cursor, depth: number): ThriftStruct {
  if (depth > MAX_DEPTH) throw corrupt("The Thrift data is nested too deeply");
  const fields: ThriftField[] = [];
  let lastId = 0;
  let highestId = MIN_FIELD_ID - 1;
  /** Made for the first field that is out of order: of fields in order none can be twice. */
  let seen: Set<number> | null = null;
  for (;;) {
    const head = byte(cursor);
    if (head === 0) return { kind: "struct", fields };
    const delta = head >> 4;
    const id = delta === 0 ? zigzag32(cursor) : lastId + delta;
    if (id < MIN_FIELD_ID || id > MAX_FIELD_ID) throw corrupt(`The Thrift data has a field of the impossible id ${id}`);
    if (id <= highestId) seen ??= new Set(fields.map((field) => field.id));
    // Readers differ in which of two counts, so such a file says different things to different readers.
    if (seen?.has(id) === true) throw corrupt(`The Thrift data has field ${id} twice`);
    seen?.add(id);
    const code = head & 0x0f;
    const type = typeOf(code);
    const value = type === THRIFT.boolean ? code === 1 : valueOf(cursor, type, depth);
    fields.push({ id, type, value });
    lastId = id;
    highestId = Math.max(highestId, id);
  }
}

function valueOf(cursor: Cursor, type: ThriftType, depth: number): ThriftValue {
  switch (type) {
    case THRIFT.boolean:
      return byte(cursor) === 1;
    case THRIFT.byte:
      return (byte(cursor) << 24) >> 24;
    case THRIFT.i16:
    case THRIFT.i32:
      return zigzag32(cursor);
    case THRIFT.i64:
      return zigzag64(cursor);
    case THRIFT.double:
      return take(cursor, 8);
    case THRIFT.binary:
      return take(cursor, length(cursor));
    case THRIFT.uuid:
      return take(cursor, 16);
    case THRIFT.list:
    case THRIFT.set:
      return listValue(cursor, depth);
    case THRIFT.map:
      return mapValue(cursor, depth);
    case THRIFT.struct:
      return structValue(cursor, depth + 1);
  }
}

function listValue(cursor: Cursor, depth: number): ThriftValue {
  const head = byte(cursor);
  const elementType = typeOf(head & 0x0f);
  const count = head >> 4 === 15 ? length(cursor) : head >> 4;
  requireBytes(cursor, count);
  const items: ThriftValue[] = [];
  for (let index = 0; index < count; index++) items.push(valueOf(cursor, elementType, depth + 1));
  return { kind: "list", elementType, items };
}

function mapValue(cursor: Cursor, depth: number): ThriftValue {
  const count = length(cursor);
  if (count === 0) return { kind: "map", keyType: THRIFT.binary, valueType: THRIFT.binary, entries: [] };
  const types = byte(cursor);
  const keyType = typeOf(types >> 4);
  const valueType = typeOf(types & 0x0f);
  requireBytes(cursor, count);
  const entries: [ThriftValue, ThriftValue][] = [];
  for (let index = 0; index < count; index++) {
    const key = valueOf(cursor, keyType, depth + 1);
    entries.push([key, valueOf(cursor, valueType, depth + 1)]);
  }
  return { kind: "map", keyType, valueType, entries };
}

// Each element takes at least one byte, so a count beyond the bytes that are left cannot be met.
function requireBytes(cursor: Cursor, count: number): void {
  if (count > cursor.bytes.length - cursor.position) throw new ThriftTruncated();
}
