// What `import --update` adds: the live columns that a file lacks, behind their live predecessors, and nothing else.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSpec, planText, readText, standInPlace, type TextPlace } from "../../src/commands/import-check.ts";
import { updateText } from "../../src/commands/import-update.ts";
import { readGroup } from "../../src/desired/declaration/read-group.ts";
import { parseYaml } from "../../src/desired/parse-yaml.ts";
import { writeTableYaml } from "../../src/desired/write-yaml.ts";
import { sourceText } from "../../src/desired/yaml/source-text.ts";
import { checkSchema } from "../../src/iceberg/schema-check.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Field, Schema, Type } from "../../src/iceberg/type.ts";
import { importTable } from "../../src/plan/import-table.ts";
import { anyLiveTable } from "./import-arbitrary.ts";
import { field, liveOf, metadataOf, schemaOf } from "./support.ts";

const FILE = "tables/ns/t.yaml";
const ALONE = standInPlace(
  { type: "local", warehouse: "/wh", place: { file: "", line: 1, column: 1 } },
  {
    label: "lake",
    lowerCaseNames: false,
    nestedNamespaces: true,
    tableLocation: true,
    seenByAthena: false,
  },
  "/wh",
);

interface Result {
  readonly text: string;
  readonly state: string;
  readonly added: readonly string[];
  readonly told: readonly string[];
}

function update(text: string, metadata: TableMetadata, place: TextPlace = ALONE): Result {
  const spec = readText(text, FILE, place);
  if (!isSpec(spec)) throw new Error(`The test's file is wrong: ${JSON.stringify(spec)}`);
  const { text: next, file } = updateText(text, spec, liveOf(metadata), place, "none");
  return {
    text: next ?? text,
    state: file.state,
    added: file.columns,
    told: file.findings.map((one) => `${one.code}: ${one.what}`),
  };
}

function planOf(text: string, metadata: TableMetadata, place: TextPlace = ALONE): string[] {
  const spec = readText(text, FILE, place);
  if (!isSpec(spec)) return spec.map((one) => `${one.code}: ${one.what}`);
  const { plan } = planText(spec, liveOf(metadata), place);
  return [
    ...plan.steps.map((step) => `${step.kind} ${step.field?.path ?? step.text.subject}`),
    ...plan.blockers.map((one) => `${one.code}: ${one.what}`),
    ...plan.drift.map((one) => `drift ${one.subject}`),
  ];
}

const orders = metadataOf([
  schemaOf(
    field(9, "front", "int"),
    field(1, "id", "long"),
    field(10, "utm_medium", "string", { doc: "Set by the web team: see #12" }),
    field(11, "utm_source", "string"),
    field(2, "items", {
      type: "list",
      "element-id": 3,
      "element-required": false,
      element: { type: "struct", ...schemaOf(field(4, "sku", "string"), field(12, "gift", "boolean")) },
    }),
    field(5, "last", "string"),
    field(13, "added", { type: "struct", ...schemaOf(field(14, "x", "int", { doc: "X" })) }),
  ),
]);

describe("an updated file", () => {
  it("gets each column behind its live predecessor, and keeps every other byte", () => {
    const text = `# ours
table: ns.t   # a remark
columns:
  # the key
  - { name: id,   type: long }
  - name: items
    type: list<struct>
    fields:
      - {name: sku, type: string}   # stock unit

  - { name: last, type: 'string' }
owner:   somebody
`;
    const { text: next, state, added, told } = update(text, orders);
    expect(next).toBe(
      `# ours
table: ns.t   # a remark
columns:
  # the key
  - { name: front, type: int }
  - { name: id,   type: long }
  - { name: utm_medium, type: string, comment: "Set by the web team: see #12" }
  - { name: utm_source, type: string }
  - name: items
    type: list<struct>
    fields:
      - {name: sku, type: string}   # stock unit
      - { name: gift, type: boolean }

  - { name: last, type: 'string' }
  - name: added
    type: struct
    fields:
      - { name: x, type: int, comment: X }
owner:   somebody
`.replace("comment: X }", 'comment: "X" }'),
    );
    expect([state, added, told]).toEqual(["updated", ["front", "utm_medium", "utm_source", "added", "items.element.gift"], []]);
    expect(planOf(next, orders)).toEqual([]);
    expect(update(next, orders).state).toBe("unchanged");
  });

  it("puts a field at the end of a nested list and a column behind it each where it belongs", () => {
    const text = "table: ns.t\ncolumns:\n  - name: s\n    type: struct\n    fields:\n      - { name: a, type: int }\n";
    const struct = { type: "struct", ...schemaOf(field(2, "a", "int"), field(3, "b", "int")) };
    const { text: next } = update(text, metadataOf([schemaOf(field(1, "s", struct), field(4, "c", "int"))]));
    expect(next).toBe(`${text}      - { name: b, type: int }\n  - { name: c, type: int }\n`);
  });

  it("stays in its own style: lists in brackets, Windows line ends, no final line end", () => {
    const flow = "table: ns.t\ncolumns: [ { name: id, type: long }, { name: last, type: string } ]\nunmanaged: [ items, added ]";
    expect(update(flow, orders).text).toBe(
      'table: ns.t\ncolumns: [ { name: front, type: int }, { name: id, type: long }, { name: utm_medium, type: string, comment: "Set by the web team: see #12" }, { name: utm_source, type: string }, { name: last, type: string } ]\nunmanaged: [ items, added ]',
    );
    const windows = "table: ns.t\r\nunmanaged: [ front, items, added, last ]\r\ncolumns:\r\n  - { name: id, type: long }";
    expect(update(windows, orders).text).toBe(
      `${windows}\r\n  - { name: utm_medium, type: string, comment: "Set by the web team: see #12" }\r\n  - { name: utm_source, type: string }`,
    );
  });

  it("leaves alone what is unmanaged, and what Git took out after floeplan had applied it", () => {
    const memory = { properties: { "floeplan.applied.field-ids": "1-5,10" } };
    const metadata = metadataOf(
      [
        schemaOf(
          field(1, "id", "long"),
          field(10, "utm_medium", "string"),
          field(11, "utm_source", "string"),
          field(12, "other", "string"),
        ),
      ],
      memory,
    );
    const text = "table: ns.t\ncolumns:\n  - { name: id, type: long }\nunmanaged: [ other ]\n";
    const { text: next, added } = update(text, metadata);
    expect(added).toEqual(["utm_source"]);
    expect(next).toBe(
      "table: ns.t\ncolumns:\n  - { name: id, type: long }\n  - { name: utm_source, type: string }\nunmanaged: [ other ]\n",
    );
    expect(planOf(next, metadata).join()).toContain('Cannot drop "utm_medium" silently');
  });

  it("follows a renamed predecessor under its declared name", () => {
    const text = "table: ns.t\ncolumns:\n  - { name: key, type: long, renamed-from: [ id ] }\n  - { name: last, type: string }\n";
    const { text: next, added } = update(
      text,
      metadataOf([schemaOf(field(1, "id", "long"), field(2, "new", "int"), field(3, "last", "string"))]),
    );
    expect(added).toEqual(["new"]);
    expect(next).toContain("renamed-from: [ id ] }\n  - { name: new, type: int }\n  - { name: last");
  });

  it("says where a field belongs that is not written in this file", () => {
    const text = 'table: ns.t\ncolumns:\n  - { name: s, type: "struct<a: int>" }\n';
    const struct = { type: "struct", ...schemaOf(field(2, "a", "int"), field(3, "b", "int")) };
    const { state, told } = update(text, metadataOf([schemaOf(field(1, "s", struct))]));
    expect(state).toBe("unchanged");
    expect(told).toEqual([
      'import-update-left-out: Cannot add field "s.b" to tables/ns/t.yaml: the fields around it are not written one by one in this file',
    ]);
  });
});

describe("a file with a shared group", () => {
  const { group } = readGroup(
    parseYaml(
      sourceText(
        "shared/audit.yaml",
        "columns-of: audit\ncolumns:\n  - { name: at, type: date }\n  - { name: by, type: string }\n",
      ),
    ),
    ["local"],
  );
  const place: TextPlace = { ...ALONE, groups: new Map(group === null ? [] : [["audit", group]]) };
  const text = "table: ns.t\ncolumns:\n  - { name: id, type: long }\n  - use: audit\n  - { name: last, type: string }\n";
  const live = (...names: readonly string[]) =>
    metadataOf([
      schemaOf(...names.map((name, index) => field(index + 1, name, name === "id" ? "long" : name === "at" ? "date" : "string"))),
    ]);

  it("gets a column behind the use of the group", () => {
    const metadata = live("id", "at", "by", "new", "last");
    const { text: next } = update(text, metadata, place);
    expect(next).toContain("  - use: audit\n  - { name: new, type: string }\n  - { name: last");
    expect(planOf(next, metadata, place)).toEqual([]);
  });

  it("gets none that stands in the middle of the group", () => {
    const { state, told } = update(text, live("id", "at", "new", "by", "last"), place);
    expect(state).toBe("unchanged");
    expect(told.join()).toContain('it stands between fields of the shared group "audit"');
  });
});

/** The same table with some fields fewer, at any depth, as it was when the file was written. */
function earlier(metadata: TableMetadata, isKept: (id: number) => boolean): TableMetadata {
  const schema = currentSchema(metadata);
  const without = (type: Type): Type => {
    switch (type.kind) {
      case "struct":
        return { kind: "struct", fields: kept(type.fields) };
      case "list":
        return { ...type, element: without(type.element) };
      case "map":
        return { ...type, value: without(type.value) };
      default:
        return type;
    }
  };
  const kept = (fields: readonly Field[]): readonly Field[] =>
    fields.filter((one) => isKept(one.id)).map((one) => ({ ...one, type: without(one.type) }));
  const older: Schema = { ...schema, fields: kept(schema.fields), identifierFieldIds: [] };
  return { ...metadata, schemas: [older] };
}

const UNPARTITIONED = {
  partitionSpecs: [{ specId: 0, fields: [] }],
  defaultSpecId: 0,
  sortOrders: [{ orderId: 0, fields: [] }],
  defaultSortOrderId: 0,
} as const;

describe("any table that got columns behind Git's back", () => {
  it("is in step after the update, with every line of the old file in place", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyLiveTable, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (live, keep) => {
        // Layout and properties have tests of their own.
        const metadata: TableMetadata = { ...live, properties: {}, ...UNPARTITIONED };
        fc.pre(checkSchema(currentSchema(metadata)).length === 0);
        const before = earlier(metadata, (id) => keep[id % keep.length] === true);
        const { table } = importTable(before, { name: ["ns", "t"], catalog: null, pins: "none" });
        fc.pre(table.columns.length > 0);
        const text = writeTableYaml(table);
        const { text: next, state, told } = update(text, metadata);
        expect(["updated", "unchanged"], told.join()).toContain(state);
        const [lines, now] = [text.split("\n"), next.split("\n")];
        let at = 0;
        for (const line of now) if (line === lines[at] || /fields: \[\]/.test(lines[at] ?? "")) at++;
        expect(at, next).toBe(lines.length);
        // What no file can name, or has no place in this one, is told and stays drift.
        const left = told.filter((one) => one.startsWith("import-update-left-out")).length;
        expect(planOf(next, metadata).length, next).toBe(left);
      }),
      { numRuns: Number(process.env["FLOEPLAN_RUNS"] ?? 60) },
    );
  });
});
