// The closed list of conversions: one kind (from → to) is one file in kinds/ and one line here. Finds a conversion,
// binds it to a rule, and says what exists where there is none.
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import type { Conversion, Converter } from "./conversion.ts";
import { LONG_TO_INT } from "./kinds/long-to-int.ts";
import { STRING_TO_BOOLEAN } from "./kinds/string-to-boolean.ts";
import { STRING_TO_DATE } from "./kinds/string-to-date.ts";
import { STRING_TO_DECIMAL } from "./kinds/string-to-decimal.ts";
import { STRING_TO_DOUBLE } from "./kinds/string-to-double.ts";
import { STRING_TO_INT } from "./kinds/string-to-int.ts";
import { STRING_TO_LONG } from "./kinds/string-to-long.ts";
import { STRING_TO_TIMESTAMP } from "./kinds/string-to-timestamp.ts";
import { STRING_TO_TIMESTAMPTZ } from "./kinds/string-to-timestamptz.ts";

export const CONVERSIONS: readonly Conversion[] = [
  STRING_TO_BOOLEAN,
  STRING_TO_INT,
  STRING_TO_LONG,
  STRING_TO_DOUBLE,
  STRING_TO_DECIMAL,
  STRING_TO_DATE,
  STRING_TO_TIMESTAMP,
  STRING_TO_TIMESTAMPTZ,
  LONG_TO_INT,
];

/** The conversion of this pair of kinds, or null. */
export function findConversion(from: PrimitiveType["kind"], to: PrimitiveType["kind"]): Conversion | null {
  return CONVERSIONS.find((conversion) => conversion.from === from && conversion.to === to) ?? null;
}

/** The bound converter, or what is wrong: no such conversion, or arguments that do not fit. */
export function bindConversion(rule: ConversionRule, from: PrimitiveType, to: PrimitiveType): Converter | Diagnostic {
  return findConversion(from.kind, to.kind)?.bind(rule, from, to) ?? unknownConversion(from, to);
}

export function isConverter(bound: Converter | Diagnostic): bound is Converter {
  return "convert" in bound;
}

/** The finding for a pair without a conversion: names what exists from the one kind and to the other. */
export function unknownConversion(from: PrimitiveType, to: PrimitiveType): Diagnostic {
  const targets = CONVERSIONS.filter((one) => one.from === from.kind).map((one) => one.to);
  const sources = CONVERSIONS.filter((one) => one.to === to.kind).map((one) => one.from);
  const exists = [
    targets.length > 0 ? `From ${from.kind} there are conversions to ${listOf(targets)}.` : `There is none from ${from.kind}.`,
    sources.length > 0 ? `To ${to.kind} there are conversions from ${listOf(sources)}.` : `There is none to ${to.kind}.`,
  ];
  return diagnostic("conversion-unknown", {
    what: `Cannot convert from ${from.kind} to ${to.kind}`,
    why: `There is no such conversion. ${exists.join(" ")}`,
    mend: "Keep the live type and remove `convert:`, or declare the new column beside the old one and fill it by a job of yours",
  });
}

function listOf(kinds: readonly string[]): string {
  return kinds.length === 1 ? (kinds[0] ?? "") : `${kinds.slice(0, -1).join(", ")} and ${kinds.at(-1) ?? ""}`;
}
