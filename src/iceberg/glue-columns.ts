// The column list that Glue keeps of a table: the current columns in their order, each with what Java's and Python's
// Iceberg write about it. Comments that only Glue has, and parameters of others, stay with their column.
import type { GlueColumn } from "./glue-entry.ts";
import { glueComment } from "./glue-text.ts";
import { glueType } from "./glue-type.ts";
import type { Field, Schema } from "./type.ts";

export const FIELD_ID = "iceberg.field.id";
export const FIELD_OPTIONAL = "iceberg.field.optional";
/** "false" marks a column of an older schema that writers keep in the list; without the mark a column counts as current. */
const FIELD_CURRENT = "iceberg.field.current";

/** The list as it was read, and the schema that was current in the same read; null for a table that is new. */
export interface ListedColumns {
  readonly columns: readonly GlueColumn[];
  readonly schema: Schema | null;
}

/** The list for that schema, made from the one that is there. */
export function glueColumns(schema: Schema, listed: ListedColumns): readonly GlueColumn[] {
  const find = listedColumnFinder(schema, listed.columns);
  return schema.fields.map((field) => {
    const before = find(field);
    const comment = commentOf(field, before, listed.schema);
    return {
      Name: field.name,
      Type: glueType(field.type),
      ...(comment === "" ? {} : { Comment: comment }),
      Parameters: {
        ...before?.Parameters,
        [FIELD_ID]: String(field.id),
        [FIELD_OPTIONAL]: String(!field.required),
        [FIELD_CURRENT]: "true",
      },
    };
  });
}

/** Does the list say that the column is of an older schema? */
export function isMarkedOld(column: GlueColumn): boolean {
  return column.Parameters?.[FIELD_CURRENT] === "false";
}

/** Glue and some of its writers do not keep letter case. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

// By field id, so that a renamed column takes its comment along; else by name, unless that column is another field now.
function listedColumnFinder(schema: Schema, columns: readonly GlueColumn[]): (field: Field) => GlueColumn | undefined {
  const ids = new Set(schema.fields.map((field) => String(field.id)));
  const byId = new Map<string, GlueColumn>();
  const byName = new Map<string, GlueColumn>();
  const byNameKey = new Map<string, GlueColumn>();
  for (const column of columns) {
    const id = column.Parameters?.[FIELD_ID];
    const name = column.Name ?? "";
    if (id !== undefined && !isMarkedOld(column) && !byId.has(id)) byId.set(id, column);
    if (!byName.has(name)) byName.set(name, column);
    if (!byNameKey.has(nameKey(name))) byNameKey.set(nameKey(name), column);
  }
  return (field) => {
    const same = byId.get(String(field.id));
    if (same !== undefined) return same;
    const named = byName.get(field.name) ?? byNameKey.get(nameKey(field.name));
    const id = named?.Parameters?.[FIELD_ID];
    return id !== undefined && id !== String(field.id) && ids.has(id) ? undefined : named;
  };
}

function commentOf(field: Field, before: GlueColumn | undefined, schema: Schema | null): string {
  if (field.doc !== undefined && field.doc !== "") return glueComment(field.doc);
  const comment = before?.Comment ?? "";
  const old = schema?.fields.find((one) => one.id === field.id) ?? schema?.fields.find((one) => one.name === field.name);
  // A doc that this very change takes away goes from Glue as well; what Glue alone has stays.
  return old?.doc !== undefined && old.doc !== "" && isCopyOf(comment, old.doc) ? "" : comment;
}

/** Is this Glue comment what a writer makes of the doc? Java and Python copy it as it is. */
export function isCopyOf(comment: string, doc: string): boolean {
  return comment === doc || comment === glueComment(doc);
}
