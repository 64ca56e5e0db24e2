// The fields of a date and time as numbers read from text, and what they amount to: the checks and their order are
// the same for every form of text. Knows nothing of text.
import type { Converted } from "../conversion.ts";
import { FAILURES } from "../failures.ts";
import { daysFromEpoch, FIRST_SECOND, FIRST_YEAR, isDay, LAST_SECOND, SECONDS_A_DAY } from "./calendar.ts";
import { exactPower } from "./powers.ts";

/** Where each field stands in the array that a parser fills; all are zero unless the text has them. */
export const YEAR = 0;
export const MONTH = 1;
export const DAY = 2;
export const HOUR = 3;
export const MINUTE = 4;
export const SECOND = 5;
/** The digits after the point as a number, up to nine of them. */
export const FRACTION = 6;
export const FRACTION_DIGITS = 7;
/** From UTC. */
export const OFFSET_MINUTES = 8;
/** One when the offset stood in the text, zero when it is the rule's. */
export const HAS_OFFSET = 9;
export const FIELD_COUNT = 10;

/** Microseconds: what Iceberg's timestamp and timestamptz keep. */
export const KEPT_FRACTION_DIGITS = 6;
/** The widest zone on earth is +14:00, and engines differ beyond it. */
export const MAX_OFFSET_MINUTES = 14 * 60;

/** Days from 1970-01-01. */
export function toDate(fields: Int32Array): Converted {
  if (!hasDay(fields)) return FAILURES["impossible-date"];
  return field(fields, YEAR) < FIRST_YEAR ? FAILURES["out-of-range"] : { value: toDays(fields) };
}

/** Microseconds from 1970-01-01T00:00:00, less the offset. */
export function toTimestamp(fields: Int32Array): Converted {
  if (!hasDay(fields)) return FAILURES["impossible-date"];
  if (!hasTime(fields)) return FAILURES["impossible-time"];
  const secondOfDay = field(fields, HOUR) * 3600 + field(fields, MINUTE) * 60 + field(fields, SECOND);
  const offset = field(fields, OFFSET_MINUTES);
  const seconds = toDays(fields) * SECONDS_A_DAY + secondOfDay - offset * 60;
  if (field(fields, YEAR) < FIRST_YEAR || seconds < FIRST_SECOND || seconds > LAST_SECOND) return FAILURES["out-of-range"];

  const fraction = field(fields, FRACTION);
  const unkept = field(fields, FRACTION_DIGITS) - KEPT_FRACTION_DIGITS;
  if (unkept > 0 && fraction % exactPower(unkept) !== 0) return FAILURES["too-many-digits"];
  const value = microseconds(seconds, unkept > 0 ? fraction / exactPower(unkept) : fraction * exactPower(-unkept));
  if (offset !== 0 && fields[HAS_OFFSET] === 1) return { value, loss: "offset" };
  return unkept > 0 ? { value, loss: "trailing-zeros" } : { value };
}

function hasDay(fields: Int32Array): boolean {
  return isDay(field(fields, YEAR), field(fields, MONTH), field(fields, DAY));
}

function hasTime(fields: Int32Array): boolean {
  const isClockTime = field(fields, HOUR) <= 23 && field(fields, MINUTE) <= 59 && field(fields, SECOND) <= 59;
  return isClockTime && Math.abs(field(fields, OFFSET_MINUTES)) <= MAX_OFFSET_MINUTES;
}

function toDays(fields: Int32Array): number {
  return daysFromEpoch(field(fields, YEAR), field(fields, MONTH), field(fields, DAY));
}

function field(fields: Int32Array, index: number): number {
  return fields[index] ?? 0;
}

/** seconds · 10⁶ + micros, beyond what a double holds. */
function microseconds(seconds: number, micros: number): bigint {
  return BigInt(seconds) * 1_000_000n + BigInt(micros);
}
