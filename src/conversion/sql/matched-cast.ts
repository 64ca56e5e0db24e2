// Writes the branches of a conversion as one expression: a regular expression guards every cast, so that what an
// engine's own cast happens to take (blanks, half dates, Unicode digits) never counts. No match, no value: null.
import type { ConversionSql } from "../conversion.ts";
import type { SqlBranch, SqlRange } from "./branch.ts";
import { BLANKS } from "./regex.ts";
import { type Dialect, joinSql, type Sql, sql, sqlColumn, sqlRegex, sqlText, sqlWord } from "./sql.ts";

/** One expression an engine; `column` is quoted by the caller. */
export function branchesSql(branches: readonly SqlBranch[], trim: boolean, column: string): ConversionSql {
  const trino = caseExpression("trino", branches, trim, sqlColumn(column)).text;
  return { spark: caseExpression("spark", branches, trim, sqlColumn(column)).text, athena: trino, trino };
}

/**
 * `\A` and `\z`, not `^` and `$`: the latter also match before a last line feed. An empty pattern means empty text, or
 * nothing but blanks, which are then named once: named twice they cost the square of their number.
 */
export function wholeText(pattern: string, trim: boolean): string {
  const blanks = trim ? BLANKS : "";
  return pattern === "" ? `\\A${blanks}\\z` : `\\A${blanks}${pattern}${blanks}\\z`;
}

export function matches(dialect: Dialect, column: Sql, pattern: string): Sql {
  const regex = sqlRegex(dialect, pattern);
  return dialect === "spark" ? sql`${column} RLIKE ${regex}` : sql`regexp_like(${column}, ${regex})`;
}

function caseExpression(dialect: Dialect, branches: readonly SqlBranch[], trim: boolean, column: Sql): Sql {
  const arms = branches.map((branch) => caseArm(dialect, branch, trim, column));
  return sql`CASE ${joinSql(arms, " ")} END`;
}

function caseArm(dialect: Dialect, branch: SqlBranch, trim: boolean, column: Sql): Sql {
  const whole = wholeText(branch.pattern, trim);
  const isMatch = matches(dialect, column, whole);
  const { result } = branch;
  if ("constant" in result) return sql`WHEN ${isMatch} THEN ${sqlWord(result.constant)}`;
  const isAsItStands = result.replacement === "$1" && !trim;
  const text = isAsItStands
    ? column
    : sql`regexp_replace(${column}, ${sqlRegex(dialect, whole)}, ${sqlText(result.replacement)})`;
  const cast = sql`try_cast(${text} AS ${sqlWord(result.cast[dialect])})`;
  const value = dialect === "trino" && result.cast.isZoned === true ? sql`${cast} AT TIME ZONE 'UTC'` : cast;
  if (result.range === undefined) return sql`WHEN ${isMatch} THEN ${value}`;
  return sql`WHEN ${isMatch} THEN CASE WHEN ${RANGES[result.range](dialect, value)} THEN ${value} END`;
}

const RANGES: Readonly<Record<SqlRange, (dialect: Dialect, value: Sql) => Sql>> = {
  // Casts turn what is too large into infinity and what is too small into zero.
  "finite-and-not-zero": (_dialect, value) => sql`abs(${value}) > 0E0 AND abs(${value}) <= 1.7976931348623157E308`,
  "instant-of-the-calendar": (_dialect, value) =>
    sql`${value} BETWEEN TIMESTAMP '0001-01-01 00:00:00+00:00' AND TIMESTAMP '9999-12-31 23:59:59.999999+00:00'`,
};
