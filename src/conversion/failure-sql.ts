// Finds the values that a conversion does not convert, on an engine: a condition for counting them before a rewrite.
// Knows that the engines give null for them, and that `empty-as-null` gives null as well without being a failure.
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import type { Conversion, ConversionSql } from "./conversion.ts";
import { matches, wholeText } from "./sql/matched-cast.ts";
import { type Dialect, sqlColumn } from "./sql/sql.ts";

/** True for the rows whose value fails. The rule is one that binds; `column` is already quoted. */
export function failureSql(
  conversion: Conversion,
  rule: ConversionRule,
  from: PrimitiveType,
  to: PrimitiveType,
  column: string,
): ConversionSql {
  const value = conversion.sql(rule, from, to, column);
  const condition = (dialect: Dialect, expression: string | null): string | null => {
    if (expression === null) return null;
    const fails = `${sqlColumn(column).text} IS NOT NULL AND (${expression}) IS NULL`;
    return rule.emptyAsNull ? `${fails} AND NOT ${matches(dialect, sqlColumn(column), wholeText("", rule.trim)).text}` : fails;
  };
  return {
    spark: condition("spark", value.spark),
    athena: condition("trino", value.athena),
    trino: condition("trino", value.trino),
  };
}
