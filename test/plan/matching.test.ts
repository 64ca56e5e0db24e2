// Which live field a declared one stands for, at every depth (user contract §2).
import { describe, expect, it } from "vitest";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { applied, blockersOf, columnsOf, field, metadataOf, plan, schemaOf, stepsOf } from "./support.ts";

const table = (columns: string, more = ""): string => `table: ns.t\ncolumns:\n${columns}${more}`;
const column = (name: string, more = ""): string => `  - { name: ${name}, type: string${more} }\n`;

/** A foreign writer adds a column behind Git's back. */
function foreignColumn(metadata: TableMetadata, name: string): TableMetadata {
  const schema = currentSchema(metadata);
  const id = metadata.lastColumnId + 1;
  const fields = [...schema.fields, { id, name, required: false, type: { kind: "string" as const } }];
  return applyUpdates(
    metadata,
    [
      { action: "add-schema", schema: { ...schema, fields }, lastColumnId: id },
      { action: "set-current-schema", schemaId: -1 },
    ],
    { nowMs: metadata.lastUpdatedMs, previousMetadataLocation: null },
  );
}

const two = metadataOf([schemaOf(field(1, "a", "string"), field(2, "b", "string"))]);

describe("matching", () => {
  it("finds fields by name and plans nothing for a table in step", () => {
    const planned = plan(table(column("a") + column("b")), two);
    expect(stepsOf(planned)).toEqual([]);
    expect(planned.plan.drift).toEqual([]);
  });

  it("takes a hint for a rename, keeping the id", () => {
    const yaml = table(column("a2", ", renamed-from: a") + column("b"));
    expect(stepsOf(plan(yaml, two))).toEqual(["rename-field a2"]);
    expect(columnsOf(applied(yaml, two))).toEqual(["a2:1", "b:2"]);
  });

  it("takes the newest hint that is live, so a lagging environment gets renames only", () => {
    const yaml = table(column("c", ", renamed-from: [ b2, b ]") + column("a"));
    expect(stepsOf(plan(yaml, two, { policy: { columnOrder: "append" } }))).toEqual(["rename-field c"]);
  });

  it("leaves a done hint alone, and a later column of the old name is drift", () => {
    const yaml = table(column("a2", ", renamed-from: a") + column("b"));
    const later = foreignColumn(applied(yaml, two), "a");
    const planned = plan(yaml, later);
    expect(stepsOf(planned)).toEqual([]);
    expect(blockersOf(planned)).toEqual([]);
    expect(planned.plan.drift.map((drift) => drift.subject)).toEqual(["a"]);
  });

  it("is blocked when both the new and the old name are live and the hint is not done", () => {
    const yaml = table(column("b", ", renamed-from: a"));
    expect(blockersOf(plan(yaml, two))).toEqual(["rename-ambiguous"]);
  });

  it("is blocked on a swap by hints, and swaps by pins", () => {
    expect(blockersOf(plan(table(column("a", ", renamed-from: b") + column("b", ", renamed-from: a")), two))).toEqual([
      "rename-cycle",
      "rename-cycle",
    ]);
    const pinned = table(column("b", ", id: 1") + column("a", ", id: 2"));
    expect(stepsOf(plan(pinned, two))).toEqual(["rename-field b", "rename-field a"]);
    expect(columnsOf(applied(pinned, two))).toEqual(["b:1", "a:2"]);
  });

  it("renames back what an older schema of the table called so (git revert)", () => {
    const renamed = table(column("a2", ", renamed-from: a") + column("b"));
    const original = table(column("a") + column("b"));
    const after = applied(renamed, two);
    expect(stepsOf(plan(original, after))).toEqual(["rename-field a"]);
    expect(columnsOf(applied(original, after))).toEqual(["a:1", "b:2"]);
  });

  it("refuses a pin that no field of the table ever had, or that belongs to another struct", () => {
    expect(blockersOf(plan(table(column("a") + column("b") + column("c", ", id: 99")), two))).toEqual(["pinned-id-unknown"]);
  });

  it("does not add a name that differs only in letter case from a live one", () => {
    expect(blockersOf(plan(table(column("A") + column("b")), two))).toEqual(["name-differs-in-case"]);
    expect(stepsOf(plan(table(column("A", ", renamed-from: a") + column("b")), two))).toEqual(["rename-field A"]);
  });

  it("matches at every depth: struct, list element and map value", () => {
    const inner = (names: readonly [number, string][]): ReturnType<typeof field>[] =>
      names.map(([id, name]) => field(id, name, "string"));
    const live = metadataOf([
      schemaOf(
        field(1, "s", { type: "struct", fields: inner([[2, "x"]]) }),
        field(3, "l", {
          type: "list",
          "element-id": 4,
          "element-required": false,
          element: { type: "struct", fields: inner([[5, "x"]]) },
        }),
        field(6, "m", {
          type: "map",
          "key-id": 7,
          key: "string",
          "value-id": 8,
          "value-required": false,
          value: { type: "struct", fields: inner([[9, "x"]]) },
        }),
      ),
    ]);
    const nested = (name: string, type: string): string =>
      `  - name: ${name}\n    type: ${type}\n    fields:\n      - { name: y, type: string, renamed-from: x }\n      - { name: z, type: int }\n`;
    const yaml = table(nested("s", "struct") + nested("l", "list<struct>") + nested("m", '"map<string, struct>"'));
    expect(stepsOf(plan(yaml, live))).toEqual([
      "add-field s.z",
      "add-field l.element.z",
      "add-field m.value.z",
      "rename-field s.y",
      "rename-field l.element.y",
      "rename-field m.value.y",
    ]);
    expect(currentSchema(applied(yaml, live)).fields).toMatchObject([
      {
        id: 1,
        type: {
          fields: [
            { id: 2, name: "y" },
            { id: 10, name: "z" },
          ],
        },
      },
      {
        id: 3,
        type: {
          element: {
            fields: [
              { id: 5, name: "y" },
              { id: 11, name: "z" },
            ],
          },
        },
      },
      {
        id: 6,
        type: {
          value: {
            fields: [
              { id: 9, name: "y" },
              { id: 12, name: "z" },
            ],
          },
        },
      },
    ]);
  });
});

describe("undeclared live fields", () => {
  it("are drift for ever without a base, and never dropped", () => {
    const planned = plan(table(column("a")), two);
    expect(stepsOf(planned)).toEqual([]);
    expect(planned.plan.drift.map((drift) => drift.subject)).toEqual(["b"]);
  });

  it("stay drift however often something else is applied", () => {
    let live = foreignColumn(applied(table(column("a") + column("b") + column("c")), two), "foreign");
    for (const comment of ["one", "two", "three"]) {
      const yaml = table(column("a", `, comment: ${comment}`) + column("b") + column("c"));
      const planned = plan(yaml, live);
      expect(stepsOf(planned)).toEqual(["set-doc a"]);
      expect(planned.plan.drift.map((drift) => drift.subject)).toEqual(["foreign"]);
      live = applied(yaml, live);
    }
    expect(columnsOf(live)).toContain("foreign:4");
  });

  it("are blocked when floeplan applied them and nobody acknowledges the loss", () => {
    const live = applied(table(column("a") + column("b") + column("c")), two);
    expect(blockersOf(plan(table(column("a") + column("b")), live))).toEqual(["field-dropped-unacknowledged"]);
  });

  it("are dropped with an acknowledgement, in base or not", () => {
    const yaml = table(column("a"), "dropped: [ { field: b, reason: unused } ]\n");
    const planned = plan(yaml, two);
    expect(stepsOf(planned)).toEqual(["drop-field b"]);
    expect(planned.plan.steps[0]?.effect).toBe("destructive");
    const after = applied(yaml, two);
    expect(columnsOf(after)).toEqual(["a:1"]);
    expect(after.lastColumnId).toBe(2);
    expect(stepsOf(plan(yaml, after))).toEqual([]);
  });

  it("are left alone and noted under unmanaged, and drift again without it", () => {
    const planned = plan(table(column("a"), 'unmanaged: [ "b*" ]\n'), two);
    expect(planned.plan.drift).toEqual([]);
    expect(planned.plan.notes.map((note) => note.code)).toContain("unmanaged-fields");
    expect(plan(table(column("a")), two).plan.drift).toHaveLength(1);
  });

  it("adopt the 3 a.m. hotfix silently: declared and live, not in the base", () => {
    const live = foreignColumn(applied(table(column("a") + column("b") + column("c")), two), "hotfix");
    const planned = plan(table(column("a") + column("b") + column("c") + column("hotfix")), live);
    expect(stepsOf(planned)).toEqual([]);
    expect(planned.plan.drift).toEqual([]);
  });
});

describe("a dropped field that comes back", () => {
  const dropped = table(column("a"), "dropped: [ { field: b, reason: unused } ]\n");

  it("gets its old id back", () => {
    const yaml = table(column("a") + column("b"));
    const after = applied(dropped, two);
    expect(stepsOf(plan(yaml, after))).toEqual(["restore-field b"]);
    const restored = applied(yaml, after);
    expect(columnsOf(restored)).toEqual(["a:1", "b:2"]);
    expect(restored.lastColumnId).toBe(2);
  });

  it("is a new column when asked for", () => {
    const yaml = table(column("a") + column("b", ", id: new"));
    expect(columnsOf(applied(yaml, applied(dropped, two)))).toEqual(["a:1", "b:3"]);
  });

  it("is a new column when the type does not fit, and the plan says why", () => {
    const yaml = table(`${column("a")}  - { name: b, type: int }\n`);
    const planned = plan(yaml, applied(dropped, two));
    expect(stepsOf(planned)).toEqual(["add-field b"]);
    expect(planned.plan.steps[0]?.text.detail).toContain("was string");
  });

  it("is a conflict when somebody else dropped it", () => {
    const yaml = table(column("a") + column("b"));
    const base = applied(table(column("a", ", comment: x") + column("b")), two);
    const schema = currentSchema(base);
    const foreign = applyUpdates(
      base,
      [
        { action: "add-schema", schema: { ...schema, fields: schema.fields.slice(0, 1) }, lastColumnId: base.lastColumnId },
        { action: "set-current-schema", schemaId: -1 },
      ],
      { nowMs: base.lastUpdatedMs, previousMetadataLocation: null },
    );
    expect(blockersOf(plan(yaml, foreign))).toEqual(["field-dropped-elsewhere"]);
    const pinned = table(column("a") + column("b", ", id: 2"));
    expect(stepsOf(plan(pinned, foreign))).toContain("restore-field b");
  });
});

describe("both changed", () => {
  const applyTwo = (): TableMetadata => applied(table(column("a", ", comment: base") + column("b")), two);
  const foreignDoc = (metadata: TableMetadata, doc: string): TableMetadata => {
    const schema = currentSchema(metadata);
    const fields = schema.fields.map((one) => (one.id === 1 ? { ...one, doc } : one));
    return applyUpdates(
      metadata,
      [
        { action: "add-schema", schema: { ...schema, fields }, lastColumnId: metadata.lastColumnId },
        { action: "set-current-schema", schemaId: -1 },
      ],
      { nowMs: metadata.lastUpdatedMs, previousMetadataLocation: null },
    );
  };

  it("is a conflict with all three values, when they differ", () => {
    const planned = plan(table(column("a", ", comment: ours") + column("b")), foreignDoc(applyTwo(), "theirs"));
    expect(blockersOf(planned)).toEqual(["field-conflict"]);
    expect(planned.plan.blockers[0]?.why).toBe('comment: last applied "base", live "theirs", declared "ours"');
  });

  it("is none when Git did not change it: the declaration is put back", () => {
    expect(stepsOf(plan(table(column("a", ", comment: base") + column("b")), foreignDoc(applyTwo(), "theirs")))).toEqual([
      "set-doc a",
    ]);
  });

  it("is none when both came to the same", () => {
    expect(stepsOf(plan(table(column("a", ", comment: same") + column("b")), foreignDoc(applyTwo(), "same")))).toEqual([]);
  });

  it("is told for two renames of one field", () => {
    const base = applied(table(column("a", ", comment: x") + column("b")), two);
    const schema = currentSchema(base);
    const renamed = applyUpdates(
      base,
      [
        {
          action: "add-schema",
          schema: { ...schema, fields: schema.fields.map((one) => (one.id === 1 ? { ...one, name: "theirs" } : one)) },
          lastColumnId: 2,
        },
        { action: "set-current-schema", schemaId: -1 },
      ],
      { nowMs: base.lastUpdatedMs, previousMetadataLocation: null },
    );
    expect(blockersOf(plan(table(column("ours", ", renamed-from: a") + column("b")), renamed))).toContain("field-conflict");
  });
});
