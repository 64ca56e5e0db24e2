// A declared column tree for one environment: pins by environment become the id of this one, or none.
import type { DeclaredField, DeclaredPart, DeclaredType, Placed } from "../table-spec.ts";
import type { Pin, PinnedField, PinnedPart, PinnedType } from "./declaration.ts";

export function fieldIn(environment: string, field: PinnedField): DeclaredField {
  return {
    name: field.name,
    type: typeIn(environment, field.type),
    required: field.required,
    comment: field.comment,
    default: field.default,
    renamedFrom: field.renamedFrom,
    convert: field.convert,
    id: pinIn(environment, field.id),
    meta: field.meta,
    group: field.group,
    place: field.place,
    places: field.places,
  };
}

function typeIn(environment: string, type: PinnedType): DeclaredType {
  switch (type.kind) {
    case "struct":
      return { kind: "struct", fields: type.fields.map((field) => fieldIn(environment, field)) };
    case "list":
      return { kind: "list", element: partIn(environment, type.element) };
    case "map":
      return { kind: "map", key: partIn(environment, type.key), value: partIn(environment, type.value) };
    default:
      return type;
  }
}

function partIn(environment: string, part: PinnedPart): DeclaredPart {
  const id = pinIn(environment, part.id)?.value;
  return {
    type: typeIn(environment, part.type),
    required: part.required,
    id: typeof id === "number" ? id : null,
    convert: part.convert,
    place: part.place,
  };
}

function pinIn(environment: string, pin: Placed<Pin> | null): Placed<number | "new"> | null {
  if (pin === null) return null;
  if (typeof pin.value === "number" || pin.value === "new") return { value: pin.value, place: pin.place };
  const id = pin.value.get(environment);
  return id === undefined ? null : { value: id, place: pin.place };
}
