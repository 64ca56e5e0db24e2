// Words for values and for what a schema expects of them. Knows no rule of the format.
import type { JsonObject, JsonValue } from "../../iceberg/json.ts";
import { joined, quoted } from "../words.ts";
import { isEmpty, type YamlNode } from "../yaml/tree.ts";

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  null: "null",
};

/** `true or false`, `text or a list`, `"fail" or "set-null"`. */
export function expectedOf(schema: JsonObject): string {
  if (Array.isArray(schema["enum"])) return joined(schema["enum"].map(constantText), "or");
  if (schema["const"] !== undefined) return constantText(schema["const"]);
  const types = typesOf(schema["type"]);
  // Where text is welcome, numbers and booleans are only other spellings of it.
  const isSourceText = ["string", "number", "boolean"].every((type) => types.includes(type));
  const told = isSourceText ? types.filter((type) => type !== "number" && type !== "boolean") : types;
  return joined(
    told.map((type) => KINDS[type] ?? type),
    "or",
  );
}

/** A word of a schema as it is written in a message. */
function constantText(value: JsonValue | undefined): string {
  return typeof value === "string" ? quoted(value) : plainText(value);
}

export function plainText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

export function typesOf(type: JsonValue | undefined): readonly string[] {
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
}

/** `text "yes"`, `a list`, `nothing`. */
export function describeNode(node: YamlNode): string {
  if (node.kind === "list") return "a list";
  if (node.kind === "map") return "a map";
  if (isEmpty(node)) return "nothing";
  if (node.value === null) return node.text;
  if (typeof node.value === "boolean") return node.text;
  return typeof node.value === "string" ? `text ${quoted(node.text)}` : `the number ${node.text}`;
}
