// Which arguments a rule gives, and the finding when a conversion has no use for one of them. Knows the keys of
// `convert:`, not what any of them means to a conversion.
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import type { RuleArgument } from "./conversion.ts";

const IS_GIVEN: Readonly<Record<RuleArgument, (rule: ConversionRule) => boolean>> = {
  format: (rule) => rule.format !== undefined,
  zone: (rule) => rule.zone !== undefined,
  "true-values": (rule) => rule.trueValues !== undefined,
  "false-values": (rule) => rule.falseValues !== undefined,
  trim: (rule) => rule.trim,
  "empty-as-null": (rule) => rule.emptyAsNull,
};

const RULE_ARGUMENTS: readonly RuleArgument[] = ["format", "zone", "true-values", "false-values", "trim", "empty-as-null"];

/** The arguments that the rule sets, in the order of the documentation. */
function givenArguments(rule: ConversionRule): readonly RuleArgument[] {
  return RULE_ARGUMENTS.filter((argument) => IS_GIVEN[argument](rule));
}

/** A finding for the first argument that the conversion does not take: silently ignored, it would mislead. */
export function refuseOtherArguments(
  rule: ConversionRule,
  taken: readonly RuleArgument[],
  from: PrimitiveType["kind"],
  to: PrimitiveType["kind"],
): Diagnostic | null {
  const refused = givenArguments(rule).find((argument) => !taken.includes(argument));
  if (refused === undefined) return null;
  const takes = taken.length === 0 ? "no argument of its own" : taken.map((argument) => `"${argument}"`).join(", ");
  return diagnostic("conversion-argument-refused", {
    what: `Cannot use "${refused}" in a conversion from ${from} to ${to}`,
    why: `This conversion takes ${takes}`,
    mend: `Remove \`${refused}:\` from \`convert:\`.`,
  });
}
