// What each kind of step does to a live table, and what it refuses.
import { describe, expect, it } from "vitest";
import type { Evidence, FieldEvidence } from "../../src/iceberg/evidence.ts";
import { currentSchema, defaultSortOrder, defaultSpec } from "../../src/iceberg/table-metadata.ts";
import { PLAIN_EVIDENCE, SNAPSHOT } from "./facts.ts";
import { applied, blockersOf, columnsOf, field, metadataOf, plan, schemaOf, stepsOf } from "./support.ts";

const table = (body: string): string => `table: ns.t\n${body}`;

const evidenceOf = (more: Partial<Evidence>): Evidence => ({ ...PLAIN_EVIDENCE, ...more });

const counts = (more: Partial<FieldEvidence> = {}): FieldEvidence => ({
  files: 1,
  values: 10n,
  nulls: 0n,
  sizeBytes: 100n,
  ...more,
});

describe("order of columns", () => {
  const abc = metadataOf([schemaOf(field(1, "a", "string"), field(2, "b", "string"), field(3, "c", "string"))]);
  const columns = (...names: string[]): string =>
    table(`columns:\n${names.map((name) => `  - { name: ${name}, type: string }\n`).join("")}`);

  it("moves the fewest fields", () => {
    const yaml = columns("c", "a", "b");
    expect(stepsOf(plan(yaml, abc))).toEqual(["move-field c"]);
    expect(columnsOf(applied(yaml, abc))).toEqual(["c:3", "a:1", "b:2"]);
  });

  it("says where a moved field stood and where it goes", () => {
    const [toFront] = plan(columns("c", "a", "b"), abc).plan.steps;
    expect(toFront).toMatchObject({ before: 2, after: { first: true }, text: { change: "moved to the front" } });
    const [behind] = plan(columns("b", "c", "a"), abc).plan.steps;
    expect(behind).toMatchObject({ before: 0, after: { after: "c" }, text: { change: "moved behind c" } });
  });

  it("adds at the end as metadata and in the middle as behaviour", () => {
    const end = plan(columns("a", "b", "c", "d"), abc);
    expect(end.plan.steps.map((step) => step.effect)).toEqual(["metadata"]);
    const middle = columns("a", "d", "b", "c");
    expect(plan(middle, abc).plan.steps.map((step) => step.effect)).toEqual(["behaviour"]);
    expect(columnsOf(applied(middle, abc))).toEqual(["a:1", "d:4", "b:2", "c:3"]);
  });

  it("keeps undeclared fields directly behind their predecessor", () => {
    const yaml = columns("c", "a");
    expect(columnsOf(applied(yaml, abc))).toEqual(["c:3", "a:1", "b:2"]);
    expect(stepsOf(plan(columns("a", "c"), abc))).toEqual([]);
  });

  it("appends and never moves under column-order append", () => {
    const options = { policy: { columnOrder: "append" as const } };
    expect(stepsOf(plan(columns("c", "d", "a"), abc, options))).toEqual(["add-field d"]);
    expect(columnsOf(applied(columns("c", "d", "a"), abc, options))).toEqual(["a:1", "b:2", "c:3", "d:4"]);
  });
});

describe("types", () => {
  const live = metadataOf([schemaOf(field(1, "n", "int"), field(2, "d", "decimal(9, 2)"), field(3, "s", "string"))]);
  const typed = (n: string, d: string, s: string): string =>
    table(`columns:\n  - { name: n, type: "${n}" }\n  - { name: d, type: "${d}" }\n  - { name: s, type: ${s} }\n`);

  it("widens what the format widens", () => {
    const yaml = typed("long", "decimal(12,2)", "string");
    expect(stepsOf(plan(yaml, live))).toEqual(["widen-type n", "widen-type d"]);
    expect(columnsOf(applied(yaml, live))).toEqual(["n:1", "d:2", "s:3"]);
  });

  it.each([
    ["narrowing", typed("int", "decimal(8,2)", "string")],
    ["another scale", typed("int", "decimal(12,3)", "string")],
    ["text to date without a conversion", typed("int", "decimal(9,2)", "date")],
  ])("refuses %s", (_, yaml) => {
    expect(blockersOf(plan(yaml, live))).toEqual(["type-change-refused"]);
  });

  it("refuses another kind of type", () => {
    const yaml = table(
      'columns:\n  - { name: n, type: list<int> }\n  - { name: d, type: "decimal(9,2)" }\n  - { name: s, type: string }\n',
    );
    expect(blockersOf(plan(yaml, live))).toEqual(["type-kind-changed"]);
  });
});

describe("conversions", () => {
  const live = (more = {}, property = {}) =>
    metadataOf([schemaOf(field(1, "day", "string", property), field(2, "x", "int"))], more);
  const yaml = table(
    "columns:\n  - { name: day, type: date, convert: { from: string, format: yyyyMMdd } }\n  - { name: x, type: int }\n",
  );

  it("give the column a new id under the same name and place, and remember the old field", () => {
    const planned = plan(yaml, live());
    expect(planned.plan.steps.map((step) => [step.kind, step.effect])).toEqual([["convert-type", "rewrite"]]);
    expect(planned.change?.conversions).toMatchObject([{ fieldId: 1, newId: 3, retired: { id: 1, name: "day" } }]);
    expect(columnsOf(applied(yaml, live()))).toEqual(["day:3", "x:2"]);
  });

  it("leave a done conversion in the file harmlessly", () => {
    expect(stepsOf(plan(yaml, applied(yaml, live())))).toEqual([]);
  });

  it("refuse a rule that was written for another type", () => {
    const numbers = metadataOf([schemaOf(field(1, "day", "int"), field(2, "x", "int"))]);
    expect(blockersOf(plan(yaml, numbers))).toEqual(["convert-from-differs"]);
  });

  it("cannot be taken back by editing the file: both roads are told", () => {
    const planned = plan(table("columns:\n  - { name: day, type: string }\n  - { name: x, type: int }\n"), applied(yaml, live()));
    // The helper applies without apply's conversion memory, so only the type itself can be refused here.
    expect(blockersOf(planned)).toEqual(["type-change-refused"]);
  });

  it.each([
    ["a required column", live({}, { required: true }), {}, "convert-required"],
    ["delete files", live(SNAPSHOT), { positionDeleteFiles: 1 }, "convert-delete-files"],
    ["ORC files", live(SNAPSHOT), { formats: new Map([["ORC", 2]]) }, "convert-file-format"],
    ["encrypted files", live(SNAPSHOT), { encryptedFiles: 1 }, "convert-encrypted"],
    [
      "a branch",
      live({
        ...SNAPSHOT,
        refs: { main: { "snapshot-id": 7, type: "branch" }, audit: { "snapshot-id": 7, type: "branch" } },
      }),
      {},
      "convert-branches",
    ],
    [
      "a partition source, even of an old spec",
      live({
        "partition-specs": [
          { "spec-id": 0, fields: [] },
          { "spec-id": 1, fields: [{ "source-id": 1, "field-id": 1000, transform: "identity", name: "day" }] },
        ],
        "last-partition-id": 1000,
      }),
      {},
      "convert-partition-source",
    ],
    [
      "a sort source",
      live({
        "sort-orders": [
          { "order-id": 1, fields: [{ "source-id": 1, transform: "identity", direction: "asc", "null-order": "nulls-first" }] },
        ],
        "default-sort-order-id": 1,
      }),
      {},
      "convert-sort-source",
    ],
  ])("are blocked by %s", (_, metadata, evidence, code) => {
    const declared = code === "convert-required" ? yaml.replace("type: date,", "type: date, required: true,") : yaml;
    expect(blockersOf(plan(declared, metadata, { evidence: evidenceOf(evidence) }))).toContain(code);
  });

  it("are blocked in nested fields", () => {
    const nested = metadataOf([schemaOf(field(1, "s", { type: "struct", fields: [field(2, "day", "string")] }))]);
    const declared = table(
      "columns:\n  - name: s\n    type: struct\n    fields:\n      - { name: day, type: date, convert: { from: string, format: yyyyMMdd } }\n",
    );
    expect(blockersOf(plan(declared, nested))).toEqual(["convert-nested"]);
  });

  it("are blocked on late files of an earlier conversion", () => {
    const after = applied(yaml, live(SNAPSHOT));
    const late = { retiredId: 1, newId: 3, files: 2, records: 20n, unclear: 0, equalityDeleteFiles: 0 };
    expect(blockersOf(plan(yaml, after, { evidence: evidenceOf({ lateFiles: [late] }) }))).toEqual(["late-files"]);
  });
});

describe("required and optional", () => {
  const live = metadataOf([schemaOf(field(1, "a", "string"), field(2, "b", "string", { required: true }))], SNAPSHOT);
  const yaml = table("columns:\n  - { name: a, type: string, required: true }\n  - { name: b, type: string, required: true }\n");

  it("requires proof from the manifests", () => {
    expect(blockersOf(plan(yaml, live))).toEqual(["required-unproved"]);
    expect(blockersOf(plan(yaml, live, { evidence: evidenceOf({ fields: new Map([[1, counts({ nulls: 1n })]]) }) }))).toEqual([
      "required-unproved",
    ]);
    expect(blockersOf(plan(yaml, live, { evidence: evidenceOf({ dataFiles: 2, fields: new Map([[1, counts()]]) }) }))).toEqual([
      "required-unproved",
    ]);
    const proved = plan(yaml, live, { evidence: evidenceOf({ fields: new Map([[1, counts()]]) }) });
    expect(stepsOf(proved)).toEqual(["set-required a"]);
    expect(proved.change?.requirements).toContainEqual({ type: "assert-ref-snapshot-id", ref: "main", snapshotId: 7n });
  });

  it("loosens what the file does not require", () => {
    expect(stepsOf(plan(table("columns:\n  - { name: a, type: string }\n  - { name: b, type: string }\n"), live))).toEqual([
      "set-optional b",
    ]);
  });

  it("refuses a new required column without a default", () => {
    const declared = table(
      "columns:\n  - { name: a, type: string }\n  - { name: b, type: string, required: true }\n  - { name: c, type: int, required: true }\n",
    );
    expect(blockersOf(plan(declared, live))).toEqual(["required-without-default"]);
  });
});

describe("properties, comments and defaults", () => {
  const live = metadataOf([schemaOf(field(1, "a", "string", { doc: "old" }))], {
    properties: { kept: "1", "write.x": "old", comment: "table" },
  });
  const yaml = (more: string, comment = ""): string => table(`columns:\n  - { name: a, type: string${comment} }\n${more}`);

  it("owns declared keys only", () => {
    const planned = plan(yaml("properties: { write.x: new, write.y: 5, kept: null }\n"), live);
    expect(stepsOf(planned)).toEqual(["set-properties write.x", "set-properties write.y", "remove-properties kept"]);
    const after = applied(yaml("properties: { write.x: new, write.y: 5, kept: null }\n"), live);
    expect(after.properties).toMatchObject({ "write.x": "new", "write.y": "5", comment: "table" });
    expect(after.properties["kept"]).toBeUndefined();
  });

  it("removes a key that it set before and that the file no longer declares", () => {
    const after = applied(yaml("properties: { write.y: 5 }\n"), live);
    expect(stepsOf(plan(yaml(""), after))).toEqual(["remove-properties write.y"]);
  });

  it("keeps absent comments, removes empty ones", () => {
    expect(stepsOf(plan(yaml(""), live))).toEqual([]);
    expect(stepsOf(plan(yaml('comment: ""\n', ', comment: ""'), live))).toEqual(["set-doc a", "set-comment table comment"]);
  });
});

describe("layout", () => {
  const live = metadataOf([schemaOf(field(1, "a", "string", { required: true }), field(2, "ts", "timestamp"))]);
  const columns = "columns:\n  - { name: a, type: string, required: true }\n  - { name: ts, type: timestamp }\n";

  it("leaves absent keys alone", () => {
    expect(stepsOf(plan(table(columns), live))).toEqual([]);
  });

  it("partitions, sorts and identifies in one commit with new columns", () => {
    const yaml = table(
      `${columns}  - { name: region, type: string }\npartition-by:\n  - day(ts)\n  - bucket(16, region) as shard\nsort-by: [ ts desc nulls last ]\nidentifier-fields: [ a ]\n`,
    );
    expect(stepsOf(plan(yaml, live))).toEqual([
      "add-field region",
      "set-identifier-fields identifier fields",
      "evolve-partition-spec partitioning",
      "replace-sort-order sort order",
    ]);
    const after = applied(yaml, live);
    expect(defaultSpec(after).fields).toMatchObject([
      { sourceIds: [2], transform: "day", name: "ts_day", fieldId: 1000 },
      { sourceIds: [3], transform: "bucket[16]", name: "shard", fieldId: 1001 },
    ]);
    expect(defaultSortOrder(after).fields).toMatchObject([{ sourceIds: [2], direction: "desc", nullOrder: "nulls-last" }]);
    expect(currentSchema(after).identifierFieldIds).toEqual([1]);
    expect(stepsOf(plan(yaml, after))).toEqual([]);
    const none = table(`${columns}  - { name: region, type: string }\npartition-by: []\nsort-by: []\nidentifier-fields: []\n`);
    const back = applied(none, after);
    expect(back.defaultSpecId).toBe(0);
    expect(back.defaultSortOrderId).toBe(0);
    expect(stepsOf(plan(none, back))).toEqual([]);
  });

  it("blocks the drop of a column that any partition spec uses", () => {
    const partitioned = metadataOf([schemaOf(field(1, "a", "string"), field(2, "p", "string"))], {
      "partition-specs": [
        { "spec-id": 0, fields: [{ "source-id": 2, "field-id": 1000, transform: "identity", name: "p" }] },
        { "spec-id": 1, fields: [] },
      ],
      "default-spec-id": 1,
      "last-partition-id": 1000,
    });
    const yaml = table("columns:\n  - { name: a, type: string }\ndropped: [ { field: p, reason: gone } ]\n");
    expect(blockersOf(plan(yaml, partitioned))).toEqual(["partition-source-dropped"]);
  });
});

describe("the way round a dropped partition source", () => {
  const old = {
    "partition-specs": [
      { "spec-id": 0, fields: [{ "source-id": 2, "field-id": 1000, transform: "identity", name: "p" }] },
      { "spec-id": 1, fields: [] },
    ],
    "default-spec-id": 1,
    "last-partition-id": 1000,
  };
  const partitioned = metadataOf([schemaOf(field(1, "a", "string"), field(2, "p", "string"))], old);
  const yaml = table("columns:\n  - { name: a, type: string }\ndropped: [ { field: p, reason: gone } ]\n");
  const usage = (snapshots: number, liveFiles: number): Evidence =>
    evidenceOf({
      specUsage: new Map([
        [0, { snapshots, liveFiles }],
        [1, { snapshots: 3, liveFiles: 9 }],
      ]),
    });

  it("is told with how far the table is on it", () => {
    const planned = plan(yaml, partitioned, { evidence: usage(4, 2) });
    expect(blockersOf(planned)).toEqual(["partition-source-dropped"]);
    expect(planned.plan.blockers[0]?.why).toContain("used by 2 live files and 4 kept snapshots");
    expect(stepsOf(planned)).toEqual([]);
  });

  it("ends with the spec removed and the column dropped in one commit", () => {
    const options = { evidence: usage(0, 0) };
    const planned = plan(yaml, partitioned, options);
    expect(stepsOf(planned)).toEqual(["remove-unused-specs partition spec 0", "drop-field p"]);
    expect(planned.plan.steps.map((step) => step.effect)).toEqual(["destructive", "destructive"]);
    const after = applied(yaml, partitioned, options);
    expect(after.partitionSpecs.map((spec) => spec.specId)).toEqual([1]);
    expect(columnsOf(after)).toEqual(["a:1"]);
  });
});

describe("a new table", () => {
  it("is one step, with ids in the reference implementation's order", () => {
    const yaml = table(
      "format-version: 2\ncolumns:\n  - { name: id, type: long, required: true, comment: key }\n  - name: s\n    type: struct\n    fields:\n      - { name: x, type: int }\n  - { name: l, type: list<string> }\npartition-by:\n  - bucket(8, id)\nidentifier-fields: [ id ]\nproperties: { a: b }\ncomment: hello\n",
    );
    const planned = plan(yaml, null);
    expect(stepsOf(planned)).toEqual(["create-table ns.t"]);
    expect(planned.change?.schema.fields).toMatchObject([
      { id: 1 },
      { id: 2, type: { fields: [{ id: 4 }] } },
      { id: 3, type: { elementId: 5 } },
    ]);
    expect(planned.change?.newTable).toMatchObject({
      properties: { a: "b", comment: "hello" },
      spec: { fields: [{ name: "id_bucket", sourceIds: [1] }] },
    });
  });
});

describe("owners", () => {
  it("block another project's table", () => {
    const live = metadataOf([schemaOf(field(1, "a", "string"))], { properties: { "floeplan.owner": "theirs" } });
    expect(blockersOf(plan(table("columns:\n  - { name: a, type: string }\n"), live, { project: "ours" }))).toEqual([
      "other-owner",
    ]);
  });
});
