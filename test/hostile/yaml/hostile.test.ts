// Hostile table files: never a crash, never a hang, always a placed finding. Also random bytes, random cuts and
// random edits of a right file.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatYaml } from "../../../src/desired/format-yaml.ts";
import { readConfig } from "../../../src/desired/config/read-config.ts";
import { readGroup } from "../../../src/desired/declaration/read-group.ts";
import { readTable } from "../../../src/desired/declaration/read-table.ts";
import { parseYaml } from "../../../src/desired/parse-yaml.ts";
import { sourceText } from "../../../src/desired/yaml/source-text.ts";
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { HOSTILE } from "./corpus.ts";

function readAll(text: string): readonly Diagnostic[] {
  const source = sourceText("t.yaml", text);
  const parsed = parseYaml(source);
  readGroup(parsed, ["dev"]);
  readConfig(parsed, "/project");
  const { declaration, diagnostics } = readTable(parsed, { groups: new Map(), environments: ["dev"] });
  // A file that is read is read whole, and one that is not says why.
  const hasErrors = diagnostics.some((one) => one.severity === "error");
  expect(declaration !== null && !declaration.isPartial).toBe(!hasErrors);
  return diagnostics;
}

function expectPlaced(diagnostics: readonly Diagnostic[], text: string): void {
  const lines = text.split("\n").length;
  for (const { place, what, edits } of diagnostics) {
    expect(what).not.toBe("");
    expect(place?.line).toBeGreaterThanOrEqual(1);
    expect(place?.line).toBeLessThanOrEqual(lines);
    expect(place?.column).toBeGreaterThanOrEqual(1);
    for (const edit of edits ?? []) expect(edit.start <= edit.end && edit.end <= text.length).toBe(true);
  }
}

describe("a hostile table file", () => {
  for (const { name, text, codes } of HOSTILE) {
    it(`is read without harm: ${name}`, () => {
      const diagnostics = readAll(text);
      const errors = diagnostics.filter((one) => one.severity === "error");
      expect([...new Set(errors.map((one) => one.code))].sort()).toEqual(codes);
      expectPlaced(diagnostics, text);
      expect(Object.keys(Object.prototype)).toEqual([]);
    });

    it(`is formatted without harm, and to a rest: ${name}`, () => {
      const once = formatYaml(sourceText("t.yaml", text));
      expect(formatYaml(sourceText("t.yaml", once))).toBe(once);
    });
  }
});

const RIGHT = `table: sales.orders
columns:
  - { name: a, type: "decimal(9,2)", comment: "x: y" }
  - name: b
    type: list<struct>
    fields:
      - { name: c, type: string, renamed-from: [ d ] }
partition-by:
  - bucket(16, a) as shard
properties: { p: 1.10, q: ~ }
dropped: [ { field: '"x.y".z', reason: "old, gone" } ]
environments: { dev: { sort-by: [ a desc ] } }
`;

// What looks for the end of a run from each of its signs takes minutes for a file that is still small.
describe("a long run of one sign", () => {
  const COLUMNS = "columns: [ { name: a, type: int } ]";
  const run = (sign: string): string => sign.repeat(60_000);
  const texts: readonly (readonly [string, string])[] = [
    ["blanks in a remark", `table: a.b\ncolumns: [ { name: a, type: int, comment: x #${run(" ")}, y } ]\n`],
    ["blanks and commas in a remark", `table: a.b\ncolumns:\n  - { name: a, type: int, comment: #x${run(" ,")}y, }\n`],
    ["blanks before a missing comma", `table: a.b\ncolumns: [ { name: a${run(" ")}b type: int } ]\n`],
    ["line ends before a missing comma", `table: a.b\ncolumns: [ { name: a${run("\n ")}type: int } ]\n`],
    ["blanks in a type", `table: a.b\ncolumns: [ { name: a, type: "decimal(${run(" ")}" } ]\n`],
    ["blanks in a transform", `table: a.b\n${COLUMNS}\npartition-by: [ "bucket(${run(" ")}" ]\n`],
    ["blanks around a field name", `table: a.b\n${COLUMNS}\npartition-by: [ "a${run(" ")}as b${run(" ")}c" ]\n`],
    ["digits in a default", `table: a.b\ncolumns: [ { name: a, type: "decimal(9,2)", default: "0.${run("0")}1x" } ]\n`],
    ["slashes in a location", `table: a.b\nlocation: "s3://b${run("/")}x"\n${COLUMNS}\n`],
    ["a key", `table: a.b\n${run("x")}: 1\n${COLUMNS}\n`],
  ];

  it.each(texts)("is read soon: %s", (_, text) => {
    const started = process.cpuUsage();
    readAll(text);
    expect(process.cpuUsage(started).user).toBeLessThan(1_500_000);
  });
});

// Each finding looked through the whole line, or made an error with a stack of its own.
describe("one mistake again and again in one line", () => {
  const again = (piece: string): string => piece.repeat(Math.ceil(80_000 / piece.length));
  const texts: readonly (readonly [string, string])[] = [
    ["tags", `a: [${again("!x !y z, ")}]`],
    ["colons", `a: [${again(": ")}]`],
    ["values behind the end of all", `a: }${again(', "x": {')}`],
  ];

  it.each(texts)("is told soon: %s", (_, text) => {
    const started = process.cpuUsage();
    const found = readAll(text);
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
    expect(found.length).toBeLessThanOrEqual(200);
  });
});

describe("random text", () => {
  it("is read without a crash", () => {
    const sign = fc.constantFrom(
      ...Array.from("{}[]()<>,:;-?#&*!|>'\"%@`~ \n\tab01._=+$\\"),
      "\r\n",
      "  ",
      ": ",
      "- ",
      " #",
      "name",
      "type",
      "columns",
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
        const text = signs.join("");
        expectPlaced(readAll(text), text);
      }),
      { numRuns: 500 },
    );
  });

  it("of any characters is read without a crash", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => expectPlaced(readAll(text), text)),
      { numRuns: 300 },
    );
  });

  it("is a right file with a hole or a foreign piece, and is read or told", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "",
        "{",
        "}",
        "[",
        "]",
        ",",
        ": ",
        "#",
        " #x",
        '"',
        "'",
        "\n",
        "\n  ",
        "*a",
        "&a ",
        "!t ",
        "- ",
        "null",
        "~",
        "(",
        "<",
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.nat(RIGHT.length), fc.nat(20), piece, (start, length, text) => {
        const broken = RIGHT.slice(0, start) + text + RIGHT.slice(start + length);
        expectPlaced(readAll(broken), broken);
      }),
      { numRuns: 300 },
    );
  });

  it("is formatted to a rest", () => {
    const piece = fc.constantFrom("", "{", "}", ",", ": ", " #x", '"', "\n", "*a", "yes", "bigint", "(", "<");
    fc.assert(
      fc.property(fc.nat(RIGHT.length), fc.nat(10), piece, (start, length, text) => {
        const broken = RIGHT.slice(0, start) + text + RIGHT.slice(start + length);
        const once = formatYaml(sourceText("t.yaml", broken));
        expect(formatYaml(sourceText("t.yaml", once))).toBe(once);
      }),
      { numRuns: 60 },
    );
  });
});
