// The JSON Schemas of the three kinds of files, and the way through them: which schema holds for a value in a file.
// The same files serve editors; what the validator found is told in words by check-shape.ts.
import configSchema from "../../../schemas/config.schema.json" with { type: "json" };
import sharedSchema from "../../../schemas/shared.schema.json" with { type: "json" };
import tableSchema from "../../../schemas/table.schema.json" with { type: "json" };
import { bug } from "../../diagnostics/tool-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../iceberg/json.ts";
import { findValue, type YamlNode } from "../yaml/tree.ts";

export const SCHEMA_NAMES = ["table", "shared", "config"] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];

const SCHEMAS: Readonly<Record<SchemaName, JsonObject>> = {
  table: tableSchema,
  shared: sharedSchema,
  config: configSchema,
};

/** A schema and the file it stands in, which its references count from. */
export interface SchemaSpot {
  readonly schema: JsonObject;
  readonly file: SchemaName;
}

export function rootSchema(file: SchemaName): SchemaSpot {
  return { schema: SCHEMAS[file], file };
}

/**
 * Follows references and picks the branch that holds for the value, so that `properties` and `type` can be read. Of
 * a value that is not known, the branch for other values.
 */
export function structureOf(spot: SchemaSpot, value: YamlNode | undefined): SchemaSpot {
  const { schema, file } = definitionOf(spot);
  if (isJsonObject(schema["if"])) {
    const branch = schema[isBranchOf(schema["if"], value) ? "then" : "else"];
    if (isJsonObject(branch)) return structureOf({ schema: branch, file }, value);
  }
  if (schema["additionalProperties"] === undefined && Array.isArray(schema["allOf"])) {
    for (const branch of schema["allOf"]) {
      if (isJsonObject(branch) && isJsonObject(branch["if"]) && isBranchOf(branch["if"], value) && isJsonObject(branch["then"])) {
        return structureOf({ schema: branch["then"], file }, value);
      }
    }
  }
  return { schema, file };
}

/** Follows references only. */
export function definitionOf(spot: SchemaSpot): SchemaSpot {
  const reference = spot.schema["$ref"];
  return typeof reference === "string" ? definitionOf(followReference(reference, spot.file)) : spot;
}

/** The schema of what stands under a key or in a list, or null where anything may stand. */
export function childSchema(spot: SchemaSpot, key: string | number): SchemaSpot | null {
  const { schema, file } = spot;
  const child = typeof key === "number" ? schema["items"] : (propertiesOf(spot).get(key) ?? schema["additionalProperties"]);
  return isJsonObject(child) ? { schema: child, file } : null;
}

export function propertiesOf({ schema }: SchemaSpot): ReadonlyMap<string, JsonObject> {
  const properties = schema["properties"];
  if (!isJsonObject(properties)) return new Map();
  return new Map(Object.entries(properties).flatMap(([key, value]) => (isJsonObject(value) ? [[key, value] as const] : [])));
}

function followReference(reference: string, from: SchemaName): SchemaSpot {
  const [document = "", pointer = ""] = reference.split("#/");
  const file = document === "" ? from : (document.split(".")[0] ?? "");
  if (!isSchemaName(file)) throw bug("A schema refers to a file that is none of ours", { reference });
  let schema: JsonValue | undefined = SCHEMAS[file];
  for (const step of pointer.split("/")) schema = isJsonObject(schema) ? schema[step] : undefined;
  if (!isJsonObject(schema)) throw bug("A schema refers to a definition that does not exist", { reference });
  return { schema, file };
}

function isSchemaName(text: string): text is SchemaName {
  return Object.hasOwn(SCHEMAS, text);
}

/** The two questions that our schemas ask: is a key there, and is a key equal to a constant. */
function isBranchOf(condition: JsonObject, value: YamlNode | undefined): boolean {
  if (value?.kind !== "map") return false;
  const required = Array.isArray(condition["required"]) ? condition["required"] : [];
  if (!required.every((key) => typeof key === "string" && findValue(value, key) !== undefined)) return false;
  const properties = condition["properties"];
  if (!isJsonObject(properties)) return true;
  return Object.entries(properties).every(([key, schema]) => {
    if (!isJsonObject(schema) || schema["const"] === undefined) return true;
    const node = findValue(value, key);
    return node?.kind === "scalar" && node.text === schema["const"];
  });
}

/** Every key of the format, and those whose value may be text. */
export function knownKeys(): { readonly keys: ReadonlySet<string>; readonly textKeys: ReadonlySet<string> } {
  known ??= collectKeys();
  return known;
}

let known: ReturnType<typeof collectKeys> | undefined;

function collectKeys(): { keys: ReadonlySet<string>; textKeys: ReadonlySet<string> } {
  const keys = new Set<string>();
  const textKeys = new Set<string>();
  const visit = (schema: JsonValue, file: SchemaName): void => {
    if (Array.isArray(schema)) for (const item of schema) visit(item, file);
    if (!isJsonObject(schema)) return;
    for (const [key, property] of propertiesOf({ schema, file })) {
      if (isBare(property)) continue;
      keys.add(key);
      if (mayBeText(structureOf({ schema: property, file }, undefined).schema)) textKeys.add(key);
    }
    for (const value of Object.values(schema)) visit(value, file);
  };
  for (const file of SCHEMA_NAMES) visit(SCHEMAS[file], file);
  return { keys, textKeys };
}

/** A property that only a condition names. */
function isBare(schema: JsonObject): boolean {
  return schema["description"] === undefined;
}

function mayBeText(schema: JsonObject): boolean {
  const type = schema["type"];
  if (type === undefined) return Array.isArray(schema["enum"]);
  return (Array.isArray(type) ? type : [type]).includes("string");
}
