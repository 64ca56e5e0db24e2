// Default values between the source text of a table file and the JSON form of metadata: decimals, longs and
// timestamps stay exact. What the text stands in, and where, is not known here.
import { type DefaultResult, readDefault, toJsonInteger } from "./default-value.ts";
import { type FractionDigits, formatIsoTimestamp, parseIsoTimestampWithOffset } from "./iso-time.ts";
import type { JsonValue } from "./json.ts";
import { writeJson } from "./json-write.ts";
import { isNested, type PrimitiveType, type Type } from "./type.ts";
import { formatType } from "./type-text.ts";

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,5})?$/;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/**
 * The default that the text means for the type, in canonical JSON form. A decimal may have fewer digits after
 * the point than the scale, never more that count; a timestamptz may have any offset and is kept in UTC; bytes
 * are hexadecimal, with or without `0x`.
 */
export function parseDefault(text: string, type: Type): DefaultResult {
  if (isNested(type)) return { why: `a ${type.kind} takes no default` };
  switch (type.kind) {
    case "string":
      return { value: text };
    case "boolean":
      return readDefault(BOOLEANS.get(text.toLowerCase()) ?? text, type);
    case "int":
    case "long":
      return readDefault(/^[+-]?\d{1,40}$/.test(text) ? toJsonInteger(BigInt(text.replace("+", ""))) : text, type);
    case "float":
    case "double":
      return readDefault(NUMBER.test(text) ? Number(text) : text, type);
    case "decimal":
      return readDefault(padDecimal(text, type.scale), type);
    case "timestamptz":
      return readDefault(toUtc(text, 6), type);
    case "timestamptz_ns":
      return readDefault(toUtc(text, 9), type);
    case "binary":
    case "fixed":
      return readDefault(text.replace(/^0[xX]/, ""), type);
    case "date":
    case "time":
    case "timestamp":
    case "timestamp_ns":
    case "uuid":
      return readDefault(text, type);
    case "unknown":
    case "variant":
    case "geometry":
    case "geography":
      return { why: `${formatType(type)} takes no default` };
  }
}

/** The text of a default as a table file has it; `parseDefault` gives the value back. */
export function formatDefault(value: JsonValue, type: PrimitiveType): string {
  const read = readDefault(value, type);
  const canonical = "value" in read ? read.value : value;
  return typeof canonical === "string" ? canonical : writeJson(canonical);
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

function padDecimal(text: string, scale: number): string {
  const match = DECIMAL.exec(text);
  const [sign = "", whole = "", fraction = ""] = match?.slice(1) ?? [];
  if (match === null || whole + fraction === "") return text;
  const needed = fraction.replace(/(?<!0)0+$/, "").padEnd(scale, "0");
  return `${sign}${whole === "" ? "0" : whole}${needed === "" ? "" : `.${needed}`}`;
}

function toUtc(text: string, digits: FractionDigits): string {
  const units = parseIsoTimestampWithOffset(text, digits);
  return units === null ? text : `${formatIsoTimestamp(units, digits)}+00:00`;
}
