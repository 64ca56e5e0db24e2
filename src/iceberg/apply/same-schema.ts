// When two schemas count as one (Java's Schema.sameSchema): ids, names, order, required flags, types, docs and
// defaults at every depth, and the identifier fields; the schema id does not count.
import { isSameDefault } from "../default-value.ts";
import { isSamePrimitive } from "../promotion.ts";
import { type Field, isPrimitive, type Schema, type Type } from "../type.ts";

export function sameSchema(a: Schema, b: Schema): boolean {
  return sameFields(a.fields, b.fields) && sameIds(a.identifierFieldIds, b.identifierFieldIds);
}

function sameFields(a: readonly Field[], b: readonly Field[]): boolean {
  return a.length === b.length && a.every((field, index) => sameField(field, b[index]));
}

function sameField(a: Field, b: Field | undefined): boolean {
  return (
    b !== undefined &&
    a.id === b.id &&
    a.name === b.name &&
    a.required === b.required &&
    a.doc === b.doc &&
    sameType(a.type, b.type) &&
    isSameDefault(a.initialDefault, b.initialDefault, a.type) &&
    isSameDefault(a.writeDefault, b.writeDefault, a.type)
  );
}

/** Equal types with equal ids inside. */
function sameType(a: Type, b: Type): boolean {
  if (isPrimitive(a)) return isPrimitive(b) && isSamePrimitive(a, b);
  switch (a.kind) {
    case "struct":
      return b.kind === "struct" && sameFields(a.fields, b.fields);
    case "list":
      return (
        b.kind === "list" &&
        a.elementId === b.elementId &&
        a.elementRequired === b.elementRequired &&
        sameType(a.element, b.element)
      );
    case "map":
      return (
        b.kind === "map" &&
        a.keyId === b.keyId &&
        a.valueId === b.valueId &&
        a.valueRequired === b.valueRequired &&
        sameType(a.key, b.key) &&
        sameType(a.value, b.value)
      );
  }
}

function sameIds(a: readonly number[], b: readonly number[]): boolean {
  const known = new Set(a);
  return known.size === new Set(b).size && b.every((id) => known.has(id));
}
