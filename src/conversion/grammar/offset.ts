// Offsets from UTC, in the text of a value and as the `zone` of a rule. Only fixed offsets: a region's offset changes
// with the date, and engines carry different editions of those rules.
import { isDigit, MINUS, PLUS, smallNumber } from "./digits.ts";
import { MAX_OFFSET_MINUTES } from "./time-fields.ts";

/** `Z` or `±hh:mm`, as `XXX` writes it. */
export const OFFSET_PATTERN = "(Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)";
/** The same, and `±hhmm` and `±hh`. */
export const ANY_OFFSET_PATTERN = "(Z|[+-](?:0[0-9]|1[0-3])(?::?[0-5][0-9])?|[+-]14(?::?00)?)";

const Z = 0x5a;
const COLON = 0x3a;
/** An offset that is written well and does not exist, such as +05:75. */
const NO_SUCH_OFFSET = MAX_OFFSET_MINUTES + 1;

/** Minutes from UTC for `Z` and `±hh:mm`; `isAnyForm`: also `±hhmm` and `±hh`. Null when it is none of these. */
export function readOffset(bytes: Uint8Array, start: number, end: number, isAnyForm: boolean): number | null {
  const length = end - start;
  if (length === 1 && bytes[start] === Z) return 0;
  const sign = bytes[start];
  if (sign !== PLUS && sign !== MINUS) return null;
  if (length !== 6 && !(isAnyForm && (length === 5 || length === 3))) return null;
  if (!isDigit(bytes[start + 1]) || !isDigit(bytes[start + 2])) return null;
  let minute = 0;
  if (length !== 3) {
    if (length === 6 && bytes[start + 3] !== COLON) return null;
    if (!isDigit(bytes[end - 2]) || !isDigit(bytes[end - 1])) return null;
    minute = smallNumber(bytes, end - 2, end);
  }
  if (minute > 59) return NO_SUCH_OFFSET;
  const minutes = smallNumber(bytes, start + 1, start + 3) * 60 + minute;
  return sign === MINUS ? -minutes : minutes;
}

/** Minutes of a rule's `zone`: `UTC` or `±hh:mm` up to 14:00; null when it is neither. */
export function readZone(zone: string): number | null {
  if (zone === "UTC") return 0;
  if (!/^[+-]\d\d:\d\d$/.test(zone)) return null;
  const minutes = readOffset(Buffer.from(zone, "latin1"), 0, zone.length, false);
  return minutes === null || Math.abs(minutes) > MAX_OFFSET_MINUTES ? null : minutes;
}

/** `±hh:mm` for a valid zone of a rule. */
export function zoneOffset(zone: string): string {
  return zone === "UTC" ? "+00:00" : zone;
}
