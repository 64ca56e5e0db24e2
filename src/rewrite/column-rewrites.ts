// A table's conversions as the Parquet room takes them: rules on stored values. One function a column, made once
// a file since it may hold state.
import type { ColumnConversion } from "../conversion/column-conversion.ts";
import type { Converted } from "../conversion/conversion.ts";
import { FAILED, type ColumnRewrite } from "../parquet/column-rewrite.ts";
import type { ColumnValue } from "../parquet/physical.ts";
import { fromPhysical, physicalTarget, toPhysical } from "./physical-values.ts";

export function columnRewrite(conversion: ColumnConversion): ColumnRewrite {
  const { fieldId, newId, to, rule, converter } = conversion;
  const answer = storedConverter(conversion);
  const store = toPhysical(to);
  const failed = rule.onError === "set-null" ? null : FAILED;
  return {
    retiredFieldId: fieldId,
    newFieldId: newId,
    target: physicalTarget(to),
    required: false,
    keepsOrder: converter.keepsOrder,
    convert: (value) => {
      const converted = answer(value);
      if ("failure" in converted) return failed;
      return converted.value === null ? null : store(converted.value);
    },
  };
}

const NO_VALUE: Converted = { failure: "not-text" };

/** The rule's answer for a stored value. */
export function storedConverter({ converter }: ColumnConversion): (stored: ColumnValue) => Converted {
  const { from } = converter;
  if (from.kind === "string" && converter.convertBytes !== undefined) {
    const convert = converter.convertBytes.bind(converter);
    return (stored) => (stored instanceof Uint8Array ? convert(stored) : NO_VALUE);
  }
  const read = fromPhysical(from);
  return (stored) => {
    const value = read(stored);
    return value === undefined ? NO_VALUE : converter.convert(value);
  };
}
