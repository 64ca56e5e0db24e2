// The order of single values, type by type, as the reference implementation compares bounds. Knows no bytes.
import { bug } from "../diagnostics/tool-error.ts";
import type { SingleValue } from "./bound.ts";
import type { PrimitiveType } from "./type.ts";

/**
 * Negative, zero or positive. Text goes by code points (the order of UTF-8 bytes), bytes and uuids by unsigned
 * bytes, false before true, -0.0 before +0.0, NaN after everything.
 */
export function compareValues(type: PrimitiveType, a: SingleValue, b: SingleValue): number {
  if (typeof a === "number" && typeof b === "number") return compareNumbers(a, b);
  if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  throw bug(`Two values of the type ${type.kind} do not have the same form`);
}

export function isNaNValue(value: SingleValue): boolean {
  return typeof value === "number" && Number.isNaN(value);
}

/** Order of code points. JavaScript's own order puts U+E000 and above after the characters beyond U+FFFF. */
function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.byteLength, b.byteLength);
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.byteLength - b.byteLength;
}

// Double.compare of Java, which is also the IEEE totalOrder for values that are not NaN.
function compareNumbers(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return a === 0 ? Number(Object.is(b, -0)) - Number(Object.is(a, -0)) : 0;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

// A surrogate stands for a character beyond U+FFFF, so it counts as larger than every other unit.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
