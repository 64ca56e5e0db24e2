// What a key of the files means, from the same schemas that editors read: for `floeplan explain KEY`. Data for the
// caller to render; knows no terminal.
import { isJsonObject, type JsonObject, type JsonValue } from "../iceberg/json.ts";
import { nearest } from "../diagnostics/near-spelling.ts";
import { expectedOf } from "./schema/describe-value.ts";
import {
  childSchema,
  definitionOf,
  rootSchema,
  SCHEMA_NAMES,
  type SchemaName,
  type SchemaSpot,
  structureOf,
} from "./schema/schemas.ts";

export interface ExplainedKey {
  /** The way to the key, `columns.convert.format`; `*` stands for a name of the author's. */
  readonly path: string;
  readonly file: SchemaName;
  readonly description: string;
  readonly markdown: string;
  /** What the value may be: `text`, `"fail" or "set-null"`. */
  readonly expected: string;
  readonly isRequired: boolean;
  readonly examples: readonly JsonValue[];
}

export type Explanation =
  | { readonly found: readonly ExplainedKey[] }
  /** Nothing of that name, and the key that was probably meant. */
  | { readonly found: null; readonly near: string | null };

/** `query`: a key (`format`), or the end of a path (`convert.format`), or a whole path. */
export function explainKey(query: string): Explanation {
  const wanted = query.split(".").filter((part) => part !== "" && part !== "*");
  const all = allKeys();
  const found = all.filter((key) => endsWith(namesOf(key), wanted));
  if (wanted.length > 0 && found.length > 0) return { found: withoutRepeats(found) };
  return { found: null, near: nearest(query, new Set(all.flatMap((key) => [key.path, namesOf(key).at(-1) ?? ""]))) };
}

/** Every key of the three files, in the order of the schemas. */
export function allKeys(): readonly ExplainedKey[] {
  return SCHEMA_NAMES.flatMap(keysOf);
}

function keysOf(file: SchemaName): ExplainedKey[] {
  const keys: ExplainedKey[] = [];
  const visit = (spot: SchemaSpot, path: readonly string[], above: ReadonlySet<JsonObject>): void => {
    for (const branch of branchesOf(spot)) {
      // Fields hold fields: each definition is told once on its way down.
      if (above.has(branch.schema)) continue;
      const inside = new Set([...above, branch.schema]);
      const properties = branch.schema["properties"];
      for (const [key, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
        if (!isJsonObject(schema) || schema["description"] === undefined) continue;
        const child = { schema, file: branch.file };
        const way = [...path, key];
        const told = toKey(way, child, branch, file);
        if (!keys.some((one) => one.path === told.path && one.markdown === told.markdown)) keys.push(told);
        visit(child, way, inside);
      }
      const others = childSchema({ ...branch, schema: { ...branch.schema, properties: {} } }, "*");
      if (others !== null) visit(others, [...path, "*"], inside);
      const items = childSchema(branch, 0);
      if (items !== null) visit(items, path, inside);
    }
  };
  visit(rootSchema(file), [], new Set());
  return keys;
}

/** The schemas that may hold for a value: all branches, since no value is known. */
function branchesOf(spot: SchemaSpot): readonly SchemaSpot[] {
  const structure = structureOf(spot, undefined);
  const { schema, file } = structure;
  const conditional = [definitionOf(spot).schema, ...(Array.isArray(schema["allOf"]) ? schema["allOf"] : [])];
  const branches = conditional.flatMap((one) => (isJsonObject(one) && isJsonObject(one["then"]) ? [one["then"]] : []));
  return [structure, ...branches.map((branch) => structureOf({ schema: branch, file }, undefined))];
}

function toKey(path: readonly string[], { schema, file }: SchemaSpot, above: SchemaSpot, root: SchemaName): ExplainedKey {
  const key = path.at(-1) ?? "";
  const required = above.schema["required"];
  const structure = structureOf({ schema, file }, undefined).schema;
  const text = (word: string): string => (typeof schema[word] === "string" ? schema[word] : "");
  return {
    path: path.join("."),
    file: root,
    description: text("description"),
    markdown: text("markdownDescription"),
    expected: structure["not"] === undefined ? expectedOf(structure) : "nothing",
    isRequired: Array.isArray(required) && required.includes(key),
    examples: Array.isArray(schema["examples"]) ? schema["examples"] : [],
  };
}

function namesOf(key: ExplainedKey): readonly string[] {
  return key.path.split(".").filter((part) => part !== "*");
}

function endsWith(names: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word, index) => names[names.length - wanted.length + index] === word);
}

/** One of those that say the same; the one nearest to the root. */
function withoutRepeats(keys: readonly ExplainedKey[]): ExplainedKey[] {
  const seen = new Set<string>();
  return [...keys]
    .sort((a, b) => a.path.length - b.path.length)
    .filter((key) => {
      const isNew = !seen.has(key.markdown);
      seen.add(key.markdown);
      return isNew;
    });
}
