// Declared types beside live ones: equal, promotable, printable, and as Iceberg types without ids. Pure.
import type { DeclaredPart, DeclaredType } from "../desired/table-spec.ts";
import { isPromotionAllowed, isSamePrimitive } from "../iceberg/promotion.ts";
import type { FormatVersion } from "../iceberg/table-metadata.ts";
import { isPrimitive, type PrimitiveType, type Type } from "../iceberg/type.ts";
import { formatType } from "../iceberg/type-text.ts";

export function isDeclaredPrimitive(type: DeclaredType): type is PrimitiveType {
  return type.kind !== "struct" && type.kind !== "list" && type.kind !== "map";
}

/** Can stored values of the live type be read as the declared one: equal at every depth, or widened by the format's rules? */
export function canBecome(live: Type, declared: DeclaredType, formatVersion: FormatVersion): boolean {
  if (isPrimitive(live)) {
    return (
      isDeclaredPrimitive(declared) && (isSamePrimitive(live, declared) || isPromotionAllowed(live, declared, formatVersion))
    );
  }
  switch (live.kind) {
    case "struct":
      return (
        declared.kind === "struct" &&
        live.fields.every((field) => {
          const same = declared.fields.find((one) => one.name === field.name);
          return same === undefined || canBecome(field.type, same.type, formatVersion);
        })
      );
    case "list":
      return declared.kind === "list" && canBecome(live.element, declared.element.type, formatVersion);
    case "map":
      return (
        declared.kind === "map" &&
        canBecome(live.key, declared.key.type, formatVersion) &&
        canBecome(live.value, declared.value.type, formatVersion)
      );
  }
}

/** For people: `struct<a: int, b: list<required string>>`. */
export function declaredTypeText(type: DeclaredType): string {
  switch (type.kind) {
    case "struct":
      return `struct<${type.fields.map((field) => `${field.name}: ${requiredText(field.required)}${declaredTypeText(field.type)}`).join(", ")}>`;
    case "list":
      return `list<${partText(type.element)}>`;
    case "map":
      return `map<${declaredTypeText(type.key.type)}, ${partText(type.value)}>`;
    default:
      return formatType(type);
  }
}

function partText(part: DeclaredPart): string {
  return requiredText(part.required) + declaredTypeText(part.type);
}

function requiredText(required: boolean): string {
  return required ? "required " : "";
}

/** Short form for one line of a plan: nested types by kind and size only. */
export function shortTypeText(type: DeclaredType | Type): string {
  if (type.kind === "struct") return `struct (${type.fields.length} ${type.fields.length === 1 ? "field" : "fields"})`;
  if (type.kind === "list") return `list<${shortTypeText("elementId" in type ? type.element : type.element.type)}>`;
  if (type.kind === "map") {
    return "keyId" in type
      ? `map<${shortTypeText(type.key)}, ${shortTypeText(type.value)}>`
      : `map<${shortTypeText(type.key.type)}, ${shortTypeText(type.value.type)}>`;
  }
  return formatType(type);
}
