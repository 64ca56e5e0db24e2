// `fmt`: each rule on its own, everything else byte for byte, and formatting twice changes nothing more.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatYaml, mendYaml } from "../../src/desired/format-yaml.ts";
import { writeTableYaml } from "../../src/desired/write-yaml.ts";
import { sourceText } from "../../src/desired/yaml/source-text.ts";
import { anyTable } from "./arbitrary-table.ts";
import { bare, read } from "./support.ts";

const format = (text: string): string => formatYaml(sourceText("t.yaml", text));
const mend = (text: string): string => mendYaml(sourceText("t.yaml", text));

const HEAD = "table: a.b\ncolumns:\n";
const WIDE = "x".repeat(80);

const RULES: readonly (readonly [string, string, string])[] = [
  [
    "mends quotes that are missing",
    `${HEAD}  - { name: p, type: decimal(9,2), comment: Price, net }\n`,
    `${HEAD}  - { name: p, type: "decimal(9,2)", comment: "Price, net" }\n`,
  ],
  [
    "writes Iceberg's names of types",
    `${HEAD}  - { name: p, type: bigint } # big\n`,
    `${HEAD}  - { name: p, type: long } # big\n`,
  ],
  [
    "writes Iceberg's names of types with a comma in quotes",
    `${HEAD}  - name: p\n    type: map<varchar(9), bigint>\n`,
    `${HEAD}  - name: p\n    type: "map<string, long>"\n`,
  ],
  [
    "writes Iceberg's names of transforms",
    `${HEAD}  - { name: p, type: date }\npartition-by: [ days(p) ]\nsort-by:\n  - "months(p) desc"\n`,
    `${HEAD}  - { name: p, type: date }\npartition-by: [ day(p) ]\nsort-by:\n  - "month(p) desc"\n`,
  ],
  [
    "writes true and false",
    `${HEAD}  - { name: p, type: int, required: yes }\n`,
    `${HEAD}  - { name: p, type: int, required: true }\n`,
  ],
  [
    "puts comments inside {} in double quotes",
    `${HEAD}  - { name: p, type: int, comment: it is so }\n`,
    `${HEAD}  - { name: p, type: int, comment: "it is so" }\n`,
  ],
  [
    "turns single quotes of comments inside {} into double ones",
    `${HEAD}  - { name: p, type: int, comment: 'it''s "so"' }\n`,
    `${HEAD}  - { name: p, type: int, comment: "it's \\"so\\"" }\n`,
  ],
  [
    "breaks a field in {} that is wider than 120 columns into one key a line",
    `${HEAD}  - { name: p, type: "decimal(9,2)", required: true, comment: '${WIDE}', renamed-from: [ a, b ] }   # wide\n  - { name: q, type: int }\n`,
    `${HEAD}  - name: p\n    type: "decimal(9,2)"\n    required: true\n    comment: "${WIDE}"\n    renamed-from: [ a, b ]   # wide\n  - { name: q, type: int }\n`,
  ],
];

const KEPT: readonly (readonly [string, string])[] = [
  ["a file in order", `# head\n\n${HEAD}  - { name: p, type: int }   # here\n\n  # there\n  - name: q\n    type:   int\n`],
  ["comments of block style, plain or not", `${HEAD}  - name: p\n    type: int\n    comment: it is so\n`],
  ["long lines that are no field in {}", `${HEAD}  - name: p\n    type: int\n    comment: ${"long ".repeat(40)}end\n`],
  ["fields in {} over several lines", `${HEAD}  - { name: p,\n      type: int }\n`],
  ["Windows line ends", `${HEAD}  - { name: p, type: int }\n`.replaceAll("\n", "\r\n")],
  ["a last line without its end", `${HEAD}  - { name: p, type: int }`],
  ["meta in any form", `${HEAD}  - { name: p, type: int }\nmeta: { comment: x, name: y, type: z2 }\n`],
  ["a file with errors that have no one answer", `${HEAD}  - { name: p, type: strng, colour: red }\n`],
  ["a file that is no YAML", `${HEAD}  - { name: p\n`],
  ["an empty file", ""],
];

describe("fmt", () => {
  for (const [what, before, after] of RULES) {
    it(what, () => {
      expect(format(before)).toBe(after);
      expect(format(after)).toBe(after);
    });

    it(`${what}, with Windows line ends`, () => {
      expect(format(before.replaceAll("\n", "\r\n"))).toBe(after.replaceAll("\n", "\r\n"));
    });
  }

  for (const [what, text] of KEPT) {
    it(`keeps ${what}`, () => {
      expect(format(text)).toBe(text);
    });
  }

  it("keeps the example of the contract byte for byte", () => {
    for (const file of ["floeplan.yaml", "shared/audit.yaml", "tables/sales/orders.yaml", "tables/web/clicks.yaml"]) {
      const text = readFileSync(resolve(import.meta.dirname, "../data/desired/acme-lake", file), "utf8");
      expect(format(text)).toBe(text);
    }
  });

  it("breaks at more than 120 columns and not before", () => {
    const field = (width: number): string => {
      const bare = '  - { name: p, type: int, comment: "" }';
      return `${HEAD}${bare.replace('""', `"${"x".repeat(width - bare.length)}"`)}\n`;
    };
    expect(format(field(120))).toBe(field(120));
    expect(format(field(121))).not.toBe(field(121));
  });

  it("mends what hides behind another mistake, round after round", () => {
    const broken = `${HEAD}  - { name: a, type: decimal(9,2), comment: order #12, of 13 }\n  - { name: b, type: bigint, required: yes }\nunmanaged: [ *_tmp ]\n`;
    const whole = `${HEAD}  - { name: a, type: "decimal(9,2)", comment: "order #12, of 13" }\n  - { name: b, type: long, required: true }\nunmanaged: [ "*_tmp" ]\n`;
    expect(mend(broken)).toBe(whole);
    expect(read(mend(broken)).diagnostics).toEqual([]);
  });

  it("mends far more than it would list", () => {
    const columns = Array.from({ length: 300 }, (_, index) => `  - { name: c${index}, type: decimal(9,2) }\n`).join("");
    expect(mend(HEAD + columns)).toBe(HEAD + columns.replaceAll("decimal(9,2)", '"decimal(9,2)"'));
  });

  it("changes nothing in files that floeplan writes", () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const text = writeTableYaml(table);
        expect(format(text)).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  it("twice is once, and the declaration stays the same", () => {
    const line = fc.constantFrom(
      "  - { name: a, type: bigint, comment: plain words }",
      "  - { name: b, type: decimal(9,2), comment: Price, net }",
      "  - { name: c, type: int, required: yes, comment: order #12 }",
      `  - { name: d, type: string, comment: '${WIDE}', renamed-from: [ e, f ], required: true }`,
      "  - name: g\n    type: varchar(20)\n    comment: a # b",
      "  - { name: h type: int }",
      "  - { name: i, type:int }",
      "  - name: s\n    type: list<struct>\n    fields:\n      - { name: t, type: array<smallint>, comment: 'x' }",
      `  - { name: u, type: list<struct>, fields: [ { name: v, type: int, comment: 'y' } ], comment: "${WIDE}" }`,
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const text = `${HEAD}${lines.join("\n")}\nunmanaged: [ *_x ]\n`;
        const once = format(text);
        expect(format(once)).toBe(once);
        const mended = read(mend(text)).declaration;
        expect(bare(read(once).declaration)).toEqual(bare(mended));
      }),
      { numRuns: 40 },
    );
  });
});
