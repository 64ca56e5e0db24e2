// The quick reader of ordinary files: whatever it reads, the library reads alike and without a finding. What it is
// not sure of it leaves to the library.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseWholeYaml } from "../../src/desired/parse-yaml.ts";
import { writeTableYaml } from "../../src/desired/write-yaml.ts";
import { readQuickly } from "../../src/desired/yaml/quick-tree.ts";
import { sourceText } from "../../src/desired/yaml/source-text.ts";
import { HOSTILE } from "../hostile/yaml/corpus.ts";
import { anyTable } from "./arbitrary-table.ts";

/** True where the quick reader read it, and then as the library does. */
function isReadAlike(text: string): boolean {
  const quick = readQuickly(text);
  if (quick === null) return false;
  const { root, diagnostics, mends, misread } = parseWholeYaml(sourceText("t.yaml", text));
  expect({ root, diagnostics, mends, misread }).toEqual({ root: quick, diagnostics: [], mends: [], misread: [] });
  return true;
}

const RUNS = Number(process.env["QUICK_RUNS"] ?? 900);

const ORDINARY = `# yaml-language-server: $schema=x
table: sales.orders   # the name
comment: One row per order, for ever
owner: "@acme/data"

columns:
  # ids first
  - { name: order_id, type: long, required: true, comment: "Unique: a, b" }   # never reused
  - name: customer            # who
    type: string
    renamed-from: [ client, cust_name ]
  - name: items
    type: list<struct>
    fields:
      - { name: sku, type: string, required: true }
      -   name: price
          type: "decimal(9,2)"
  - { name: tags, type: list, element: { type: string, required: true } }
  - use: audit
identifier-fields: [ order_id ]
partition-by:
- bucket(16, customer) as customer_bucket
- day(ordered_at)
sort-by: [ order_id desc nulls last ]
properties:
  write.target-file-size-bytes: 536870912
  write.x: null
  write.y: 1.10
dropped:
  - { field: legacy, reason: 'old "one"' }
environments:
  dev: { partition-by: [], properties: { a.b: -5 } }
meta: { pii: false, sla: 4h }
`;

describe("the quick reader", () => {
  it("reads ordinary files", () => {
    expect(isReadAlike(ORDINARY)).toBe(true);
    for (const file of ["floeplan.yaml", "shared/audit.yaml", "tables/sales/orders.yaml"]) {
      expect(isReadAlike(readFileSync(resolve(import.meta.dirname, "../data/desired/acme-lake", file), "utf8"))).toBe(true);
    }
  });

  // Each is right or wrong YAML that looks ordinary.
  const doubtful = [
    "a: b\n  c",
    "a: b\n  c: d",
    "a:\n  b: c\n d: e",
    "a: b: c",
    "a: b #c",
    "comment: b #c",
    "comment: #c",
    "a: 'b' c",
    'a: "b" c',
    "a: {b}",
    "a: {b: }",
    "a: {b: c d: e}",
    "a: [b: c]",
    "a: [b, ]",
    "a: [b,, c]",
    "a: [b (c, d]",
    "a: [b(c, d)]",
    "a: {b: c(d, e: f)}",
    "a: {b: c, d}",
    "a: {b: c} d",
    "a: {b: c}#d",
    "a: [b",
    "a: b]",
    "a: *b",
    "a: &b c",
    "a: !b c",
    "a: |\n  b",
    "a: >\n  b",
    "a: @b",
    "a: %b",
    "a: `b",
    "- - a",
    "-",
    "- ",
    "a:",
    "a: \n",
    "a:\n",
    "a: b\na: c",
    "a: {b: c, b: d}",
    "<<: a",
    "? a",
    "--- a",
    "---\na: b",
    "a: b\n---",
    "a: b\n...",
    "%a\na: b",
    "a:\n- b\n- c\nd: e",
    "a:\n  - b\n- c",
    "- a\nb: c",
    "a: b\n- c",
    "- a: b\n   c: d",
    "- a: b\n  c: d\n e: f",
    "a:\tb",
    "a : b",
    "a:b",
    "a: b ",
    "a: 'b''c'",
    'a: "b\\n"',
    "a: -b",
    "a: - b",
    "a: ~",
    "a: null",
    "a: .5",
    "a: ...",
    "a: -.5",
    "a: {b: ...}",
    "a: [-]",
    "a: [- b]",
    "a: [*b]",
    "a: [b#c]",
    "a: [b #c]\n",
    " a: b",
    "a: b\n\n  # c\n  d: e",
    "a:\n  # b\nc: d",
    "a: [\n  b ]",
    "a: {b: c,\n  d: e}",
    "a: b # c\n  # d\ne: f",
    "1: a",
    '"a": b',
    "a.b-c_1: d",
    "é: a",
    "a: é",
    "a: \u00a0b",
    "a: b\u2028c",
    "a:\r\n  b: c\r\n",
    "\uFEFFa: b",
    `${"k".repeat(1100)}: v`,
    `a: ${"x".repeat(5000)}`,
    "",
    "\n",
    "# a",
    "a",
    "a:\n    b: c\n    d: e\n",
    "a:\n  b:\n    - c\n  d: e",
    "- a: [b]\n- c: {d: e}\n",
    "a: yes",
    "a: 0x1F",
    "a: 1e5",
    "a: 12345678901234567890",
    "comment:\n  text #x",
    "reason: a #",
    "reason: a # b",
    "- a #b",
    "- use:audit",
    "- use:! audit",
    "- http://x",
    "- comment: x\n- y",
  ];
  it("agrees with the library, or leaves it to it, on what looks ordinary", () => {
    for (const text of doubtful) isReadAlike(text);
    expect(doubtful.filter((text) => readQuickly(text) !== null).length).toBeGreaterThan(20);
  });

  it("agrees with the library on hostile files", () => {
    for (const { text } of HOSTILE) if (text.length < 50_000) isReadAlike(text);
  });

  it("agrees with the library on every file with a hole or a foreign piece", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        ": ",
        "#",
        " #x",
        " # x",
        '"',
        "'",
        "\n",
        "\n  ",
        "\n    ",
        "  ",
        " ",
        "*",
        "&",
        "!",
        "- ",
        "-",
        "~",
        "(",
        ")",
        "<",
        ">",
        "@",
        "%",
        "|",
        "?",
        "...",
        "---",
        "\\",
        "a",
        "a: b",
        "é",
      ),
      fc.string({ maxLength: 3 }),
    );
    const read: boolean[] = [];
    const edit = fc.tuple(fc.nat(ORDINARY.length), fc.nat(12), piece);
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        let text = ORDINARY;
        for (const [start, length, inserted] of edits) text = text.slice(0, start) + inserted + text.slice(start + length);
        read.push(isReadAlike(text));
      }),
      { numRuns: RUNS },
    );
    // Else the property would say nothing.
    expect(read.filter(Boolean).length).toBeGreaterThan(read.length / 20);
  });

  it("agrees with the library on random lines", () => {
    const word = fc.constantFrom(
      "a",
      "b1",
      "name",
      "type",
      "comment",
      "fields",
      "x.y",
      "1",
      "-1",
      "~",
      '"q"',
      "'q'",
      "list<a>",
      "f(a)",
      "f(a, b)",
      "é",
      "http://x",
      "a b",
      "a:b",
      "a'b",
      "#",
      "# x",
      "#x",
    );
    const flow = fc.oneof(
      fc.array(word, { maxLength: 3 }).map((words) => `[ ${words.join(", ")} ]`),
      fc
        .array(fc.tuple(word, word), { maxLength: 3 })
        .map((pairs) => `{ ${pairs.map(([key, value]) => `${key}: ${value}`).join(", ")} }`),
      fc
        .array(fc.tuple(word, word), { maxLength: 2 })
        .map((pairs) => `{${pairs.map(([key, value]) => `${key}: [${value}]`).join(",")}}`),
    );
    const value = fc.oneof(
      word,
      flow,
      fc.constant(""),
      fc.tuple(word, word).map(([one, other]) => `${one} ${other}`),
    );
    const line = fc
      .tuple(
        fc.constantFrom(0, 0, 2, 2, 4, 1, 6),
        fc.constantFrom("", "", "- ", "-  ", "- - "),
        fc.option(word),
        value,
        fc.constantFrom("", "", "  # r", " #r", " "),
      )
      .map(
        ([indent, dash, key, one, end]) =>
          `${" ".repeat(indent)}${dash}${key === null ? "" : `${key}:${one === "" ? "" : " "}`}${one}${end}`,
      );
    const read: boolean[] = [];
    fc.assert(
      // Short texts are often right, so that not only refusals are compared.
      fc.property(
        fc.oneof(fc.array(line, { minLength: 1, maxLength: 6 }), fc.array(line, { minLength: 1, maxLength: 1 })),
        (lines) => {
          read.push(isReadAlike(lines.join("\n")));
        },
      ),
      { numRuns: RUNS * 3 },
    );
    expect(read.filter(Boolean).length).toBeGreaterThan(read.length / 300);
  });

  it("agrees with the library on what floeplan writes", () => {
    const read: boolean[] = [];
    fc.assert(
      fc.property(fc.oneof(anyTable, anyTable.map(ordinary)), (table) => {
        read.push(isReadAlike(writeTableYaml(table)));
      }),
      { numRuns: Math.ceil(RUNS / 5) },
    );
    expect(read.filter(Boolean).length).toBeGreaterThan(read.length / 10);
  });
});

/** The same with every text that YAML could take for more than a word made one. */
function ordinary<T>(value: T): T {
  const word = (text: string): string =>
    /^[a-z][\w-]*$/.test(text) ? text : `w${Buffer.from(text).toString("hex").slice(0, 16)}`;
  const pair = ([key, one]: readonly [string, unknown]): readonly [string, unknown] => [word(key), ordinary(one)];
  let made: unknown = value;
  if (typeof value === "string") made = word(value);
  else if (Array.isArray(value)) made = value.map(ordinary);
  else if (value instanceof Map) made = new Map([...(value as ReadonlyMap<string, unknown>)].map(pair));
  else if (typeof value === "object" && value !== null) made = Object.fromEntries(Object.entries(value).map(pair));
  return made as T;
}
