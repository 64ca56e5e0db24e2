// `show --ddl`: the statements that would make a table like the live one, and what they cannot say of it.
import type { Catalog } from "../catalog/catalog.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { formatPath } from "../iceberg/field-path.ts";
import { currentSchema, defaultSortOrder, defaultSpec } from "../iceberg/table-metadata.ts";
import { OWN_PREFIX } from "../plan/base.ts";
import { tableDdl } from "../plan/table-ddl.ts";
import type { DdlEngine } from "./arguments.ts";
import { sqlComment } from "./plan-ddl.ts";

const NAMES: Readonly<Record<DdlEngine, string>> = { spark: "Spark", athena: "Athena", trino: "Trino" };

export function showDdl({ identifier, metadata }: LiveTable, catalog: Catalog, engine: DdlEngine): string {
  const { tableLocation, seenByAthena } = catalog.capabilities;
  const { formatVersion, properties } = metadata;
  const { statements, notes } = tableDdl(
    {
      identifier,
      formatVersion,
      schema: currentSchema(metadata),
      spec: defaultSpec(metadata),
      sortOrder: defaultSortOrder(metadata),
      // What floeplan remembers is of this table: its ids would not be those of another.
      properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !key.startsWith(OWN_PREFIX))),
      location: tableLocation ? metadata.location : null,
    },
    engine,
  );
  const name = formatPath([...identifier.namespace, identifier.name]);
  const unsaid = [
    ...(engine === "athena" && !seenByAthena ? ["anything: it does not see the tables of this catalog"] : []),
    ...(engine === "athena" && identifier.namespace.length > 1 ? ["a namespace of more than one level"] : []),
    ...notes,
  ];
  return [
    sqlComment(`${name} in ${catalog.label}, format version ${formatVersion}; a table made by this has field ids of its own`),
    ...unsaid.map((note) => sqlComment(`${NAMES[engine]} cannot say ${note}`)),
    ...statements.map((statement) => `${statement};`),
    "",
  ].join("\n");
}
