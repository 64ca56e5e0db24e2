// The way from one schema to another as calls of the format's API by names, told by the field ids of both. Null where
// the API has no word for it: a field that comes back with its old id.
import type { JsonObject } from "../../../src/iceberg/json.ts";
import { indexSchema, type SchemaIndex } from "../../../src/iceberg/schema-index.ts";
import { writeType } from "../../../src/iceberg/schema-json.ts";
import { isNested, type Schema } from "../../../src/iceberg/type.ts";
import { formatTypeJson } from "../../../src/iceberg/type-text.ts";
import type { SchemaNode } from "../../../src/iceberg/walk.ts";

export function operationsByName(before: Schema, after: Schema, lastColumnId: number): readonly JsonObject[] | null {
  const [old, now] = [indexSchema(before), indexSchema(after)];
  const added = now.nodes.filter(({ id, parent }) => old.byId(id) === undefined && isKnown(old, parent));
  if (added.some(({ id }) => id <= lastColumnId)) return null;
  const dropped = old.nodes.filter(({ id, parent }) => now.byId(id) === undefined && isKnown(now, parent));
  const operations = [
    ...dropped.map((node) => ({ op: "drop", column: nameIn(old, node.id) })),
    ...old.nodes.flatMap((node) => changesOf(old, node, now.byId(node.id))),
    ...added.sort((a, b) => a.id - b.id).flatMap((node) => addition(old, node)),
    ...movesOf(old, now),
    ...identifierOf(before, after, now),
  ];
  return operations.length === 0 ? [] : [{ op: "allow_incompatible" }, ...operations];
}

function isKnown(index: SchemaIndex, parent: SchemaNode | null): boolean {
  return parent === null || index.byId(parent.id) !== undefined;
}

function nameIn(index: SchemaIndex, id: number): string {
  return index.fullName(id) ?? "gone";
}

function changesOf(index: SchemaIndex, before: SchemaNode, after: SchemaNode | undefined): JsonObject[] {
  if (after === undefined) return [];
  const column = nameIn(index, before.id);
  const changes: JsonObject[] = [];
  if (!isNested(before.type) && !isNested(after.type)) {
    const type = formatTypeJson(after.type);
    if (type !== formatTypeJson(before.type)) changes.push({ op: "update_type", column, type });
  }
  if (before.required !== after.required) changes.push({ op: after.required ? "set_required" : "set_optional", column });
  const [doc, value] = [after.field?.doc ?? null, after.field?.writeDefault ?? null];
  if (doc !== (before.field?.doc ?? null)) changes.push({ op: "update_doc", column, doc });
  if (value !== (before.field?.writeDefault ?? null)) changes.push({ op: "set_default", column, default: value });
  if (before.name !== after.name) changes.push({ op: "rename", column, to: after.name });
  return changes;
}

function addition(old: SchemaIndex, { name, type, required, field, parent }: SchemaNode): JsonObject[] {
  const added = {
    op: "add",
    name,
    type: writeType(type),
    parent: parent === null ? null : nameIn(old, parent.id),
    required,
    ...(field?.doc === undefined ? {} : { doc: field.doc }),
    ...(field?.initialDefault === undefined ? {} : { default: field.initialDefault }),
  };
  // Before version 3 there is a write default only.
  const value = field?.writeDefault ?? null;
  if (value === (field?.initialDefault ?? null)) return [added];
  return [added, { op: "set_default", column: parent === null ? name : `${nameIn(old, parent.id)}.${name}`, default: value }];
}

/** In every struct of both: the order that drops and additions leave, then each field after its predecessor. */
function movesOf(old: SchemaIndex, now: SchemaIndex): JsonObject[] {
  const [before, after] = [childrenOf(old), childrenOf(now)];
  return [...after].flatMap(([parentId, nodes]) => {
    if (parentId !== null && old.byId(parentId) === undefined) return [];
    const wanted = nodes.map(({ id }) => id);
    const kept = (before.get(parentId) ?? []).map(({ id }) => id).filter((id) => now.byId(id) !== undefined);
    const added = wanted.filter((id) => old.byId(id) === undefined).sort((a, b) => a - b);
    if ([...kept, ...added].every((id, index) => id === wanted[index])) return [];
    const prefix = parentId === null ? "" : `${nameIn(old, parentId)}.`;
    const names = nodes.map(({ id, name }) => (old.byId(id) === undefined ? `${prefix}${name}` : nameIn(old, id)));
    return names.map((column, index) => ({
      op: "move",
      column,
      ...(index === 0 ? { first: true } : { after: names[index - 1] ?? "" }),
    }));
  });
}

/** The fields of every struct by the id of the node that holds them. */
function childrenOf(index: SchemaIndex): ReadonlyMap<number | null, readonly SchemaNode[]> {
  const children = new Map<number | null, SchemaNode[]>();
  for (const node of index.nodes) {
    if (node.role !== "field") continue;
    const key = node.parent?.id ?? null;
    const siblings = children.get(key);
    if (siblings === undefined) children.set(key, [node]);
    else siblings.push(node);
  }
  return children;
}

// Said always where there are some: Java follows names, not ids.
function identifierOf(before: Schema, after: Schema, now: SchemaIndex): JsonObject[] {
  if (before.identifierFieldIds.length === 0 && after.identifierFieldIds.length === 0) return [];
  return [{ op: "set_identifier_fields", columns: after.identifierFieldIds.map((id) => nameIn(now, id)) }];
}
