// A report for machines: the JSON that it carries. 64-bit numbers are strings, secrets are taken out value by
// value, and what cannot be seen is written as an escape, so that the text is harmless in a terminal and a log.
import { redact } from "../../diagnostics/redact.ts";
import type { JsonObject, JsonValue } from "../../iceberg/json.ts";
import { writeJson as writeJsonText } from "../../iceberg/json-write.ts";
import type { Report } from "../report.ts";

export function renderJson(report: Report): string {
  return writeJson(report.json);
}

/** Two blanks of indentation and a line end. */
export function writeJson(value: JsonObject): string {
  return `${writeJsonText(withoutSecrets(value), { indent: 2 }).replace(UNSEEN, escaped).replaceAll("##[", "##\\u005b")}\n`;
}

const UNSEEN = /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}

function withoutSecrets(value: JsonValue): JsonValue {
  if (typeof value === "string") return redact(value);
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  // A floating-point number that JSON writes with a decimal point carries its mark as a symbol.
  if (Object.getOwnPropertySymbols(value).length > 0) return value;
  // Entries keep a key such as `__proto__` a plain key.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, secretUnder(key, inner)]));
}

/** The key may be what tells that the value is a secret, e.g. `s3.secret-access-key`. */
function secretUnder(key: string, value: JsonValue): JsonValue {
  const probe = `${key}=secret`;
  return typeof value === "string" && redact(probe) !== probe ? "****" : withoutSecrets(value);
}
