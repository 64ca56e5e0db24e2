// A declared table that is edited at random, with a hidden key for each field: what a person means, against which
// the ids that floeplan keeps are held. Only edits with one clear meaning are made.
import type { DeclaredField, DeclaredType, TableSpec } from "../../src/desired/table-spec.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { specOf } from "./support.ts";

const PLACE = { file: "tables/t.yaml", line: 1, column: 1 };

export type ModelType =
  | { readonly kind: "primitive"; type: PrimitiveType }
  | { readonly kind: "struct"; fields: ModelField[] }
  | { readonly kind: "list"; element: ModelType }
  | { readonly kind: "map"; value: ModelType };

export interface ModelField {
  readonly key: number;
  name: string;
  hints: string[];
  comment: string | undefined;
  type: ModelType;
}

export interface Dropped {
  readonly field: ModelField;
  readonly parent: ModelField[];
  readonly path: string;
}

export interface Edit {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
}

export class Model {
  readonly columns: ModelField[] = [];
  dropped: Dropped[] = [];
  /** Paths acknowledged in the file of now. */
  acknowledged: string[] = [];
  /** What came back in this round: a field that is restored and renamed at once is a new one, by the rules. */
  #restored = new Set<ModelField>();
  /** What got a new name in this round: dropped before it was ever live under it, it could not come back by it. */
  #renamed = new Set<ModelField>();
  #key = 0;

  constructor() {
    for (const type of [int(), text(), { kind: "struct" as const, fields: [] }]) this.columns.push(this.#field(type));
    const struct = this.columns[2]?.type;
    if (struct?.kind === "struct") struct.fields.push(this.#field(int()), this.#field(text()));
    this.columns.push(this.#field({ kind: "list", element: { kind: "struct", fields: [this.#field(int())] } }));
    this.columns.push(this.#field({ kind: "map", value: { kind: "struct", fields: [this.#field(text())] } }));
  }

  #field(type: ModelType): ModelField {
    this.#key++;
    return { key: this.#key, name: `f${this.#key}`, hints: [], comment: undefined, type };
  }

  /** All structs' field lists, the top level first. */
  levels(): { readonly fields: ModelField[]; readonly path: readonly string[] }[] {
    const found: { fields: ModelField[]; path: readonly string[] }[] = [{ fields: this.columns, path: [] }];
    for (let at = 0; at < found.length; at++) {
      const { fields, path } = found[at] ?? { fields: [], path: [] };
      for (const field of fields) found.push(...structsIn(field.type, [...path, field.name]));
    }
    return found;
  }

  nextRound(): void {
    this.#restored = new Set();
    this.#renamed = new Set();
  }

  /** Makes one edit; an edit that does not fit does nothing. */
  edit({ kind, a, b }: Edit): void {
    const levels = this.levels();
    const { fields, path } = levels[a % levels.length] ?? { fields: this.columns, path: [] };
    const field = fields[b % Math.max(1, fields.length)];
    switch (kind % 8) {
      case 0:
        fields.splice(
          b % (fields.length + 1),
          0,
          this.#field([int(), text(), { kind: "struct" as const, fields: [this.#field(int())] }][a % 3] ?? int()),
        );
        return;
      case 1:
        if (field !== undefined && !this.#restored.has(field)) {
          this.#key++;
          this.#renamed.add(field);
          field.hints.unshift(field.name);
          field.name = `r${this.#key}`;
        }
        return;
      case 2:
        if (field !== undefined && fields.length > 1 && this.#restored.size === 0 && !this.#hasRenamed(field)) {
          fields.splice(fields.indexOf(field), 1);
          this.dropped.push({ field, parent: fields, path: [...path, field.name].join(".") });
        }
        return;
      case 3:
        if (field !== undefined) {
          fields.splice(fields.indexOf(field), 1);
          fields.splice(a % (fields.length + 1), 0, field);
        }
        return;
      case 4:
        if (field?.type.kind === "primitive" && field.type.type.kind === "int")
          field.type = { kind: "primitive", type: { kind: "long" } };
        return;
      case 5:
        if (field !== undefined) field.comment = `comment ${a}`;
        return;
      case 6: {
        const back = this.dropped[a % Math.max(1, this.dropped.length)];
        if (
          back !== undefined &&
          isAlive(back.parent, this.levels()) &&
          !this.#lostInside(back.field) &&
          !back.parent.some((one) => one.name === back.field.name)
        ) {
          back.parent.push(back.field);
          this.#restored.add(back.field);
          back.field.comment = undefined;
          this.dropped = this.dropped.filter((one) => one !== back);
        }
        return;
      }
      default:
        return;
    }
  }

  #hasRenamed(field: ModelField): boolean {
    const inside = structsIn(field.type, []).flatMap((level) => level.fields);
    return this.#renamed.has(field) || inside.some((one) => this.#hasRenamed(one));
  }

  /** What was dropped inside a struct comes back with the struct, as drift. */
  #lostInside(field: ModelField): boolean {
    const inside = structsIn(field.type, []).map((level) => level.fields);
    return (
      this.dropped.some((one) => inside.includes(one.parent)) ||
      inside.some((fields) => fields.some((one) => this.#lostInside(one)))
    );
  }

  /** The file as it says now; drops since `liveNames` was taken are acknowledged by their live paths. */
  spec(dropped: readonly string[]): TableSpec {
    const base = specOf("table: ns.t\ncolumns:\n  - { name: x, type: int }\n");
    return {
      ...base,
      columns: this.columns.map(declared),
      dropped: dropped.map((field) => ({ field, reason: "test", place: PLACE })),
    };
  }
}

function isAlive(fields: ModelField[], levels: readonly { readonly fields: ModelField[] }[]): boolean {
  return levels.some((level) => level.fields === fields);
}

function structsIn(type: ModelType, path: readonly string[]): { fields: ModelField[]; path: readonly string[] }[] {
  if (type.kind === "struct") return [{ fields: type.fields, path }];
  if (type.kind === "list") return structsIn(type.element, [...path, "element"]);
  return type.kind === "map" ? structsIn(type.value, [...path, "value"]) : [];
}

function int(): ModelType {
  return { kind: "primitive", type: { kind: "int" } };
}

function text(): ModelType {
  return { kind: "primitive", type: { kind: "string" } };
}

function declared(field: ModelField): DeclaredField {
  return {
    name: field.name,
    type: declaredType(field.type),
    required: false,
    comment: field.comment === undefined ? undefined : { value: field.comment, place: PLACE },
    default: undefined,
    renamedFrom: field.hints.map((value) => ({ value, place: PLACE })),
    convert: null,
    id: null,
    meta: null,
    group: null,
    place: PLACE,
    places: {},
  };
}

function declaredType(type: ModelType): DeclaredType {
  const part = (inner: DeclaredType) => ({ type: inner, required: false, id: null, convert: null, place: PLACE });
  switch (type.kind) {
    case "primitive":
      return type.type;
    case "struct":
      return { kind: "struct", fields: type.fields.map(declared) };
    case "list":
      return { kind: "list", element: part(declaredType(type.element)) };
    case "map":
      return { kind: "map", key: { ...part({ kind: "string" }), required: true }, value: part(declaredType(type.value)) };
  }
}
