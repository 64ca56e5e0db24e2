// Mistakes of a first day: tabs, a dash too far left, words of other tools.
import { describe, expect, it } from "vitest";
import { parse, read, table } from "./support.ts";

const TAB = "YAML does not allow tabs for indentation";
const INDENTATION = "The indentation does not fit the lines above";

describe("indentation", () => {
  it.each([
    ["a tab before a dash", "a:\n  - x: 1\n\t- y: 2\n", TAB, "3:1"],
    ["a tab before a key", "a:\n  - x: 1\n\ty:\n      - { z: 1 }\n  - { x: 2 }\n", TAB, "3:1"],
    ["a tab behind blanks", "a:\n  b: 1\n \t c: 2\n", TAB, "3:2"],
    ["a tab in a map of several lines", "a: {\n\tb: 1 }\n", TAB, "2:1"],
    ["a dash between two lists", "a:\n  - b:\n      - { c: 1 }\n    - { d: 1 }\n  - { e: 1 }\n", INDENTATION, "4:5"],
  ])("%s is told as such, and nothing else", (_, text, why, spot) => {
    const { diagnostics } = parse(text);
    expect(diagnostics.map((one) => [one.code, one.why, `${one.place?.line}:${one.place?.column}`])).toEqual([
      ["yaml-syntax", why, spot],
    ]);
  });

  it.each([
    ["behind a value", "a: 1\t\nb: 2\t# x\n"],
    ["in a text", 'a: "x\ty"\nb: |\n  x\n  \ty\n'],
    ["on a line of its own", "a: 1\n\t\nb: 2\n"],
  ])("a tab %s does no harm", (_, text) => {
    expect(parse(text).diagnostics).toEqual([]);
  });

  it("is not blamed for a map that is a key", () => {
    expect(parse("{namespace}: x\n").diagnostics.map((one) => one.code)).toEqual(["key-not-text"]);
    expect(parse("a:\t1\n{namespace}: x\n").diagnostics.map((one) => one.code)).toEqual(["key-not-text"]);
  });
});

describe("a key of another tool", () => {
  it.each([
    ["nullable: false", "required"],
    ["description: x", "comment"],
    ["old_name: b", "renamed-from"],
    ["cast: x", "convert"],
  ])("in a field, %s: did you mean %s", (key, meant) => {
    const [found] = read(table(`  - { name: a, type: int, ${key} }`)).diagnostics;
    expect(found).toMatchObject({ code: "unknown-key", mend: `Did you mean "${meant}"?` });
  });

  it.each([
    ["primary_key: [ a ]", "identifier-fields"],
    ["tblproperties: {}", "properties"],
    ["ORDER_BY: [ a ]", "sort-by"],
  ])("of a table, %s: did you mean %s", (key, meant) => {
    const [found] = read(table("  - { name: a, type: int }", key)).diagnostics;
    expect(found).toMatchObject({ code: "unknown-key", mend: `Did you mean "${meant}"?` });
  });
});
