// The CREATE TABLE that a person would type for a new table, an engine each.
import { ddl, literalSpark, literalTrino, quoteHive, quoteTrino } from "./ddl.ts";
import { athenaType, sparkType, trinoType } from "./ddl-types.ts";
import type { NewTableParts } from "./create.ts";
import { partitionText } from "./partition-difference.ts";
import type { StepSql } from "./plan.ts";
import type { TablePair } from "./table-pair.ts";

export function createTableSql(pair: TablePair, parts: NewTableParts): StepSql {
  const { columns, partitionBy } = pair.spec;
  const hivePartitions = (partitionBy ?? []).map((field) => partitionText(field.transform, quoteHive(field.source)));
  const clause = hivePartitions.length === 0 ? "" : ` PARTITIONED BY (${hivePartitions.join(", ")})`;
  return ddl(pair, ({ hive, trino }) => ({
    spark:
      `CREATE TABLE ${hive} (${columns
        .map(
          ({ name, type, required, comment }) =>
            `${quoteHive(name)} ${sparkType(type)}${required ? " NOT NULL" : ""}${(comment?.value ?? "") === "" ? "" : ` COMMENT ${literalSpark(comment?.value ?? "")}`}`,
        )
        .join(", ")}) USING iceberg${clause}` +
      ` TBLPROPERTIES (${[["format-version", String(parts.formatVersion)] as const, ...Object.entries(parts.properties)]
        .map(([key, value]) => `${literalSpark(key)} = ${literalSpark(value)}`)
        .join(", ")})`,
    athena:
      parts.formatVersion !== 2 || parts.location === null
        ? null
        : `CREATE TABLE ${hive} (${columns.map(({ name, type }) => `${quoteHive(name)} ${athenaType(type)}`).join(", ")})${clause}` +
          ` LOCATION ${literalTrino(parts.location)} TBLPROPERTIES ('table_type' = 'ICEBERG')`,
    trino:
      `CREATE TABLE ${trino} (${columns
        .map(({ name, type, required }) => `${quoteTrino(name)} ${trinoType(type)}${required ? " NOT NULL" : ""}`)
        .join(", ")}) WITH (format_version = ${parts.formatVersion}` +
      (partitionBy === undefined || partitionBy.length === 0
        ? ")"
        : `, partitioning = ARRAY[${partitionBy.map((field) => literalTrino(partitionText(field.transform, field.source))).join(", ")}])`),
  }));
}
