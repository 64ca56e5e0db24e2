// Reads the members of a conformance case; a case that is not as the file's head says stops the run.
import { isJsonObject, type JsonObject, type JsonValue } from "../src/iceberg/json.ts";

export function objectOf(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error(`${show(value)} is no object`);
}

export function listOf(object: JsonObject | undefined, key: string): readonly JsonValue[] {
  const value = object?.[key];
  if (isList(value)) return value;
  throw new Error(`"${key}" is no list in ${show(object)}`);
}

export function textOf(object: JsonObject, key: string): string {
  const value = object[key];
  if (typeof value === "string") return value;
  throw new Error(`"${key}" is no text in ${show(object)}`);
}

export function textsOf(object: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(object).map(([key]) => [key, textOf(object, key)]));
}

export function isTexts(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function show(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner));
}

export function optionalText(object: JsonObject, key: string): string | undefined {
  return object[key] === undefined ? undefined : textOf(object, key);
}

export function textItem(value: JsonValue): string {
  if (typeof value === "string") return value;
  throw new Error(`${show(value)} is no text`);
}
