// Writes JSON text: `bigint` as digits, and the decimal point that Java wants in floating-point numbers. Knows
// nothing of what the value is about; keeping bytes that were read is metadata-write.ts's.
import { bug } from "../diagnostics/tool-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

export interface WriteOptions {
  /** What a level is indented by: a number of blanks, or the text itself. Absent: one line without blanks, as Java writes metadata. */
  readonly indent?: number | string;
}

/** Marks a number that is written with a decimal point even when it is whole. */
const FLOAT = Symbol("float");

/**
 * A number that the writer shows as a floating-point one: Java refuses `1` as the default of a double and
 * wants `1.0`. For other code it is an object without keys.
 */
export function floatNumber(value: number): JsonValue {
  if (!Number.isInteger(value)) return value;
  const marked: JsonObject = {};
  return Object.defineProperty(marked, FLOAT, { value });
}

export function writeJson(value: JsonValue, options: WriteOptions = {}): string {
  const { indent = "" } = options;
  return write(value, typeof indent === "number" ? " ".repeat(indent) : indent, "", false);
}

/** One text for equal values: keys sorted by code unit, no blanks; a `bigint` reads like the `number` of the same value. For hashing. */
export function canonicalJson(value: JsonValue): string {
  return write(value, "", "", true);
}

function write(value: JsonValue, indent: string, margin: string, sorted: boolean): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return writeNumber(value);
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value === "boolean") return String(value);
  const inner = margin + indent;
  if (!isJsonObject(value)) {
    const parts = value.map((element) => write(element, indent, inner, sorted));
    return enclose("[", parts, "]", indent, margin);
  }
  const float = floatOf(value);
  if (float !== undefined) return writeFloat(float);
  const keys = sorted ? Object.keys(value).sort() : Object.keys(value);
  const colon = indent === "" ? ":" : ": ";
  const parts = keys.map((key) => JSON.stringify(key) + colon + write(value[key] ?? null, indent, inner, sorted));
  return enclose("{", parts, "}", indent, margin);
}

function enclose(open: string, parts: readonly string[], close: string, indent: string, margin: string): string {
  if (parts.length === 0) return open + close;
  if (indent === "") return open + parts.join(",") + close;
  const line = `\n${margin}${indent}`;
  return `${open}${line}${parts.join(`,${line}`)}\n${margin}${close}`;
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw bug("JSON has no form for a number that is not finite", { value });
  return Object.is(value, -0) ? "-0.0" : String(value);
}

function writeFloat(value: number): string {
  const text = writeNumber(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function floatOf(object: JsonObject): number | undefined {
  const value: unknown = Reflect.get(object, FLOAT);
  return typeof value === "number" ? value : undefined;
}
