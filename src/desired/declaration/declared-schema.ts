// The declared columns as an Iceberg schema with ids of its own, so that the format's own checks say what is wrong
// before any table exists. The ids mean nothing outside of this check.
import type { Place } from "../../diagnostics/diagnostic.ts";
import { formatPath } from "../../iceberg/field-path.ts";
import type { Field, Schema, Type } from "../../iceberg/type.ts";
import type { PinnedField, PinnedType } from "./declaration.ts";

export interface DeclaredSpot {
  readonly path: string;
  readonly segments: readonly string[];
  readonly place: Place;
  readonly pin: PinnedField["id"];
  readonly renamedFrom: PinnedField["renamedFrom"];
}

export interface DeclaredSchema {
  readonly schema: Schema;
  readonly spots: ReadonlyMap<number, DeclaredSpot>;
  /** By canonical path. */
  readonly ids: ReadonlyMap<string, number>;
}

export function declaredSchema(columns: readonly PinnedField[]): DeclaredSchema {
  const spots = new Map<number, DeclaredSpot>();
  const ids = new Map<string, number>();
  const add = (
    segments: readonly string[],
    place: Place,
    pin: DeclaredSpot["pin"],
    renamedFrom: DeclaredSpot["renamedFrom"] = [],
  ): number => {
    const id = spots.size + 1;
    const path = formatPath(segments);
    spots.set(id, { path, segments, place, pin, renamedFrom });
    ids.set(path, id);
    return id;
  };
  const toField = (field: PinnedField, above: readonly string[]): Field => {
    const segments = [...above, field.name];
    const id = add(segments, field.places.name ?? field.place, field.id, field.renamedFrom);
    return { id, name: field.name, required: field.required, type: toType(field.type, segments) };
  };
  const toType = (type: PinnedType, segments: readonly string[]): Type => {
    switch (type.kind) {
      case "struct":
        return { kind: "struct", fields: type.fields.map((field) => toField(field, segments)) };
      case "list": {
        const inside = [...segments, "element"];
        const elementId = add(inside, type.element.place, type.element.id);
        return { kind: "list", elementId, element: toType(type.element.type, inside), elementRequired: type.element.required };
      }
      case "map": {
        const [insideKey, insideValue] = [
          [...segments, "key"],
          [...segments, "value"],
        ];
        const keyId = add(insideKey, type.key.place, type.key.id);
        const valueId = add(insideValue, type.value.place, type.value.id);
        const key = toType(type.key.type, insideKey);
        const value = toType(type.value.type, insideValue);
        return { kind: "map", keyId, key, valueId, value, valueRequired: type.value.required };
      }
      default:
        return type;
    }
  };
  const fields = columns.map((column) => toField(column, []));
  return { schema: { schemaId: 0, identifierFieldIds: [], fields }, spots, ids };
}
