// Tells whether two spellings of a positive decimal number mean the same number, however many digits they have.

/** Both have digits, at most one point and an optional exponent; neither is zero. */
export function hasSameDigits(one: string, other: string): boolean {
  const a = significand(one);
  const b = significand(other);
  return a.power === b.power && a.digits === b.digits;
}

interface Significand {
  /** Without zeros at either end. */
  readonly digits: string;
  /** Power of ten of the last digit. */
  readonly power: number;
}

function significand(text: string): Significand {
  const [mantissa = "", exponent = "0"] = text.split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return { digits: digits.slice(start, end), power: Number(exponent) - fraction.length + (digits.length - end) };
}
