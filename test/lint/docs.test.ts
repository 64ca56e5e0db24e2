// docs/lint.md tells every rule with its level, and every option that a rule asks for.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { LINT_RULES } from "../../src/lint/index.ts";
import { optionReader } from "../../src/lint/options.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/lint.md"), "utf8");

describe("docs/lint.md", () => {
  it("lists the rules with their levels and options", () => {
    const rows = LINT_RULES.map((rule) => {
      const asked: string[] = [];
      const { options } = optionReader(rule.name, null);
      rule.prepare({
        oneOf: (key, words) => options.oneOf((asked.push(key), key), words),
        flag: (key) => options.flag((asked.push(key), key)),
        someOf: (key, words) => options.someOf((asked.push(key), key), words),
        globs: (key) => options.globs((asked.push(key), key)),
      });
      return `| [\`${rule.name}\`](#${rule.name}) | \`${rule.level}\` | ${asked.map((key) => `\`${key}\``).join(", ")} |`;
    });
    expect(page.split("\n").filter((line) => line.startsWith("| [`"))).toEqual(rows);
  });

  it("has a section for each rule", () => {
    expect([...page.matchAll(/^## (\S+)$/gm)].map((match) => match[1])).toEqual(LINT_RULES.map((rule) => rule.name));
  });
});
