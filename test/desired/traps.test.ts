// The traps of inline maps and lists: every case of the measured table, and many of our own. A trap is right when
// its corrected line reads as the author meant it.
import { describe, expect, it } from "vitest";
import { parse as parseWithLibrary } from "yaml";
import { codes, parse } from "./support.ts";
import { applyEdits } from "../../src/desired/yaml/apply-edits.ts";

interface Case {
  readonly text: string;
  /** `line:column code`. */
  readonly found: readonly string[];
  /** The file after all edits; absent where there are none. */
  readonly mended?: string;
}

const MEASURED: readonly Case[] = [
  {
    text: "- { name: price, type: decimal(9,2) }",
    found: ["1:24 unquoted-comma"],
    mended: '- { name: price, type: "decimal(9,2)" }',
  },
  {
    text: "- { name: n, comment: Order number, unique }",
    found: ["1:23 unquoted-comma"],
    mended: '- { name: n, comment: "Order number, unique" }',
  },
  {
    text: "- { name: n, comment: ratio: a/b }",
    found: ["1:23 unquoted-colon"],
    mended: '- { name: n, comment: "ratio: a/b" }',
  },
  {
    text: "- { name: n, comment: order #12 }\n- { name: m }",
    found: ["1:29 hash-cut-comment"],
    mended: '- { name: n, comment: "order #12" }\n- { name: m }',
  },
  {
    text: "- name: n\n  comment: order #12",
    found: ["2:18 hash-cut-comment"],
    mended: '- name: n\n  comment: "order #12"',
  },
  {
    text: "partition-by: [ bucket(16, customer), day(ts) ]",
    found: ["1:17 unquoted-comma"],
    mended: 'partition-by: [ "bucket(16, customer)", day(ts) ]',
  },
  { text: "unmanaged: [ *_tmp ]", found: ["1:14 unquoted-star"], mended: 'unmanaged: [ "*_tmp" ]' },
  {
    text: "- { name: s, type: struct<a: int> }",
    found: ["1:20 unquoted-colon"],
    mended: '- { name: s, type: "struct<a: int>" }',
  },
  {
    text: "- name: s\n  type: struct<a: int>",
    found: ["2:9 unquoted-colon"],
    mended: '- name: s\n  type: "struct<a: int>"',
  },
  {
    text: 'dropped: [ { field: "a.b".c, reason: x } ]',
    found: ["1:21 quoted-path"],
    mended: "dropped: [ { field: '\"a.b\".c', reason: x } ]",
  },
];

const OWN: readonly Case[] = [
  // Several on one line
  {
    text: "- { name: p, type: decimal(9,2), comment: Price, net }",
    found: ["1:20 unquoted-comma", "1:43 unquoted-comma"],
    mended: '- { name: p, type: "decimal(9,2)", comment: "Price, net" }',
  },
  // Brackets tell how far a type goes, across colons and commas
  {
    text: "- { name: s, type: struct<a: int, b: map<string, decimal(9,2)>>, required: true }",
    found: ["1:20 unquoted-colon"],
    mended: '- { name: s, type: "struct<a: int, b: map<string, decimal(9,2)>>", required: true }',
  },
  {
    text: "- { name: m, type: map<string, string> }",
    found: ["1:20 unquoted-comma"],
    mended: '- { name: m, type: "map<string, string>" }',
  },
  {
    text: "- { type: list, element: { type: decimal(9,2) } }",
    found: ["1:34 unquoted-comma"],
    mended: '- { type: list, element: { type: "decimal(9,2)" } }',
  },
  {
    text: "- { name: a, convert: { from: decimal(9,2), on-error: fail } }",
    found: ["1:31 unquoted-comma"],
    mended: '- { name: a, convert: { from: "decimal(9,2)", on-error: fail } }',
  },
  // A sentence takes words up to the next real key
  {
    text: "- { name: a, comment: one, two, three, type: int }",
    found: ["1:23 unquoted-comma"],
    mended: '- { name: a, comment: "one, two, three", type: int }',
  },
  {
    text: "dropped: [ { field: a, reason: replaced by b, DATA-812 } ]",
    found: ["1:32 unquoted-comma"],
    mended: 'dropped: [ { field: a, reason: "replaced by b, DATA-812" } ]',
  },
  // A key of ours without a value is not a part of the sentence before it
  { text: "- { name: id, type: long, required }", found: [] },
  { text: "- { name: id, comment: Order id, required }", found: [] },
  // Several lines
  {
    text: "- { name: p,\n    type: decimal(9,2),\n    comment: x }",
    found: ["2:11 unquoted-comma"],
    mended: '- { name: p,\n    type: "decimal(9,2)",\n    comment: x }',
  },
  {
    text: "sort-by: [ truncate(4, zip) desc nulls last, id ]",
    found: ["1:12 unquoted-comma"],
    mended: 'sort-by: [ "truncate(4, zip) desc nulls last", id ]',
  },
  {
    text: "partition-by: [ bucket(16, a) as x, bucket(8, b) ]",
    found: ["1:17 unquoted-comma", "1:37 unquoted-comma"],
    mended: 'partition-by: [ "bucket(16, a) as x", "bucket(8, b)" ]',
  },
  {
    text: 'partition-by: [ bucket(16, "a.b".c) ]',
    found: ["1:17 unquoted-comma"],
    mended: "partition-by: [ 'bucket(16, \"a.b\".c)' ]",
  },
  // Colons
  {
    text: "- name: r\n  comment: ratio: a/b   # remark",
    found: ["2:12 unquoted-colon"],
    mended: '- name: r\n  comment: "ratio: a/b"   # remark',
  },
  {
    text: "comment: Note: see https://example.com/a:b",
    found: ["1:10 unquoted-colon"],
    mended: 'comment: "Note: see https://example.com/a:b"',
  },
  {
    text: "- { name: a, comment: what is left:, type: int }",
    found: ["1:23 unquoted-colon"],
    mended: '- { name: a, comment: "what is left:", type: int }',
  },
  {
    text: 'comment: "Ratio": a/b',
    found: ["1:10 unquoted-colon"],
    mended: "comment: '\"Ratio\": a/b'",
  },
  {
    text: "comment: first line\n  second: line",
    found: ["1:10 unquoted-colon"],
    mended: 'comment: "first line\n  second: line"',
  },
  { text: "- { name: u, comment: https://example.com/x }", found: [] },
  { text: "- { name: u, type: geometry(OGC:CRS84) }", found: [] },
  // Keys that lost their comma or their blank
  { text: "- { name: a type: int }", found: ["1:12 missing-comma"], mended: "- { name: a, type: int }" },
  { text: "- { name: a, type:int }", found: ["1:14 missing-blank"], mended: "- { name: a, type: int }" },
  { text: "- name: a\n  type:int", found: ["2:3 missing-blank"], mended: "- name: a\n  type: int" },
  {
    text: "- { name: a, comment: the type: int }",
    found: ["1:23 unquoted-colon"],
    mended: '- { name: a, comment: "the type: int" }',
  },
  // Stars
  { text: "unmanaged:\n  - *_tmp", found: ["2:5 unquoted-star"], mended: 'unmanaged:\n  - "*_tmp"' },
  {
    text: "unmanaged: [ a, *_tmp, *.raw ]",
    found: ["1:17 unquoted-star", "1:24 unquoted-star"],
    mended: 'unmanaged: [ a, "*_tmp", "*.raw" ]',
  },
  { text: "tables: [ **/*.yaml ]", found: ["1:11 unquoted-star"], mended: 'tables: [ "**/*.yaml" ]' },
  { text: "- { field: *, reason: x }", found: ["1:12 unquoted-star"], mended: '- { field: "*", reason: x }' },
  { text: "unmanaged: [ utm_*, a.*.b ]", found: [] },
  // Signs that YAML keeps for itself
  { text: "owner: @acme/data", found: ["1:8 unquoted-sign"], mended: 'owner: "@acme/data"' },
  { text: "owner: `me`", found: ["1:8 unquoted-sign"], mended: 'owner: "`me`"' },
  { text: "comment: %done", found: ["1:10 unquoted-sign"], mended: 'comment: "%done"' },
  { text: "namespace: {namespace}_dev", found: ["1:12 unquoted-sign"], mended: 'namespace: "{namespace}_dev"' },
  { text: "namespace: {namespace}", found: ["1:12 unquoted-sign"], mended: 'namespace: "{namespace}"' },
  {
    text: "dev: { location: s3://b/{namespace}/{table} }",
    found: ["1:18 unquoted-sign"],
    mended: 'dev: { location: "s3://b/{namespace}/{table}" }',
  },
  { text: "location: s3://b/{namespace}/{table}", found: [] },
  {
    text: "approve: { by: [ @acme/data ], count: 1 }",
    found: ["1:18 unquoted-sign"],
    mended: 'approve: { by: [ "@acme/data" ], count: 1 }',
  },
  // Hashes
  {
    text: "- { name: a, comment: order #12, type: int }\n- { name: b }",
    found: ["1:29 hash-cut-comment"],
    mended: '- { name: a, comment: "order #12", type: int }\n- { name: b }',
  },
  {
    text: "- { name: a, comment: #12 }\n- { name: b }",
    found: ["1:23 hash-cut-comment"],
    mended: '- { name: a, comment: "#12" }\n- { name: b }',
  },
  {
    text: "dropped: [\n  { field: a, reason: see #12 },\n  { field: b, reason: see #13 } ]",
    found: ["2:27 hash-cut-comment", "3:27 hash-cut-comment"],
    mended: 'dropped: [\n  { field: a, reason: "see #12" },\n  { field: b, reason: "see #13" } ]',
  },
  {
    text: "- name: a\n  comment:\n    order #12",
    found: ["3:11 hash-cut-comment"],
    mended: '- name: a\n  comment:\n    "order #12"',
  },
  { text: "unmanaged: [ a #b ]\nowner: x", found: ["1:16 hash-cut-comment"], mended: 'unmanaged: [ "a #b" ]\nowner: x' },
  {
    text: "- { name: a #1,\n    type: int }",
    found: ["1:13 hash-cut-comment"],
    mended: '- { name: "a #1",\n    type: int }',
  },
  { text: "comment: #12", found: ["1:10 hash-cut-comment"], mended: 'comment: "#12"' },
  { text: "comment: order # a remark", found: [] },
  { text: "type: int #12", found: [] },
  { text: "comment: | #12\n  text", found: [] },
  { text: 'comment: "order" #12', found: [] },
  { text: "partition-by: [\n  day(a), # see [1]\n  b # x\n  ]", found: [] },
  // Paths and other text behind quotes
  { text: 'dropped:\n  - field: "a.b".c', found: ["2:12 quoted-path"], mended: "dropped:\n  - field: '\"a.b\".c'" },
  { text: 'identifier-fields: [ "a.b".c, d ]', found: ["1:22 quoted-path"], mended: "identifier-fields: [ '\"a.b\".c', d ]" },
  { text: 'sort-by:\n  - "a b" desc', found: ["2:5 quoted-path"], mended: "sort-by:\n  - '\"a b\" desc'" },
  { text: 'comment: "Best" price', found: ["1:10 text-after-quote"], mended: "comment: '\"Best\" price'" },
  { text: 'field: a."b.c"', found: [] },
  // Windows line ends
  {
    text: "- { name: a, type: decimal(9,2) }\r\n- { name: b }\r\n",
    found: ["1:20 unquoted-comma"],
    mended: '- { name: a, type: "decimal(9,2)" }\r\n- { name: b }\r\n',
  },
];

function mend(text: string): string {
  return applyEdits(text, parse(text).mends);
}

describe("traps of inline YAML", () => {
  for (const { text, found, mended } of [...MEASURED, ...OWN]) {
    it(`are told in ${JSON.stringify(text)}`, () => {
      const parsed = parse(text);
      const traps = parsed.diagnostics.filter((one) => one.edits !== undefined);
      expect(codes(traps)).toEqual(found);
      expect(mend(text)).toBe(mended ?? text);
    });

    if (mended === undefined) continue;
    it(`are mended in ${JSON.stringify(text)} so that YAML reads it without a fault`, () => {
      expect(parse(mended).diagnostics).toEqual([]);
      expect(() => parseWithLibrary(mended)).not.toThrow();
    });
  }

  it("have the corrected line with every trap of the line mended", () => {
    const [first, second] = parse("- { name: p, type: decimal(9,2), comment: Price, net }").diagnostics;
    const line = '- { name: p, type: "decimal(9,2)", comment: "Price, net" }';
    expect([first?.correctedLine, second?.correctedLine]).toEqual([line, line]);
  });

  it("have no corrected line where the text goes over several", () => {
    const [found] = parse("comment: first line\n  second: line").diagnostics;
    expect(found?.code).toBe("unquoted-colon");
    expect(found?.correctedLine).toBeUndefined();
  });

  it("hide the parser's own fault, which stands at another line", () => {
    const { diagnostics, root } = parse("- { name: n, comment: order #12 }\n- { name: m }");
    expect(diagnostics.map((one) => one.code)).toEqual(["hash-cut-comment"]);
    expect(root).toBeNull();
  });

  it("warn where text is cut in silence and fail where nothing is left or the structure breaks", () => {
    const severity = (text: string): string | undefined => parse(text).diagnostics[0]?.severity;
    expect(severity("comment: order #12")).toBe("warning");
    expect(severity("comment: #12")).toBe("error");
    expect(severity("- { comment: order #12 }\n- a")).toBe("error");
  });

  it("leave aliases of real anchors to the refusal", () => {
    expect(codes(parse("a: &x 1\nb: *x").diagnostics)).toEqual(["1:4 yaml-alias-refused", "2:4 yaml-alias-refused"]);
  });
});
