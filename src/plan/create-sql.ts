// The CREATE TABLE that a person would type for a new table, an engine each. What an engine cannot say of it is left out:
// `show --ddl` tells that of the table once it is there.
import type { NewTableParts } from "./table-change.ts";
import type { StepSql } from "./plan.ts";
import { tableDdl } from "./table-ddl.ts";
import type { SqlEngine } from "./table-ddl-parts.ts";
import type { TablePair } from "./table-pair.ts";

export function createTableSql({ spec, catalog }: TablePair, parts: NewTableParts): StepSql {
  const told = (engine: SqlEngine): string => tableDdl({ identifier: spec.identifier, ...parts }, engine).statements.join(";\n");
  return {
    spark: told("spark"),
    athena: parts.formatVersion === 2 && catalog.seenByAthena ? told("athena") : null,
    trino: told("trino"),
  };
}
