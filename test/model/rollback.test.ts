// The way back from a conversion is open only while nothing hangs on it: neither rows, nor branches, nor a layout by the new
// column; other columns stay. Found by the model; each case is what another writer does after the conversion.
import { beforeAll, describe, expect, it } from "vitest";
import { commitRollback, planRollback } from "../../src/apply/rollback.ts";
import type { Target } from "../../src/apply/table-state.ts";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { currentSchema, defaultSpec, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { LAST_ADDED, type TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Schema } from "../../src/iceberg/type.ts";
import { readBase, readConversions } from "../../src/plan/base.ts";
import { apply, approvalOf, original, rowsOf, type World, world } from "../apply/support.ts";

let source: ReturnType<typeof original>;
let target: Target;
let live: LiveTable;
beforeAll(async () => {
  source = original();
  ({ target } = await converted());
  live = await loaded(target);
});

async function loaded({ catalog, spec }: Target): Promise<LiveTable> {
  const found = await catalog.loadTable(spec.identifier);
  if (found === null) throw new Error("The table is gone");
  return found;
}

const ports = { nowMs: () => Date.now(), reason: null };

async function converted(): Promise<World> {
  const one = await world(source);
  expect((await apply(one.target, await approvalOf(one.target))).outcome).toBe("applied");
  return one;
}

/** What somebody commits on top is played in memory, so that one conversion serves all cases. */
function wayBackAfter(updates: (metadata: TableMetadata) => readonly TableUpdate[]): string {
  const at = { nowMs: live.metadata.lastUpdatedMs + 1, previousMetadataLocation: live.metadataLocation };
  const way = planRollback(target, { ...live, metadata: applyUpdates(live.metadata, updates(live.metadata), at) }, ports);
  return "code" in way ? (way.why ?? "") : "open";
}

const newIdOf = ({ properties }: TableMetadata): number => readConversions(properties).known[0]?.newId ?? -1;

function addColumn(metadata: TableMetadata): readonly TableUpdate[] {
  const { fields, identifierFieldIds } = currentSchema(metadata);
  const id = metadata.lastColumnId + 1;
  const field = { id, name: "utm", required: false, type: { kind: "string" } } as const;
  return [
    { action: "add-schema", schema: { schemaId: 0, identifierFieldIds, fields: [...fields, field] }, lastColumnId: id },
    { action: "set-current-schema", schemaId: LAST_ADDED },
  ];
}

describe("the way back from a conversion", () => {
  it("is open while nothing stands on top of it", () => {
    expect(wayBackAfter(() => [])).toBe("open");
  });

  it("keeps a column that somebody added since", async () => {
    const one = await converted();
    const { catalog } = one.target;
    const before = await loaded(one.target);
    const theirs = { requirements: [], updates: addColumn(before.metadata), attempt: "theirs" };
    expect((await catalog.commit(before, theirs)).state).toBe("done");
    const now = await loaded(one.target);
    const way = planRollback(one.target, now, ports);
    if ("code" in way) throw new Error(way.what);
    expect((await commitRollback(one.target, way, "back")).state).toBe("done");
    const { metadata } = await loaded(one.target);
    const names = ({ fields }: Pick<Schema, "fields">): readonly string[] => fields.map(({ name }) => name);
    expect(names(currentSchema(metadata))).toEqual(names(currentSchema(now.metadata)));
    const kinds = currentSchema(metadata).fields.map(({ id, type }) => `${id} ${type.kind}`);
    for (const { retired } of way.undone) expect(kinds).toContain(`${retired.id} ${retired.type.kind}`);
    expect(await rowsOf(one)).toHaveLength((await rowsOf(await world(source))).length);
  });

  it("is open beside a column whose default no double holds", () => {
    const withDefault = (metadata: TableMetadata): readonly TableUpdate[] => {
      const { fields, identifierFieldIds } = currentSchema(metadata);
      const id = metadata.lastColumnId + 1;
      const field = { id, name: "n", required: false, type: { kind: "long" }, writeDefault: 9_007_199_254_740_993n } as const;
      return [
        { action: "upgrade-format-version", formatVersion: 3 },
        { action: "add-schema", schema: { schemaId: 0, identifierFieldIds, fields: [...fields, field] }, lastColumnId: id },
        { action: "set-current-schema", schemaId: LAST_ADDED },
      ];
    };
    expect(wayBackAfter(withDefault)).toBe("open");
  });

  it.each([
    [
      "a partition field",
      (metadata: TableMetadata): readonly TableUpdate[] => [
        {
          action: "add-spec",
          spec: {
            specId: 0,
            fields: [
              ...defaultSpec(metadata).fields,
              { sourceIds: [newIdOf(metadata)], fieldId: metadata.lastPartitionId + 1, name: "p", transform: "bucket[4]" },
            ],
          },
        },
        { action: "set-default-spec", specId: LAST_ADDED },
      ],
    ],
    [
      "a sort order",
      (metadata: TableMetadata): readonly TableUpdate[] => [
        {
          action: "add-sort-order",
          sortOrder: {
            orderId: 1,
            fields: [{ sourceIds: [newIdOf(metadata)], transform: "identity", direction: "asc", nullOrder: "nulls-first" }],
          },
        },
        { action: "set-default-sort-order", sortOrderId: LAST_ADDED },
      ],
    ],
  ])("is closed by %s that is made from the column, and is told, not thrown", (_, updates) => {
    expect(wayBackAfter(updates)).toMatch(/made from/i);
  });

  it("is closed by a branch that holds converted rows", () => {
    const branch = (metadata: TableMetadata): readonly TableUpdate[] => [
      { action: "set-snapshot-ref", refName: "audit", ref: { type: "branch", snapshotId: metadata.currentSnapshotId ?? 0n } },
    ];
    expect(wayBackAfter(branch)).toMatch(/branch "audit"/i);
  });

  it("remembers what was applied, not what the file says by now", () => {
    const first = target.spec.columns.find(({ convert }) => convert === null);
    const others = target.spec.columns.filter((column) => column !== first);
    const way = planRollback({ ...target, spec: { ...target.spec, columns: others } }, live, ports);
    if ("code" in way) throw new Error(way.what);
    const set = way.updates.flatMap((update) => (update.action === "set-properties" ? [update.updates] : []));
    const known = readBase({ ...live.metadata.properties, ...set[0] })?.fieldIds;
    const field = currentSchema(live.metadata).fields.find(({ name }) => name === first?.name);
    const [{ retired, newId } = { retired: { id: -1 }, newId: -1 }] = readConversions(live.metadata.properties).known;
    expect([known?.has(field?.id ?? -1), known?.has(retired.id), known?.has(newId)]).toEqual([true, true, false]);
  });

  it("stays open under a tag", () => {
    const tag = (metadata: TableMetadata): readonly TableUpdate[] => [
      { action: "set-snapshot-ref", refName: "release", ref: { type: "tag", snapshotId: metadata.currentSnapshotId ?? 0n } },
    ];
    expect(wayBackAfter(tag)).toBe("open");
  });
});
