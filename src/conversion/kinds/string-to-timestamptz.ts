// string → timestamptz: an instant, by the rule's format or in ISO form. The offset comes from the text, or from the
// rule's zone where a text has none.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { bug } from "../../diagnostics/tool-error.ts";
import type { ConversionRule } from "../../iceberg/conversion-rule.ts";
import { readZone, zoneOffset } from "../grammar/offset.ts";
import { checkPattern, TIMESTAMPTZ_NEEDS } from "../grammar/pattern-check.ts";
import { TIMESTAMPTZ_TYPE } from "../grammar/pattern-sql.ts";
import { type TimestampForm, timestampBranches, timestampReader } from "../grammar/timestamp-text.ts";
import { textConversion } from "../text-conversion.ts";

export const STRING_TO_TIMESTAMPTZ = textConversion({
  name: "string-to-timestamptz",
  to: "timestamptz",
  arguments: ["format", "zone"],
  losses: "The offset a value was written with (its instant stays), and zeros beyond the sixth digit of a second",
  read(rule) {
    const form = formOf(rule);
    return "code" in form ? form : timestampReader(form);
  },
  branches(rule) {
    const form = formOf(rule);
    if ("code" in form) throw bug("SQL was asked for a rule that does not bind", { code: form.code });
    return timestampBranches(form, TIMESTAMPTZ_TYPE);
  },
});

function formOf(rule: ConversionRule): TimestampForm | Diagnostic {
  const { zone, format } = rule;
  const zoneMinutes = zone === undefined ? null : readZone(zone);
  if (zone !== undefined && zoneMinutes === null) return wrongZone(zone);
  if (format === undefined) {
    if (zone === undefined || zoneMinutes === null) return { iso: { kind: "needed" } };
    return { iso: { kind: "allowed", zone: zoneOffset(zone), zoneMinutes } };
  }
  const parts = checkPattern(format, TIMESTAMPTZ_NEEDS, "timestamptz", rule.trim);
  if ("code" in parts) return parts;
  const hasOffset = parts.some((part) => "field" in part && part.field === "offset");
  if (hasOffset && zone !== undefined) return uselessZone(format);
  if (!hasOffset && zone === undefined) return missingZone(format);
  return { parts, zone: zone === undefined ? null : zoneOffset(zone), zoneMinutes: zoneMinutes ?? 0 };
}

function wrongZone(zone: string): Diagnostic {
  return diagnostic("conversion-zone-wrong", {
    what: `Cannot use the zone "${zone}"`,
    why: "A zone is UTC or a fixed offset from -14:00 to +14:00. The offset of a region changes with the date, and engines know different editions of its rules",
    mend: 'Write `zone: UTC`, or an offset such as `zone: "+01:00"`',
  });
}

function uselessZone(format: string): Diagnostic {
  return diagnostic("conversion-zone-wrong", {
    what: `Cannot use a zone beside the format "${format}"`,
    why: 'The format has an offset ("XXX"), so every text that converts says its own',
    mend: "Remove `zone:` from `convert:`, or `XXX` from the format",
  });
}

function missingZone(format: string): Diagnostic {
  return diagnostic("conversion-zone-missing", {
    what: "Cannot tell the instant of a text without an offset",
    why: `The format "${format}" has no offset ("XXX"), and the rule has no zone`,
    mend: "Write `zone: UTC` (or the fixed offset that the texts are in) under `convert:`",
  });
}
