// A schema that was added ahead of the commit that makes it current: the same steps take it up; whatever else is declared,
// or has happened since, gets new ids, for a field id is never given twice (spec "Schema Evolution").
import { describe, expect, it } from "vitest";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { definitionsOnly } from "../../src/iceberg/rest-definitions.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import { applied, columnsOf, field, metadataOf, plan, schemaOf } from "./support.ts";

const DAY = "{ name: day, type: date, convert: { from: string, format: yyyyMMdd } }";
const yaml = (...columns: readonly string[]): string => `table: ns.t\ncolumns:\n${columns.map((one) => `  - ${one}\n`).join("")}`;
const DECLARED = yaml("{ name: id, type: int }", DAY, "{ name: note, type: string }");

const live = metadataOf([schemaOf(field(1, "id", "int"), field(2, "day", "string"))]);

/** After the first of the two commits of that declaration. */
function pending(declared = DECLARED, before = live): TableMetadata {
  const { change } = plan(declared, before);
  const first = change === null ? null : definitionsOnly(change, before);
  if (first === null) throw new Error("the plan adds no schema");
  return then(before, ...first.updates);
}

function then(metadata: TableMetadata, ...updates: readonly TableUpdate[]): TableMetadata {
  return applyUpdates(metadata, updates, { nowMs: metadata.lastUpdatedMs, previousMetadataLocation: null });
}

function schemaUpdates(declared: string, metadata: TableMetadata): readonly unknown[] {
  return (plan(declared, metadata).change?.updates ?? []).filter(({ action }) => action.includes("schema"));
}

describe("the same steps", () => {
  it("come to the same ids, and add no schema", () => {
    expect(columnsOf(applied(DECLARED, live))).toEqual(["id:1", "day:4", "note:3"]);
    expect(columnsOf(applied(DECLARED, pending()))).toEqual(["id:1", "day:4", "note:3"]);
    expect(schemaUpdates(DECLARED, pending())).toEqual([{ action: "set-current-schema", schemaId: 1 }]);
  });

  it("are the steps that were approved, told with the same words", () => {
    const [before, after] = [plan(DECLARED, live).plan, plan(DECLARED, pending()).plan];
    expect(after.fingerprint).toBe(before.fingerprint);
    expect(after.steps.map(({ text }) => text)).toEqual(before.steps.map(({ text }) => text));
  });

  it("pin the ids that are given now", () => {
    expect(plan(DECLARED, pending()).change?.requirements).toContainEqual({
      type: "assert-last-assigned-field-id",
      lastAssignedFieldId: 4,
    });
  });
});

describe("to every other plan it is as if nothing waited", () => {
  const snapshot = (schemaId: number): TableUpdate => ({
    action: "add-snapshot",
    snapshot: {
      snapshotId: 7n,
      parentSnapshotId: null,
      sequenceNumber: 1n,
      timestampMs: live.lastUpdatedMs,
      manifestList: "/wh/ns/t/metadata/snap-7.avro",
      manifests: [],
      summary: { operation: "append" },
      schemaId,
      firstRowId: null,
      addedRows: null,
      keyId: null,
    },
  });
  const other: TableUpdate = {
    action: "add-schema",
    schema: {
      ...live.schemas[0],
      fields: [...(live.schemas[0]?.fields ?? []), { id: 5, name: "theirs", required: false, type: { kind: "string" } }],
    } as never,
    lastColumnId: 5,
  };

  it.each<readonly [string, string, TableMetadata, readonly string[]]>([
    [
      "other steps get new ids",
      yaml("{ name: id, type: int }", DAY, "{ name: other, type: string }"),
      pending(),
      ["id:1", "day:6", "other:5"],
    ],
    ["fewer steps get new ids", yaml("{ name: id, type: int }", DAY), pending(), ["id:1", "day:5"]],
    ["ids that another gave since are passed over", DECLARED, then(pending(), other), ["id:1", "day:7", "note:6"]],
    [
      "a schema that was made current since is an older one: its field comes back",
      DECLARED,
      then(then(pending(), { action: "set-current-schema", schemaId: 1 }, snapshot(1)), {
        action: "set-current-schema",
        schemaId: 0,
      }),
      ["id:1", "day:5", "note:3"],
    ],
    [
      "so is one of which the table says nothing",
      DECLARED,
      then(pending(), { action: "remove-properties", removals: ["floeplan.pending.field-ids"] }),
      ["id:1", "day:5", "note:3"],
    ],
    [
      "so is one of which it says what cannot be read",
      DECLARED,
      then(pending(), { action: "set-properties", updates: { "floeplan.pending.field-ids": "two" } }),
      ["id:1", "day:5", "note:3"],
    ],
    [
      "so is one of which it says ids in use",
      DECLARED,
      then(pending(), { action: "set-properties", updates: { "floeplan.pending.field-ids": "1" } }),
      ["id:1", "day:5", "note:3"],
    ],
    [
      "ids without end do no harm",
      DECLARED,
      then(pending(), { action: "set-properties", updates: { "floeplan.pending.field-ids": "3-900000" } }),
      ["id:1", "day:6", "note:5"],
    ],
  ])("%s", (_, declared, metadata, columns) => {
    expect(columnsOf(applied(declared, metadata))).toEqual(columns);
  });
});
