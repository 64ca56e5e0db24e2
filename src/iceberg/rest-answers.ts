// What an Iceberg REST catalog answers beside tables: configuration, pages of names, errors (REST spec, CatalogConfig,
// ListTablesResponse, IcebergErrorResponse). Pure; tables are read in rest-table.ts.
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { arrayMember, isAbsent, member, objectAt, optionalString, stringMember } from "./json-fields.ts";
import { parseJson } from "./json-parse.ts";
import type { TableIdentifier } from "./live-table.ts";

export type RestProperties = Readonly<Record<string, string>>;

export interface CatalogConfig {
  readonly defaults: RestProperties;
  readonly overrides: RestProperties;
  /** `GET /v1/{prefix}/namespaces`, as the server spells them; null: it does not say. */
  readonly endpoints: readonly string[] | null;
  /** How long a key may be used again; null: the server knows no keys. */
  readonly idempotencyKeyMs: number | null;
}

/** Items in the order of the server. */
export interface NamePage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface ServerError {
  /** The exception's name, e.g. `CommitFailedException`; null where the answer has none. */
  readonly type: string | null;
  /** As the server wrote it: hostile, and of any length. */
  readonly message: string;
}

export function readCatalogConfig(body: Uint8Array): CatalogConfig {
  const object = objectAt(parseJson(body), "");
  const lifetime = isAbsent(object, "idempotency-key-lifetime") ? null : stringMember(object, "idempotency-key-lifetime", "");
  return {
    defaults: readProperties(member(object, "defaults"), "defaults"),
    overrides: readProperties(member(object, "overrides"), "overrides"),
    endpoints: isAbsent(object, "endpoints") ? null : texts(arrayMember(object, "endpoints", "")),
    idempotencyKeyMs: lifetime === null ? null : durationMs(lifetime),
  };
}

/** Servers write numbers and truth values where texts are meant. */
export function readProperties(value: JsonValue | undefined, path: string): RestProperties {
  if (value === undefined || value === null) return {};
  const entries = Object.entries(objectAt(value, path)).flatMap(([key, one]) =>
    one === null || typeof one === "object" ? [] : [[key, String(one)] as const],
  );
  return Object.fromEntries(entries);
}

export function readTablePage(body: Uint8Array): NamePage<TableIdentifier> {
  const object = objectAt(parseJson(body), "");
  const items = isAbsent(object, "identifiers") ? [] : arrayMember(object, "identifiers", "");
  return {
    items: items.map((item, index) => {
      const path = `identifiers[${index}]`;
      const identifier = objectAt(item, path);
      return {
        namespace: texts(arrayMember(identifier, "namespace", path)),
        name: stringMember(identifier, "name", path),
      };
    }),
    next: nextPage(object),
  };
}

export function readNamespacePage(body: Uint8Array): NamePage<readonly string[]> {
  const object = objectAt(parseJson(body), "");
  const items = isAbsent(object, "namespaces") ? [] : arrayMember(object, "namespaces", "");
  return { items: items.map((item) => (Array.isArray(item) ? texts(item) : [])), next: nextPage(object) };
}

/** Properties of a namespace; none where the server keeps none. */
export function readNamespaceProperties(body: Uint8Array): RestProperties {
  return readProperties(member(objectAt(parseJson(body), ""), "properties"), "properties");
}

/** Null where the body is not an error that a catalog, an OAuth server or an AWS service writes. */
export function readServerError(body: Uint8Array): ServerError | null {
  const value = parsedOrNull(body);
  if (!isJsonObject(value)) return null;
  const error = member(value, "error");
  if (isJsonObject(error)) return { type: textOf(error, "type"), message: textOf(error, "message") ?? "" };
  if (typeof error === "string") return { type: error, message: textOf(value, "error_description") ?? "" };
  const message = textOf(value, "message") ?? textOf(value, "Message");
  return message === null ? null : { type: textOf(value, "__type") ?? textOf(value, "type"), message };
}

function nextPage(object: JsonObject): string | null {
  const token = optionalString(object, "next-page-token", "");
  return token === "" ? null : token;
}

function texts(values: readonly JsonValue[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

function textOf(object: JsonObject, key: string): string | null {
  const value = member(object, key);
  return typeof value === "string" && value !== "" ? value : null;
}

function parsedOrNull(body: Uint8Array): JsonValue {
  try {
    return parseJson(body);
  } catch {
    return null;
  }
}

/** Of ISO 8601, without years and months; null for what is none. */
function durationMs(text: string): number | null {
  const match = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})(?:[.,]\d+)?S)?)?$/i.exec(text.trim());
  if (match === null) return null;
  const [, days = "0", hours = "0", minutes = "0", seconds = "0"] = match;
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

export interface TokenAnswer {
  readonly token: string;
  /** Null: the server does not say. */
  readonly lifetimeMs: number | null;
}

/** OAuth 2.0, RFC 6749 section 5.1. */
export function readTokenAnswer(body: Uint8Array): TokenAnswer {
  const object = objectAt(parseJson(body), "");
  const seconds = member(object, "expires_in");
  const number = typeof seconds === "string" && /^\d{1,9}$/.test(seconds) ? Number(seconds) : seconds;
  return {
    token: stringMember(object, "access_token", ""),
    lifetimeMs: typeof number === "number" && number > 0 ? number * 1000 : null,
  };
}
