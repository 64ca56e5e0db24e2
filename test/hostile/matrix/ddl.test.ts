// SQL that a person may copy: read by a lexer of each engine's grammar, a hostile name changes no token but its own, and is
// what it was.
import { expect, it } from "vitest";
import { planDdl } from "../../../src/commands/plan-ddl.ts";
import { plan as planOf, field, metadataOf, schemaOf } from "../../plan/support.ts";
import { plan as wholePlan } from "../../report/plans.ts";
import { TEXTS } from "./cells.ts";
import { yamlText } from "./sources.ts";

interface Token {
  readonly kind: "name" | "literal" | "word" | "sign" | "comment";
  readonly text: string;
}

/** Spark: `name` with `` doubled, 'literal' with backslashes. Trino and Athena's reading: "name", 'literal', both doubled. */
const GRAMMARS: Readonly<Record<string, readonly (readonly [Token["kind"], RegExp])[]>> = {
  spark: [
    ["comment", /^--[^\n]*/],
    ["name", /^`((?:[^`]|``)*)`/],
    ["literal", /^'((?:[^'\\]|\\[\s\S])*)'/],
  ],
  athena: [
    ["comment", /^--[^\n]*/],
    ["name", /^`((?:[^`]|``)*)`/],
    ["literal", /^'((?:[^']|'')*)'/],
  ],
  trino: [
    ["comment", /^--[^\n]*/],
    ["name", /^"((?:[^"]|"")*)"/],
    ["literal", /^'((?:[^']|'')*)'/],
  ],
};
const REST: readonly (readonly [Token["kind"], RegExp])[] = [
  ["word", /^\w+/],
  ["sign", /^[(),.;=<>[\]-]/],
];

/** Null where something is none of the grammar. */
function tokensOf(sql: string, engine: string): readonly Token[] | null {
  const found: Token[] = [];
  for (let rest = sql.trimStart(); rest !== ""; ) {
    const hit = [...(GRAMMARS[engine] ?? []), ...REST].flatMap(([kind, shape]) => {
      const match = shape.exec(rest);
      return match === null ? [] : [{ kind, length: match[0].length, text: match[1] ?? match[0] }];
    })[0];
    if (hit === undefined) return null;
    found.push(hit);
    rest = rest.slice(hit.length).trimStart();
  }
  return found;
}

const LIVE = metadataOf([schemaOf(field(1, "a", "string"))]);

function sqlFor(name: string, engine: "spark" | "athena" | "trino"): string {
  const yaml = `table: ns.t\ncolumns:\n  - { name: a, type: string }\n  - { name: ${name}, type: string }\n`;
  return planDdl(wholePlan(planOf(yaml, LIVE).plan), engine);
}

const shape = (tokens: readonly Token[] | null): string =>
  (tokens ?? [])
    .filter(({ kind }) => kind !== "comment")
    .map(({ kind, text }) => (kind === "name" || kind === "literal" ? kind : text))
    .join(" ");

it.each(["spark", "athena", "trino"] as const)("of %s holds a hostile name in one token", (engine) => {
  const usual = shape(tokensOf(sqlFor("plain", engine), engine));
  const wrong = TEXTS.flatMap((text) => {
    const written = yamlText(text);
    if (written === null || text === "") return [];
    const tokens = tokensOf(sqlFor(written, engine), engine);
    const statement = shape(tokens);
    // A name that an engine has no way to write has no statement, and a comment says so.
    if (statement === "" && tokens !== null) return [];
    const quote = engine === "trino" ? '"' : "`";
    const names = (tokens ?? []).filter(({ kind }) => kind === "name").map((one) => one.text.replaceAll(quote + quote, quote));
    return statement === usual && names.includes(text)
      ? []
      : [`${JSON.stringify(text).slice(0, 60)}: ${statement.slice(0, 200)}`];
  });
  expect(usual).toContain("ALTER TABLE name . name");
  expect(wrong).toEqual([]);
});
