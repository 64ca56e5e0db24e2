// New files: a table or a shared group as YAML, in the order of the schema's keys. Readers of YAML 1.1 and 1.2 read
// the same. Existing files are edited in place (edit-yaml.ts), never written again.
import { formatTerm } from "./declaration/transform-term.ts";
import { asItem, writeField } from "./write-field.ts";
import type { WrittenField, WrittenPartitionField, WrittenSortField, WrittenTable } from "./written-table.ts";
import { flowJson, flowList } from "./yaml/flow-text.ts";
import { doubleQuoted, isPlainInBlock, scalarText, sourceScalarText } from "./yaml/quoting.ts";
import { formatFieldName } from "../iceberg/type-text.ts";

const SCHEMAS = "https://unpkg.com/floeplan@1/schemas";

/** The first line of a file, by which editors complete and check it. */
export function schemaLine(schema: "config" | "shared" | "table"): string {
  return `# yaml-language-server: $schema=${SCHEMAS}/${schema}.schema.json`;
}

/** The whole file, with the line that makes editors complete and check it. */
export function writeTableYaml(table: WrittenTable): string {
  const rows: string[] = [schemaLine("table")];
  const add = (key: string, value: string | undefined): void => {
    if (value !== undefined) rows.push(`${key}: ${value}`);
  };
  const addList = (key: string, items: readonly string[] | undefined): void => {
    if (items === undefined) return;
    if (items.length === 0) add(key, "[]");
    else rows.push(`${key}:`, ...items.map((item) => `  ${item}`));
  };
  add("table", tableName(table.table));
  add("catalog", optional(table.catalog, scalarText));
  add("comment", optional(table.comment, doubleQuoted));
  add("owner", optional(table.owner, scalarText));
  add("format-version", optional(table.formatVersion, String));
  add("location", optional(table.location, doubleQuoted));
  add("new", optional(table.isNew, String));
  add("remember", optional(table.remember, String));
  addList(
    "columns",
    table.columns.flatMap((column) => asItem(writeField(column, 2))),
  );
  add(
    "identifier-fields",
    optional(table.identifierFields, (paths) => flowList(paths.map(scalarText))),
  );
  addList(
    "partition-by",
    table.partitionBy?.map((field) => `- ${blockText(partitionText(field))}`),
  );
  addList(
    "sort-by",
    table.sortBy?.map((field) => `- ${blockText(sortText(field))}`),
  );
  addPairs(rows, "properties", table.properties, "");
  if (table.glueParameters !== undefined) {
    rows.push("glue:");
    addPairs(rows, "parameters", table.glueParameters, "  ");
  }
  addList(
    "dropped",
    table.dropped?.map(({ field, reason }) => `- { field: ${scalarText(field)}, reason: ${doubleQuoted(reason)} }`),
  );
  add(
    "unmanaged",
    optional(table.unmanaged, (globs) => flowList(globs.map(doubleQuoted))),
  );
  add("meta", optional(table.meta, flowJson));
  return `${rows.join("\n")}\n`;
}

/** A shared file. */
export function writeSharedYaml(group: string, columns: readonly WrittenField[]): string {
  const rows = [
    schemaLine("shared"),
    `columns-of: ${scalarText(group)}`,
    "columns:",
    ...columns.flatMap((column) => asItem(writeField(column, 2))).map((row) => `  ${row}`),
  ];
  return `${rows.join("\n")}\n`;
}

function optional<T>(value: T | undefined, write: (value: T) => string): string | undefined {
  return value === undefined ? undefined : write(value);
}

function addPairs(rows: string[], key: string, pairs: ReadonlyMap<string, string | null> | undefined, indent: string): void {
  if (pairs === undefined) return;
  if (pairs.size === 0) rows.push(`${indent}${key}: {}`);
  else rows.push(`${indent}${key}:`);
  for (const [name, value] of pairs)
    rows.push(`${indent}  ${scalarText(name)}: ${value === null ? "null" : sourceScalarText(value)}`);
}

/** Plain where every part is a plain word, else a list: a dot inside a name would split it. */
function tableName(parts: readonly string[]): string {
  const plain = parts.join(".");
  const isPlain = parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part));
  return isPlain && scalarText(plain) === plain ? plain : flowList(parts.map(scalarText));
}

/** A text in a list of block style: commas and brackets need no quotes there. */
function blockText(text: string): string {
  return isPlainInBlock(text) ? text : scalarText(text);
}

export function partitionText({ source, transform, name }: WrittenPartitionField): string {
  const term = formatTerm(transform, source);
  return name === null ? term : `${term} as ${formatFieldName(name)}`;
}

/** The order of nulls is said where it is not the usual one of the direction. */
export function sortText({ source, transform, direction, nullOrder }: WrittenSortField): string {
  const usual = direction === "asc" ? "nulls-first" : "nulls-last";
  const words = [formatTerm(transform, source)];
  if (direction === "desc") words.push("desc");
  if (nullOrder !== usual) words.push(nullOrder.replace("-", " "));
  return words.join(" ");
}
