// The statements that would make a table like a given one, an engine each. Nothing here is ever executed.
import { athenaDdl } from "./table-ddl-athena.ts";
import type { DdlTable, SqlEngine, TableDdl } from "./table-ddl-parts.ts";
import { sparkDdl } from "./table-ddl-spark.ts";
import { trinoDdl } from "./table-ddl-trino.ts";

const ENGINES: Readonly<Record<SqlEngine, (table: DdlTable) => TableDdl>> = {
  spark: sparkDdl,
  athena: athenaDdl,
  trino: trinoDdl,
};

export function tableDdl(table: DdlTable, engine: SqlEngine): TableDdl {
  return ENGINES[engine](table);
}
