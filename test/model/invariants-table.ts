// The live table against the declaration, by eyes that are not the planner's: names and their order, types, comments,
// requiredness, layout, properties. Undeclared live fields are passed over.
import { currentSchema, defaultSortOrder, defaultSpec, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Field, Type } from "../../src/iceberg/type.ts";
import { columnsOf, type Declared, type ModelColumn } from "./declaration.ts";

/** What of the declaration is not in the table; empty when they agree. */
export function differences(metadata: TableMetadata, declared: Declared): string[] {
  return [
    ...levelDifferences(currentSchema(metadata).fields, declared.columns, ""),
    ...layoutDifferences(metadata, declared),
    ...propertyDifferences(metadata, declared),
  ];
}

/** The live id of each declared key, found by names alone; a key without one is left out. */
export function idsByName(metadata: TableMetadata, declared: Pick<Declared, "columns">): Map<number, number> {
  const ids = new Map<number, number>();
  const walk = (live: readonly Field[], columns: readonly ModelColumn[]): void => {
    for (const column of columns) {
      const field = live.find(({ name }) => name === column.name);
      if (field === undefined) continue;
      ids.set(column.key, field.id);
      if (column.type.kind === "struct" || column.type.kind === "list") walk(fieldsInside(field.type), column.type.fields);
    }
  };
  walk(currentSchema(metadata).fields, declared.columns);
  return ids;
}

function fieldsInside(type: Type): readonly Field[] {
  if (type.kind === "struct") return type.fields;
  return type.kind === "list" && type.element.kind === "struct" ? type.element.fields : [];
}

function levelDifferences(live: readonly Field[], columns: readonly ModelColumn[], above: string): string[] {
  const names = columns.map(({ name }) => name);
  const found: string[] = [];
  const order = live.map(({ name }) => name).filter((name) => names.includes(name));
  if (order.join("\n") !== names.join("\n"))
    found.push(`${above} stands as ${order.join(", ")}, declared is ${names.join(", ")}`);
  for (const column of columns) {
    const field = live.find(({ name }) => name === column.name);
    if (field !== undefined) found.push(...fieldDifferences(field, column, above));
  }
  return found;
}

function fieldDifferences(field: Field, column: ModelColumn, above: string): string[] {
  const path = `${above}${column.name}`;
  const found: string[] = [];
  if (field.type.kind !== column.type.kind) found.push(`${path} is ${field.type.kind}, declared is ${column.type.kind}`);
  if (field.required !== column.required) found.push(`${path} is ${field.required ? "required" : "optional"}`);
  if (column.comment !== null && (field.doc ?? "") !== column.comment) found.push(`${path} is told as ${field.doc ?? "nothing"}`);
  if (column.type.kind === "struct" || column.type.kind === "list")
    found.push(...levelDifferences(fieldsInside(field.type), column.type.fields, `${path}.`));
  return found;
}

function layoutDifferences(metadata: TableMetadata, declared: Declared): string[] {
  const ids = idsByName(metadata, declared);
  const found: string[] = [];
  const compare = (what: string, live: readonly string[], wanted: readonly string[]): void => {
    if (live.join() !== wanted.join()) found.push(`${what} is [${live.join()}], declared is [${wanted.join()}]`);
  };
  if (declared.partitionBy !== null) {
    const live = defaultSpec(metadata).fields.filter(({ transform }) => transform !== "void");
    compare(
      "the partition spec",
      live.map(({ transform, sourceIds }) => `${transform}(${sourceIds[0]})`).sort(),
      declared.partitionBy.map(({ key, transform }) => `${transform}(${ids.get(key)})`).sort(),
    );
  }
  if (declared.sortBy !== null) {
    compare(
      "the sort order",
      defaultSortOrder(metadata).fields.map(({ sourceIds, direction }) => `${sourceIds[0]} ${direction}`),
      declared.sortBy.map(({ key, direction }) => `${ids.get(key)} ${direction}`),
    );
  }
  if (declared.identifier !== null) {
    const live = [...currentSchema(metadata).identifierFieldIds].sort((a, b) => a - b).map(String);
    const wanted = declared.identifier.map((key) => ids.get(key) ?? -1).sort((a, b) => a - b);
    compare("the identifier", live, wanted.map(String));
  }
  return found;
}

function propertyDifferences(metadata: TableMetadata, declared: Declared): string[] {
  const wanted: Record<string, string | null> = { ...declared.properties };
  if (declared.comment !== null) wanted["comment"] = declared.comment === "" ? null : declared.comment;
  const found = Object.entries(wanted).flatMap(([key, value]) =>
    (metadata.properties[key] ?? null) === value ? [] : [`property ${key} is ${metadata.properties[key] ?? "not set"}`],
  );
  return metadata.formatVersion >= declared.formatVersion ? found : [...found, `the format version is ${metadata.formatVersion}`];
}

export function keysOf(declared: Declared): Set<number> {
  return new Set(columnsOf(declared).map(({ column }) => column.key));
}
