// The form of a timestamp when the rule has no format, after ISO 8601 and RFC 3339: yyyy-MM-dd, `T` or a space, HH:mm,
// then seconds and up to nine digits of a second, each optional; for timestamptz an offset Z, ±hh:mm, ±hhmm or ±hh.
import type { SqlBranch, SqlType } from "../sql/branch.ts";
import { endOfDigits, isDigit, smallNumber } from "./digits.ts";
import { ANY_OFFSET_PATTERN, readOffset } from "./offset.ts";
import type { FieldReader } from "./pattern-parser.ts";
import { YEAR_PATTERN } from "./pattern-sql.ts";
import { DAY, FRACTION, FRACTION_DIGITS, HAS_OFFSET, HOUR, MINUTE, MONTH, OFFSET_MINUTES, SECOND, YEAR } from "./time-fields.ts";

/** Whether a text has an offset of its own; `zoneMinutes` is that of texts without one. */
export type IsoOffset =
  | { readonly kind: "none" }
  | { readonly kind: "needed" }
  | { readonly kind: "allowed"; readonly zone: string; readonly zoneMinutes: number };

/** More digits than nanoseconds have are no time that anything writes. */
const MAX_FRACTION_DIGITS = 9;

const DASH = 0x2d;
const COLON = 0x3a;
const POINT = 0x2e;
const LETTER_T = 0x54;
const SPACE = 0x20;
/** Where things stand: yyyy-MM-ddTHH:mm:ss. */
const LENGTH_TO_MINUTE = 16;
const LENGTH_TO_SECOND = 19;

/** A fraction of more than nine digits is read as one that keeps too many, whatever its digits are. */
export function isoReader(offset: IsoOffset): FieldReader {
  const zoneMinutes = offset.kind === "allowed" ? offset.zoneMinutes : 0;
  return (bytes, start, end, fields) => {
    if (end - start < LENGTH_TO_MINUTE || !hasIsoForm(bytes, start)) return "not-in-format";
    fields[SECOND] = 0;
    fields[FRACTION] = 0;
    fields[FRACTION_DIGITS] = 0;
    fields[HAS_OFFSET] = 0;
    fields[YEAR] = smallNumber(bytes, start, start + 4);
    fields[MONTH] = smallNumber(bytes, start + 5, start + 7);
    fields[DAY] = smallNumber(bytes, start + 8, start + 10);
    fields[HOUR] = smallNumber(bytes, start + 11, start + 13);
    fields[MINUTE] = smallNumber(bytes, start + 14, start + 16);
    fields[OFFSET_MINUTES] = zoneMinutes;

    let position = start + LENGTH_TO_MINUTE;
    if (bytes[position] === COLON && position < end) {
      if (end - start < LENGTH_TO_SECOND || !isTwoDigits(bytes, position + 1)) return "not-in-format";
      fields[SECOND] = smallNumber(bytes, position + 1, position + 3);
      position = start + LENGTH_TO_SECOND;
      if (position < end && bytes[position] === POINT) {
        const fractionEnd = endOfDigits(bytes, position + 1, end);
        const digits = fractionEnd - position - 1;
        if (digits === 0) return "not-in-format";
        const isKept = digits <= MAX_FRACTION_DIGITS;
        fields[FRACTION_DIGITS] = isKept ? digits : MAX_FRACTION_DIGITS;
        fields[FRACTION] = isKept ? smallNumber(bytes, position + 1, fractionEnd) : 1;
        position = fractionEnd;
      }
    }
    if (position === end) return offset.kind === "needed" ? "no-offset" : null;
    if (offset.kind === "none") return "not-in-format";
    const minutes = readOffset(bytes, position, end, true);
    if (minutes === null) return "not-in-format";
    fields[OFFSET_MINUTES] = minutes;
    fields[HAS_OFFSET] = 1;
    return null;
  };
}

function hasIsoForm(bytes: Uint8Array, start: number): boolean {
  const separator = bytes[start + 10];
  return (
    isTwoDigits(bytes, start) &&
    isTwoDigits(bytes, start + 2) &&
    bytes[start + 4] === DASH &&
    isTwoDigits(bytes, start + 5) &&
    bytes[start + 7] === DASH &&
    isTwoDigits(bytes, start + 8) &&
    (separator === LETTER_T || separator === SPACE) &&
    isTwoDigits(bytes, start + 11) &&
    bytes[start + 13] === COLON &&
    isTwoDigits(bytes, start + 14)
  );
}

function isTwoDigits(bytes: Uint8Array, start: number): boolean {
  return isDigit(bytes[start]) && isDigit(bytes[start + 1]);
}

const MINUTES = `(${YEAR_PATTERN}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2})`;
const SECONDS = `${MINUTES}(:[0-9]{2})(?:([.][0-9]{1,6})0{0,3})?`;

/** The form with and without seconds, and with and without an offset, since casts want all of it spelt out. */
export function isoBranches(offset: IsoOffset, type: SqlType): readonly SqlBranch[] {
  const branches: SqlBranch[] = [];
  if (offset.kind !== "none") {
    branches.push(
      branch(`${SECONDS}${ANY_OFFSET_PATTERN}`, "$1 $2$3$4$5", type, true),
      branch(`${MINUTES}${ANY_OFFSET_PATTERN}`, "$1 $2:00$3", type, true),
    );
  }
  if (offset.kind !== "needed") {
    const zone = offset.kind === "allowed" ? offset.zone : "";
    const canLeaveCalendar = offset.kind === "allowed" && offset.zoneMinutes !== 0;
    branches.push(
      branch(SECONDS, `$1 $2$3$4${zone}`, type, canLeaveCalendar),
      branch(MINUTES, `$1 $2:00${zone}`, type, canLeaveCalendar),
    );
  }
  return branches;
}

function branch(pattern: string, replacement: string, type: SqlType, canLeaveCalendar: boolean): SqlBranch {
  const cast = { cast: type, replacement };
  return { pattern, result: canLeaveCalendar ? { ...cast, range: "instant-of-the-calendar" } : cast };
}
