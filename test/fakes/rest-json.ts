// JSON for the fake REST catalog: integers that a double cannot hold are bigint, both ways. Shares nothing with the
// product, so that a number that the product spoils is seen.

export type Json = null | boolean | number | bigint | string | Json[] | JsonMap;

export interface JsonMap {
  [key: string]: Json;
}

const MARK = "\u0001long:";

export function parseJson(text: string): Json {
  // Strings are passed over; numbers of sixteen digits and more become marked texts.
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify(MARK + token),
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  ) as Json;
}

export function writeJson(value: Json): string {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? MARK + String(one) : one));
  return text.replaceAll(/"\\u0001long:(-?\d+)"/g, "$1");
}

export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function mapOf(value: Json | undefined): JsonMap {
  if (isMap(value)) return value;
  throw new Error(`No object: ${writeJson(value ?? null)}`);
}

export function listOf(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  throw new Error(`No list: ${writeJson(value ?? null)}`);
}

export function mapsOf(value: Json | undefined): JsonMap[] {
  return listOf(value).map(mapOf);
}

export function textOf(value: Json | undefined): string {
  if (typeof value === "string") return value;
  throw new Error(`No text: ${writeJson(value ?? null)}`);
}

export function numberOf(value: Json | undefined): number {
  if (typeof value === "number") return value;
  throw new Error(`No number: ${writeJson(value ?? null)}`);
}

export function longOf(value: Json | undefined): bigint {
  if (typeof value === "bigint") return value;
  return BigInt(numberOf(value));
}

/** As JSON writes it: a number where a double holds it. */
export function fromLong(value: bigint): Json {
  return value >= -9_007_199_254_740_991n && value <= 9_007_199_254_740_991n ? Number(value) : value;
}

export function copyOf<T extends Json>(value: T): T {
  return parseJson(writeJson(value)) as T;
}

/** Equal whatever the order of keys. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  return a === undefined || b === undefined ? a === b : canonical(a) === canonical(b);
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isMap(value)) return writeJson(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(",")}}`;
}
