// What the statements of all engines are made of: the table as they see it, its partition and sort terms by name, and the
// sentences for what an engine has no words for. Knows no engine's grammar.
import type { TableIdentifier } from "../iceberg/live-table.ts";
import type { PartitionSpec, TransformText } from "../iceberg/partition-spec.ts";
import { fieldPath, indexSchema } from "../iceberg/schema-index.ts";
import type { SortField, SortOrder } from "../iceberg/sort-order.ts";
import type { FormatVersion } from "../iceberg/table-metadata.ts";
import { defaultFieldName, defaultFieldNameAtCreation, parseTransform } from "../iceberg/transform.ts";
import { isPrimitive, type Schema } from "../iceberg/type.ts";
import { formatType } from "../iceberg/type-text.ts";
import type { SchemaNode } from "../iceberg/walk.ts";
import { ddlType, hasTypeName } from "./ddl-types.ts";
import type { StepSql } from "./plan.ts";

export type SqlEngine = keyof StepSql;

export interface DdlTable {
  readonly identifier: TableIdentifier;
  readonly formatVersion: FormatVersion;
  readonly schema: Schema;
  readonly spec: PartitionSpec;
  readonly sortOrder: SortOrder;
  readonly properties: Readonly<Record<string, string>>;
  /** Null: the catalog chooses. */
  readonly location: string | null;
}

/** Run one after the other, the statements make a table like this one, but for what the notes say. */
export interface TableDdl {
  readonly statements: readonly string[];
  /** Sentences without a full stop. */
  readonly notes: readonly string[];
}

/** A partition or sort field whose source is there; `source` has the names from the top down. */
export interface Term {
  readonly source: readonly string[];
  readonly transform: TransformText;
}

export interface PartitionTerm extends Term {
  readonly name: string;
  /** Has the name that every engine gives to such a field in CREATE TABLE. */
  readonly hasUsualName: boolean;
  /** Has the name that Iceberg gives to such a field when it is added to a table, which may be another. */
  readonly hasAddedName: boolean;
}

const NAME_MAPPING = "schema.name-mapping.default";

/** Fields that were removed from a table of format version 1 stay in its spec as `void`, and are not told. */
export function partitionTerms({ spec, schema }: DdlTable): readonly PartitionTerm[] {
  return spec.fields.flatMap(({ sourceIds, transform, name }) => {
    const source = sourceOf(schema, sourceIds);
    if (source === null || parseTransform(transform).kind === "void") return [];
    const [parsed, path] = [parseTransform(transform), source.join(".")];
    const hasUsualName = defaultFieldNameAtCreation(parsed, path) === name;
    return [{ source, transform, name, hasUsualName, hasAddedName: defaultFieldName(parsed, path) === name }];
  });
}

export type SortTerm = Term & Pick<SortField, "direction" | "nullOrder">;

export function sortTerms({ sortOrder, schema }: DdlTable): readonly SortTerm[] {
  return sortOrder.fields.flatMap(({ sourceIds, ...field }) => {
    const source = sourceOf(schema, sourceIds);
    return source === null ? [] : [{ ...field, source }];
  });
}

function sourceOf(schema: Schema, ids: readonly number[]): readonly string[] | null {
  const [id, second] = ids;
  if (id === undefined || second !== undefined || indexSchema(schema).byId(id) === undefined) return null;
  return indexSchema(schema).segments(id);
}

export function identifierPaths({ identifierFieldIds, fields }: Schema): readonly string[] {
  return identifierFieldIds.map((id) => fieldPath({ fields }, id) ?? `id ${id}`);
}

/** Of fields that no engine's terms show: more than one source, or one that is gone. */
export function untoldNotes({ spec, sortOrder, schema }: DdlTable): readonly string[] {
  const isUntold = ({ sourceIds }: { readonly sourceIds: readonly number[] }): boolean => sourceOf(schema, sourceIds) === null;
  return [
    ...spec.fields
      .filter((field) => isUntold(field) && parseTransform(field.transform).kind !== "void")
      .map(({ name }) => `the partition field "${name}" has no one source`),
    ...(sortOrder.fields.some(isUntold) ? ["a field of the sort order has no one source"] : []),
  ];
}

/** Columns of types that the engine has no name for, and what it makes of them. */
export function typeNotes({ schema }: DdlTable, engine: SqlEngine): readonly string[] {
  return indexSchema(schema).nodes.flatMap(({ id, type }) => {
    if (!isPrimitive(type) || hasTypeName(type, engine)) return [];
    const near = ddlType(type, engine);
    return [`"${pathOf(schema, id)}" is ${formatType(type)}, and would be made ${near.kind}`];
  });
}

/** One sentence for all fields of which something cannot be said. */
export function fieldNotes({ schema }: DdlTable, what: string, isMeant: (node: SchemaNode) => boolean): readonly string[] {
  const paths = indexSchema(schema)
    .nodes.filter(isMeant)
    .map(({ id }) => `"${pathOf(schema, id)}"`);
  return paths.length === 0 ? [] : [`${what}: ${paths.join(", ")}`];
}

export const isColumn = (node: SchemaNode): boolean => node.parent === null;
export const hasDoc = ({ field }: SchemaNode): boolean => (field?.doc ?? "") !== "";
/** The keys of maps are always required, and no grammar says so. */
export const isRequired = ({ required, role }: SchemaNode): boolean => required && role !== "key";

export function defaultNotes(table: DdlTable): readonly string[] {
  return fieldNotes(
    table,
    "default values",
    ({ field }) => field?.initialDefault !== undefined || field?.writeDefault !== undefined,
  );
}

export function nameNotes(table: DdlTable, engine: string): readonly string[] {
  return fieldNotes(table, `names that ${engine} would write in lower case`, ({ name, role }) => {
    return role === "field" && name !== name.toLowerCase();
  });
}

export function propertyNotes(what: string, properties: readonly (readonly [string, string])[]): readonly string[] {
  return properties.length === 0 ? [] : [`${what}: ${properties.map(([key, value]) => `${key} = ${value}`).join(", ")}`];
}

/** Those that a statement can carry: the comment has a clause, and the name mapping names ids of this table. */
export function tellableProperties({ properties }: DdlTable): readonly (readonly [string, string])[] {
  return Object.entries(properties)
    .filter(([key]) => key !== "comment" && key !== NAME_MAPPING)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

export function mappingNotes({ properties }: DdlTable): readonly string[] {
  return properties[NAME_MAPPING] === undefined ? [] : [`${NAME_MAPPING}: it names field ids of this table`];
}

/** To stand in quotes: names with dots between them, as the format's own API spells it. */
function pathOf(schema: Schema, id: number): string {
  return indexSchema(schema).fullName(id) ?? `id ${id}`;
}

/** Lines inside brackets, a comma after each but the last. */
export function listed(lines: readonly string[]): string {
  return `(\n${lines.map((line) => `  ${line}`).join(",\n")}\n)`;
}
