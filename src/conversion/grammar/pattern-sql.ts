// The same format for the engines: a regular expression with a group a field, and the replacement that puts the groups
// into the one form of a date and time that every engine casts alike.
import type { SqlBranch, SqlType } from "../sql/branch.ts";
import { regexText } from "../sql/regex.ts";
import { OFFSET_PATTERN } from "./offset.ts";
import { KEPT_FRACTION_DIGITS } from "./time-fields.ts";
import type { PatternField, PatternPart } from "./time-pattern.ts";

/** A year from 0001 to 9999. */
export const YEAR_PATTERN = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)";

const DATE_TYPE: SqlType = { spark: "DATE", trino: "date" };
export const TIMESTAMP_TYPE: SqlType = { spark: "TIMESTAMP_NTZ", trino: "timestamp(6)" };
export const TIMESTAMPTZ_TYPE: SqlType = { spark: "TIMESTAMP_LTZ", trino: "timestamp(6) with time zone", isZoned: true };

export function dateBranch(parts: readonly PatternPart[]): SqlBranch {
  const group = groupsOf(parts);
  return {
    pattern: patternText(parts),
    result: { cast: DATE_TYPE, replacement: `${group("year")}-${group("month")}-${group("day")}` },
  };
}

/** `zone` as `±hh:mm` is put behind texts of a timestamptz that have no offset. */
export function timestampBranch(parts: readonly PatternPart[], type: SqlType, zone: string | null): SqlBranch {
  const group = groupsOf(parts);
  const time = [group("hour") ?? "00", group("minute") ?? "00", group("second") ?? "00"].join(":");
  const fraction = group("fraction") === null ? "" : `.${group("fraction")}`;
  const offset = group("offset") ?? zone ?? "";
  const replacement = `${group("year")}-${group("month")}-${group("day")} ${time}${fraction}${offset}`;
  const cast = { cast: type, replacement };
  const canLeaveCalendar = offset !== "" && offset !== "+00:00";
  return { pattern: patternText(parts), result: canLeaveCalendar ? { ...cast, range: "instant-of-the-calendar" } : cast };
}

/** `$n` for the group of a field, null where the format lacks it. */
function groupsOf(parts: readonly PatternPart[]): (field: PatternField) => string | null {
  const fields = parts.flatMap((part) => ("field" in part ? [part.field] : []));
  return (field) => (fields.includes(field) ? `$${fields.indexOf(field) + 1}` : null);
}

function patternText(parts: readonly PatternPart[]): string {
  return parts.map((part) => ("literal" in part ? regexText(part.literal) : fieldPattern(part.field, part.letters))).join("");
}

function fieldPattern(field: PatternField, letters: string): string {
  if (field === "year") return `(${YEAR_PATTERN})`;
  if (field === "offset") return OFFSET_PATTERN;
  const unkept = letters.length - KEPT_FRACTION_DIGITS;
  return unkept > 0 ? `([0-9]{${KEPT_FRACTION_DIGITS}})0{${unkept}}` : `([0-9]{${letters.length}})`;
}
