// Edits in place: each changes its own lines and no other, also with remarks, odd indentation, Windows line ends, and
// no line end at the end of the file.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addToTableList,
  type EditableYaml,
  insertField,
  removeField,
  removeFieldKey,
  removeFromTableList,
  removeTableKey,
  setFieldKey,
  setTableKey,
} from "../../src/desired/edit-yaml.ts";
import { findField } from "../../src/desired/field-spot.ts";
import { pruneHints } from "../../src/desired/prune-hints.ts";
import type { WrittenField } from "../../src/desired/written-table.ts";
import { applyEdits } from "../../src/desired/yaml/apply-edits.ts";
import { sourceText } from "../../src/desired/yaml/source-text.ts";
import type { TextEdit } from "../../src/diagnostics/diagnostic.ts";
import { parse, read } from "./support.ts";

const TEXT = `# head
table: sales.orders   # the name

columns:
  # ids first
  - { name: order_id, type: long, required: true }   # never reused
  - name: customer            # who
    type: string
    renamed-from: [ client, cust_name ]

  - name: items
    type: list<struct>
    fields:
      - { name: sku, type: string }
      # not always
      - { name: price, type: "decimal(9,2)" }
  - { name: tags, type: list, element: { type: string, required: true } }
sort-by: [ order_id ]
dropped:
  - { field: legacy, reason: "old" }
`;

const NEW: WrittenField = { name: "channel", type: { kind: "string" }, required: false };

function edited(text: string, edit: (file: EditableYaml) => readonly TextEdit[] | null): string {
  const edits = edit(parse(text));
  if (edits === null) throw new Error("not found");
  return applyEdits(text, edits);
}

/** The lines that differ: removed with -, added with +. */
function difference(before: string, after: string): string[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [
    ...a.slice(start, a.length - end).map((line) => `-${line}`),
    ...b.slice(start, b.length - end).map((line) => `+${line}`),
  ];
}

interface Case {
  readonly what: string;
  readonly edit: (file: EditableYaml) => readonly TextEdit[] | null;
  readonly lines: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: "inserts a column after another",
    edit: (file) => insertField(file, [], { after: "order_id" }, NEW),
    lines: ["+  - { name: channel, type: string }"],
  },
  {
    what: "inserts a column after one that has lines and a blank line",
    edit: (file) => insertField(file, [], { after: "customer" }, NEW),
    lines: ["+  - { name: channel, type: string }"],
  },
  {
    what: "inserts a column at the end, after a nested one",
    edit: (file) => insertField(file, [], "last", { use: "audit" }),
    lines: ["+  - use: audit"],
  },
  {
    what: "inserts the first column",
    edit: (file) => insertField(file, [], "first", NEW),
    lines: ["+  - { name: channel, type: string }"],
  },
  {
    what: "inserts a field into a struct of a list, over several lines",
    edit: (file) =>
      insertField(
        file,
        ["items", "element"],
        { after: "sku" },
        { name: "sizes", type: { kind: "struct", fields: [NEW] }, required: false },
      ),
    lines: ["+      - name: sizes", "+        type: struct", "+        fields:", "+          - { name: channel, type: string }"],
  },
  {
    what: "removes a column on one line with its remark",
    edit: (file) => removeField(file, ["order_id"]),
    lines: ["-  - { name: order_id, type: long, required: true }   # never reused"],
  },
  {
    what: "removes a column of several lines",
    edit: (file) => removeField(file, ["customer"]),
    lines: ["-  - name: customer            # who", "-    type: string", "-    renamed-from: [ client, cust_name ]"],
  },
  {
    what: "removes a nested field",
    edit: (file) => removeField(file, ["items", "element", "price"]),
    lines: ['-      - { name: price, type: "decimal(9,2)" }'],
  },
  {
    what: "adds a key to a field in {}",
    edit: (file) => setFieldKey(file, ["order_id"], "comment", '"Unique"'),
    lines: [
      "-  - { name: order_id, type: long, required: true }   # never reused",
      '+  - { name: order_id, type: long, required: true, comment: "Unique" }   # never reused',
    ],
  },
  {
    what: "adds a key behind another one of a field in block style",
    edit: (file) => setFieldKey(file, ["customer"], "required", "true", "type"),
    lines: ["+    required: true"],
  },
  {
    what: "changes a key of a field",
    edit: (file) => setFieldKey(file, ["items", "element", "price"], "type", '"decimal(12,2)"'),
    lines: ['-      - { name: price, type: "decimal(9,2)" }', '+      - { name: price, type: "decimal(12,2)" }'],
  },
  {
    what: "renames: a new name and the old one as a hint",
    edit: (file) => setFieldKey(file, ["items"], "name", "lines"),
    lines: ["-  - name: items", "+  - name: lines"],
  },
  {
    what: "sets a key of an element in long form",
    edit: (file) => setFieldKey(file, ["tags", "element"], "id", "9"),
    lines: [
      "-  - { name: tags, type: list, element: { type: string, required: true } }",
      "+  - { name: tags, type: list, element: { type: string, required: true, id: 9 } }",
    ],
  },
  {
    what: "removes a key of a field in {}",
    edit: (file) => removeFieldKey(file, ["order_id"], "required"),
    lines: [
      "-  - { name: order_id, type: long, required: true }   # never reused",
      "+  - { name: order_id, type: long }   # never reused",
    ],
  },
  {
    what: "removes the first key of a field in {}",
    edit: (file) => removeFieldKey(file, ["order_id"], "name"),
    lines: [
      "-  - { name: order_id, type: long, required: true }   # never reused",
      "+  - { type: long, required: true }   # never reused",
    ],
  },
  {
    what: "removes a key of a field in block style",
    edit: (file) => removeFieldKey(file, ["customer"], "renamed-from"),
    lines: ["-    renamed-from: [ client, cust_name ]"],
  },
  {
    what: "removes the key on the line of the dash",
    edit: (file) => removeFieldKey(file, ["customer"], "name"),
    lines: ["-  - name: customer            # who", "-    type: string", "+  - type: string"],
  },
  {
    what: "sets a new key of the table",
    edit: (file) => setTableKey(file, "comment", '"Orders"', "table"),
    lines: ['+comment: "Orders"'],
  },
  {
    what: "sets a key of the table that holds lines",
    edit: (file) => setTableKey(file, "dropped", "[]"),
    lines: ["-dropped:", '-  - { field: legacy, reason: "old" }', "+dropped: []"],
  },
  {
    what: "removes a key of the table with its lines",
    edit: (file) => removeTableKey(file, "dropped"),
    lines: ["-dropped:", '-  - { field: legacy, reason: "old" }'],
  },
  {
    what: "adds an entry to a list",
    edit: (file) => addToTableList(file, "dropped", '{ field: gift, reason: "never filled" }'),
    lines: ['+  - { field: gift, reason: "never filled" }'],
  },
  {
    what: "adds an entry to a list in []",
    edit: (file) => addToTableList(file, "sort-by", "customer desc"),
    lines: ["-sort-by: [ order_id ]", "+sort-by: [ order_id, customer desc ]"],
  },
  {
    what: "adds a list that was not there",
    edit: (file) => addToTableList(file, "unmanaged", '"utm_*"'),
    lines: ["+unmanaged:", '+  - "utm_*"'],
  },
  {
    what: "removes the last acknowledgement with its key",
    edit: (file) => removeFromTableList(file, "dropped", 0),
    lines: ["-dropped:", '-  - { field: legacy, reason: "old" }'],
  },
  {
    what: "leaves [] where an absent key would mean something else",
    edit: (file) => removeFromTableList(file, "sort-by", 0),
    lines: ["-sort-by: [ order_id ]", "+sort-by: []"],
  },
];

describe("an edit", () => {
  for (const { what, edit, lines } of CASES) {
    it(what, () => {
      const after = edited(TEXT, edit);
      expect(difference(TEXT, after)).toEqual(lines);
      expect(parse(after).diagnostics).toEqual([]);
    });

    it(`${what}, with Windows line ends`, () => {
      const windows = TEXT.replaceAll("\n", "\r\n");
      expect(edited(windows, edit)).toBe(edited(TEXT, edit).replaceAll("\n", "\r\n"));
    });

    it(`${what}, in a file without a last line end`, () => {
      const open = TEXT.slice(0, -1);
      expect(edited(open, edit)).toBe(edited(TEXT, edit).slice(0, -1));
    });
  }

  it("finds nothing where the field is not written in the file", () => {
    const file = parse(TEXT);
    expect(insertField(file, [], { after: "ingested_at" }, NEW)).toBeNull();
    expect(insertField(file, ["customer"], "last", NEW)).toBeNull();
    expect(removeField(file, ["items", "sku"])).toBeNull();
    expect(removeField(file, ["tags", "element"])).toBeNull();
    expect(removeFromTableList(file, "unmanaged", 0)).toBeNull();
  });

  it("keeps the dash and indentation of the list", () => {
    const text = "table: a.b\ncolumns:\n-   name: x\n    type: int\n-   name: y\n    type: int\n";
    expect(edited(text, (file) => insertField(file, [], { after: "x" }, { ...NEW, comment: "x".repeat(120) }))).toBe(
      `table: a.b\ncolumns:\n-   name: x\n    type: int\n-   name: channel\n    type: string\n    comment: "${"x".repeat(120)}"\n-   name: y\n    type: int\n`,
    );
  });

  it("puts a field into a list in [] on one line", () => {
    const text = "table: a.b\ncolumns: [ { name: x, type: int } ]\n";
    const nested: WrittenField = {
      name: "s",
      type: { kind: "list", element: { type: { kind: "struct", fields: [NEW] }, required: false } },
      required: false,
    };
    expect(edited(text, (file) => insertField(file, [], "last", nested))).toBe(
      "table: a.b\ncolumns: [ { name: x, type: int }, { name: s, type: list<struct>, fields: [ { name: channel, type: string } ] } ]\n",
    );
  });

  it("finds fields in every form of types", () => {
    const text = `table: a.b
columns:
  - { name: a, type: "map<string, list<struct>>", fields: [ { name: x, type: int } ] }
  - name: b
    type: map
    key: { type: struct, fields: [ { name: y, type: int } ] }
    value: { type: list<struct>, fields: [ { name: z, type: int } ] }
`;
    const { root } = parse(text);
    if (root === null) throw new Error("no root");
    const found = ["a.value.element.x", "b.key.y", "b.value.element.z", "b.value", "a.x", "b.value.z"].map(
      (path) => findField(root, path.split(".")) !== null,
    );
    expect(found).toEqual([true, true, true, true, false, false]);
  });
});

describe("done hints", () => {
  it("go, and nothing else does", () => {
    const text = TEXT.replace("required: true }   # never", "required: true, convert: { from: int } }   # never");
    const hints = [
      { kind: "renamed-from", field: "customer", name: "cust_name" },
      { kind: "convert", field: "order_id" },
      { kind: "dropped", field: "legacy" },
      { kind: "dropped", field: "not.there" },
      { kind: "renamed-from", field: "customer", name: "never" },
    ] as const;
    const pruned = pruneHints(sourceText("t.yaml", text), hints);
    expect(pruned).toBe(
      TEXT.replace("[ client, cust_name ]", "[ client ]").replace('dropped:\n  - { field: legacy, reason: "old" }\n', ""),
    );
    expect(pruneHints(sourceText("t.yaml", pruned), [{ kind: "renamed-from", field: "customer", name: "client" }])).toBe(
      pruned.replace("    renamed-from: [ client ]\n", ""),
    );
  });
});

describe("edits of random tables", () => {
  const name = fc.constantFrom("a", "b", "c", "d", "e", "f");
  const style = fc.constantFrom("flow", "block", "spaced", "remark", "literal");
  const columns = fc.uniqueArray(fc.tuple(name, style), { minLength: 2, maxLength: 6, selector: ([one]) => one });
  const ending = fc.constantFrom("\n", "\r\n");

  function written(list: readonly (readonly [string, string])[], lineEnd: string, isOpen: boolean): string {
    const rows = list.flatMap(([one, how]) => {
      if (how === "flow") return [`  - { name: ${one}, type: int }`];
      if (how === "block") return [`  - name: ${one}`, "    type: int"];
      if (how === "spaced") return ["", `  - name: ${one}`, "", "    type: int   # here", ""];
      if (how === "literal")
        return [`  - name: ${one}`, "    type: int", "    comment: |", "      # no remark", "", "      - no item", ""];
      return [`  # about ${one}`, `  - { name: ${one}, type: int } # - not a dash`];
    });
    return ["table: x.y", "columns:", ...rows].join(lineEnd) + (isOpen ? "" : lineEnd);
  }

  const names = (text: string): readonly string[] | undefined => read(text).declaration?.columns.map((column) => column.name);

  it("take out one field and leave the order and every other line", () => {
    fc.assert(
      fc.property(columns, ending, fc.boolean(), fc.nat(), (list, lineEnd, isOpen, pick) => {
        const text = written(list, lineEnd, isOpen);
        const gone = list[pick % list.length]?.[0] ?? "";
        const after = edited(text, (file) => removeField(file, [gone]));
        expect(names(after)).toEqual(list.map(([one]) => one).filter((one) => one !== gone));
        const kept = text.split(lineEnd);
        for (const line of after.split(lineEnd)) expect(kept).toContain(line);
      }),
      { numRuns: 60 },
    );
  });

  it("put in one field behind another and keep every line", () => {
    fc.assert(
      fc.property(columns, ending, fc.boolean(), fc.nat(), (list, lineEnd, isOpen, pick) => {
        const text = written(list, lineEnd, isOpen);
        const after = list[pick % list.length]?.[0] ?? "";
        const result = edited(text, (file) => insertField(file, [], { after }, NEW));
        expect(names(result)).toEqual(list.flatMap(([one]) => (one === after ? [one, "channel"] : [one])));
        const without = result.split(lineEnd).filter((line) => !line.includes("channel"));
        expect(without).toEqual(text.split(lineEnd));
      }),
      { numRuns: 60 },
    );
  });

  it("set and remove a key and are back where they were", () => {
    fc.assert(
      fc.property(columns, ending, fc.boolean(), fc.nat(), (list, lineEnd, isOpen, pick) => {
        const text = written(list, lineEnd, isOpen);
        const path = [list[pick % list.length]?.[0] ?? ""];
        const set = edited(text, (file) => setFieldKey(file, path, "meta", '{ a: "x: #1" }'));
        expect(read(set).declaration?.columns.find((column) => column.name === path[0])?.meta).toEqual({ a: "x: #1" });
        expect(edited(set, (file) => removeFieldKey(file, path, "meta"))).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});
