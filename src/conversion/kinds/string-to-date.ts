// string → date: a day of the years 0001 to 9999, by the rule's format or yyyy-MM-dd.
import { bug } from "../../diagnostics/tool-error.ts";
import type { ConversionRule } from "../../iceberg/conversion-rule.ts";
import { FAILURES } from "../failures.ts";
import { checkPattern, DATE_NEEDS } from "../grammar/pattern-check.ts";
import { isOrdered, patternReader } from "../grammar/pattern-parser.ts";
import { dateBranch } from "../grammar/pattern-sql.ts";
import { FIELD_COUNT, toDate } from "../grammar/time-fields.ts";
import { textConversion } from "../text-conversion.ts";

const ISO_DATE = "yyyy-MM-dd";

export const STRING_TO_DATE = textConversion({
  name: "string-to-date",
  to: "date",
  arguments: ["format"],
  losses: "Nothing but the spelling: every day that converts can be written again in the same format",
  read(rule) {
    const parts = partsOf(rule);
    if ("code" in parts) return parts;
    const read = patternReader(parts, 0);
    const fields = new Int32Array(FIELD_COUNT);
    return {
      parse(bytes, start, end) {
        const reason = read(bytes, start, end, fields);
        return reason === null ? toDate(fields) : FAILURES[reason];
      },
      keepsOrder: isOrdered(parts),
    };
  },
  branches(rule) {
    const parts = partsOf(rule);
    if ("code" in parts) throw bug("SQL was asked for a rule that does not bind", { code: parts.code });
    return [dateBranch(parts)];
  },
});

function partsOf(rule: ConversionRule): ReturnType<typeof checkPattern> {
  return checkPattern(rule.format ?? ISO_DATE, DATE_NEEDS, "date", rule.trim);
}
