// What failures and losses are called where people read of them: "2 × impossible date", "12 leading zeros". Knows
// reasons only; a value itself is never told. docs/conversions.md holds the same two tables.
import type { FailureReason, Loss } from "./conversion.ts";

/** Each stands behind "N ×". */
export const FAILURE_TEXT: Readonly<Record<FailureReason, string>> = {
  "not-text": "not valid UTF-8",
  empty: "empty text",
  "blanks-around": "blanks around the value",
  "not-a-number": "not a number in the accepted form",
  "not-in-format": "not in the format",
  "no-offset": "no offset from UTC",
  "impossible-date": "impossible date",
  "impossible-time": "impossible time or offset",
  "out-of-range": "out of range",
  "too-many-digits": "too many digits after the point",
  "not-a-boolean": "in neither list of boolean values",
};

/** Each stands behind a number. A value that loses several things counts as the first of them in this order. */
export const LOSS_TEXT: Readonly<Record<Loss, string>> = {
  precision: "digits beyond a double's precision",
  offset: "offsets from UTC (their instants stay)",
  "negative-zero": "signs of zero",
  "leading-zeros": "leading zeros",
  "plus-sign": "plus signs",
  "trailing-zeros": "trailing zeros",
  "letter-case": "spellings in another case",
  blanks: "blanks around the value",
};
