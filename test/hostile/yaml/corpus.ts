// Texts that break readers of YAML, made here rather than stored: each with the code it must be told with, or none
// where it is odd and right. All are read, formatted and edited by hostile.test.ts.

export interface HostileText {
  readonly name: string;
  readonly text: string;
  /** Codes of errors; empty where the text is a right table. */
  readonly codes: readonly string[];
}

const TABLE = "table: a.b\ncolumns:\n  - { name: x, type: int }\n";
const columns = (lines: string): string => `table: a.b\ncolumns:\n${lines}\n`;

/** Nine levels of nine aliases each: a billion values, if anybody followed them. */
function aliasBomb(): string {
  const levels = ["a: &a0 [x]"];
  for (let level = 1; level <= 9; level++)
    levels.push(`b${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(", ")}]`);
  return levels.join("\n");
}

export const HOSTILE: readonly HostileText[] = [
  { name: "alias bomb", text: aliasBomb(), codes: ["missing-key", "unknown-key", "yaml-alias-refused"] },
  { name: "alias to itself", text: `${TABLE}meta: &m { self: *m }\n`, codes: ["yaml-alias-refused"] },
  { name: "merge keys", text: `${TABLE}<<: { owner: x }\n`, codes: ["unknown-key", "yaml-merge-refused"] },
  {
    name: "merge key in a field",
    text: columns("  - { <<: { type: int }, name: x }"),
    codes: ["missing-key", "unknown-key", "yaml-merge-refused"],
  },
  { name: "JavaScript tag", text: `${TABLE}meta: { f: !!js/function "function () {}" }\n`, codes: ["yaml-tag-refused"] },
  {
    name: "Python tag",
    text: `${TABLE}comment: !!python/object/apply:os.system [ "id" ]\n`,
    codes: ["wrong-kind", "yaml-tag-refused"],
  },
  { name: "binary tag", text: `${TABLE}comment: !!binary aGk=\n`, codes: ["yaml-tag-refused"] },
  { name: "old version", text: `%YAML 1.1\n---\n${TABLE}`, codes: ["yaml-directive-refused"] },
  { name: "tag directive", text: `%TAG ! tag:example.com,2000:\n---\n${TABLE}`, codes: ["yaml-directive-refused"] },
  { name: "two documents", text: `${TABLE}---\n${TABLE}`, codes: ["yaml-documents-refused"] },
  {
    name: "hundreds of documents",
    text: "---\na: 1\n".repeat(500),
    codes: ["missing-key", "unknown-key", "yaml-documents-refused"],
  },
  { name: "prototype as a key", text: `${TABLE}__proto__: { isAdmin: true }\n`, codes: ["unknown-key"] },
  {
    name: "prototype as a name",
    text: columns("  - { name: __proto__, type: int }\n  - { name: constructor, type: int }\n  - { name: toString, type: int }"),
    codes: [],
  },
  {
    name: "prototype as a property",
    text: `${TABLE}properties: { __proto__: x, constructor: y, hasOwnProperty: z }\n`,
    codes: [],
  },
  { name: "prototype in meta", text: `${TABLE}meta: { __proto__: { a: 1 }, constructor: { prototype: 1 } }\n`, codes: [] },
  {
    name: "prototype as an environment",
    text: `${TABLE}environments: { __proto__: { skip: true } }\n`,
    codes: ["environment-unknown"],
  },
  {
    name: "prototype as a pin",
    text: columns("  - { name: x, type: int, id: { __proto__: 5 } }"),
    codes: ["environment-unknown"],
  },
  { name: "prototype as a group", text: columns("  - use: __proto__"), codes: ["group-unknown"] },
  {
    name: "prototype as a type",
    text: columns("  - { name: x, type: __proto__ }\n  - { name: y, type: constructor }"),
    codes: ["type-unknown"],
  },
  { name: "NUL", text: `${TABLE}comment: a\u0000b\n`, codes: ["control-character"] },
  { name: "escape", text: `${TABLE}comment: \u001b[31mred\n`, codes: ["control-character"] },
  { name: "NUL as an escape", text: `${TABLE}comment: "a\\0b"\n`, codes: [] },
  { name: "signs of the lexer", text: "\u0002\u0018\u001f", codes: ["control-character"] },
  { name: "lone carriage return", text: TABLE.replaceAll("\n", "\r"), codes: ["control-character"] },
  { name: "Windows line ends", text: TABLE.replaceAll("\n", "\r\n"), codes: [] },
  { name: "byte order mark", text: `\uFEFF${TABLE}`, codes: [] },
  { name: "byte order mark inside", text: columns("  - { name: \uFEFFx, type: int }"), codes: [] },
  { name: "next line and line separator", text: `${TABLE}comment: a\u0085b\u2028c\n`, codes: [] },
  { name: "lone surrogate escape", text: `${TABLE}comment: "\\ud800"\n`, codes: [] },
  {
    name: "letters that look alike",
    text: "tаble: a.b\ncolumns:\n  - { name: x, type: int }\n",
    codes: ["missing-key", "unknown-key"],
  },
  { name: "names that look alike", text: columns("  - { name: amount, type: int }\n  - { name: аmount, type: int }"), codes: [] },
  { name: "text that turns around", text: columns("  - { name: a\u202eb, type: int }"), codes: [] },
  { name: "blanks of other kinds", text: "table:\u00a0a.b\n", codes: ["wrong-kind"] },
  { name: "tab as indentation", text: "table: a.b\ncolumns:\n\t- { name: x, type: int }\n", codes: ["yaml-syntax"] },
  { name: "tab before a value", text: "table:\ta.b\ncolumns:\n  - { name:\tx, type: int }\n", codes: [] },
  { name: "too deep in []", text: `${TABLE}meta: ${"[".repeat(5000)}\n`, codes: ["file-too-deep"] },
  { name: "too deep in {}", text: `${TABLE}meta: ${"{a: ".repeat(5000)}\n`, codes: ["file-too-deep"] },
  { name: "too deep in dashes", text: `columns: \n${"- ".repeat(5000)}x\n`, codes: ["file-too-deep"] },
  { name: "too deep in question marks", text: "? ".repeat(5000), codes: ["file-too-deep"] },
  {
    name: "too deep in keys",
    text: Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
    codes: ["file-too-deep"],
  },
  { name: "pairs in a row", text: `[${'"a":'.repeat(20_000)}]`, codes: ["file-too-deep"] },
  {
    name: "deep type text",
    text: columns(`  - { name: x, type: ${"list<".repeat(3000)}int${">".repeat(3000)} }`),
    codes: ["type-unknown"],
  },
  { name: "huge scalar", text: `${TABLE}comment: ${"x".repeat(1_000_000)}\n`, codes: [] },
  { name: "huge key", text: `${TABLE}${"k".repeat(100_000)}: 1\n`, codes: ["yaml-syntax"] },
  {
    name: "huge number",
    text: columns(`  - { name: x, type: long, default: ${"9".repeat(100_000)} }`),
    codes: ["default-malformed"],
  },
  { name: "the largest long", text: columns("  - { name: x, type: long, default: 9223372036854775807 }"), codes: [] },
  {
    name: "one more than the largest long",
    text: columns("  - { name: x, type: long, default: 9223372036854775808 }"),
    codes: ["default-malformed"],
  },
  { name: "an id beyond 2^53", text: columns("  - { name: x, type: int, id: 9007199254740993 }"), codes: ["value-out-of-range"] },
  { name: "numbers in meta", text: `${TABLE}meta: { a: 9007199254740993, b: .inf, c: .nan, d: 1e999, e: -0 }\n`, codes: [] },
  { name: "many equal keys", text: `${TABLE}meta:\n${"  k: 1\n".repeat(800)}`, codes: ["duplicate-key"] },
  {
    name: "many unknown keys",
    text: TABLE + Array.from({ length: 2000 }, (_, index) => `k${index}: 1\n`).join(""),
    codes: ["unknown-key"],
  },
  { name: "many commas", text: `${TABLE}meta: { ${"a, ".repeat(1500)} }\n`, codes: ["duplicate-key"] },
  {
    name: "many brackets in a value",
    text: columns(`  - { name: x, comment: ${"(,".repeat(1500)} }`),
    codes: ["missing-key", "unquoted-comma"],
  },
  { name: "many braces that do not match", text: "{]".repeat(1500), codes: ["yaml-syntax"] },
  { name: "many stars", text: `unmanaged: [${"*a,".repeat(1000)}]`, codes: ["missing-key", "unquoted-star"] },
  { name: "many quotes", text: '"a" b '.repeat(3000), codes: ["text-after-quote"] },
  { name: "many hashes", text: `${TABLE}comment: ${"a #".repeat(5000)}\n`, codes: [] },
  { name: "many remarks", text: `${"# x\n".repeat(5000)}${TABLE}`, codes: [] },
  { name: "many blank lines", text: `${"\n".repeat(10_000)}${TABLE}`, codes: [] },
  { name: "many lines in quotes", text: `${TABLE}comment: "${"x\n  ".repeat(20_000)}"\n`, codes: [] },
  { name: "many lines of a plain value", text: `${TABLE}comment: ${"x\n  ".repeat(20_000)}y\n`, codes: [] },
  { name: "many old names", text: columns(`  - { name: x, type: int, renamed-from: [ ${"y, ".repeat(1500)} z ] }`), codes: [] },
  { name: "many globs", text: `${TABLE}unmanaged: [ ${'"a*b*c*d*e*f", '.repeat(1000)} ]\n`, codes: [] },
  { name: "unclosed everything", text: "[{\"a': {[", codes: ["yaml-syntax"] },
  { name: "only signs", text: "!@#$%^&*()_+-=[]{}|;':\",./<>?`~", codes: ["yaml-tag-refused"] },
  { name: "complex keys", text: `? { a: 1 }\n: b\n${TABLE}`, codes: ["key-not-text"] },
  { name: "empty", text: "", codes: ["file-empty"] },
  { name: "only blanks", text: "  \n\n   \n", codes: ["file-empty"] },
  {
    name: "a remark that swallows a bracket, and goes on below",
    text: columns(
      "  - { name: a, type: int, comment: #x  - name: b\n    type: list<struct>\n    fields:\n      - { name: c, type: string }",
    ),
    codes: ["hash-cut-comment"],
  },
  { name: "a path up", text: "table: ../../etc.passwd\ncolumns:\n  - { name: x, type: int }\n", codes: ["name-malformed"] },
  {
    name: "markup in names",
    text: 'table: a.b\ncolumns:\n  - { name: "<script>", type: int }\n  - { name: "x; DROP TABLE y", type: int }\n',
    codes: [],
  },
];
