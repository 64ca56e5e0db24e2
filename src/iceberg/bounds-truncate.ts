// Makes the lower and upper bound of a column from its smallest and largest value: shortened to the metrics mode's
// width, zero with the right sign, NaN left out (spec "Manifests", notes on bounds). Pure arithmetic.
import { encodeBound, type SingleValue } from "./bound.ts";
import { isNaNValue } from "./bounds-compare.ts";
import type { PrimitiveType } from "./type.ts";

const LAST_CODE_POINT = 0x10_ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Not above any value that is `smallest` or more. `width` in code points or bytes; null keeps the whole value. */
export function lowerBoundOf(type: PrimitiveType, smallest: SingleValue, width: number | null): Uint8Array | null {
  if (isNaNValue(smallest)) return null;
  if (smallest === 0) return encodeBound(type, isFloating(type) ? -0 : 0);
  return encodeBound(type, width === null ? smallest : truncateLower(smallest, width));
}

/** Not below any value that is `largest` or less; null when no short one exists. */
export function upperBoundOf(type: PrimitiveType, largest: SingleValue, width: number | null): Uint8Array | null {
  if (isNaNValue(largest)) return null;
  if (largest === 0) return encodeBound(type, 0);
  const value = width === null ? largest : truncateUpper(largest, width);
  return value === null ? null : encodeBound(type, value);
}

/** The first `width` code points of text or bytes of binary; anything else is kept. */
export function truncateLower(value: SingleValue, width: number): SingleValue {
  if (typeof value === "string") return value.slice(0, unitsOf(value, width));
  return value instanceof Uint8Array ? value.subarray(0, width) : value;
}

/**
 * A value of at most `width` that is not below the given one: the prefix with its last code point or byte that can
 * be raised raised by one. Null when none can be.
 */
export function truncateUpper(value: SingleValue, width: number): SingleValue | null {
  if (typeof value === "string") return truncateTextUpper(value, width);
  if (value instanceof Uint8Array) return truncateBytesUpper(value, width);
  return value;
}

function truncateTextUpper(text: string, width: number): string | null {
  const units = unitsOf(text, width);
  if (units === text.length) return text;
  const points = Array.from(text.slice(0, units));
  for (let last = points.length - 1; last >= 0; last--) {
    const next = nextCodePoint(points[last]?.codePointAt(0) ?? LAST_CODE_POINT);
    if (next !== null) return points.slice(0, last).join("") + String.fromCodePoint(next);
  }
  return null;
}

function truncateBytesUpper(bytes: Uint8Array, width: number): Uint8Array | null {
  if (bytes.byteLength <= width) return bytes;
  for (let last = width - 1; last >= 0; last--) {
    const byte = bytes[last] ?? 0xff;
    if (byte === 0xff) continue;
    const raised = bytes.slice(0, last + 1);
    raised[last] = byte + 1;
    return raised;
  }
  return null;
}

// Surrogates are no characters: the step goes over them.
function nextCodePoint(point: number): number | null {
  if (point >= LAST_CODE_POINT) return null;
  return point === FIRST_SURROGATE - 1 ? LAST_SURROGATE + 1 : point + 1;
}

// UTF-16 units of the first `width` code points.
function unitsOf(text: string, width: number): number {
  let units = 0;
  for (let count = 0; count < width && units < text.length; count++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}

function isFloating(type: PrimitiveType): boolean {
  return type.kind === "float" || type.kind === "double";
}
