// A table as statements of Spark SQL with Iceberg's extensions.
//
// Sources: Iceberg's documentation of Spark DDL; Spark's grammar of CREATE TABLE; the interop suites run them.
import { splitPath } from "./split-path.ts";
import { literalSpark, quoteHive } from "./ddl.ts";
import { ddlType, sparkMarks, sparkType } from "./ddl-types.ts";
import { partitionText } from "./partition-difference.ts";
import {
  type DdlTable,
  defaultNotes,
  fieldNotes,
  identifierPaths,
  isRequired,
  listed,
  mappingNotes,
  partitionTerms,
  propertyNotes,
  type SortTerm,
  sortTerms,
  type TableDdl,
  tellableProperties,
  type Term,
  typeNotes,
  untoldNotes,
} from "./table-ddl-parts.ts";

/** Spark keeps these for itself, and refuses a statement that has them (CatalogV2Util.TABLE_RESERVED_PROPERTIES). */
const RESERVED: ReadonlySet<string> = new Set(["external", "is_managed_location", "location", "owner", "provider"]);

export function sparkDdl(table: DdlTable): TableDdl {
  const { identifier, schema, formatVersion, location, properties } = table;
  const name = [...identifier.namespace, identifier.name].map(quoteHive).join(".");
  const partitions = partitionTerms(table);
  // CREATE TABLE takes no names: where one is not the usual one, the fields are added after.
  const isNamed = partitions.some(({ hasUsualName }) => !hasUsualName);
  const all = tellableProperties(table);
  const told = [["format-version", String(formatVersion)] as const, ...all.filter(([key]) => !RESERVED.has(key))];
  const comment = properties["comment"] ?? "";
  const create = [
    `CREATE TABLE ${name} ${listed(
      schema.fields.map(({ name: column, type, required, doc = "" }) => {
        return `${quoteHive(column)} ${sparkType(ddlType(type, "spark"))}${sparkMarks({ marks: { required, doc } })}`;
      }),
    )}`,
    "USING iceberg",
    ...(partitions.length === 0 || isNamed ? [] : [`PARTITIONED BY (${partitions.map(sparkTermText).join(", ")})`]),
    ...(location === null ? [] : [`LOCATION ${literalSpark(location)}`]),
    ...(comment === "" ? [] : [`COMMENT ${literalSpark(comment)}`]),
    `TBLPROPERTIES ${listed(told.map(([key, value]) => `${literalSpark(key)} = ${literalSpark(value)}`))}`,
  ].join("\n");
  return {
    statements: [
      create,
      ...(isNamed
        ? partitions.map(
            (term) =>
              `ALTER TABLE ${name} ADD PARTITION FIELD ${sparkTermText(term)}${term.hasAddedName ? "" : ` AS ${quoteHive(term.name)}`}`,
          )
        : []),
      ...sortStatement(table, name),
      ...identifierStatement(table, name),
    ],
    notes: [
      ...typeNotes(table, "spark"),
      ...fieldNotes(table, "required elements of lists and values of maps", (node) => isRequired(node) && node.role !== "field"),
      ...defaultNotes(table),
      ...untoldNotes(table),
      ...propertyNotes(
        "properties that Spark sets by itself",
        all.filter(([key]) => RESERVED.has(key)),
      ),
      ...mappingNotes(table),
    ],
  };
}

/** LOCALLY leaves `write.distribution-mode` as it is; without it Spark sets that to range. */
function sortStatement(table: DdlTable, name: string): readonly string[] {
  const order = sortTerms(table).map(sparkSortText);
  return order.length === 0 ? [] : [`ALTER TABLE ${name} WRITE LOCALLY ORDERED BY ${order.join(", ")}`];
}

function identifierStatement({ schema }: DdlTable, name: string): readonly string[] {
  const paths = identifierPaths(schema).map((path) => splitPath(path).map(quoteHive).join("."));
  return paths.length === 0 ? [] : [`ALTER TABLE ${name} SET IDENTIFIER FIELDS ${paths.join(", ")}`];
}

export function sparkSortText({ direction, nullOrder, ...term }: SortTerm): string {
  return `${sparkTermText(term)} ${direction.toUpperCase()} ${nullOrder.replace("-", " ").toUpperCase()}`;
}

export function sparkTermText({ source, transform }: Term): string {
  return partitionText(transform, source.map(quoteHive).join("."));
}
