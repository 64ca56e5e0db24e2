// Whole numbers as text: an optional sign and ASCII digits, nothing else. Leading zeros and a plus sign convert and
// count as losses. No exponent, no point (`1.0`), no hexadecimal, no grouping.
import type { Converted, Loss } from "../conversion.ts";
import { FAILURES } from "../failures.ts";
import type { TextParser } from "../text-conversion.ts";
import { bigNumber, endOfDigits, MINUS, PLUS, SAFE_DIGITS, skipZeros, smallNumber } from "./digits.ts";

/** The form as a regular expression with one group, for the engines. */
export const WHOLE_NUMBER_PATTERN = "([+-]?[0-9]+)";

const INT_MAX = 2_147_483_647;
const INT_DIGITS = 10;
const LONG_MAX = 9_223_372_036_854_775_807n;
const LONG_DIGITS = 19;

export const parseInt32: TextParser = (bytes, start, end) => parseWhole(bytes, start, end, INT_DIGITS, toInt32);

export const parseInt64: TextParser = (bytes, start, end) => parseWhole(bytes, start, end, LONG_DIGITS, toInt64);

/** The value of digits without leading zeros, or null when it does not fit. */
type WholeValue = (bytes: Uint8Array, first: number, end: number, isNegative: boolean) => number | bigint | null;

const toInt32: WholeValue = (bytes, first, end, isNegative) => {
  const size = smallNumber(bytes, first, end);
  if (size > (isNegative ? INT_MAX + 1 : INT_MAX)) return null;
  return isNegative && size !== 0 ? -size : size;
};

const toInt64: WholeValue = (bytes, first, end, isNegative) => {
  if (end - first <= SAFE_DIGITS) {
    const size = smallNumber(bytes, first, end);
    return BigInt(isNegative ? -size : size);
  }
  const size = bigNumber(bytes, first, end);
  if (size > (isNegative ? LONG_MAX + 1n : LONG_MAX)) return null;
  return isNegative ? -size : size;
};

function parseWhole(bytes: Uint8Array, start: number, end: number, maxDigits: number, toValue: WholeValue): Converted {
  const sign = bytes[start];
  const isSigned = sign === MINUS || sign === PLUS;
  const digits = isSigned ? start + 1 : start;
  if (digits === end || endOfDigits(bytes, digits, end) !== end) return FAILURES["not-a-number"];
  const first = skipZeros(bytes, digits, end);
  if (end - first > maxDigits) return FAILURES["out-of-range"];
  const value = toValue(bytes, first, end, sign === MINUS);
  if (value === null) return FAILURES["out-of-range"];
  if (!isSigned && (first === digits || end - digits === 1)) return { value };
  const loss = numberLoss(sign === MINUS, sign === PLUS, first === end, first > digits && end - digits > 1);
  return loss === undefined ? { value } : { value, loss };
}

/** What the spelling of a number loses: the first that applies, in the order of LOSS_TEXT. */
export function numberLoss(isMinus: boolean, isPlus: boolean, isZero: boolean, hasLeadingZeros: boolean): Loss | undefined {
  if (isMinus && isZero) return "negative-zero";
  if (hasLeadingZeros) return "leading-zeros";
  return isPlus ? "plus-sign" : undefined;
}
