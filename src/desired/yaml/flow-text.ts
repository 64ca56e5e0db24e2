// Maps and lists on one line: `{ a: 1 }`, `[ a, b ]`. Values come in as YAML already, or as JSON.
import type { JsonObject, JsonValue } from "../../iceberg/json.ts";
import { scalarText } from "./quoting.ts";

/** Keys must be plain words. */
export function flowMap(pairs: readonly (readonly [string, string])[]): string {
  return pairs.length === 0 ? "{}" : `{ ${pairs.map(([key, value]) => `${key}: ${value}`).join(", ")} }`;
}

export function flowList(items: readonly string[]): string {
  return items.length === 0 ? "[]" : `[ ${items.join(", ")} ]`;
}

export function flowJson(value: JsonObject): string {
  return flowMap(Object.entries(value).map(([key, one]) => [scalarText(key), flowValue(one)] as const));
}

function flowValue(value: JsonValue): string {
  if (typeof value === "string") return scalarText(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return numberText(value);
  if (isList(value)) return flowList(value.map(flowValue));
  return flowJson(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** With a point or as a whole number: readers of YAML 1.1 take `1e21` for text. */
function numberText(value: number): string {
  const text = String(value);
  return /^-?\d+e/.test(text) ? text.replace("e", ".0e") : text;
}
