// Reads Avro's binary primitives (Avro specification, "Binary encoding") from a stretch of bytes. Every step is
// checked against the end, so a wrong length is an error at its offset and never an allocation. Knows no schemas.
import { ToolError } from "../diagnostics/tool-error.ts";

export interface AvroCursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  position: number;
  readonly end: number;
  /** The file, for messages. */
  readonly location: string;
  /** Where `bytes[0]` stands in the file; null when the bytes were decompressed from the block at `blockOffset`. */
  readonly baseOffset: number | null;
  readonly blockOffset: number;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });
const MAX_VARINT_BYTES = 10;
/** Seven bytes hold 49 bits: exact in a double. */
const EXACT_VARINT_BYTES = 7;
const INT_MIN = -0x8000_0000;
const INT_MAX = 0x7fff_ffff;
/** Strings up to this many bytes are put together from ASCII codes, which is quicker than the decoder's call. */
const SHORT_STRING = 24;

export function cursorOver(source: Uint8Array, location: string): AvroCursor {
  const { buffer, byteOffset, byteLength } = source;
  return {
    // Never a Buffer, whose slices would be Buffers: values that are handed out are plain bytes.
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
    view: new DataView(buffer, byteOffset, byteLength),
    position: 0,
    end: byteLength,
    location,
    baseOffset: 0,
    blockOffset: 0,
  };
}

/** Throws `corrupt` with the file and the offset. */
export function failAt(cursor: AvroCursor, why: string, position = cursor.position, cause?: unknown): never {
  const place =
    cursor.baseOffset === null
      ? { block: cursor.blockOffset, "offset in block": position }
      : { offset: cursor.baseOffset + position };
  throw new ToolError("corrupt", `Cannot read the Avro file "${cursor.location}"`, {
    why,
    context: { file: cursor.location, ...place },
    ...(cause === undefined ? {} : { cause }),
  });
}

export function readLong(cursor: AvroCursor): bigint {
  const start = cursor.position;
  const small = readVarint(cursor);
  if (small >= 0) return BigInt(unzigzag(small));
  cursor.position = start;
  return readWideLong(cursor);
}

/** A long that must fit 32 bits. */
export function readInt(cursor: AvroCursor): number {
  const start = cursor.position;
  const small = readVarint(cursor);
  const value = small >= 0 ? unzigzag(small) : Number.NaN;
  if (!(value >= INT_MIN && value <= INT_MAX)) failAt(cursor, "An int is outside of 32 bits", start);
  return value;
}

/** A long used as a count or length: not negative, and no more than the bytes that are left. */
export function readSize(cursor: AvroCursor, what: string): number {
  const start = cursor.position;
  const small = readVarint(cursor);
  const value = small >= 0 ? unzigzag(small) : -1;
  if (value < 0 || value > cursor.end - cursor.position) {
    failAt(cursor, `${what} is negative or larger than what is left`, start);
  }
  return value;
}

/** The item count of an array or map block: the sign says whether a byte size follows. */
export function readBlockCount(cursor: AvroCursor): { readonly count: number; readonly sizeBytes: number | null } {
  const start = cursor.position;
  const small = readVarint(cursor);
  const signed = small >= 0 ? unzigzag(small) : Number.NaN;
  const sizeBytes = signed < 0 ? readSize(cursor, "The size of a list") : null;
  const count = Math.abs(signed);
  // Every item that occurs takes a byte at least, so more items than bytes are a lie.
  if (!(count <= cursor.end - cursor.position)) failAt(cursor, "A list has more items than bytes are left", start);
  return { count, sizeBytes };
}

/** How many items of a list follow; 0 at its end. */
export function nextItems(cursor: AvroCursor): number {
  return readBlockCount(cursor).count;
}

/** A view on the bytes, not a copy. */
export function readBytes(cursor: AvroCursor): Uint8Array {
  return readFixed(cursor, readSize(cursor, "The length of a value"));
}

/** A view on the bytes, not a copy. */
export function readFixed(cursor: AvroCursor, size: number): Uint8Array {
  const start = cursor.position;
  if (size > cursor.end - start) failAt(cursor, "The file ends in the middle of a value");
  cursor.position = start + size;
  return cursor.bytes.subarray(start, start + size);
}

export function readString(cursor: AvroCursor): string {
  const size = readSize(cursor, "The length of a text");
  const start = cursor.position;
  const end = start + size;
  cursor.position = end;
  if (size <= SHORT_STRING) {
    let text = "";
    let at = start;
    for (; at < end; at++) {
      const code = cursor.bytes[at] ?? 0x80;
      if (code >= 0x80) break;
      text += String.fromCharCode(code);
    }
    if (at === end) return text;
  }
  try {
    return UTF8.decode(cursor.bytes.subarray(start, end));
  } catch {
    return failAt(cursor, "A text is not valid UTF-8", start);
  }
}

export function readBoolean(cursor: AvroCursor): boolean {
  const start = cursor.position;
  const byte = readFixed(cursor, 1)[0];
  if (byte !== 0 && byte !== 1) failAt(cursor, "A boolean is neither 0 nor 1", start);
  return byte === 1;
}

export function readFloat(cursor: AvroCursor): number {
  const start = cursor.position;
  skipBytes(cursor, 4);
  return cursor.view.getFloat32(start, true);
}

export function readDouble(cursor: AvroCursor): number {
  const start = cursor.position;
  skipBytes(cursor, 8);
  return cursor.view.getFloat64(start, true);
}

export function skipBytes(cursor: AvroCursor, size: number): void {
  if (size > cursor.end - cursor.position) failAt(cursor, "The file ends in the middle of a value");
  cursor.position += size;
}

export function skipLong(cursor: AvroCursor): void {
  const start = cursor.position;
  const limit = Math.min(cursor.end, start + MAX_VARINT_BYTES);
  for (let at = start; at < limit; at++) {
    if ((cursor.bytes[at] ?? 0) < 0x80) {
      cursor.position = at + 1;
      return;
    }
  }
  failAt(cursor, limit === cursor.end ? "The file ends in the middle of a number" : "A number is longer than 64 bits", start);
}

// The unsigned varint, or -1 when it is longer than a double holds exactly (the cursor is then undefined).
function readVarint(cursor: AvroCursor): number {
  const { bytes, end } = cursor;
  let at = cursor.position;
  let value = 0;
  let scale = 1;
  for (let index = 0; index < EXACT_VARINT_BYTES; index++) {
    if (at >= end) failAt(cursor, "The file ends in the middle of a number");
    const byte = bytes[at++] ?? 0;
    if (byte < 0x80) {
      cursor.position = at;
      return value + byte * scale;
    }
    value += (byte & 0x7f) * scale;
    scale *= 0x80;
  }
  return -1;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

// Up to ten bytes: 28 bits, 28 bits, and at most eight, each part small enough to be exact.
function readWideLong(cursor: AvroCursor): bigint {
  const start = cursor.position;
  skipLong(cursor);
  const { bytes, position: end } = cursor;
  const low = sevenBitDigits(bytes, start, Math.min(start + 4, end));
  const middle = sevenBitDigits(bytes, start + 4, Math.min(start + 8, end));
  const top = sevenBitDigits(bytes, start + 8, end);
  if (top > 0xff) failAt(cursor, "A number is longer than 64 bits", start);
  const unsigned = (BigInt(top) << 56n) | (BigInt(middle) << 28n) | BigInt(low);
  return (unsigned >> 1n) ^ -(unsigned & 1n);
}

function sevenBitDigits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = end - 1; at >= start; at--) value = value * 0x80 + ((bytes[at] ?? 0) & 0x7f);
  return value;
}
