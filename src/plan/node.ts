// One view of the nodes of a schema that carry an id: struct fields, list elements, map keys and values, in
// the declared and in the live tree. Pure data; who pairs with whom is in match-fields.ts.
import type { DeclaredField, DeclaredPart, DeclaredType, Placed } from "../desired/table-spec.ts";
import type { Place } from "../diagnostics/diagnostic.ts";
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { JsonValue } from "../iceberg/json.ts";
import type { Field, Type } from "../iceberg/type.ts";

export type NodePart = "field" | "element" | "key" | "value";

export interface LiveNode {
  readonly id: number;
  readonly name: string;
  readonly part: NodePart;
  readonly type: Type;
  readonly required: boolean;
  readonly doc: string | undefined;
  readonly initialDefault: JsonValue | undefined;
  readonly writeDefault: JsonValue | undefined;
  readonly path: string;
}

export interface DeclaredNode {
  readonly name: string;
  readonly part: NodePart;
  readonly type: DeclaredType;
  readonly required: boolean;
  readonly comment: Placed<string> | undefined;
  readonly default: Placed<string | null> | undefined;
  readonly renamedFrom: readonly Placed<string>[];
  readonly convert: Placed<ConversionRule> | null;
  readonly id: Placed<number | "new"> | null;
  readonly place: Place;
  readonly typePlace: Place;
  readonly path: string;
}

type Segments = readonly string[];

export function liveField(field: Field, parent: Segments): LiveNode {
  return {
    id: field.id,
    name: field.name,
    part: "field",
    type: field.type,
    required: field.required,
    doc: field.doc,
    initialDefault: field.initialDefault,
    writeDefault: field.writeDefault,
    path: formatPath([...parent, field.name]),
  };
}

function livePart(part: NodePart, id: number, type: Type, required: boolean, parent: Segments): LiveNode {
  return {
    id,
    name: part,
    part,
    type,
    required,
    doc: undefined,
    initialDefault: undefined,
    writeDefault: undefined,
    path: formatPath([...parent, part]),
  };
}

/** The nodes directly below a live type; none for a primitive. `parent` are the path segments of the owner. */
export function liveChildren(type: Type, parent: Segments): readonly LiveNode[] {
  switch (type.kind) {
    case "struct":
      return type.fields.map((field) => liveField(field, parent));
    case "list":
      return [livePart("element", type.elementId, type.element, type.elementRequired, parent)];
    case "map":
      return [
        livePart("key", type.keyId, type.key, true, parent),
        livePart("value", type.valueId, type.value, type.valueRequired, parent),
      ];
    default:
      return [];
  }
}

export function declaredField(field: DeclaredField, parent: Segments): DeclaredNode {
  return {
    name: field.name,
    part: "field",
    type: field.type,
    required: field.required,
    comment: field.comment,
    default: field.default,
    renamedFrom: field.renamedFrom,
    convert: field.convert,
    id: field.id,
    place: field.place,
    typePlace: field.places.type ?? field.place,
    path: formatPath([...parent, field.name]),
  };
}

function declaredPart(part: NodePart, declared: DeclaredPart, parent: Segments): DeclaredNode {
  return {
    name: part,
    part,
    type: declared.type,
    required: part === "key" ? true : declared.required,
    comment: undefined,
    default: undefined,
    renamedFrom: [],
    convert: declared.convert,
    id: declared.id === null ? null : { value: declared.id, place: declared.place },
    place: declared.place,
    typePlace: declared.place,
    path: formatPath([...parent, part]),
  };
}

/** The nodes directly below a declared type; none for a primitive. */
export function declaredChildren(type: DeclaredType, parent: Segments): readonly DeclaredNode[] {
  switch (type.kind) {
    case "struct":
      return type.fields.map((field) => declaredField(field, parent));
    case "list":
      return [declaredPart("element", type.element, parent)];
    case "map":
      return [declaredPart("key", type.key, parent), declaredPart("value", type.value, parent)];
    default:
      return [];
  }
}
