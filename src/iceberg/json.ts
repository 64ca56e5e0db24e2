// JSON values as Iceberg needs them: integers beyond 2^53 are `bigint`, never rounded. Types only; reading
// and writing are in json-parse.ts and json-write.ts.

export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** Own enumerable keys only; key order is kept. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
