// string → decimal: decimal text whose digits all fit the scale; nothing is rounded.
import { bug } from "../../diagnostics/tool-error.ts";
import type { PrimitiveType } from "../../iceberg/type.ts";
import { decimalNumberPattern, decimalParser } from "../grammar/decimal-number.ts";
import { textConversion } from "../text-conversion.ts";

export const STRING_TO_DECIMAL = textConversion({
  name: "string-to-decimal",
  to: "decimal",
  arguments: [],
  losses: "Leading zeros, plus signs, the sign of zero, and zeros beyond the scale",
  read(_rule, to) {
    const { precision, scale } = decimalOf(to);
    return { parse: decimalParser(precision, scale), keepsOrder: false };
  },
  branches(_rule, to) {
    const { precision, scale } = decimalOf(to);
    const name = `decimal(${precision}, ${scale})`;
    return [
      { pattern: decimalNumberPattern(scale), result: { cast: { spark: name.toUpperCase(), trino: name }, replacement: "$1" } },
    ];
  },
});

function decimalOf(type: PrimitiveType): Extract<PrimitiveType, { readonly kind: "decimal" }> {
  if (type.kind !== "decimal") throw bug("A conversion to decimal was given another type", { type: type.kind });
  return type;
}
