// What the older schemas of one table tell: the names a field id has borne, and the fields that once stood
// under a parent. Built once a table, on first use. Pure.
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { Field, Schema, Type } from "../iceberg/type.ts";

/** Id of the node that holds a struct's fields; null for the top level. */
export type ParentId = number | null;

export interface PastField {
  readonly field: Field;
  readonly parentId: ParentId;
  readonly schemaId: number;
}

export interface SchemaHistory {
  /** Has this id ever borne this name? */
  hasBorne(id: number, name: string): boolean;
  /** Every id that has ever borne this name, in any struct. */
  bearersOf(name: string): Iterable<number>;
  /** The newest schema's field of that name under that parent. */
  newestNamed(parentId: ParentId, name: string): PastField | undefined;
  /** The newest definition of an id in any schema. */
  newestOf(id: number): PastField | undefined;
  /** The schema that first had the id, in the order of the metadata. */
  firstSchemaOf(id: number): number | undefined;
}

/** Later schemas of the metadata list win; the current schema wins over all. `pending` never was one of the table's. */
export function schemaHistory(metadata: TableMetadata, pending: Schema | null): SchemaHistory {
  const bearers = new Map<string, Set<number>>();
  const byName = new Map<string, PastField>();
  const byId = new Map<number, PastField>();
  const first = new Map<number, number>();
  const current = metadata.schemas.filter((schema) => schema.schemaId === metadata.currentSchemaId);
  const older = metadata.schemas.filter((schema) => schema.schemaId !== metadata.currentSchemaId && schema !== pending);
  for (const schema of [...older, ...current]) {
    for (const { field, parentId } of structFields(schema.fields)) {
      const past: PastField = { field, parentId, schemaId: schema.schemaId };
      const ids = bearers.get(field.name);
      if (ids === undefined) bearers.set(field.name, new Set([field.id]));
      else ids.add(field.id);
      byName.set(nameKey(parentId, field.name), past);
      byId.set(field.id, past);
      const known = first.get(field.id);
      if (known === undefined || schema.schemaId < known) first.set(field.id, schema.schemaId);
    }
  }
  return {
    hasBorne: (id, name) => bearers.get(name)?.has(id) === true,
    bearersOf: (name) => bearers.get(name) ?? [],
    newestNamed: (parentId, name) => byName.get(nameKey(parentId, name)),
    newestOf: (id) => byId.get(id),
    firstSchemaOf: (id) => first.get(id),
  };
}

function nameKey(parentId: ParentId, name: string): string {
  return `${parentId ?? ""}/${name}`;
}

/** Every struct field of a schema with the node that holds its struct, outermost first. */
function* structFields(fields: readonly Field[]): Generator<{ readonly field: Field; readonly parentId: ParentId }> {
  const open: { readonly fields: readonly Field[]; readonly parentId: ParentId }[] = [{ fields, parentId: null }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const field of next.fields) {
      yield { field, parentId: next.parentId };
      for (const below of structsBelow(field.id, field.type)) open.push(below);
    }
  }
}

function* structsBelow(
  ownerId: number,
  type: Type,
): Generator<{ readonly fields: readonly Field[]; readonly parentId: ParentId }> {
  switch (type.kind) {
    case "struct":
      yield { fields: type.fields, parentId: ownerId };
      return;
    case "list":
      yield* structsBelow(type.elementId, type.element);
      return;
    case "map":
      yield* structsBelow(type.keyId, type.key);
      yield* structsBelow(type.valueId, type.value);
      return;
    default:
      return;
  }
}
