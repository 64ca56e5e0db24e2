// Default values in the JSON single-value form of metadata (spec Appendix D): is a value one of its type, and its
// one canonical spelling. Source text of table files is default-text.ts's; which change is allowed is not known here.
import { formatIsoDate, formatIsoTime, formatIsoTimestamp, parseIsoDate, parseIsoTime, parseIsoTimestamp } from "./iso-time.ts";
import { parseIsoTimestampWithOffset, type FractionDigits } from "./iso-time.ts";
import type { JsonValue } from "./json.ts";
import { isNested, type PrimitiveType, type Type } from "./type.ts";
import { formatType } from "./type-text.ts";

/** The canonical JSON form, or half a sentence that says why there is none. */
export type DefaultResult = { readonly value: JsonValue } | { readonly why: string };

const MAX_INT = 2n ** 31n - 1n;
const MAX_LONG = 2n ** 63n - 1n;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `null` is a value of every type: no default. */
export function readDefault(value: JsonValue, type: Type): DefaultResult {
  if (value === null) return { value };
  if (isNested(type)) return { why: `a ${type.kind} takes no default but null` };
  return readers[type.kind](value, type);
}

/** Are both the same value of the type, however each is spelled? Values that are none of the type are compared as they are. */
export function isSameDefault(a: JsonValue | undefined, b: JsonValue | undefined, type: Type): boolean {
  const [left, right] = [readDefault(a ?? null, type), readDefault(b ?? null, type)];
  if ("why" in left || "why" in right) return a === b;
  return left.value === right.value;
}

/** The same default after a promotion of its field; floats get the digits of the double that readers now see. */
export function promoteDefault(value: JsonValue, from: PrimitiveType, to: PrimitiveType): JsonValue {
  if (from.kind === "float" && to.kind === "double" && typeof value === "number") return Math.fround(value);
  if (from.kind === "date" && typeof value === "string") {
    if (to.kind === "timestamp") return `${value}T00:00:00.000000`;
    if (to.kind === "timestamp_ns") return `${value}T00:00:00.000000000`;
  }
  return value;
}

type Reader = (value: JsonValue, type: PrimitiveType) => DefaultResult;

const readers: Readonly<Record<PrimitiveType["kind"], Reader>> = {
  boolean: (value, type) => (typeof value === "boolean" ? { value } : notA(type, "true or false")),
  int: (value, type) => readInteger(value, type, MAX_INT),
  long: (value, type) => readInteger(value, type, MAX_LONG),
  float: readFloat,
  double: readFloat,
  decimal: readDecimal,
  date: (value, type) => {
    const days = typeof value === "string" ? parseIsoDate(value) : null;
    return days === null ? notA(type, 'a date like "2024-01-31"') : { value: formatIsoDate(days) };
  },
  time: (value, type) => {
    const micros = typeof value === "string" ? parseIsoTime(value, 6) : null;
    return micros === null ? notA(type, 'a time like "22:31:08.123456"') : { value: formatIsoTime(micros, 6) };
  },
  timestamp: (value, type) => readTimestamp(value, type, 6),
  timestamp_ns: (value, type) => readTimestamp(value, type, 9),
  timestamptz: (value, type) => readZoned(value, type, 6),
  timestamptz_ns: (value, type) => readZoned(value, type, 9),
  string: (value, type) => (typeof value === "string" ? { value } : notA(type, "text")),
  uuid: (value, type) => {
    const text = typeof value === "string" ? value.toLowerCase() : "";
    return UUID.test(text) ? { value: text } : notA(type, 'a uuid like "f79c3e09-677c-4bbd-a479-3f349cb785e7"');
  },
  binary: readHex,
  fixed: readHex,
  unknown: onlyNull,
  variant: onlyNull,
  geometry: onlyNull,
  geography: onlyNull,
};

function readInteger(value: JsonValue, type: PrimitiveType, max: bigint): DefaultResult {
  if (typeof value !== "bigint" && !(typeof value === "number" && Number.isSafeInteger(value)))
    return notA(type, "a whole number");
  const exact = BigInt(value);
  if (exact > max || exact < -max - 1n) return notA(type, `a whole number from ${-max - 1n} to ${max}`);
  return { value: toJsonInteger(exact) };
}

/** Whole numbers are `number` where that is exact, as the JSON reader gives them. */
export function toJsonInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function readFloat(value: JsonValue, type: PrimitiveType): DefaultResult {
  if (typeof value !== "number" && typeof value !== "bigint") return notA(type, "a number");
  const number = Number(value);
  const stored = type.kind === "float" ? Math.fround(number) : number;
  return Number.isFinite(stored) ? { value: number } : notA(type, "a number in its range");
}

function readDecimal(value: JsonValue, type: PrimitiveType): DefaultResult {
  if (type.kind !== "decimal") return onlyNull(value, type);
  const wanted = `text with ${type.scale} digits after the point and at most ${type.precision} in all`;
  const match = typeof value === "string" ? /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(value) : null;
  const fraction = match?.[3] ?? "";
  if (match === null || fraction.length !== type.scale) return notA(type, wanted);
  const whole = (match[2] ?? "").replace(/^0+(?=\d)/, "");
  const unscaled = BigInt(whole + fraction);
  if (unscaled.toString().length > type.precision) return notA(type, wanted);
  const sign = match[1] === "-" && unscaled !== 0n ? "-" : "";
  return { value: `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}` };
}

function readTimestamp(value: JsonValue, type: PrimitiveType, digits: FractionDigits): DefaultResult {
  const units = typeof value === "string" ? parseIsoTimestamp(value, digits) : null;
  if (units === null)
    return notA(type, `a timestamp like "2017-11-16T22:31:08${digits === 6 ? ".123456" : ".123456789"}" without offset`);
  return { value: formatIsoTimestamp(units, digits) };
}

function readZoned(value: JsonValue, type: PrimitiveType, digits: FractionDigits): DefaultResult {
  const isUtc = typeof value === "string" && /(?:Z|[+-]00:00)$/.test(value);
  const units = isUtc ? parseIsoTimestampWithOffset(value, digits) : null;
  if (units === null) return notA(type, `a timestamp like "2017-11-16T22:31:08${digits === 6 ? ".123456" : ".123456789"}+00:00"`);
  return { value: `${formatIsoTimestamp(units, digits)}+00:00` };
}

function readHex(value: JsonValue, type: PrimitiveType): DefaultResult {
  const text = typeof value === "string" ? value : "-";
  const isHex = /^(?:[0-9a-f]{2})*$/i.test(text);
  if (type.kind === "fixed" && (!isHex || text.length !== type.length * 2))
    return notA(type, `${type.length} bytes as hexadecimal text`);
  return isHex ? { value: text.toLowerCase() } : notA(type, "bytes as hexadecimal text");
}

function onlyNull(_value: JsonValue, type: PrimitiveType): DefaultResult {
  return { why: `${formatType(type)} takes no default but null` };
}

function notA(type: PrimitiveType, wanted: string): DefaultResult {
  return { why: `the default of ${formatType(type)} must be ${wanted}` };
}
