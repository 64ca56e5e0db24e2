// What a plan will not do, and what it says to it: one scene a code, from the reasons of the table format and of the
// contract (§2). The scenes of matching, types and conversions stand in matching.test.ts and steps.test.ts.
import { describe, expect, it } from "vitest";
import type { FailureReason, Loss } from "../../src/conversion/conversion.ts";
import type { PreflightCounts } from "../../src/conversion/preflight.ts";
import type { Evidence } from "../../src/iceberg/evidence.ts";
import type { JsonObject } from "../../src/iceberg/json.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { conversionProperty } from "../../src/plan/base.ts";
import { type PlannedTable, planTable } from "../../src/plan/plan-table.ts";
import { PLAIN_EVIDENCE, SNAPSHOT } from "./facts.ts";
import {
  applied,
  blockersOf,
  columnsOf,
  field,
  inputOf,
  liveOf,
  metadataOf,
  plan,
  schemaOf,
  type SpecOptions,
  stepsOf,
} from "./support.ts";

const table = (columns: readonly string[], more = ""): string =>
  `table: ns.t\ncolumns:\n${columns.map((column) => `  - { ${column} }\n`).join("")}${more}`;
const A = "name: a, type: string";
const B = "name: b, type: string";
const ab = (more: JsonObject = {}): TableMetadata =>
  metadataOf([schemaOf(field(1, "a", "string"), field(2, "b", "string"))], more);
const required = metadataOf([
  { fields: [field(1, "a", "string", { required: true }), field(2, "b", "string")], "identifier-field-ids": [1] },
]);
const drop = (name: string, more = ""): string => `dropped: [ { field: ${name}, reason: unused } ]\n${more}`;
const why = (planned: PlannedTable): string => planned.plan.blockers.map((one) => one.why).join("\n");

describe("a drop", () => {
  it("waits for the sort order that needs the column, and goes with a new order in one commit", () => {
    const sorted = ab({
      "sort-orders": [
        { "order-id": 1, fields: [{ "source-id": 2, transform: "identity", direction: "asc", "null-order": "nulls-first" }] },
      ],
      "default-sort-order-id": 1,
    });
    expect(blockersOf(plan(table([A], drop("b")), sorted))).toEqual(["sort-source-dropped"]);
    const after = applied(table([A], drop("b", "sort-by: [ a ]\n")), sorted);
    expect(columnsOf(after)).toEqual(["a:1"]);
    expect(after.sortOrders.find((order) => order.orderId === after.defaultSortOrderId)?.fields).toMatchObject([
      { sourceIds: [1] },
    ]);
  });

  it("waits for the identifier that needs the column, and goes with another identifier in one commit", () => {
    expect(blockersOf(plan(table([B], drop("a")), required))).toEqual(["identifier-dropped"]);
    expect(columnsOf(applied(table([B], drop("a", "identifier-fields: []\n")), required))).toEqual(["b:2"]);
  });

  it("waits for equality deletes that compare the column", () => {
    const evidence: Evidence = { ...PLAIN_EVIDENCE, equalityDeleteFiles: 1, equalityIds: new Set([2]) };
    expect(blockersOf(plan(table([A], drop("b")), ab(SNAPSHOT), { evidence }))).toEqual(["equality-delete-field-dropped"]);
    expect(blockersOf(plan(table([B], drop("a")), ab(SNAPSHOT), { evidence }))).toEqual([]);
  });

  it.each([
    [{}, null, ""],
    [{ audit: "branch" }, "lose", "read with the table's schema"],
    [{ audit: "branch", v1: "tag" }, "lose", "read with the table's schema"],
    [{ v1: "tag" }, "still see", "read with the schema of their snapshots"],
  ])("tells readers of other refs: %j", (others, verb, reason) => {
    const refs = Object.fromEntries(
      Object.entries({ main: "branch", ...others }).map(([name, type]) => [name, { "snapshot-id": 7, type }]),
    );
    const { notes, steps } = plan(table([A], drop("b")), ab({ ...SNAPSHOT, refs })).plan;
    expect(steps.map((step) => step.kind)).toEqual(["drop-field"]);
    const found = notes.filter((note) => note.code === "ref-readers");
    expect(found).toHaveLength(verb === null ? 0 : 1);
    expect(found[0]?.what ?? "").toContain(verb ?? "");
    expect(found[0]?.why ?? "").toContain(reason);
    for (const name of Object.keys(others)) expect(found[0]?.why).toContain(`"${name}"`);
  });

  it("tells them nothing of a change that takes no values away", () => {
    const refs = { main: { "snapshot-id": 7, type: "branch" }, audit: { "snapshot-id": 7, type: "branch" } };
    const { notes } = plan(table([A, B, "name: c, type: int"]), ab({ ...SNAPSHOT, refs })).plan;
    expect(notes.map((note) => note.code)).not.toContain("ref-readers");
  });
});

describe("a conversion", () => {
  const DAY = ["name: day, type: date, convert: { from: string, format: yyyyMMdd }", "name: x, type: int"];
  const day = (version: number, more: JsonObject = {}, schema: JsonObject = {}): TableMetadata =>
    metadataOf([{ fields: [field(1, "day", "string", schema), field(2, "x", "int")] }], { "format-version": version, ...more });
  const failed = (reason: FailureReason, onError: string): PlannedTable => {
    const counts: PreflightCounts = {
      values: 10n,
      nulls: 0n,
      becomeNull: 0n,
      failures: new Map([[reason, 3n]]),
      losses: new Map<Loss, bigint>([["precision", 2n]]),
      files: 1,
      bytesRead: 1,
    };
    const yaml = table([(DAY[0] ?? "").replace(" }", `, on-error: ${onError} }`), DAY[1] ?? ""]);
    return planTable({ ...inputOf(yaml, day(2, SNAPSHOT), { evidence: PLAIN_EVIDENCE }), preflight: new Map([[1, counts]]) });
  };

  it("is stopped by values that do not convert, unless their loss is asked for", () => {
    const stopped = failed("impossible-date", "fail");
    expect(blockersOf(stopped)).toEqual(["conversion-values-fail"]);
    expect(stopped.plan.blockers[0]?.what).toContain("3 values do not convert");
    const allowed = failed("impossible-date", "set-null");
    expect(stepsOf(allowed)).toEqual(["convert-type day"]);
    expect(allowed.plan.notes.map((note) => note.code)).toContain("conversion-loses");
    expect(allowed.plan.notes.map((note) => note.code)).toContain("rewrite-readers");
  });

  it("is not made by taking it back in the file: both roads are told", () => {
    const [key, value] = conversionProperty({
      newId: 3,
      retired: { id: 1, name: "day", required: false, type: { kind: "string" } },
      parentId: null,
      rule: { from: "string", format: "yyyyMMdd", onError: "fail", trim: false, emptyAsNull: false, writersStopped: false },
      before: { schemaId: 0, refs: { main: 7n } },
      after: { main: 8n },
    });
    const converted = metadataOf([schemaOf(field(3, "day", "date"), field(2, "x", "int"))], { properties: { [key]: value } });
    const planned = plan(table(["name: day, type: string", "name: x, type: int"]), converted);
    expect(blockersOf(planned)).toEqual(["conversion-reverted"]);
    expect(planned.plan.blockers[0]?.mend).toContain("floeplan rollback ns.t");
    expect(planned.plan.blockers[0]?.mend).toContain("convert: { from: date, format: yyyyMMdd }");
    const unreadable = metadataOf([schemaOf(field(3, "day", "date"))], { properties: { [key]: "{" } });
    expect(blockersOf(plan(table(["name: day, type: date"]), unreadable))).toEqual(["conversion-memory-unreadable"]);
  });

  it("is stopped by what would hold the retired field: identifier, staged snapshots, rows with ids of their own", () => {
    const identifier = metadataOf([
      { fields: [field(1, "day", "string", { required: true }), field(2, "x", "int")], "identifier-field-ids": [1] },
    ]);
    const declared = table([`${DAY[0]}, required: true`, DAY[1] ?? ""]);
    expect(blockersOf(plan(declared, identifier))).toContain("convert-identifier");
    const [head] = SNAPSHOT.snapshots;
    const staged = { ...head, "snapshot-id": 8, "sequence-number": 2, summary: { operation: "append", "wap.id": "w" } };
    const branch = { refs: { main: { "snapshot-id": 7, type: "branch" } }, "last-sequence-number": 2 };
    const evidence = PLAIN_EVIDENCE;
    expect(
      blockersOf(plan(table(DAY), day(2, { ...SNAPSHOT, ...branch, snapshots: [head ?? {}, staged] }), { evidence })),
    ).toEqual(["convert-staged"]);
    const lineage = { "next-row-id": 10, snapshots: [{ ...head, "first-row-id": 0, "added-rows": 10 }] };
    expect(blockersOf(plan(table(DAY), day(3, { ...SNAPSHOT, ...lineage }), { evidence }))).toEqual(["convert-row-lineage"]);
  });

  it("stops at the bytes that the policy allows", () => {
    const evidence: Evidence = {
      ...PLAIN_EVIDENCE,
      fields: new Map([[1, { files: 1, values: 10n, nulls: 0n, sizeBytes: 2048n }]]),
    };
    const limited = (bytes: number): string[] =>
      blockersOf(plan(table(DAY), day(2, SNAPSHOT), { evidence, policy: { maxRewriteBytes: bytes } }));
    expect(limited(2048)).toEqual([]);
    expect(limited(2047)).toEqual(["rewrite-too-large"]);
  });
});

describe("a property that both changed", () => {
  const changed = (): TableMetadata => {
    const base = applied(table([A, B], "properties: { write.x: one }\n"), ab());
    return { ...base, properties: { ...base.properties, "write.x": "theirs" } };
  };

  it("is a conflict with all three values", () => {
    const planned = plan(table([A, B], "properties: { write.x: ours }\n"), changed());
    expect(blockersOf(planned)).toEqual(["property-conflict"]);
    for (const value of ["one", "theirs", "ours"]) expect(why(planned)).toContain(`"${value}"`);
  });

  it("is put back where Git did not change it, and left alone where Git no longer declares it", () => {
    expect(stepsOf(plan(table([A, B], "properties: { write.x: one }\n"), changed()))).toEqual(["set-properties write.x"]);
    expect(stepsOf(plan(table([A, B]), changed()))).toEqual([]);
  });
});

describe("conflicts field by field", () => {
  it("tells every attribute that both changed, and nothing of fields that only one did", () => {
    const base = applied(table(["name: a, type: int, comment: x", "name: b, type: int, comment: x"]), metadataOf([schemaOf()]));
    const [schema] = base.schemas.slice(-1);
    if (schema === undefined) throw new Error("the table has no schema");
    const theirs: TableMetadata = {
      ...base,
      currentSchemaId: 9,
      schemas: [
        ...base.schemas,
        {
          ...schema,
          schemaId: 9,
          fields: schema.fields.map((one) => ({ ...one, doc: "theirs" })),
        },
      ],
    };
    const planned = plan(table(["name: a, type: int, comment: ours", "name: b, type: long, comment: x"]), theirs);
    expect(planned.plan.blockers.map((one) => [one.code, one.field, one.why])).toEqual([
      ["field-conflict", "a", 'comment: last applied "x", live "theirs", declared "ours"'],
    ]);
  });
});

describe("a declaration that the table cannot take", () => {
  const map = metadataOf([
    schemaOf(field(1, "m", { type: "map", "key-id": 2, key: "int", "value-id": 3, value: "string", "value-required": false })),
  ]);
  const three = ab({ "format-version": 3, "next-row-id": 0 });
  const irregular = metadataOf([schemaOf(field(1, "a", "string", { "initial-default": "x" }))]);
  const restored = (): TableMetadata => applied(table([A], drop("b")), ab());

  it.each<[string, string, TableMetadata | null, string]>([
    ["a lower format version", table([A, B], "format-version: 2\n"), three, "format-version-lowered"],
    ["an identifier field that becomes optional", table([A, B]), required, "identifier-optional"],
    ["another type of a map key", table(['name: m, type: "map<long, string>"']), map, "map-key-changed"],
    ["a field that comes back as required", table([A, `${B}, required: true`]), restored(), "restored-field-required"],
    ["any change of a table that holds more than its format version allows", table([A, B]), irregular, "format-refuses"],
  ])("refuses %s", (_, yaml, live, code) => {
    const planned = plan(yaml, live);
    expect(blockersOf(planned)).toEqual([code]);
    expect(planned.change).toBeNull();
  });
});

describe("a new table", () => {
  const old = applied(table([A, B]), ab());
  const beside = (yaml: string, options: SpecOptions = {}): string[] => {
    const lookalike = { ...liveOf(old), identifier: { namespace: ["ns"], name: "old" } };
    return blockersOf(planTable({ ...inputOf(yaml, null, options), lookalikes: [lookalike] }));
  };

  it("is no new table where its name was edited, unless it is meant", () => {
    expect(beside(table([A, B, "name: c, type: int"]))).toEqual([]);
    expect(beside(table([A, B]))).toEqual(["table-looks-renamed"]);
    expect(beside(table([A, B], "new: true\n"))).toEqual([]);
    expect(beside(table(["name: x, type: string", B]))).toEqual([]);
  });
});
