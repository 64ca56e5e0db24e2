// Decimal numbers as text: an optional sign, ASCII digits, at most one point. `.5` and `5.` convert. No exponent, no
// comma, no grouping. Nothing is ever rounded: digits beyond the scale must be zeros.
import type { Converted } from "../conversion.ts";
import { FAILURES } from "../failures.ts";
import type { TextParser } from "../text-conversion.ts";
import { bigNumber, endOfDigits, MINUS, PLUS, POINT, SAFE_DIGITS, skipZeros, smallNumber, ZERO } from "./digits.ts";
import { bigPower, exactPower } from "./powers.ts";
import { numberLoss } from "./whole-number.ts";

/** The form for a scale as a regular expression with one group: digits beyond the scale are zeros. */
export function decimalNumberPattern(scale: number): string {
  const withoutWhole = scale === 0 ? "[.]0+" : `[.][0-9]{1,${scale}}0*`;
  const fraction = scale === 0 ? "[.]0*" : `[.][0-9]{0,${scale}}0*`;
  return `([+-]?(?:[0-9]+(?:${fraction})?|${withoutWhole}))`;
}

/** Unscaled values of a decimal type. */
export function decimalParser(precision: number, scale: number): TextParser {
  return (bytes, start, end): Converted => {
    const sign = bytes[start];
    const whole = sign === MINUS || sign === PLUS ? start + 1 : start;
    const wholeEnd = endOfDigits(bytes, whole, end);
    const hasPoint = wholeEnd < end && bytes[wholeEnd] === POINT;
    const fraction = hasPoint ? wholeEnd + 1 : wholeEnd;
    const fractionEnd = hasPoint ? endOfDigits(bytes, fraction, end) : wholeEnd;
    if (fractionEnd !== end || wholeEnd - whole + (fractionEnd - fraction) === 0) return FAILURES["not-a-number"];

    const first = skipZeros(bytes, whole, wholeEnd);
    if (wholeEnd - first > precision - scale) return FAILURES["out-of-range"];
    const kept = Math.min(fractionEnd, fraction + scale);
    if (skipZeros(bytes, kept, fractionEnd) !== fractionEnd) return FAILURES["too-many-digits"];

    const size = unscaled(bytes, first, wholeEnd, fraction, kept, scale);
    const value = sign === MINUS ? -size : size;
    const hasLeadingZeros = wholeEnd - whole > 1 && bytes[whole] === ZERO;
    const loss =
      numberLoss(sign === MINUS, sign === PLUS, size === 0n, hasLeadingZeros) ??
      (kept < fractionEnd ? "trailing-zeros" : undefined);
    return loss === undefined ? { value } : { value, loss };
  };
}

function unscaled(
  bytes: Uint8Array,
  whole: number,
  wholeEnd: number,
  fraction: number,
  fractionEnd: number,
  scale: number,
): bigint {
  const fractionDigits = fractionEnd - fraction;
  if (wholeEnd - whole + scale <= SAFE_DIGITS) {
    const size = smallNumber(bytes, whole, wholeEnd) * exactPower(fractionDigits) + smallNumber(bytes, fraction, fractionEnd);
    return BigInt(size * exactPower(scale - fractionDigits));
  }
  const size = bigNumber(bytes, whole, wholeEnd) * bigPower(fractionDigits) + bigNumber(bytes, fraction, fractionEnd);
  return size * bigPower(scale - fractionDigits);
}
