// Numbers of a double as text: a decimal number with an optional exponent, or exactly NaN, Infinity, -Infinity. The
// nearest double is taken (IEEE 754, ties to even); what would become infinity or zero only by its size fails.
import type { Converted, Loss } from "../conversion.ts";
import { FAILURES } from "../failures.ts";
import type { TextParser } from "../text-conversion.ts";
import { endOfDigits, MINUS, PLUS, POINT, SAFE_DIGITS, ZERO } from "./digits.ts";
import { exactPower, MAX_EXACT_POWER } from "./powers.ts";
import { hasSameDigits } from "./significand.ts";
import { numberLoss } from "./whole-number.ts";

/** The forms as regular expressions with one group: named values, zero however it is spelt, any number. */
export const NAMED_VALUE_PATTERN = "(NaN|[+-]?Infinity)";
export const FLOATING_ZERO_PATTERN = "([+-]?(?:0+[.]?0*|[.]0+)(?:[eE][+-]?[0-9]+)?)";
export const FLOATING_NUMBER_PATTERN = "([+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?)";

// Beyond every exponent that could still meet a mantissa of as many digits.
const ENDLESS = 1e12;
const LARGE_E = 0x45;
const SMALL_E = 0x65;
const INFINITY = Array.from("Infinity", (letter) => letter.charCodeAt(0));
const NAN = Array.from("NaN", (letter) => letter.charCodeAt(0));

export const parseFloat64: TextParser = (bytes, start, end) => {
  const sign = bytes[start];
  const isMinus = sign === MINUS;
  const isPlus = sign === PLUS;
  const whole = isMinus || isPlus ? start + 1 : start;
  const wholeEnd = endOfDigits(bytes, whole, end);
  const hasPoint = wholeEnd < end && bytes[wholeEnd] === POINT;
  const fraction = hasPoint ? wholeEnd + 1 : wholeEnd;
  const fractionEnd = hasPoint ? endOfDigits(bytes, fraction, end) : wholeEnd;
  if (wholeEnd === whole && fractionEnd === fraction) return namedValue(bytes, start, whole, end);
  const exponent = readExponent(bytes, fractionEnd, end);
  if (exponent === null) return FAILURES["not-a-number"];

  const hasLeadingZeros = wholeEnd - whole > 1 && bytes[whole] === ZERO;
  const loss = numberLoss(false, isPlus, false, hasLeadingZeros);
  const exact = exactSize(bytes, whole, wholeEnd, fraction, fractionEnd, exponent);
  if (exact !== null) return toConverted(isMinus ? -exact : exact, loss);

  const text = asciiText(bytes, whole, end);
  const nearest = Number(text);
  if (nearest === 0 || nearest === Number.POSITIVE_INFINITY) return FAILURES["out-of-range"];
  const shortest = String(nearest);
  const isKept = text === shortest || hasSameDigits(text, shortest);
  return toConverted(isMinus ? -nearest : nearest, isKept ? loss : "precision");
};

function toConverted(value: number, loss: Loss | undefined): Converted {
  return loss === undefined ? { value } : { value, loss };
}

/** The value where one correctly rounded operation gives it: up to 15 digits and a power of ten that is exact. */
function exactSize(
  bytes: Uint8Array,
  whole: number,
  wholeEnd: number,
  fraction: number,
  fractionEnd: number,
  exponent: number,
): number | null {
  let mantissa = 0;
  let digits = 0;
  let power = exponent;
  for (let index = whole; index < fractionEnd; index++) {
    if (index === wholeEnd) index = fraction;
    if (index === fractionEnd) break;
    const digit = (bytes[index] ?? ZERO) - ZERO;
    if (digits === SAFE_DIGITS) {
      if (digit !== 0) return null;
      if (index < wholeEnd) power++;
      continue;
    }
    mantissa = mantissa * 10 + digit;
    if (mantissa !== 0) digits++;
    if (index >= fraction) power--;
  }
  if (mantissa === 0) return 0;
  if (power > MAX_EXACT_POWER || power < -MAX_EXACT_POWER) return null;
  return power < 0 ? mantissa / exactPower(-power) : mantissa * exactPower(power);
}

function readExponent(bytes: Uint8Array, start: number, end: number): number | null {
  if (start === end) return 0;
  if (bytes[start] !== SMALL_E && bytes[start] !== LARGE_E) return null;
  const sign = bytes[start + 1];
  const digits = sign === MINUS || sign === PLUS ? start + 2 : start + 1;
  if (digits >= end || endOfDigits(bytes, digits, end) !== end) return null;
  let size = 0;
  for (let index = digits; index < end; index++) size = Math.min(size * 10 + ((bytes[index] ?? ZERO) - ZERO), ENDLESS);
  return sign === MINUS ? -size : size;
}

function namedValue(bytes: Uint8Array, start: number, name: number, end: number): Converted {
  if (isExactly(bytes, start, end, NAN)) return { value: Number.NaN };
  if (!isExactly(bytes, name, end, INFINITY)) return FAILURES["not-a-number"];
  if (bytes[start] === MINUS) return { value: Number.NEGATIVE_INFINITY };
  return toConverted(Number.POSITIVE_INFINITY, bytes[start] === PLUS ? "plus-sign" : undefined);
}

function isExactly(bytes: Uint8Array, start: number, end: number, name: readonly number[]): boolean {
  return end - start === name.length && name.every((code, index) => bytes[start + index] === code);
}

// Below this length, adding character to character is faster than a call out of the language.
const SHORT = 64;

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > SHORT) return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
  let text = "";
  for (let index = start; index < end; index++) text += String.fromCharCode(bytes[index] ?? 0);
  return text;
}
