// The fields of declared tables as rules look at them: struct by struct, each with the words that a finding says it
// by. A field of a shared group is told as the group's, without a table: it is one line, however many tables use it.
import type { DeclaredField, DeclaredType, TableSpec } from "../desired/table-spec.ts";
import type { Place } from "../diagnostics/diagnostic.ts";
import { formatPath } from "../iceberg/field-path.ts";

/** A field, where its name stands, and what a finding about it carries. */
export interface FieldAt {
  readonly field: DeclaredField;
  readonly kind: "Column" | "Field";
  readonly place: Place;
  readonly told: { readonly table?: string; readonly field: string };
}

/** Fields that stand side by side in one struct. */
export type Siblings = readonly FieldAt[];

/** Every struct of the table, the table itself first. */
export function structsOf(spec: TableSpec): readonly Siblings[] {
  const structs: Siblings[] = [];
  addStruct(structs, spec, spec.columns, { path: [], group: null });
  return structs;
}

export function fieldsOf(spec: TableSpec): readonly FieldAt[] {
  return structsOf(spec).flat();
}

interface Above {
  /** From the table's or the group's own level. */
  readonly path: readonly string[];
  readonly group: string | null;
}

function addStruct(structs: Siblings[], spec: TableSpec, fields: readonly DeclaredField[], above: Above): void {
  const at: { readonly field: DeclaredField; readonly below: Above }[] = [];
  const siblings = fields.map((field): FieldAt => {
    const isFirstOfGroup = field.group !== null && field.group !== above.group;
    const path = [...(isFirstOfGroup ? [] : above.path), field.name];
    at.push({ field, below: { path, group: field.group } });
    return {
      field,
      kind: path.length === 1 ? "Column" : "Field",
      place: field.places.name ?? field.place,
      told: { ...(field.group === null ? { table: spec.name } : {}), field: formatPath(path) },
    };
  });
  structs.push(siblings);
  for (const { field, below } of at) addType(structs, spec, field.type, below);
}

function addType(structs: Siblings[], spec: TableSpec, type: DeclaredType, above: Above): void {
  const below = (part: string): Above => ({ ...above, path: [...above.path, part] });
  switch (type.kind) {
    case "struct":
      addStruct(structs, spec, type.fields, above);
      return;
    case "list":
      addType(structs, spec, type.element.type, below("element"));
      return;
    case "map":
      addType(structs, spec, type.key.type, below("key"));
      addType(structs, spec, type.value.type, below("value"));
      return;
    default:
      return;
  }
}
