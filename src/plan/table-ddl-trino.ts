// A table as a statement of Trino's Iceberg connector.
//
// Sources: Trino's documentation of the connector; trinodb/trino, IcebergTableProperties, PartitionFields, SortFieldUtils.
import { canonicalTransform, parseTransform } from "../iceberg/transform.ts";
import { literalTrino, quoteTrino } from "./ddl.ts";
import { ddlType, trinoType } from "./ddl-types.ts";
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
  type SortTerm,
  sortTerms,
  type TableDdl,
  tellableProperties,
  type Term,
  typeNotes,
  untoldNotes,
} from "./table-ddl-parts.ts";

type Word = (value: string) => string | null;

const whole: Word = (value) => (/^\d{1,9}$/.test(value) ? value : null);
const flag: Word = (value) => (/^(true|false)$/i.test(value) ? value.toLowerCase() : null);
const bytes: Word = (value) => (/^\d{1,15}$/.test(value) ? literalTrino(`${value}B`) : null);
const oneOf =
  (...words: readonly string[]): Word =>
  (value) =>
    words.includes(value.toUpperCase()) ? literalTrino(value.toUpperCase()) : null;

/** Properties for which the connector has words of its own; it refuses some of them among the extra ones. */
const WORDS: Readonly<Record<string, readonly [name: string, word: Word]>> = {
  "write.format.default": ["format", oneOf("PARQUET", "ORC", "AVRO")],
  "write.parquet.compression-codec": ["compression_codec", oneOf("GZIP", "LZ4", "SNAPPY", "ZSTD")],
  "write.object-storage.enabled": ["object_store_layout_enabled", flag],
  "write.data.path": ["data_location", literalTrino],
  "commit.retry.num-retries": ["max_commit_retry", whole],
  "write.metadata.delete-after-commit.enabled": ["delete_after_commit_enabled", flag],
  "write.metadata.previous-versions-max": ["max_previous_versions", whole],
  "write.target-file-size-bytes": ["target_max_file_size", bytes],
  "write.parquet.row-group-size-bytes": ["parquet_writer_row_group_size", bytes],
  "write.orc.bloom.filter.columns": ["orc_bloom_filter_columns", (value) => arrayText(value.split(","))],
  "write.orc.bloom.filter.fpp": ["orc_bloom_filter_fpp", (value) => (/^0?\.\d{1,9}$/.test(value) ? value : null)],
};

export function trinoDdl(table: DdlTable): TableDdl {
  const { identifier, schema, properties, formatVersion, location } = table;
  // A namespace of several levels is one schema to Trino.
  const name = [identifier.namespace.join("."), identifier.name].map(quoteTrino).join(".");
  const comment = properties["comment"] ?? "";
  const partitions = partitionTerms(table).map(trinoTermText);
  const sort = sortTerms(table);
  const isSorted = sort.every(({ transform }) => parseTransform(transform).kind === "identity");
  const told = tellableProperties(table).map(([key, value]) => {
    const [own = null, word] = WORDS[key] ?? [];
    // A place for data is taken together with the layout only.
    const isRefused = own === "data_location" && properties["write.object-storage.enabled"] !== "true";
    return { key, value, own, text: isRefused ? null : (word?.(value) ?? null) };
  });
  const extra = told.filter(({ own }) => own === null);
  const options = [
    `format_version = ${formatVersion}`,
    ...(location === null ? [] : [`location = ${literalTrino(location)}`]),
    ...(partitions.length === 0 ? [] : [`partitioning = ${arrayText(partitions)}`]),
    ...(sort.length === 0 || !isSorted ? [] : [`sorted_by = ${arrayText(sort.map(trinoSortText))}`]),
    ...told.flatMap(({ own, text }) => (own === null || text === null ? [] : [`${own} = ${text}`])),
    ...(extra.length === 0 ? [] : [`extra_properties = ${mapText(extra.map(({ key, value }) => [key, value]))}`]),
  ];
  const create = [
    `CREATE TABLE ${name} ${listed(
      schema.fields.map(({ name: column, type, required, doc = "" }) => {
        return `${quoteTrino(column)} ${trinoType(ddlType(type, "trino"))}${required ? " NOT NULL" : ""}${doc === "" ? "" : ` COMMENT ${literalTrino(doc)}`}`;
      }),
    )}`,
    ...(comment === "" ? [] : [`COMMENT ${literalTrino(comment)}`]),
    `WITH ${listed(options)}`,
  ].join("\n");
  const identifiers = identifierPaths(schema);
  return {
    statements: [create],
    notes: [
      ...typeNotes(table, "trino"),
      ...nameNotes(table, "Trino"),
      ...fieldNotes(table, "required fields inside other fields", (node) => isRequired(node) && !isColumn(node)),
      ...fieldNotes(table, "comments inside structs", (node) => hasDoc(node) && !isColumn(node)),
      ...defaultNotes(table),
      ...(identifiers.length === 0 ? [] : [`identifier fields: ${identifiers.join(", ")}`]),
      ...partitionTerms(table)
        .filter(({ hasUsualName }) => !hasUsualName)
        .map((term) => `the name of the partition field "${term.name}"`),
      ...untoldNotes(table),
      ...(isSorted ? [] : ["the sort order, since it has transforms"]),
      ...propertyNotes(
        "properties",
        told.filter(({ own, text }) => own !== null && text === null).map(({ key, value }) => [key, value]),
      ),
      ...mappingNotes(table),
      ...(extra.length === 0
        ? []
        : ["extra_properties needs these keys in `iceberg.allowed-extra-properties` of Trino's catalog"]),
    ],
  };
}

/** Of a column: a transform has no place here. */
export function trinoSortText({ source, direction, nullOrder }: SortTerm): string {
  return `${identifierText(source)} ${direction.toUpperCase()} ${nullOrder.replace("-", " ").toUpperCase()}`;
}

/** The column stands first, other than in Spark and Athena. */
export function trinoTermText({ source, transform }: Term): string {
  const [column, canonical] = [identifierText(source), canonicalTransform(transform)];
  if (canonical === "identity") return column;
  const argument = /^(\w+)\[(\d+)\]$/.exec(canonical);
  return argument === null ? `${canonical}(${column})` : `${argument[1]}(${column}, ${argument[2]})`;
}

/** A field inside a struct is one quoted name with dots. */
function identifierText(source: readonly string[]): string {
  const name = source.join(".");
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : quoteTrino(name);
}

function mapText(entries: readonly (readonly [string, string])[]): string {
  return `MAP(${arrayText(entries.map(([key]) => key))}, ${arrayText(entries.map(([, value]) => value))})`;
}

export function arrayText(texts: readonly string[]): string {
  return `ARRAY[${texts.map(literalTrino).join(", ")}]`;
}
