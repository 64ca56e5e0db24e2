// What a person would type to change partitioning, sort order, identifier fields and format version of a live table. Where
// one statement is not enough, several stand after each other. Athena has words for none of them.
//
// Sources: Iceberg's documentation of Spark DDL (SQL extensions); trinodb/trino, IcebergTableProperties.
import type { DeclaredPartitionField, DeclaredSortField } from "../desired/table-spec.ts";
import type { PartitionField } from "../iceberg/partition-spec.ts";
import { defaultFieldNameAtCreation, parseTransform } from "../iceberg/transform.ts";
import { ddl, literalSpark, pathHive, quoteHive } from "./ddl.ts";
import type { PartitionDifference } from "./partition-difference.ts";
import type { StepSql } from "./plan.ts";
import { splitPath } from "./split-path.ts";
import { sparkSortText, sparkTermText } from "./table-ddl-spark.ts";
import { arrayText, trinoSortText, trinoTermText } from "./table-ddl-trino.ts";
import type { TablePair } from "./table-pair.ts";

/** `live` are the fields of the default spec. */
export function partitioningSql(
  pair: TablePair,
  declared: readonly DeclaredPartitionField[],
  live: readonly PartitionField[],
  { added, removed, renamed }: PartitionDifference,
): StepSql {
  const termOf = (field: PartitionField): DeclaredPartitionField | undefined =>
    declared.find((one) => one.name === renamed.find((pairing) => pairing.field === field)?.name);
  const named = (name: string | null): string => (name === null ? "" : ` AS ${quoteHive(name)}`);
  return ddl(pair, ({ hive, trino }) => ({
    spark: [
      ...removed.map(({ name }) => `ALTER TABLE ${hive} DROP PARTITION FIELD ${quoteHive(name)}`),
      ...renamed.flatMap(({ field, name }) => {
        const term = termOf(field);
        if (term === undefined) return [];
        return [
          `ALTER TABLE ${hive} REPLACE PARTITION FIELD ${quoteHive(field.name)} WITH ${sparkTermText(termParts(term))}${named(name)}`,
        ];
      }),
      ...added.map((field) => `ALTER TABLE ${hive} ADD PARTITION FIELD ${sparkTermText(termParts(field))}${named(field.name)}`),
    ].join(";\n"),
    athena: null,
    trino: isUsuallyNamed(declared, live, removed)
      ? `ALTER TABLE ${trino} SET PROPERTIES partitioning = ${arrayText(declared.map((field) => trinoTermText(termParts(field))))}`
      : null,
  }));
}

/** Trino names partition fields by itself, those that are there already among them. */
function isUsuallyNamed(
  declared: readonly DeclaredPartitionField[],
  live: readonly PartitionField[],
  removed: readonly PartitionField[],
): boolean {
  const usual = new Set(declared.map(({ transform, source }) => defaultFieldNameAtCreation(parseTransform(transform), source)));
  const kept = live.filter((field) => field.transform !== "void" && !removed.includes(field));
  return (
    kept.every(({ name }) => usual.has(name)) &&
    declared.every(
      ({ name, transform, source }) => name === null || name === defaultFieldNameAtCreation(parseTransform(transform), source),
    )
  );
}

export function sortOrderSql(pair: TablePair, declared: readonly DeclaredSortField[]): StepSql {
  const terms = declared.map((field) => ({ ...field, ...termParts(field) }));
  const isByColumns = terms.every(({ transform }) => parseTransform(transform).kind === "identity");
  return ddl(pair, ({ hive, trino }) => ({
    spark: `ALTER TABLE ${hive} WRITE ${terms.length === 0 ? "UNORDERED" : `LOCALLY ORDERED BY ${terms.map(sparkSortText).join(", ")}`}`,
    athena: null,
    trino: isByColumns ? `ALTER TABLE ${trino} SET PROPERTIES sorted_by = ${arrayText(terms.map(trinoSortText))}` : null,
  }));
}

/** Setting replaces all of them; none is said by dropping those that there are. */
export function identifierSql(pair: TablePair, declared: readonly string[], live: readonly string[]): StepSql {
  return ddl(pair, ({ hive }) => ({
    spark: `ALTER TABLE ${hive} ${declared.length === 0 ? "DROP" : "SET"} IDENTIFIER FIELDS ${(declared.length === 0 ? live : declared).map(pathHive).join(", ")}`,
    athena: null,
    trino: null,
  }));
}

export function formatVersionSql(pair: TablePair, version: number): StepSql {
  return ddl(pair, ({ hive, trino }) => ({
    spark: `ALTER TABLE ${hive} SET TBLPROPERTIES (${literalSpark("format-version")} = ${literalSpark(String(version))})`,
    athena: null,
    trino: `ALTER TABLE ${trino} SET PROPERTIES format_version = ${version}`,
  }));
}

function termParts({ source, transform }: Pick<DeclaredSortField, "source" | "transform">): {
  readonly source: readonly string[];
  readonly transform: string;
} {
  return { source: splitPath(source), transform };
}
