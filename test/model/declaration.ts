// A declared table as the model holds it: a tree of columns with hidden keys, which say what a person means whatever
// the names are, and the YAML text of it. Values only; an edit makes a new one. Knows nothing of live tables.
import { formatPath } from "../../src/iceberg/field-path.ts";

export const PRIMITIVES = ["int", "long", "float", "double", "string", "date"] as const;
export type Primitive = (typeof PRIMITIVES)[number];

export type ModelType =
  | { readonly kind: Primitive }
  | { readonly kind: "struct"; readonly fields: readonly ModelColumn[] }
  /** Of structs. */
  | { readonly kind: "list"; readonly fields: readonly ModelColumn[] };

export interface ModelColumn {
  readonly key: number;
  readonly name: string;
  readonly type: ModelType;
  readonly required: boolean;
  /** Null: the file says nothing. */
  readonly comment: string | null;
  readonly hints: readonly string[];
  /** Text of `convert:`; null for none. */
  readonly convert: string | null;
}

export interface PartitionWish {
  readonly key: number;
  readonly transform: "identity" | "bucket[4]" | "truncate[3]";
}

export interface SortWish {
  readonly key: number;
  readonly direction: "asc" | "desc";
}

export interface Declared {
  readonly columns: readonly ModelColumn[];
  /** Null: the file says nothing. */
  readonly partitionBy: readonly PartitionWish[] | null;
  readonly sortBy: readonly SortWish[] | null;
  readonly identifier: readonly number[] | null;
  readonly properties: Readonly<Record<string, string | null>>;
  readonly comment: string | null;
  /** Acknowledged paths. */
  readonly dropped: readonly string[];
  readonly formatVersion: number;
}

export interface Level {
  /** Key of the column that holds the struct; null at the top. */
  readonly parentKey: number | null;
  readonly path: readonly string[];
  readonly fields: readonly ModelColumn[];
}

/** All structs, the top level first. */
export function levelsOf({ columns }: Pick<Declared, "columns">): Level[] {
  const found: Level[] = [{ parentKey: null, path: [], fields: columns }];
  for (let at = 0; at < found.length; at++) {
    const { fields, path } = found[at] ?? { fields: [], path: [] };
    for (const { key, name, type } of fields) {
      if (type.kind === "struct") found.push({ parentKey: key, path: [...path, name], fields: type.fields });
      if (type.kind === "list") found.push({ parentKey: key, path: [...path, name, "element"], fields: type.fields });
    }
  }
  return found;
}

export interface PlacedColumn {
  readonly column: ModelColumn;
  readonly path: string;
  readonly parentKey: number | null;
  readonly isInStructs: boolean;
}

export function columnsOf(declared: Pick<Declared, "columns">): PlacedColumn[] {
  return levelsOf(declared).flatMap(({ fields, path, parentKey }) =>
    fields.map((column) => ({
      column,
      path: formatPath([...path, column.name]),
      parentKey,
      isInStructs: !path.includes("element"),
    })),
  );
}

function pathOfKey(declared: Declared, key: number): string | undefined {
  return columnsOf(declared).find(({ column }) => column.key === key)?.path;
}

/** The same table with one struct's fields changed. */
export function editLevel(
  declared: Declared,
  parentKey: number | null,
  edit: (fields: readonly ModelColumn[]) => readonly ModelColumn[],
): Declared {
  const inside = (fields: readonly ModelColumn[]): readonly ModelColumn[] =>
    fields.map((field) => {
      const { type } = field;
      if (type.kind !== "struct" && type.kind !== "list") return field;
      const below = inside(type.fields);
      return { ...field, type: { ...type, fields: field.key === parentKey ? edit(below) : below } };
    });
  const columns = inside(declared.columns);
  return { ...declared, columns: parentKey === null ? edit(columns) : columns };
}

export function editColumn(declared: Declared, key: number, edit: (column: ModelColumn) => ModelColumn): Declared {
  const level = levelsOf(declared).find(({ fields }) => fields.some((field) => field.key === key));
  if (level === undefined) return declared;
  return editLevel(declared, level.parentKey, (fields) => fields.map((field) => (field.key === key ? edit(field) : field)));
}

export function isPrimitiveType(type: ModelType): type is { readonly kind: Primitive } {
  return type.kind !== "struct" && type.kind !== "list";
}

/** What the file says; acknowledgements of what it declares are left out, since no file may hold both. */
export function yamlOf(declared: Declared): string {
  const { partitionBy, sortBy, identifier, properties, comment, formatVersion } = declared;
  const path = (key: number): string => JSON.stringify(pathOfKey(declared, key) ?? "gone");
  const acknowledged = acknowledgedPaths(declared);
  const lines = ["table: ns.t", `format-version: ${formatVersion}`];
  if (comment !== null) lines.push(`comment: ${JSON.stringify(comment)}`);
  lines.push("columns:", ...columnLines(declared.columns, "  "));
  if (identifier !== null) lines.push(`identifier-fields: [${identifier.map(path).join(", ")}]`);
  if (partitionBy !== null) lines.push(...listed("partition-by", partitionBy.map(partitionText(declared))));
  if (sortBy !== null) {
    const sorts = sortBy.map(({ key, direction }) => `${pathOfKey(declared, key) ?? "gone"} ${direction}`);
    lines.push(...listed("sort-by", sorts));
  }
  if (Object.keys(properties).length > 0) {
    lines.push("properties:");
    for (const [key, value] of Object.entries(properties))
      lines.push(`  ${key}: ${value === null ? "null" : JSON.stringify(value)}`);
  }
  if (acknowledged.length > 0) {
    lines.push("dropped:", ...acknowledged.map((field) => `  - { field: ${JSON.stringify(field)}, reason: "not needed" }`));
  }
  return `${lines.join("\n")}\n`;
}

export function acknowledgedPaths(declared: Declared): readonly string[] {
  const paths = new Set(columnsOf(declared).map(({ path }) => path));
  return [...new Set(declared.dropped)].filter((path) => !paths.has(path));
}

function listed(key: string, items: readonly string[]): string[] {
  return items.length === 0 ? [`${key}: []`] : [`${key}:`, ...items.map((item) => `  - ${JSON.stringify(item)}`)];
}

function partitionText(declared: Declared): (wish: PartitionWish) => string {
  return ({ key, transform }) => {
    const source = pathOfKey(declared, key) ?? "gone";
    const [, name, width] = /^(\w+)\[(\d+)\]$/.exec(transform) ?? [];
    return name === undefined ? source : `${name}(${width ?? ""}, ${source})`;
  };
}

function columnLines(columns: readonly ModelColumn[], indent: string): string[] {
  return columns.flatMap(({ name, type, required, comment, hints, convert }) => {
    const lines = [`${indent}- name: ${JSON.stringify(name)}`];
    const say = (text: string): number => lines.push(`${indent}  ${text}`);
    say(`type: ${type.kind === "list" ? "list<struct>" : type.kind}`);
    if (required) say("required: true");
    if (comment !== null) say(`comment: ${JSON.stringify(comment)}`);
    if (hints.length > 0) say(`renamed-from: [${hints.map((hint) => JSON.stringify(hint)).join(", ")}]`);
    if (convert !== null) say(`convert: ${convert}`);
    if (type.kind === "struct" || type.kind === "list")
      lines.push(`${indent}  fields:`, ...columnLines(type.fields, `${indent}    `));
    return lines;
  });
}
