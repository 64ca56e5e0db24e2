// string → double: decimal text, with or without an exponent, and the three named values.
import { FLOATING_NUMBER_PATTERN, FLOATING_ZERO_PATTERN, NAMED_VALUE_PATTERN, parseFloat64 } from "../grammar/floating-number.ts";
import type { SqlType } from "../sql/branch.ts";
import { textConversion } from "../text-conversion.ts";

const DOUBLE_TYPE: SqlType = { spark: "DOUBLE", trino: "double" };

export const STRING_TO_DOUBLE = textConversion({
  name: "string-to-double",
  to: "double",
  arguments: [],
  losses: "Digits beyond the 15 to 17 that a double keeps, leading zeros, plus signs and zeros at the end",
  read: () => ({ parse: parseFloat64, keepsOrder: false }),
  branches: () => [
    { pattern: NAMED_VALUE_PATTERN, result: { cast: DOUBLE_TYPE, replacement: "$1" } },
    { pattern: FLOATING_ZERO_PATTERN, result: { cast: DOUBLE_TYPE, replacement: "$1" } },
    { pattern: FLOATING_NUMBER_PATTERN, result: { cast: DOUBLE_TYPE, replacement: "$1", range: "finite-and-not-zero" } },
  ],
});
