// Commits for the catalog suite, as the REST model has them: a new table with a few columns, and one or more
// updates of every kind with what must then be true. Knows no catalog.
import type { TableCommit } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import type { Snapshot } from "../../src/iceberg/snapshot.ts";
import { currentSchema, snapshotById, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableRequirement, TableRequirementType } from "../../src/iceberg/table-requirement.ts";
import { LAST_ADDED, type TableUpdate, type TableUpdateAction } from "../../src/iceberg/table-update.ts";
import type { Field, Schema } from "../../src/iceberg/type.ts";

const UUID = "7f2b1c50-93a5-4b1e-8f0a-2f4f6d0c1a11";
/** Beyond 2^53, where a double would be wrong: the largest id, and an odd one. */
export const LARGEST_ID = 9_223_372_036_854_775_807n;
export const ODD_ID = 9_007_199_254_740_993n;

const FIELDS: readonly Field[] = [
  { id: 1, name: "order_id", required: true, type: { kind: "long" }, doc: "Unique order number" },
  { id: 2, name: "customer", required: false, type: { kind: "string" } },
  { id: 3, name: "ordered_at", required: false, type: { kind: "timestamptz" } },
];

export function newTableCommit(location: string, properties: Readonly<Record<string, string>> = {}): TableCommit {
  return {
    attempt: "create",
    requirements: [{ type: "assert-create" }],
    updates: [
      { action: "assign-uuid", uuid: UUID },
      { action: "upgrade-format-version", formatVersion: 2 },
      { action: "set-location", location },
      { action: "add-schema", schema: { schemaId: 0, identifierFieldIds: [], fields: FIELDS }, lastColumnId: 3 },
      { action: "set-current-schema", schemaId: LAST_ADDED },
      { action: "add-spec", spec: { specId: 0, fields: [] } },
      { action: "set-default-spec", specId: LAST_ADDED },
      { action: "add-sort-order", sortOrder: { orderId: 0, fields: [] } },
      { action: "set-default-sort-order", sortOrderId: LAST_ADDED },
      ...(Object.keys(properties).length === 0 ? [] : [{ action: "set-properties", updates: properties } as const]),
    ],
  };
}

/** Every commit asserts the table's uuid, as ours all do. */
export function commitOn(live: LiveTable, updates: readonly TableUpdate[], more: readonly TableRequirement[] = []): TableCommit {
  return {
    attempt: crypto.randomUUID(),
    requirements: [{ type: "assert-table-uuid", uuid: live.metadata.tableUuid ?? "" }, ...more],
    updates,
  };
}

/** A commit that adds a column too, with the requirements by which every catalog keeps two of them apart. */
export function columnCommit(live: LiveTable, updates: readonly TableUpdate[]): TableCommit {
  const { currentSchemaId, lastColumnId } = live.metadata;
  const id = lastColumnId + 1;
  const schema = schemaWith(live, { id, name: `column_${id}`, required: false, type: { kind: "string" } });
  return commitOn(
    live,
    [{ action: "add-schema", schema, lastColumnId: id }, { action: "set-current-schema", schemaId: LAST_ADDED }, ...updates],
    [
      { type: "assert-current-schema-id", currentSchemaId },
      { type: "assert-last-assigned-field-id", lastAssignedFieldId: lastColumnId },
    ],
  );
}

export function setProperty(key: string, value: string): TableUpdate {
  return { action: "set-properties", updates: { [key]: value } };
}

function schemaWith(live: LiveTable, ...fields: readonly Field[]): Schema {
  const { fields: before, identifierFieldIds } = currentSchema(live.metadata);
  return { schemaId: 0, identifierFieldIds, fields: [...before, ...fields] };
}

export function snapshot(live: LiveTable, snapshotId: bigint, parentSnapshotId: bigint | null): Snapshot {
  return {
    snapshotId,
    parentSnapshotId,
    sequenceNumber: live.metadata.lastSequenceNumber + 1n,
    timestampMs: live.metadata.lastUpdatedMs,
    summary: { operation: "append", "added-records": "0" },
    manifestList: `${live.metadata.location}/metadata/snap-${snapshotId}.avro`,
    schemaId: live.metadata.currentSchemaId,
    firstRowId: null,
    addedRows: null,
    keyId: null,
  };
}

interface UpdateCase {
  /** Commits that bring the table to where the update makes sense. */
  readonly before?: readonly ((live: LiveTable) => readonly TableUpdate[])[];
  readonly updates: (live: LiveTable) => readonly TableUpdate[];
  /** What is seen of the update in the metadata, and what it must be. */
  readonly seen: (metadata: TableMetadata, live: LiveTable) => unknown;
  readonly wanted: unknown;
  readonly needsSetLocation?: true;
}

const addBranch = (live: LiveTable): readonly TableUpdate[] => [
  { action: "add-snapshot", snapshot: snapshot(live, ODD_ID, null) },
  { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: ODD_ID, type: "branch" } },
];
const addChild = (live: LiveTable): readonly TableUpdate[] => [
  { action: "add-snapshot", snapshot: snapshot(live, LARGEST_ID, ODD_ID) },
  { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: LARGEST_ID, type: "branch" } },
];
const addColumn = (live: LiveTable): readonly TableUpdate[] => [
  {
    action: "add-schema",
    schema: schemaWith(live, { id: 4, name: "channel", required: false, type: { kind: "string" } }),
    lastColumnId: 4,
  },
  { action: "set-current-schema", schemaId: LAST_ADDED },
];
const addPartition = (): readonly TableUpdate[] => [
  {
    action: "add-spec",
    spec: { specId: 1, fields: [{ sourceIds: [3], fieldId: 1000, name: "ordered_at_day", transform: "day" }] },
  },
  { action: "set-default-spec", specId: LAST_ADDED },
];
const addOrder = (): readonly TableUpdate[] => [
  {
    action: "add-sort-order",
    sortOrder: { orderId: 1, fields: [{ sourceIds: [1], transform: "identity", direction: "desc", nullOrder: "nulls-last" }] },
  },
  { action: "set-default-sort-order", sortOrderId: LAST_ADDED },
];

/** Every kind of update that there is: a new kind does not compile without its case. */
export const UPDATE_CASES: Readonly<Record<TableUpdateAction, UpdateCase>> = {
  "assign-uuid": {
    updates: (live) => [{ action: "assign-uuid", uuid: live.metadata.tableUuid ?? "" }, setProperty("a", "1")],
    seen: (metadata, live) => metadata.tableUuid === live.metadata.tableUuid,
    wanted: true,
  },
  "upgrade-format-version": {
    updates: () => [{ action: "upgrade-format-version", formatVersion: 3 }],
    seen: (metadata) => [metadata.formatVersion, metadata.nextRowId],
    wanted: [3, 0n],
  },
  "add-schema": {
    updates: addColumn,
    seen: (metadata) => [metadata.lastColumnId, currentSchema(metadata).fields.map(({ id, name }) => `${id} ${name}`)],
    wanted: [4, ["1 order_id", "2 customer", "3 ordered_at", "4 channel"]],
  },
  "set-current-schema": {
    before: [addColumn],
    updates: () => [{ action: "set-current-schema", schemaId: 0 }],
    seen: (metadata) => [metadata.currentSchemaId, metadata.lastColumnId],
    wanted: [0, 4],
  },
  "add-spec": {
    updates: addPartition,
    seen: (metadata) => [metadata.lastPartitionId, metadata.partitionSpecs.at(-1)?.fields.map(({ name }) => name)],
    wanted: [1000, ["ordered_at_day"]],
  },
  "set-default-spec": {
    before: [addPartition],
    updates: () => [{ action: "set-default-spec", specId: 0 }],
    seen: (metadata) => [metadata.defaultSpecId, metadata.partitionSpecs.length],
    wanted: [0, 2],
  },
  "add-sort-order": {
    updates: addOrder,
    seen: (metadata) => [metadata.sortOrders.length, metadata.defaultSortOrderId],
    wanted: [2, 1],
  },
  "set-default-sort-order": {
    before: [addOrder],
    updates: () => [{ action: "set-default-sort-order", sortOrderId: 0 }],
    seen: (metadata) => metadata.defaultSortOrderId,
    wanted: 0,
  },
  "add-snapshot": {
    updates: addBranch,
    seen: (metadata) => [metadata.currentSnapshotId, metadata.lastSequenceNumber, snapshotById(metadata, ODD_ID)?.summary],
    wanted: [ODD_ID, 1n, { operation: "append", "added-records": "0" }],
  },
  "set-snapshot-ref": {
    before: [addBranch],
    updates: () => [
      { action: "set-snapshot-ref", refName: "before", ref: { snapshotId: ODD_ID, type: "tag", maxRefAgeMs: 86_400_000 } },
    ],
    seen: (metadata) => metadata.refs["before"],
    wanted: { snapshotId: ODD_ID, type: "tag", maxRefAgeMs: 86_400_000 },
  },
  "remove-snapshots": {
    before: [addBranch, addChild],
    updates: () => [{ action: "remove-snapshots", snapshotIds: [ODD_ID] }],
    seen: (metadata) => [...metadata.snapshots].map(({ snapshotId }) => snapshotId),
    wanted: [LARGEST_ID],
  },
  "remove-snapshot-ref": {
    before: [addBranch, () => [{ action: "set-snapshot-ref", refName: "audit", ref: { snapshotId: ODD_ID, type: "branch" } }]],
    updates: () => [{ action: "remove-snapshot-ref", refName: "audit" }],
    seen: (metadata) => Object.keys(metadata.refs),
    wanted: ["main"],
  },
  "set-location": {
    updates: (live) => [{ action: "set-location", location: `${live.metadata.location}_moved` }],
    seen: (metadata, live) => metadata.location === `${live.metadata.location}_moved`,
    wanted: true,
    needsSetLocation: true,
  },
  "set-properties": {
    updates: () => [{ action: "set-properties", updates: { comment: 'One row per order: "é", \u{1f9ca}', zero: "" } }],
    seen: (metadata) => [metadata.properties["comment"], metadata.properties["zero"]],
    wanted: ['One row per order: "é", \u{1f9ca}', ""],
  },
  "remove-properties": {
    before: [() => [{ action: "set-properties", updates: { a: "1", b: "2" } }]],
    updates: () => [{ action: "remove-properties", removals: ["a", "never-there"] }],
    seen: (metadata) => [metadata.properties["a"], metadata.properties["b"]],
    wanted: [undefined, "2"],
  },
  "remove-partition-specs": {
    before: [addPartition],
    updates: () => [{ action: "remove-partition-specs", specIds: [0] }],
    seen: (metadata) => metadata.partitionSpecs.map(({ specId }) => specId),
    wanted: [1],
  },
  "remove-schemas": {
    before: [addColumn],
    updates: () => [{ action: "remove-schemas", schemaIds: [0] }],
    seen: (metadata) => [metadata.schemas.map(({ schemaId }) => schemaId), metadata.lastColumnId],
    wanted: [[1], 4],
  },
};

/** A requirement of every kind that does not hold for a table as `newTableCommit` makes it. */
export const UNMET_REQUIREMENTS: Readonly<Record<TableRequirementType, TableRequirement>> = {
  "assert-create": { type: "assert-create" },
  "assert-table-uuid": { type: "assert-table-uuid", uuid: "00000000-0000-4000-8000-000000000000" },
  "assert-ref-snapshot-id": { type: "assert-ref-snapshot-id", ref: "main", snapshotId: ODD_ID },
  "assert-last-assigned-field-id": { type: "assert-last-assigned-field-id", lastAssignedFieldId: 2 },
  "assert-current-schema-id": { type: "assert-current-schema-id", currentSchemaId: 7 },
  "assert-last-assigned-partition-id": { type: "assert-last-assigned-partition-id", lastAssignedPartitionId: 1000 },
  "assert-default-spec-id": { type: "assert-default-spec-id", defaultSpecId: 1 },
  "assert-default-sort-order-id": { type: "assert-default-sort-order-id", defaultSortOrderId: 1 },
};
