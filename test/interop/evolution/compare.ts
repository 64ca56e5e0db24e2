// Two metadata documents side by side: everything that a commit can change, but not the clock. What the format leaves
// open is brought to one form first: the order of keys and of identifier fields, the case of hexadecimal digits.
import { isDeepStrictEqual } from "node:util";
import { isTexts } from "../../../scripts/conformance-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/iceberg/json.ts";
import { parseJson } from "../../../src/iceberg/json-parse.ts";

/** Of the clock, or of where the file stands. */
const LEFT_OUT: ReadonlySet<string> = new Set(["last-updated-ms", "metadata-log"]);
/** Lists that a file without them has empty. */
const OPTIONAL_LISTS: ReadonlySet<string> = new Set(["statistics", "partition-statistics"]);
const TYPE_KEYS: ReadonlySet<string> = new Set(["type", "element", "key", "value"]);
/** Spec "Primitive Types": without parameters they mean these. */
const WITHOUT_PARAMETERS: Readonly<Record<string, string>> = {
  geometry: "geometry(OGC:CRS84)",
  geography: "geography(OGC:CRS84, spherical)",
};
const NAME_MAPPING = "schema.name-mapping.default";

/** A metadata file's text in the one form. */
export function documentOf(text: string): JsonObject {
  const document = parseJson(text);
  if (!isJsonObject(document)) throw new Error("A metadata file holds no object");
  const members = Object.entries(document).filter(
    ([key, value]) => !LEFT_OUT.has(key) && !(OPTIONAL_LISTS.has(key) && isList(value) && value.length === 0),
  );
  return Object.fromEntries(members.map(([key, value]) => [key, canonical(key, value)]));
}

function canonical(key: string, value: JsonValue): JsonValue {
  if (key === NAME_MAPPING && typeof value === "string") return namesSorted(parseJson(value));
  if (TYPE_KEYS.has(key) && typeof value === "string") return WITHOUT_PARAMETERS[value] ?? value;
  if (key === "identifier-field-ids" && isList(value)) return [...value].sort((a, b) => Number(a) - Number(b));
  if (isList(value)) return value.map((one) => canonical("", one));
  if (!isJsonObject(value)) return value;
  const { type } = value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name.endsWith("-default") && typeof inner === "string" && typeof type === "string"
        ? defaultText(type, inner)
        : canonical(name, inner),
    ]),
  );
}

/** Times may go without the noughts at the end of their fraction. */
function defaultText(type: string, value: string): string {
  if (/^(?:binary|fixed)/.test(type)) return value.toLowerCase();
  return type.startsWith("time") ? value.replace(/(\.\d*?)0+(?=\+|$)/, "$1").replace(/\.(?=\+|$)/, "") : value;
}

/** The names of one field are a set. */
function namesSorted(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(namesSorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "names" && isTexts(inner) ? [...inner].sort() : namesSorted(inner),
    ]),
  );
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Member by member what differs, `ours` first; empty when nothing does. */
export function differences(ours: JsonObject, java: JsonObject): string[] {
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(java)])];
  return keys
    .filter((key) => !isDeepStrictEqual(ours[key], java[key]))
    .map((key) => `${key}\n  ours ${show(ours[key])}\n  java ${show(java[key])}`);
}

function show(value: unknown): string {
  return value === undefined
    ? "nothing"
    : JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner));
}
