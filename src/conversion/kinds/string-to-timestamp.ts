// string → timestamp (without zone): by the rule's format or in ISO form. A text with an offset does not convert: the
// offset would be lost in silence, and with it the instant.
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { bug } from "../../diagnostics/tool-error.ts";
import type { ConversionRule } from "../../iceberg/conversion-rule.ts";
import { checkPattern, TIMESTAMP_NEEDS } from "../grammar/pattern-check.ts";
import { TIMESTAMP_TYPE } from "../grammar/pattern-sql.ts";
import { type TimestampForm, timestampBranches, timestampReader } from "../grammar/timestamp-text.ts";
import { textConversion } from "../text-conversion.ts";

export const STRING_TO_TIMESTAMP = textConversion({
  name: "string-to-timestamp",
  to: "timestamp",
  arguments: ["format"],
  losses: "Nothing but the spelling, and zeros beyond the sixth digit of a second",
  read(rule) {
    const form = formOf(rule);
    return "code" in form ? form : timestampReader(form);
  },
  branches(rule) {
    const form = formOf(rule);
    if ("code" in form) throw bug("SQL was asked for a rule that does not bind", { code: form.code });
    return timestampBranches(form, TIMESTAMP_TYPE);
  },
});

function formOf(rule: ConversionRule): TimestampForm | Diagnostic {
  if (rule.format === undefined) return { iso: { kind: "none" } };
  const parts = checkPattern(rule.format, TIMESTAMP_NEEDS, "timestamp", rule.trim);
  return "code" in parts ? parts : { parts, zone: null, zoneMinutes: 0 };
}
