// The name mapping (spec "Name Mapping Serialization"): which names of old data files without field ids mean which
// field. Parse, write, make, and keep in step with a schema update. Names are literal, dots included, level by level.
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { parseJson } from "./json-parse.ts";
import { writeJson } from "./json-write.ts";
import { indexSchema } from "./schema-index.ts";
import type { SchemaChanges } from "./schema-update.ts";
import type { Schema, Type } from "./type.ts";
import { childNodes, fieldNodes, type SchemaNode } from "./walk.ts";

export const NAME_MAPPING_PROPERTY = "schema.name-mapping.default";

interface MappedField {
  /** Null: a name that means no field. */
  readonly fieldId: number | null;
  readonly names: readonly string[];
  /** Null where there is nothing inside. */
  readonly fields: NameMapping | null;
}

export type NameMapping = readonly MappedField[];

/** The mapping, or half a sentence that says why the text is none. */
export function parseNameMapping(text: string): NameMapping | { readonly why: string } {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (cause) {
    return { why: `it is not JSON (${cause instanceof Error ? cause.message : "unreadable"})` };
  }
  return readFields(value, "");
}

export function isNameMapping(result: NameMapping | { readonly why: string }): result is NameMapping {
  return Array.isArray(result);
}

function readFields(value: JsonValue, path: string): NameMapping | { readonly why: string } {
  if (!Array.isArray(value)) return { why: `${path === "" ? "it" : `"fields" of ${path}`} is not a list` };
  const fields: MappedField[] = [];
  for (const [index, item] of value.entries()) {
    const field = readField(item, `${path}[${index}]`);
    if ("why" in field) return field;
    fields.push(field);
  }
  return fields;
}

function readField(value: JsonValue, path: string): MappedField | { readonly why: string } {
  if (!isJsonObject(value)) return { why: `entry ${path} is not an object` };
  const { "field-id": fieldId = null, names = [], fields } = value;
  if (fieldId !== null && !(typeof fieldId === "number" && Number.isInteger(fieldId)))
    return { why: `"field-id" of ${path} is not a whole number` };
  if (!isNames(names)) return { why: `"names" of ${path} is not a list of text` };
  if (fields === undefined) return { fieldId, names: [...new Set(names)], fields: null };
  const inner = readFields(fields, path);
  return isNameMapping(inner) ? { fieldId, names: [...new Set(names)], fields: inner } : inner;
}

function isNames(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/** The property's text. */
export function formatNameMapping(mapping: NameMapping): string {
  return writeJson(mapping.map(writeField));
}

function writeField(field: MappedField): JsonObject {
  return {
    ...(field.fieldId === null ? {} : { "field-id": field.fieldId }),
    names: field.names,
    ...(field.fields === null ? {} : { fields: field.fields.map(writeField) }),
  };
}

/** Each field under the name that it has now. */
export function createNameMapping(schema: Pick<Schema, "fields">): NameMapping {
  return fieldNodes(schema.fields, null).map(mapNode);
}

function mapNode(node: SchemaNode): MappedField {
  return { fieldId: node.id, names: [node.name], fields: mapType(node.type) };
}

function mapType(type: Type): NameMapping | null {
  const inner = childNodes(type, null);
  return inner.length === 0 && type.kind !== "struct" ? null : inner.map(mapNode);
}

/**
 * The mapping after a schema update: renamed fields keep their old names and gain the new one, added fields get an
 * entry, dropped ones keep theirs. A name that a field takes is removed from every other entry of its level, so that
 * old files are not read into two fields.
 */
export function updateNameMapping(mapping: NameMapping, schema: Schema, changes: SchemaChanges): NameMapping {
  const index = indexSchema(schema);
  const updated = new Map<number, string>();
  for (const id of changes.updated) {
    const node = index.byId(id);
    if (node !== undefined) updated.set(id, node.name);
  }
  const added = new Map<number | null, SchemaNode[]>();
  for (const id of changes.added) {
    const node = index.byId(id);
    if (node === undefined) continue;
    const siblings = added.get(node.parent?.id ?? null);
    if (siblings === undefined) added.set(node.parent?.id ?? null, [node]);
    else siblings.push(node);
  }
  const result = updateLevel(mapping, null, { updated, added }) ?? [];
  return hasNameTwice(result) ? mapping : result;
}

// The reference implementation joins the names of a path by dots and cannot open a mapping where two paths come to the
// same, so it leaves such a mapping as it was.
function hasNameTwice(mapping: NameMapping): boolean {
  const seen = new Set<string>();
  const waiting: { readonly prefix: string; readonly fields: NameMapping }[] = [{ prefix: "", fields: mapping }];
  for (let level = waiting.pop(); level !== undefined; level = waiting.pop()) {
    for (const { names, fields } of level.fields) {
      for (const name of names) {
        const full = `${level.prefix}${name}`;
        if (seen.has(full)) return true;
        seen.add(full);
        if (fields !== null) waiting.push({ prefix: `${full}.`, fields });
      }
    }
  }
  return false;
}

interface MappingChanges {
  /** Field id → the name that it has now. */
  readonly updated: ReadonlyMap<number, string>;
  readonly added: ReadonlyMap<number | null, readonly SchemaNode[]>;
}

function updateLevel(level: NameMapping | null, parentId: number | null, changes: MappingChanges): NameMapping | null {
  const updatedHere = new Map<string, number>();
  const fields = (level ?? []).map((field): MappedField => {
    if (field.fieldId === null) return field;
    const name = changes.updated.get(field.fieldId);
    if (name !== undefined) updatedHere.set(name, field.fieldId);
    const names = name === undefined || field.names.includes(name) ? field.names : [...field.names, name];
    return { fieldId: field.fieldId, names, fields: updateLevel(field.fields, field.fieldId, changes) };
  });
  const additions = (changes.added.get(parentId) ?? []).map(mapNode);
  if (level === null && additions.length === 0) return null;
  const taken = new Map([
    ...updatedHere,
    ...additions.flatMap((field) => field.names.map((name) => [name, field.fieldId] as const)),
  ]);
  return merge(
    fields.map((field) => ({
      ...field,
      names: field.names.filter((name) => (taken.get(name) ?? field.fieldId) === field.fieldId),
    })),
    additions,
  );
}

// A restored field finds the entry that its drop left: an id may stand only once.
function merge(present: NameMapping, additions: NameMapping): NameMapping {
  const fresh = new Map(additions.map((field) => [field.fieldId, field]));
  const merged = present.map((field): MappedField => {
    const addition = fresh.get(field.fieldId);
    if (addition === undefined || field.fieldId === null) return field;
    fresh.delete(field.fieldId);
    const fields =
      field.fields === null || addition.fields === null
        ? (addition.fields ?? field.fields)
        : merge(field.fields, addition.fields);
    return { fieldId: field.fieldId, names: [...new Set([...field.names, ...addition.names])], fields };
  });
  return [...merged, ...fresh.values()];
}
