// Single values as bytes and back (spec Appendix D, "Binary single-value serialization"): bounds of columns and of
// partition summaries. Knows types, not files; order is in bounds-compare.ts, shortening in bounds-truncate.ts.
import { bug } from "../diagnostics/tool-error.ts";
import type { PrimitiveType } from "./type.ts";

/**
 * A value as the program holds it: boolean → boolean; int, date (days), float, double → number; long, time,
 * timestamps, decimal (unscaled) → bigint; string → string; uuid, fixed, binary → Uint8Array.
 */
export type SingleValue = boolean | number | bigint | string | Uint8Array;

const UTF8_READ = new TextDecoder("utf-8", { fatal: true });
const UTF8_WRITE = new TextEncoder();
const DAY_MICROS = 86_400_000_000n;
const DAY_NANOS = DAY_MICROS * 1000n;
const UUID_BYTES = 16;
/** 38 digits take 16 bytes; some writers pad. */
const MAX_DECIMAL_BYTES = 32;

/**
 * The value of a bound. A bound written before a promotion is shorter and is read as the type of then. Null when
 * the bytes are no value of the type, or the type has no single values: such a bound says nothing.
 */
export function decodeBound(type: PrimitiveType, bytes: Uint8Array): SingleValue | null {
  const { byteLength } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, byteLength);
  switch (type.kind) {
    case "boolean":
      return byteLength === 1 ? bytes[0] !== 0 : null;
    case "int":
    case "date":
      return byteLength === 4 ? view.getInt32(0, true) : null;
    case "long":
      return byteLength === 4 ? BigInt(view.getInt32(0, true)) : decodeLong(view);
    case "time":
    case "timestamptz":
    case "timestamptz_ns":
      return decodeLong(view);
    case "timestamp":
      return byteLength === 4 ? BigInt(view.getInt32(0, true)) * DAY_MICROS : decodeLong(view);
    case "timestamp_ns":
      return byteLength === 4 ? BigInt(view.getInt32(0, true)) * DAY_NANOS : decodeLong(view);
    case "float":
      return byteLength === 4 ? view.getFloat32(0, true) : null;
    case "double":
      if (byteLength === 4) return view.getFloat32(0, true);
      return byteLength === 8 ? view.getFloat64(0, true) : null;
    case "decimal":
      return byteLength > 0 && byteLength <= MAX_DECIMAL_BYTES ? bytesToInteger(bytes) : null;
    case "string":
      return decodeText(bytes);
    case "uuid":
      return byteLength === UUID_BYTES ? bytes : null;
    case "fixed":
    case "binary":
      return bytes;
    case "unknown":
    case "variant":
    case "geometry":
    case "geography":
      return null;
  }
}

/** Null for types without single values. */
export function encodeBound(type: PrimitiveType, value: SingleValue): Uint8Array | null {
  switch (type.kind) {
    case "boolean":
      return Uint8Array.of(value === true ? 1 : 0);
    case "int":
    case "date":
      return withView(4, (view) => view.setInt32(0, asNumber(type, value), true));
    case "long":
    case "time":
    case "timestamp":
    case "timestamptz":
    case "timestamp_ns":
    case "timestamptz_ns":
      return withView(8, (view) => view.setBigInt64(0, asBigint(type, value), true));
    case "float":
      return withView(4, (view) => view.setFloat32(0, asNumber(type, value), true));
    case "double":
      return withView(8, (view) => view.setFloat64(0, asNumber(type, value), true));
    case "decimal":
      return integerToBytes(asBigint(type, value));
    case "string":
      return typeof value === "string" ? UTF8_WRITE.encode(value) : failValue(type);
    case "uuid":
    case "fixed":
    case "binary":
      return value instanceof Uint8Array ? value : failValue(type);
    case "unknown":
    case "variant":
    case "geometry":
    case "geography":
      return null;
  }
}

/** Two's complement, big-endian, in as few bytes as hold the number; one for zero. */
function integerToBytes(value: bigint): Uint8Array {
  let size = 1;
  while (BigInt.asIntN(8 * size, value) !== value) size++;
  return integerToFixed(value, size);
}

/** Two's complement, big-endian, in exactly `size` bytes. */
export function integerToFixed(value: bigint, size: number): Uint8Array {
  if (BigInt.asIntN(8 * size, value) !== value) throw bug(`An integer does not fit ${size} bytes`);
  const bytes = new Uint8Array(size);
  let rest = value;
  for (let index = size - 1; index >= 0; index--) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

/** The number of two's complement big-endian bytes. */
export function bytesToInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.byteLength, value);
}

function decodeLong(view: DataView): bigint | null {
  return view.byteLength === 8 ? view.getBigInt64(0, true) : null;
}

// Some writers cut text in the middle of a character; what is left is no text and no safe bound of one.
function decodeText(bytes: Uint8Array): string | null {
  try {
    return UTF8_READ.decode(bytes);
  } catch {
    return null;
  }
}

function withView(size: number, write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  write(new DataView(bytes.buffer));
  return bytes;
}

function asNumber(type: PrimitiveType, value: SingleValue): number {
  return typeof value === "number" ? value : failValue(type);
}

function asBigint(type: PrimitiveType, value: SingleValue): bigint {
  return typeof value === "bigint" ? value : failValue(type);
}

function failValue(type: PrimitiveType): never {
  throw bug(`A value does not have the form of the type ${type.kind}`);
}
