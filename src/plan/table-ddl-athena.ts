// A table as a statement of Athena, whose CREATE TABLE says little of a table: the rest is in the notes.
//
// Sources: Athena user guide, "Create Iceberg tables", "Iceberg table properties", "Supported data types for Iceberg tables".
import { literalTrino, quoteHive } from "./ddl.ts";
import { athenaType, ddlType } from "./ddl-types.ts";
import { isAthenaProperty } from "./engine-properties.ts";
import { partitionText } from "./partition-difference.ts";
import {
  type DdlTable,
  defaultNotes,
  fieldNotes,
  hasDoc,
  identifierPaths,
  isColumn,
  isRequired,
  listed,
  mappingNotes,
  nameNotes,
  partitionTerms,
  propertyNotes,
  sortTerms,
  type TableDdl,
  tellableProperties,
  typeNotes,
  untoldNotes,
} from "./table-ddl-parts.ts";

/** Athena makes tables of this version only. */
const FORMAT_VERSION = 2;

export function athenaDdl(table: DdlTable): TableDdl {
  const { identifier, schema, location } = table;
  const name = [...identifier.namespace, identifier.name].map(quoteHive).join(".");
  const partitions = partitionTerms(table).map(({ source, transform }) =>
    partitionText(transform, source.map(quoteHive).join(".")),
  );
  const properties = tellableProperties(table);
  const told = [["table_type", "ICEBERG"] as const, ...properties.filter(([key]) => isAthenaProperty(key))];
  const create = [
    `CREATE TABLE ${name} ${listed(
      schema.fields.map(({ name: column, type, doc = "" }) => {
        return `${quoteHive(column)} ${athenaType(ddlType(type, "athena"))}${doc === "" ? "" : ` COMMENT ${literalTrino(doc)}`}`;
      }),
    )}`,
    ...(partitions.length === 0 ? [] : [`PARTITIONED BY (${partitions.join(", ")})`]),
    ...(location === null ? [] : [`LOCATION ${literalTrino(location)}`]),
    `TBLPROPERTIES ${listed(told.map(([key, value]) => `${literalTrino(key)} = ${literalTrino(value)}`))}`,
  ].join("\n");
  return { statements: [create], notes: athenaNotes(table, properties) };
}

function athenaNotes(table: DdlTable, properties: readonly (readonly [string, string])[]): readonly string[] {
  const { schema, formatVersion, properties: all } = table;
  const [identifiers, sort] = [identifierPaths(schema), sortTerms(table)];
  const comment = all["comment"] ?? "";
  return [
    ...(formatVersion === FORMAT_VERSION ? [] : [`format version ${formatVersion}: Athena makes ${FORMAT_VERSION}`]),
    ...typeNotes(table, "athena"),
    ...nameNotes(table, "Athena"),
    ...fieldNotes(table, "required fields", isRequired),
    ...fieldNotes(table, "comments inside structs", (node) => hasDoc(node) && !isColumn(node)),
    ...defaultNotes(table),
    ...(identifiers.length === 0 ? [] : [`identifier fields: ${identifiers.join(", ")}`]),
    ...partitionTerms(table)
      .filter(({ hasUsualName }) => !hasUsualName)
      .map((term) => `the name of the partition field "${term.name}"`),
    ...untoldNotes(table),
    ...(sort.length === 0
      ? []
      : [
          `sort order: ${sort.map(({ source, transform, direction, nullOrder }) => `${partitionText(transform, source.join("."))} ${direction} ${nullOrder.replace("-", " ")}`).join(", ")}`,
        ]),
    ...(comment === "" ? [] : [`comment of the table: ${comment}`]),
    ...propertyNotes(
      "properties",
      properties.filter(([key]) => !isAthenaProperty(key)),
    ),
    ...mappingNotes(table),
  ];
}
