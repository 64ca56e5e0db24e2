// The JSON Schemas: every key is explained for people and editors, examples are valid by the schema itself, the
// compiled validators are current, and every keyword that can be violated has words.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { buildValidators, readSchema, VALIDATORS_FILE } from "../../scripts/build-validators.ts";
import { allKeys, explainKey } from "../../src/desired/explain-key.ts";
import { knownKeys, SCHEMA_NAMES } from "../../src/desired/schema/schemas.ts";
import { codes, read, table } from "./support.ts";

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every subschema with the way to it, and whether it is that of a key; conditions are left out. */
function* subschemas(schema: unknown, path: string, isKey = false): Generator<readonly [string, Node, boolean]> {
  if (Array.isArray(schema)) {
    for (const [index, item] of schema.entries()) yield* subschemas(item, `${path}/${index}`);
  } else if (isNode(schema)) {
    yield [path, schema, isKey];
    for (const [key, value] of Object.entries(schema)) {
      if (key === "examples" || key === "defaultSnippets" || key === "if") continue;
      if ((key === "properties" || key === "$defs") && isNode(value)) {
        for (const [name, one] of Object.entries(value)) yield* subschemas(one, `${path}/${key}/${name}`, key === "properties");
      } else yield* subschemas(value, `${path}/${key}`);
    }
  }
}

function ajv(): Ajv2020 {
  const all = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true });
  all.addVocabulary(["markdownDescription", "defaultSnippets", "patternErrorMessage"]);
  for (const name of SCHEMA_NAMES) {
    const schema = readSchema(name);
    if (isNode(schema)) all.addSchema(schema);
  }
  return all;
}

describe("every key of the schemas", () => {
  for (const name of SCHEMA_NAMES) {
    const keys = [...subschemas(readSchema(name), "#")].filter(([path, , isKey]) => isKey && !/\/(then|allOf)\//.test(path));

    it(`of ${name} has words, examples and snippets`, () => {
      expect(keys.length).toBeGreaterThan(0);
      const lacking = keys.flatMap(([path, schema]) => {
        const isRefused = schema["not"] !== undefined;
        const lists = ["examples", "defaultSnippets"].every((word) => {
          const list = schema[word];
          return Array.isArray(list) && (isRefused || list.length > 0);
        });
        const words = ["description", "markdownDescription"].every(
          (word) => typeof schema[word] === "string" && schema[word].length > 5,
        );
        return lists && words ? [] : [path];
      });
      expect(lacking).toEqual([]);
    });

    it(`of ${name} has examples that the schema accepts, and snippets that are YAML`, () => {
      const all = ajv();
      const wrong = keys.flatMap(([path, schema]) => {
        const $id = `https://example.com/${name}${path.replace("#", "")}`;
        const base = `https://unpkg.com/floeplan@1/schemas/${name}.schema.json`;
        const absolute = JSON.parse(
          JSON.stringify(schema)
            .replaceAll('"$ref":"#', `"$ref":"${base}#`)
            .replaceAll('"$ref":"table', '"$ref":"https://unpkg.com/floeplan@1/schemas/table'),
        ) as Node;
        const validate = all.compile({ ...absolute, $id });
        const examples = Array.isArray(schema["examples"]) ? schema["examples"] : [];
        return examples.filter((example) => !validate(example)).map((example) => `${path}: ${JSON.stringify(example)}`);
      });
      expect(wrong).toEqual([]);
      const broken = keys.flatMap(([path, schema]) => {
        const snippets = Array.isArray(schema["defaultSnippets"]) ? schema["defaultSnippets"] : [];
        return snippets.flatMap((snippet: unknown) => {
          const body = isNode(snippet) ? snippet["body"] : undefined;
          if (typeof body !== "string") return [];
          const text = body.replaceAll(/\$\{\d+\|([^,|]*)[^}]*\}/g, "$1").replaceAll(/\$\{\d+:([^}]*)\}/g, "$1");
          try {
            parseYaml(`key: ${text.replaceAll("\n", "\n  ")}`);
            return [];
          } catch {
            return [`${path}: ${body}`];
          }
        });
      });
      expect(broken).toEqual([]);
    });
  }
});

describe("the compiled validators", () => {
  it("are those of the schemas as they are now", () => {
    expect(readFileSync(VALIDATORS_FILE, "utf8")).toBe(buildValidators());
  });

  it("need no library at run time", () => {
    expect(readFileSync(VALIDATORS_FILE, "utf8")).not.toMatch(/\brequire\(|^import /m);
  });

  it("use no keyword without words", () => {
    const keywords = new Set(
      SCHEMA_NAMES.flatMap((name) => [...subschemas(readSchema(name), "#")].flatMap(([, schema]) => Object.keys(schema))),
    );
    const told = [
      "type",
      "required",
      "additionalProperties",
      "enum",
      "const",
      "pattern",
      "minimum",
      "maximum",
      "minItems",
      "minProperties",
      "not",
    ];
    const structure = ["$schema", "$id", "$defs", "$ref", "title", "properties", "items", "if", "then", "else", "allOf"];
    const words = ["description", "markdownDescription", "examples", "defaultSnippets", "patternErrorMessage"];
    expect([...keywords].filter((keyword) => ![...told, ...structure, ...words].includes(keyword))).toEqual([]);
  });
});

describe("the schema for editors and the program", () => {
  // What the editor underlines, the program must refuse too; the program may know more.
  const texts = [
    table("  - { name: a, type: int }"),
    table("  - { name: a, type: list<struct> }"),
    table("  - { name: a, type: list }"),
    table("  - { name: a, type: map, key: string }"),
    table("  - { name: a, type: struct }"),
    table('  - { name: a, type: "map<string, required struct>", fields: [ { name: b, type: int } ] }'),
    table("  - { name: a, type: list, element: { type: list, element: string } }"),
    table("  - { name: a, type: int, required: yes }"),
    table("  - { name: ~, type: int }"),
    table("  - { use: audit, name: a, type: int }"),
    table("  - { name: 2024, type: string, default: 1.10, renamed-from: [ 1, true ] }"),
    table("  - { name: a, type: int, id: new }\n  - { name: b, type: int, id: { dev: 3 } }"),
    table("  - { name: a, type: int }", "environments: { dev: { columns: [] } }"),
    table("  - { name: a, type: int }", "properties: { a: ~, b: 1, c: true }"),
    table("  - { name: a, type: int }", "dropped: [ { field: b } ]"),
    "table: [ a, 1 ]\ncolumns: [ { name: a, type: int } ]",
    "table: a.b\ncolumns: []",
  ];
  const validate = ajv().getSchema("https://unpkg.com/floeplan@1/schemas/table.schema.json");
  for (const text of texts) {
    it(`agree on ${JSON.stringify(text.replace("table: sales.orders\ncolumns:\n", ""))}`, () => {
      const isAccepted = validate?.(parseYaml(text)) === true;
      const errors = codes(read(text).diagnostics.filter((one) => one.severity === "error" && one.code !== "group-unknown"));
      if (!isAccepted) expect(errors).not.toEqual([]);
      else expect(errors).toEqual([]);
    });
  }
});

describe("explaining a key", () => {
  it("finds it by its name, by the end of its path, and tells what it may be", () => {
    const { found } = explainKey("convert.on-error");
    expect(found?.map((key) => [key.path, key.file, key.expected])).toEqual([
      ["columns.convert.on-error", "table", '"fail" or "set-null"'],
    ]);
  });

  it("finds all keys of one name that mean different things", () => {
    expect(explainKey("warehouse").found?.map((key) => key.description)).toEqual([
      "Warehouse that the catalog is asked for.",
      "Folder of the warehouse, relative to the project file.",
    ]);
  });

  it("offers the nearest key for one that does not exist", () => {
    expect(explainKey("renamed_from")).toEqual({ found: null, near: "renamed-from" });
    expect(explainKey("zzzzzzzz")).toEqual({ found: null, near: null });
    expect(explainKey("")).toEqual({ found: null, near: null });
  });

  it("knows every key of the files", () => {
    const names = new Set(allKeys().map((key) => key.path.split(".").at(-1)));
    expect([...knownKeys().keys].filter((key) => !names.has(key))).toEqual([]);
  });
});
