// What a difference between a live and a declared type comes to: nothing, a promotion, a conversion, or a
// refusal with the way round. One verdict a pair; the kinds of steps each take theirs.
import type { Conversion, Converter } from "../conversion/conversion.ts";
import { bindConversion, findConversion } from "../conversion/index.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { typedCommand } from "../diagnostics/typed-command.ts";
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import { isPromotionAllowed, isSamePrimitive, promotionProblem } from "../iceberg/promotion.ts";
import { isPrimitive, type PrimitiveType } from "../iceberg/type.ts";
import { formatType, parseType } from "../iceberg/type-text.ts";
import { declaredTypeText, isDeclaredPrimitive, shortTypeText } from "./declared-type.ts";
import type { NodeMatch } from "./match.ts";
import type { TablePair } from "./table-pair.ts";

export type TypeChange =
  | { readonly verdict: "none" }
  | { readonly verdict: "widen"; readonly from: PrimitiveType; readonly to: PrimitiveType }
  | {
      readonly verdict: "convert";
      readonly from: PrimitiveType;
      readonly to: PrimitiveType;
      readonly rule: ConversionRule;
      readonly conversion: Conversion;
      readonly converter: Converter;
    }
  | { readonly verdict: "refused"; readonly why: Diagnostic };

/** What text is in more than one form of. */
const WITH_FORMAT: ReadonlySet<string> = new Set(["date", "timestamp", "timestamptz"]);

const NONE: TypeChange = { verdict: "none" };

export function typeChange(match: NodeMatch, pair: TablePair): TypeChange {
  const { declared, live } = match;
  if (live === null || pair.pair === null) return NONE;
  const to = declared.type;
  const from = live.type;
  if (!isPrimitive(from) || !isDeclaredPrimitive(to)) {
    return from.kind === to.kind ? NONE : { verdict: "refused", why: kindChanged(match, pair) };
  }
  if (isSamePrimitive(from, to)) return NONE;
  if (live.part === "key") return { verdict: "refused", why: keyChanged(match, pair) };
  if (isPromotionAllowed(from, to, pair.pair.metadata.formatVersion)) return { verdict: "widen", from, to };
  if (declared.convert === null) return { verdict: "refused", why: notWithoutRewrite(match, from, to, pair) };
  return bound(match, from, to, declared.convert.value, pair);
}

function bound(match: NodeMatch, from: PrimitiveType, to: PrimitiveType, rule: ConversionRule, pair: TablePair): TypeChange {
  const { declared } = match;
  const ruleFrom = parseType(rule.from);
  if (ruleFrom === null || !isSamePrimitive(ruleFrom, from)) {
    return {
      verdict: "refused",
      why: diagnostic("convert-from-differs", {
        what: `Cannot convert "${declared.path}" from ${rule.from}: the live column is ${formatType(from)}`,
        why: "`from` must equal the live type, so that a rule never runs on values that it was not written for",
        mend: `Write \`from: ${formatType(from)}\` if the conversion is meant for this column`,
        ...spot(match, pair),
        ...(declared.convert === null ? {} : { place: declared.convert.place }),
      }),
    };
  }
  const conversion = findConversion(from.kind, to.kind);
  const converter = bindConversion(rule, from, to);
  if ("code" in converter)
    return {
      verdict: "refused",
      why: { ...converter, ...spot(match, pair), place: declared.convert?.place ?? declared.typePlace },
    };
  if (conversion === null) return { verdict: "refused", why: notWithoutRewrite(match, from, to, pair) };
  return { verdict: "convert", from, to, rule, conversion, converter };
}

function spot(match: NodeMatch, pair: TablePair): Pick<Diagnostic, "place" | "table" | "field"> {
  return { place: match.declared.typePlace, table: pair.spec.name, field: match.declared.path };
}

function kindChanged(match: NodeMatch, pair: TablePair): Diagnostic {
  const { declared, live } = match;
  return diagnostic("type-kind-changed", {
    what: `Cannot change "${declared.path}" from ${live === null ? "" : shortTypeText(live.type)} to ${shortTypeText(declared.type)}`,
    why: "Iceberg changes only primitive types in place, and no conversion between these kinds exists",
    mend: `Keep the live type, or add a new column beside it and drop the old one later`,
    ...spot(match, pair),
  });
}

function keyChanged(match: NodeMatch, pair: TablePair): Diagnostic {
  return diagnostic("map-key-changed", {
    what: `Cannot change the type of map key "${match.declared.path}"`,
    why: "Iceberg allows no change to map keys",
    mend: `Keep the live type ${match.live === null ? "" : shortTypeText(match.live.type)}`,
    ...spot(match, pair),
  });
}

/** Neither a promotion nor a declared conversion: a reverted conversion, a narrowing, or another type. */
function notWithoutRewrite(match: NodeMatch, from: PrimitiveType, to: PrimitiveType, pair: TablePair): Diagnostic {
  const { declared, live } = match;
  const made = pair.pair?.conversions.find((memory) => memory.newId === live?.id);
  if (made !== undefined && isPrimitive(made.retired.type) && isSamePrimitive(made.retired.type, to)) {
    return diagnostic("conversion-reverted", {
      what: `Cannot turn "${declared.path}" back from ${formatType(from)} to ${formatType(to)} by taking the conversion out of the file`,
      why: `A conversion gave the column a new field id (${made.newId}); its data files hold ${formatType(from)} values`,
      mend: `Undo the conversion with its data: ${typedCommand("rollback", pair.spec.name, pair.spec.environment)}. Or convert the other way: \`${reverseRule(made.rule, from)}\``,
      ...spot(match, pair),
    });
  }
  const problem = promotionProblem(from, to, pair.pair?.metadata.formatVersion ?? 2) ?? "";
  const canConvert = findConversion(from.kind, to.kind) !== null;
  const mend = canConvert
    ? `Keep ${formatType(from)}, or ask for a rewrite: \`convert: { from: ${formatType(from)}, on-error: fail }\`${WITH_FORMAT.has(to.kind) ? ", with `format:` where the text is not ISO 8601" : ""}`
    : `Keep ${formatType(from)}; no conversion from ${formatType(from)} to ${declaredTypeText(to)} exists`;
  return diagnostic("type-change-refused", {
    what: `Cannot change "${declared.path}" from ${formatType(from)} to ${formatType(to)} without a rewrite`,
    why: problem,
    mend,
    ...spot(match, pair),
  });
}

function reverseRule(rule: ConversionRule, from: PrimitiveType): string {
  const format = rule.format === undefined ? "" : `, format: ${rule.format}`;
  return `convert: { from: ${formatType(from)}${format} }`;
}
