// string → int: whole numbers of 32 bits.
import { parseInt32, WHOLE_NUMBER_PATTERN } from "../grammar/whole-number.ts";
import { textConversion } from "../text-conversion.ts";

export const STRING_TO_INT = textConversion({
  name: "string-to-int",
  to: "int",
  arguments: [],
  losses: "Leading zeros, plus signs and the sign of zero",
  read: () => ({ parse: parseInt32, keepsOrder: false }),
  branches: () => [{ pattern: WHOLE_NUMBER_PATTERN, result: { cast: { spark: "INT", trino: "integer" }, replacement: "$1" } }],
});
