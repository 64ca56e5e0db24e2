// Takes typed members out of parsed JSON, with a message that names the path when one is missing or of
// another type. Integers are checked against the range that Java reads them in. Knows no document.
import { ToolError } from "../diagnostics/tool-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { writeJson } from "./json-write.ts";

const MIN_INT = -(2 ** 31);
const MAX_INT = 2 ** 31 - 1;
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;
/** Characters of a wrong value that a message shows. */
const SHOWN = 60;

/** `path` is the place in the document, e.g. `schemas[1].fields[0].type`; empty for the whole. */
export function corrupt(path: string, why: string): ToolError {
  if (path === "") return new ToolError("corrupt", "Cannot read the JSON document", { why });
  return new ToolError("corrupt", `Cannot read "${path}"`, { why, context: { at: path } });
}

export function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

export function objectAt(value: JsonValue | undefined, path: string): JsonObject {
  return isJsonObject(value) ? value : wrong(path, "an object", value);
}

export function arrayAt(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  return Array.isArray(value) ? value : wrong(path, "an array", value);
}

export function objectMember(object: JsonObject, key: string, path: string): JsonObject {
  return objectAt(member(object, key), join(path, key));
}

export function arrayMember(object: JsonObject, key: string, path: string): readonly JsonValue[] {
  return arrayAt(member(object, key), join(path, key));
}

/** A 32-bit integer. */
export function intMember(object: JsonObject, key: string, path: string): number {
  return intAt(member(object, key), join(path, key));
}

export function intAt(value: JsonValue | undefined, path: string): number {
  const isInt = typeof value === "number" && Number.isInteger(value) && value >= MIN_INT && value <= MAX_INT;
  return isInt ? value : wrong(path, "a 32-bit integer", value);
}

/** Null for an absent member and for null. */
export function optionalInt(object: JsonObject, key: string, path: string): number | null {
  return isAbsent(object, key) ? null : intMember(object, key, path);
}

/** A 64-bit integer. */
export function longMember(object: JsonObject, key: string, path: string): bigint {
  return longAt(member(object, key), join(path, key));
}

export function longAt(value: JsonValue | undefined, path: string): bigint {
  const isInteger = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
  if (isInteger) {
    const long = BigInt(value);
    if (long >= MIN_LONG && long <= MAX_LONG) return long;
  }
  return wrong(path, "a 64-bit integer", value);
}

export function optionalLong(object: JsonObject, key: string, path: string): bigint | null {
  return isAbsent(object, key) ? null : longMember(object, key, path);
}

/** A time or a duration in milliseconds: a 64-bit integer in the file that a double holds exactly. */
export function millisMember(object: JsonObject, key: string, path: string): number {
  const value = member(object, key);
  return typeof value === "number" && Number.isSafeInteger(value)
    ? value
    : wrong(join(path, key), "a number of milliseconds", value);
}

export function stringMember(object: JsonObject, key: string, path: string): string {
  const value = member(object, key);
  return typeof value === "string" ? value : wrong(join(path, key), "a text", value);
}

export function optionalString(object: JsonObject, key: string, path: string): string | null {
  return isAbsent(object, key) ? null : stringMember(object, key, path);
}

export function booleanMember(object: JsonObject, key: string, path: string): boolean {
  const value = member(object, key);
  return typeof value === "boolean" ? value : wrong(join(path, key), "true or false", value);
}

/** An object whose values are all texts. */
export function stringMapAt(value: JsonValue | undefined, path: string): Readonly<Record<string, string>> {
  const object = objectAt(value, path);
  return Object.fromEntries(Object.keys(object).map((key) => [key, stringMember(object, key, path)]));
}

/** The members that are not among `known`, or undefined when there are none. */
export function unknownMembers(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  const left = Object.entries(object).filter(([key]) => !known.has(key));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

export function isAbsent(object: JsonObject, key: string): boolean {
  return (member(object, key) ?? null) === null;
}

export function member(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function wrong(path: string, wanted: string, value: JsonValue | undefined): never {
  if (value === undefined) throw corrupt(path, `It is missing; ${wanted} is required`);
  const text = writeJson(value);
  throw corrupt(
    path,
    `${wanted.charAt(0).toUpperCase()}${wanted.slice(1)} is required, found ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}`,
  );
}
