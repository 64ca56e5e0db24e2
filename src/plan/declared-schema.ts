// Declared fields as Iceberg fields with placeholder ids, for tables and fields that are to be made. Defaults are
// read by the declared type. Pure.
import type { DeclaredField, DeclaredPart, DeclaredType } from "../desired/table-spec.ts";
import { bug } from "../diagnostics/tool-error.ts";
import { parseDefault } from "../iceberg/default-text.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { JsonValue } from "../iceberg/json.ts";
import type { Field, Type } from "../iceberg/type.ts";

/** Gives placeholder ids and remembers which path got which; a fresh one a table. */
export interface Placeholders {
  readonly byPath: Map<string, number>;
  next(segments: readonly string[]): number;
}

export function placeholders(): Placeholders {
  const byPath = new Map<string, number>();
  return {
    byPath,
    next: (segments) => {
      const id = byPath.size + 1;
      byPath.set(formatPath(segments), id);
      return id;
    },
  };
}

/** A field's default, undefined where none is declared. The file was read by the same rule, so the text is a value. */
export function declaredDefault(field: Pick<DeclaredField, "default">, type: Type): JsonValue | undefined {
  const text = field.default?.value;
  if (text === undefined || text === null) return undefined;
  const read = parseDefault(text, type);
  if ("why" in read) throw bug("A default that was read is no value of its type", { why: read.why });
  return read.value;
}

export function toField(
  declared: DeclaredField,
  parent: readonly string[],
  ids: Placeholders,
  withInitialDefault: boolean,
): Field {
  const segments = [...parent, declared.name];
  const id = ids.next(segments);
  const type = toType(declared.type, segments, ids, withInitialDefault);
  const written = declaredDefault(declared, type) ?? null;
  const comment = declared.comment?.value ?? "";
  return {
    id,
    name: declared.name,
    required: declared.required,
    type,
    ...(comment === "" ? {} : { doc: comment }),
    ...(written !== null && withInitialDefault ? { initialDefault: written } : {}),
    ...(written !== null ? { writeDefault: written } : {}),
  };
}

export function toType(
  declared: DeclaredType,
  segments: readonly string[],
  ids: Placeholders,
  withInitialDefault: boolean,
): Type {
  switch (declared.kind) {
    case "struct":
      return { kind: "struct", fields: declared.fields.map((field) => toField(field, segments, ids, withInitialDefault)) };
    case "list": {
      const element = toPart(declared.element, "element", segments, ids, withInitialDefault);
      return { kind: "list", elementId: element.id, element: element.type, elementRequired: declared.element.required };
    }
    case "map": {
      const key = toPart(declared.key, "key", segments, ids, withInitialDefault);
      const value = toPart(declared.value, "value", segments, ids, withInitialDefault);
      return {
        kind: "map",
        keyId: key.id,
        key: key.type,
        valueId: value.id,
        value: value.type,
        valueRequired: declared.value.required,
      };
    }
    default:
      return declared;
  }
}

function toPart(
  part: DeclaredPart,
  name: string,
  parent: readonly string[],
  ids: Placeholders,
  withInitialDefault: boolean,
): { readonly id: number; readonly type: Type } {
  const segments = [...parent, name];
  const id = ids.next(segments);
  return { id, type: toType(part.type, segments, ids, withInitialDefault) };
}
