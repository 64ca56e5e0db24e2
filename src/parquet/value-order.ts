// The order of a rewritten column's values and their form in statistics (parquet.thrift ColumnOrder,
// TYPE_ORDER). Knows types and bytes, no pages.
import { bug } from "../diagnostics/tool-error.ts";
import type { ColumnValue, PhysicalTarget } from "./physical.ts";

export interface ValueOrder {
  /** FLOAT and DOUBLE: counted apart and never a bound. */
  readonly hasNans: boolean;
  compare(a: ColumnValue, b: ColumnValue): number;
  /** PLAIN without a length in front. */
  toBytes(value: ColumnValue): Uint8Array;
}

export function valueOrder(target: PhysicalTarget): ValueOrder {
  const isDecimal = target.logical?.kind === "decimal";
  switch (target.type) {
    case "BOOLEAN":
      return {
        hasNans: false,
        compare: (a, b) => Number(a) - Number(b),
        toBytes: (value) => Uint8Array.of(value === true ? 1 : 0),
      };
    case "INT32":
    case "FLOAT":
    case "DOUBLE":
    case "INT64":
      return {
        hasNans: target.type === "FLOAT" || target.type === "DOUBLE",
        compare: compareScalars,
        toBytes: scalarBytes(target.type),
      };
    case "BYTE_ARRAY":
    case "FIXED_LEN_BYTE_ARRAY": {
      const compare = isDecimal ? compareSigned : compareUnsigned;
      return { hasNans: false, compare: (a, b) => compare(bytesOf(a), bytesOf(b)), toBytes: bytesOf };
    }
  }
}

function compareScalars(a: ColumnValue, b: ColumnValue): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function scalarBytes(type: "INT32" | "INT64" | "FLOAT" | "DOUBLE"): (value: ColumnValue) => Uint8Array {
  return (value) => {
    const bytes = new Uint8Array(type === "INT32" || type === "FLOAT" ? 4 : 8);
    const view = new DataView(bytes.buffer);
    if (type === "INT64") view.setBigInt64(0, bigintOf(value), true);
    else if (type === "INT32") view.setInt32(0, numberOf(value), true);
    else if (type === "FLOAT") view.setFloat32(0, numberOf(value), true);
    else view.setFloat64(0, numberOf(value), true);
    return bytes;
  };
}

export function compareUnsigned(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Big-endian two's complement of any length, shorter ones extended by their sign. */
export function compareSigned(a: Uint8Array, b: Uint8Array): number {
  const length = Math.max(a.length, b.length);
  const at = (bytes: Uint8Array, index: number): number => {
    const own = index - (length - bytes.length);
    return own >= 0 ? (bytes[own] ?? 0) : (bytes[0] ?? 0) > 0x7f ? 0xff : 0;
  };
  for (let index = 0; index < length; index++) {
    // The first byte carries the sign: shifted by half its range, it compares unsigned.
    const flip = index === 0 ? 0x80 : 0;
    const difference = (at(a, index) ^ flip) - (at(b, index) ^ flip);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The number as the column will hold it: rounded to a FLOAT; integers know no negative zero. */
export function storedScalar(target: PhysicalTarget, value: ColumnValue): ColumnValue {
  if (typeof value !== "number") return value;
  if (target.type === "FLOAT") return Math.fround(value);
  return target.type === "INT32" && value === 0 ? 0 : value;
}

export function numberOf(value: ColumnValue): number {
  if (typeof value !== "number") throw wrongKind("number", value);
  return value;
}

export function bigintOf(value: ColumnValue): bigint {
  if (typeof value !== "bigint") throw wrongKind("bigint", value);
  return value;
}

export function bytesOf(value: ColumnValue): Uint8Array {
  if (!(value instanceof Uint8Array)) throw wrongKind("bytes", value);
  return value;
}

function wrongKind(wanted: string, value: ColumnValue): Error {
  return bug(`A conversion gave ${typeof value} where the column's type needs ${wanted}`);
}
