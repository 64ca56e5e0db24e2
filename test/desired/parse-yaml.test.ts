// Reading YAML: the tree against the library's own core schema, places, and every refusal.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse as parseWithLibrary } from "yaml";
import { readPlain } from "../../src/desired/yaml/scalar-value.ts";
import { findValue, toJson } from "../../src/desired/yaml/tree.ts";
import { codes, parse } from "./support.ts";

describe("plain scalars", () => {
  // The core schema of YAML 1.2, section 10.3.2, as another implementation reads it.
  const plain = [
    "~",
    "null",
    "Null",
    "NULL",
    "nuLL",
    "true",
    "True",
    "TRUE",
    "false",
    "tRue",
    "yes",
    "no",
    "on",
    "off",
    "y",
    "0",
    "-0",
    "+1",
    "007",
    "12",
    "-12",
    "0o17",
    "0o8",
    "0x1F",
    "0xg",
    "1_000",
    "0b11",
    "1.",
    ".5",
    "-.5",
    "+1.5e3",
    "1e3",
    "1e",
    "e3",
    ".",
    "+",
    ".inf",
    "-.INF",
    "+.Inf",
    ".nan",
    ".NaN",
    "nan",
    "inf",
    "1.2.3",
    "2024-01-31",
    "12:30:45",
    "011122223333",
    "1.10",
    "=",
    "9007199254740993",
    "-9223372036854775808",
    "12345678901234567890123",
  ];
  for (const text of plain) {
    it(`read ${text} as the core schema does`, () => {
      expect(readPlain(text)).toEqual(
        parseWithLibrary(text, { schema: "core", intAsBigInt: false }) === null ? null : expected(text),
      );
    });
  }

  function expected(text: string): unknown {
    const value: unknown = parseWithLibrary(text, { schema: "core", intAsBigInt: true });
    return typeof value === "bigint" && value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
  }

  it("keep whole numbers beyond 2^53 exact and very long ones as text", () => {
    expect(readPlain("9223372036854775807")).toBe(9223372036854775807n);
    expect(readPlain("9".repeat(200))).toBe("9".repeat(200));
  });

  it("agree with the library on random words", () => {
    const word = fc.stringMatching(/^[-+.0-9a-fxonNulsTRUEinf_:]{1,8}$/);
    fc.assert(
      fc.property(word, (text) => {
        let value: unknown;
        try {
          value = parseWithLibrary(`- ${text}`, { schema: "core", intAsBigInt: true });
        } catch {
          return;
        }
        if (!Array.isArray(value) || typeof value[0] === "object") return;
        const [wanted] = value as unknown[];
        const read = readPlain(text);
        expect(typeof read === "number" && typeof wanted === "bigint" ? BigInt(read) : read).toEqual(wanted);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the tree", () => {
  it("keeps what was written beside what it means", () => {
    const { root } = parse("a: 1.10\nb: 011122223333\nc: \"x\\ty\"\nd: 'it''s'\ne: ~\nf:\n");
    if (root?.kind !== "map") throw new Error("no map");
    const texts = root.entries.map(({ value }) => (value.kind === "scalar" ? [value.text, value.value, value.style] : []));
    expect(texts).toEqual([
      ["1.10", 1.1, "plain"],
      ["011122223333", 11122223333, "plain"],
      ["x\ty", "x\ty", "double"],
      ["it's", "it's", "single"],
      ["~", null, "plain"],
      ["", null, "plain"],
    ]);
  });

  it("gives the JSON that another reader gives", () => {
    const text = 'a: [1, {b: null, c: "d"}, []]\ne: |\n  f\n  g\nh: >-\n  i\n  j\nk: {}\n? l\n: m\n';
    const { root } = parse(text);
    expect(root === null ? null : toJson(root)).toEqual(parseWithLibrary(text));
  });

  it("has places that count lines and UTF-16 units from 1, also behind a byte order mark and Windows line ends", () => {
    const { root, source } = parse('\uFEFFa: b\r\n"\u{1F600}": c\r\n');
    const node = root === null || root.kind !== "map" ? undefined : findValue(root, "\u{1F600}");
    expect(node).toBeDefined();
    expect(source.text.slice(node?.start, node?.end)).toBe("c");
  });

  it("cannot be led to a prototype by its keys", () => {
    const { root } = parse("__proto__: { polluted: true }\nconstructor: x\n");
    expect(root === null ? null : JSON.stringify(toJson(root))).toBe('{"__proto__":{"polluted":true},"constructor":"x"}');
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

describe("what YAML can and a table file must not", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["a: &x 1\nb: *x", ["1:4 yaml-alias-refused", "2:4 yaml-alias-refused"]],
    ["a: !!str 1", ["1:4 yaml-tag-refused"]],
    ["a: !ruby/object x", ["1:4 yaml-tag-refused"]],
    ["<<: { a: 1 }", ["1:1 yaml-merge-refused"]],
    ["%YAML 1.1\n---\na: 1", ["1:1 yaml-directive-refused"]],
    ["a: 1\n---\nb: 2", ["2:1 yaml-documents-refused"]],
    ["a: 1\n---\n", ["2:1 yaml-documents-refused"]],
    ["a: 1\nb: 2\na: 3", ["3:1 duplicate-key"]],
    ["a: { b: 1, b: 2 }", ["1:12 duplicate-key"]],
    ['a: 1\n"a": 2', ["2:1 duplicate-key"]],
    ["? [a]\n: b", ["1:3 key-not-text"]],
    ["{a: b}: c", ["1:1 key-not-text"]],
    ["", ["1:1 file-empty"]],
    ["# only a remark\n", ["1:1 file-empty"]],
    ["a: \u0000", ["1:4 control-character"]],
    ["a: b\rc: d", ["1:5 control-character"]],
    ["a: [b", ["1:4 yaml-syntax"]],
    ["a:\n  - { b: c\n", ["2:5 yaml-syntax"]],
    ['a: b\nc: "d\ne: f', ["2:4 yaml-syntax"]],
    ["a:\n\tb: c", ["2:1 yaml-syntax"]],
    ["a:\n  - b: c\n   d: e", ["3:4 yaml-syntax"]],
    ["a: b\n  c: d", ["2:3 yaml-syntax"]],
    ["a: b\nc", ["2:1 yaml-syntax"]],
    ['a: "\\q"', ["1:5 yaml-syntax"]],
  ];
  for (const [text, found] of cases) {
    it(`is refused in ${JSON.stringify(text)}`, () => {
      const { diagnostics } = parse(text);
      expect(codes(diagnostics)).toEqual(found);
      expect(diagnostics.every((one) => one.mend !== undefined && one.mend !== "")).toBe(true);
    });
  }

  it("accepts a document marker before and an end marker behind", () => {
    expect(parse("---\na: b\n...\n").diagnostics).toEqual([]);
  });

  it("stops before it recurses too deep", () => {
    for (const deep of ["[", "{a: ", "- ", "? ", "a: "]) {
      expect(parse(deep.repeat(5000)).diagnostics.map((one) => one.code)).toEqual(["file-too-deep"]);
    }
    expect(parse(`${"[".repeat(100)}${"]".repeat(100)}`).root).not.toBeNull();
  });

  it("tells equal keys among very many, where the library's own check takes quadratic time", () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join("\n");
    expect(parse(`${keys}\nk5: 1`).diagnostics.map((one) => one.code)).toEqual(["duplicate-key"]);
  });
});
