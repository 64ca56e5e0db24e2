// string → long: whole numbers of 64 bits.
import { parseInt64, WHOLE_NUMBER_PATTERN } from "../grammar/whole-number.ts";
import { textConversion } from "../text-conversion.ts";

export const STRING_TO_LONG = textConversion({
  name: "string-to-long",
  to: "long",
  arguments: [],
  losses: "Leading zeros, plus signs and the sign of zero",
  read: () => ({ parse: parseInt64, keepsOrder: false }),
  branches: () => [{ pattern: WHOLE_NUMBER_PATTERN, result: { cast: { spark: "BIGINT", trino: "bigint" }, replacement: "$1" } }],
});
