// The runner: levels, options and what is wrong with them, findings of shared groups and of several environments.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LINT_CODES } from "../../src/diagnostics/codes/lint.ts";
import { LINT_RULES } from "../../src/lint/index.ts";
import { fitsStyle, inStyle, STYLE_NAMES } from "../../src/lint/name-styles.ts";
import { HOSTILE_TEXTS } from "../hostile/text.ts";
import { lint, tableOf, told } from "./support.ts";

const BARE = tableOf(["orderId", "c\u043ede"]);

describe("levels", () => {
  it("leave matters of taste off and hazards on where the project says nothing", () => {
    expect(lint({ "tables/a.yaml": BARE }).map((one) => [one.code, one.severity])).toEqual([["confusable-name", "warning"]]);
  });

  it("come from the project file", () => {
    const found = lint({ "tables/a.yaml": BARE }, "{ confusable-name: error, missing-comment: note, name-style: warning }");
    expect(found.map((one) => `${one.severity} ${one.code}`).sort()).toEqual([
      "error confusable-name",
      "note missing-comment",
      "note missing-comment",
      "note missing-comment",
      "warning name-style",
    ]);
  });

  it("can turn a rule off and keep its options", () => {
    expect(lint({ "tables/a.yaml": BARE }, "{ confusable-name: { level: off, scripts: [ Greek ] } }")).toEqual([]);
  });
});

describe("settings", () => {
  it.each([
    ["{ missing-coment: error }", '5:9 lint-rule-unknown: Unknown lint rule "missing-coment"', 'Did you mean "missing-comment"?'],
    [
      "{ sql: error }",
      '5:9 lint-rule-unknown: Unknown lint rule "sql"',
      "The rules are confusable-name, missing-comment or name-style",
    ],
    [
      "{ name-style: { level: off, patern: snake_case } }",
      '5:35 lint-option-unknown: Unknown option "patern" of lint rule "name-style"',
      'Did you mean "pattern"?',
    ],
    [
      "{ confusable-name: { level: off, x: 1 } }",
      '5:40 lint-option-unknown: Unknown option "x" of lint rule "confusable-name"',
      'Known options are "scripts"',
    ],
    [
      "{ name-style: { level: off, pattern: [ a ] } }",
      '5:35 lint-option-malformed: Cannot use a list with other things than text for option "pattern" of lint rule "name-style"',
      "Write snake_case, camelCase, PascalCase, kebab-case, UPPER_SNAKE_CASE or lowercase",
    ],
    [
      "{ name-style: { level: off, except: 3 } }",
      '5:35 lint-option-malformed: Cannot use 3 for option "except" of lint rule "name-style"',
      'Write a list of names, with * for any characters: [ "_raw_*" ]',
    ],
    [
      '{ name-style: { level: off, except: [ "a b" ] } }',
      '5:35 lint-option-malformed: Cannot use "a b" for option "except" of lint rule "name-style"',
      `Write '"a b"'`,
    ],
    [
      "{ missing-comment: { level: off, nested: yes } }",
      '5:40 lint-option-malformed: Cannot use "yes" for option "nested" of lint rule "missing-comment"',
      "Write true or false",
    ],
  ])("%s are told at their own spot, with the mend, also of a rule that is off", (setting, what, mend) => {
    const [found, ...others] = lint({ "tables/a.yaml": tableOf(["a"]) }, setting);
    expect(others).toEqual([]);
    expect(found === undefined ? null : [told(found), found.severity, found.mend]).toEqual([
      `floeplan.yaml:${what}`,
      "error",
      mend,
    ]);
  });

  it("are told also where there are no tables at all", () => {
    expect(
      lint({ "tables/a.yaml": `${tableOf(["a"])}environments: { dev: { skip: true }, prod: { skip: true } }\n` }, "{ x: off }"),
    ).toHaveLength(1);
  });
});

describe("a shared group", () => {
  const group = 'columns-of: audit\ncolumns:\n  - { name: loadTs, type: timestamp }\n  - { name: "c\u043ede", type: int }\n';
  const user = (name: string, columns = ""): string =>
    `table: sales.${name}\ncolumns:\n${columns}  - use: audit\n  - name: s\n    type: struct\n    fields: [ { use: audit } ]\n`;

  it("is told once, at its own line, however many tables use it and in which depth", () => {
    const found = lint(
      { "shared/audit.yaml": group, "tables/a.yaml": user("a"), "tables/b.yaml": user("b") },
      "{ name-style: error }",
    );
    expect(found.map((one) => [told(one), one.table])).toEqual([
      ['shared/audit.yaml:3:13 name-style: Column "loadTs" is not named in snake_case', undefined],
      [
        'shared/audit.yaml:4:13 confusable-name: Column "c\u043ede" mixes Latin and Cyrillic letters in one word, "c\u043ede"',
        undefined,
      ],
    ]);
  });

  it("is not to blame for a table's own column that looks like one of it", () => {
    const found = lint({
      "shared/audit.yaml": "columns-of: audit\ncolumns: [ { name: l1, type: int } ]\n",
      "tables/a.yaml": user("a", "  - { name: ll, type: int }\n"),
    });
    expect(found.map((one) => [told(one), one.why])).toEqual([
      [
        'tables/a.yaml:3:13 confusable-name: Column "ll" cannot be told from "l1" by eye',
        '"l1" stands at shared/audit.yaml:2:20',
      ],
    ]);
  });
});

describe("tables that look alike", () => {
  it("are found within one catalog, once for all environments", () => {
    const found = lint({
      "tables/a.yaml": tableOf(["a"], "sales.orders"),
      "tables/b.yaml": tableOf(["a"], "sales.\u043erders"),
      "tables/c.yaml": tableOf(["a"], "sa1es.refunds"),
      "tables/d.yaml": tableOf(["a"], "sales.order"),
    });
    expect(found.map(told)).toEqual([
      'tables/b.yaml:1:1 confusable-name: Table "sales.\u043erders" cannot be told from "sales.orders" by eye',
      'tables/c.yaml:1:1 confusable-name: Namespace "sa1es" cannot be told from "sales" by eye',
    ]);
  });
});

describe("mends", () => {
  it.each([
    ["orderID", "order_id", "orderID"],
    ["HTTPServer", "http_server", "HTTPServer"],
    ["Order Id", "order_id", '"Order Id"'],
    ["Null", "null", '"Null"'],
    ["a\u202eB", "a_b", '"a\\u202EB"'],
  ])("say how the data of column %j is kept under another name", (name, better, before) => {
    const [found] = lint({ "tables/a.yaml": tableOf([name]) }, "{ name-style: warning, confusable-name: off }");
    expect(found?.mend).toBe(`Write \`name: ${better}\`, with \`renamed-from: ${before}\` where the table has it already`);
  });

  it("leave a table its name", () => {
    const [found] = lint({ "tables/a.yaml": tableOf(["a"], "Sales.orderLines") }, "{ name-style: warning }");
    expect(found?.mend).toBe('Name a new table "sales.order_lines"; one that is live keeps its name, listed under `except`');
  });

  it("are names in the style, or none", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STYLE_NAMES),
        fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...HOSTILE_TEXTS)),
        (style, name) => {
          const better = inStyle(name, style);
          if (better !== null) expect(fitsStyle(better, style)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ["snake_case", "order_id", "orderId"],
    ["camelCase", "orderId", "order_id"],
    ["PascalCase", "OrderId", "orderId"],
    ["kebab-case", "order-id", "order_id"],
    ["UPPER_SNAKE_CASE", "ORDER_ID", "order_id"],
    ["lowercase", "order-id", "Order-id"],
  ] as const)("of style %s take %s and not %s", (style, right, wrong) => {
    expect([fitsStyle(right, style), fitsStyle(wrong, style)]).toEqual([true, false]);
    expect(inStyle(wrong, style)).toBe(style === "lowercase" ? "order_id" : right);
  });
});

describe("the registry", () => {
  it("has every code of a rule, and each once", () => {
    const names = LINT_RULES.map((rule) => rule.name);
    expect([...names].sort()).toEqual(
      Object.keys(LINT_CODES)
        .filter((code) => !code.startsWith("lint-"))
        .sort(),
    );
  });
});

describe("hostile names", () => {
  it("never throw, and every one that hides or turns text is found", () => {
    for (const text of HOSTILE_TEXTS.filter((one) => one !== "" && !/\p{Cs}/u.test(one))) {
      const found = lint({ "tables/a.yaml": tableOf(["plain", text]) });
      const hides = /[\p{Cf}\p{Zl}\p{Zp}\u3164]/u.test(text);
      if (hides)
        expect(
          found.map((one) => one.code),
          text,
        ).toContain("confusable-name");
    }
  });
});
