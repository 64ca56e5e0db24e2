// What a partition transform makes of a value (spec "Partition Transforms", Appendix B). Values are as the program
// holds them: dates in days, times and timestamps in micro- or nanoseconds, decimals unscaled. Nulls stay null.
import { bug } from "../diagnostics/tool-error.ts";
import type { SingleValue } from "./bound.ts";
import { civilFromDays, floorDivide } from "./iso-time.ts";
import { murmur3 } from "./murmur3.ts";
import type { TimeUnit, Transform } from "./transform.ts";
import type { PrimitiveType } from "./type.ts";

const HOUR_SECONDS = 3600n;
const DAY_SECONDS = 86_400n;
const NANOS_A_MICRO = 1000n;

/** The partition value. The transform must take the type; null for null and for `void`. */
export function transformValue(transform: Transform, source: PrimitiveType, value: SingleValue | null): SingleValue | null {
  if (value === null) return null;
  switch (transform.kind) {
    case "void":
      return null;
    case "identity":
      return value;
    case "bucket":
      return (hashValue(source, value) & 0x7fffffff) % transform.buckets;
    case "truncate":
      return truncateValue(transform.width, source, value);
    case "unknown":
      throw bug("An unknown transform has no values", { transform: transform.text });
    default:
      return timeValue(transform.kind, source, value);
  }
}

/** The 32-bit hash before it is reduced to a bucket. */
export function hashValue(source: PrimitiveType, value: SingleValue): number {
  switch (source.kind) {
    case "int":
    case "date":
    case "long":
    case "time":
    case "timestamp":
    case "timestamptz":
      return murmur3(littleEndianLong(integer(source, value)));
    case "timestamp_ns":
    case "timestamptz_ns":
      return murmur3(littleEndianLong(floorDivide(integer(source, value), NANOS_A_MICRO)));
    case "decimal":
      return murmur3(minimalTwosComplement(integer(source, value)));
    case "string":
      return murmur3(new TextEncoder().encode(text(source, value)));
    case "uuid":
    case "fixed":
    case "binary":
      return murmur3(bytes(source, value));
    default:
      throw wrongValue("bucket", source, value);
  }
}

// The lowest values of a type wrap around where their multiple lies below the type, as in the reference implementation.
function truncateValue(width: number, source: PrimitiveType, value: SingleValue): SingleValue {
  switch (source.kind) {
    case "int":
      return Number(BigInt.asIntN(32, truncateInteger(integer(source, value), width)));
    case "long":
      return BigInt.asIntN(64, truncateInteger(integer(source, value), width));
    case "decimal":
      return truncateInteger(integer(source, value), width);
    case "string":
      return firstCodePoints(text(source, value), width);
    case "binary":
      return bytes(source, value).slice(0, width);
    default:
      throw wrongValue("truncate", source, value);
  }
}

function truncateInteger(value: bigint, width: number): bigint {
  const by = BigInt(width);
  return floorDivide(value, by) * by;
}

function firstCodePoints(value: string, count: number): string {
  if (value.length <= count) return value;
  let at = 0;
  for (let taken = 0; taken < count && at < value.length; taken++) at += (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return value.slice(0, at);
}

function timeValue(unit: TimeUnit, source: PrimitiveType, value: SingleValue): number {
  if (source.kind === "date") return fromDays(unit, Number(integer(source, value)), source, value);
  const seconds = floorDivide(integer(source, value), unitsOf(source, value));
  if (unit === "hour") return Number(floorDivide(seconds, HOUR_SECONDS));
  return fromDays(unit, Number(floorDivide(seconds, DAY_SECONDS)), source, value);
}

function fromDays(unit: TimeUnit, days: number, source: PrimitiveType, value: SingleValue): number {
  if (unit === "day") return days;
  if (unit === "hour") throw wrongValue(unit, source, value);
  const { year, month } = civilFromDays(days);
  return unit === "year" ? year - 1970 : (year - 1970) * 12 + month - 1;
}

function unitsOf(source: PrimitiveType, value: SingleValue): bigint {
  if (source.kind === "timestamp" || source.kind === "timestamptz") return 1_000_000n;
  if (source.kind === "timestamp_ns" || source.kind === "timestamptz_ns") return 1_000_000_000n;
  throw wrongValue("time transform", source, value);
}

function littleEndianLong(value: bigint): Uint8Array {
  const buffer = new Uint8Array(8);
  new DataView(buffer.buffer).setBigInt64(0, value, true);
  return buffer;
}

function minimalTwosComplement(value: bigint): Uint8Array {
  let length = 1;
  while (BigInt.asIntN(length * 8, value) !== value) length++;
  const unsigned = BigInt.asUintN(length * 8, value);
  return Uint8Array.from({ length }, (_, index) => Number((unsigned >> BigInt((length - 1 - index) * 8)) & 0xffn));
}

function integer(source: PrimitiveType, value: SingleValue): bigint {
  if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))) return BigInt(value);
  throw wrongValue("transform", source, value);
}

function text(source: PrimitiveType, value: SingleValue): string {
  if (typeof value === "string") return value;
  throw wrongValue("transform", source, value);
}

function bytes(source: PrimitiveType, value: SingleValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw wrongValue("transform", source, value);
}

function wrongValue(what: string, source: PrimitiveType, value: SingleValue): Error {
  return bug("A value does not fit the transform", { transform: what, type: source.kind, value: typeof value });
}
