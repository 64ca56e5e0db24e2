// The commit that takes another one back: for catalogs that kept something else than they were sent. Only what a commit
// can set; what no commit brings back makes it impossible. Pure.
import type { TableMetadata } from "./table-metadata.ts";
import type { TableRequirement } from "./table-requirement.ts";
import type { TableUpdate } from "./table-update.ts";

export interface InverseCommit {
  readonly requirements: readonly TableRequirement[];
  readonly updates: readonly TableUpdate[];
}

/** Nothing that these did comes back by another commit. */
const FOR_GOOD: ReadonlySet<string> = new Set([
  "assign-uuid",
  "upgrade-format-version",
  "remove-snapshots",
  "remove-schemas",
  "remove-partition-specs",
]);

/** From `after` back to `before` in what the updates touched; null where there is no way back, or nothing to bring back. */
export function inverseCommit(
  updates: readonly TableUpdate[],
  before: TableMetadata,
  after: TableMetadata,
): InverseCommit | null {
  if (updates.some(({ action }) => FOR_GOOD.has(action))) return null;
  const back = [
    ...definitionsBack(before, after),
    ...refsBack(updates, before, after),
    ...propertiesBack(updates, before, after),
  ];
  if (before.location !== after.location && updates.some(({ action }) => action === "set-location"))
    back.push({ action: "set-location", location: before.location });
  return back.length === 0 ? null : { requirements: exactly(after), updates: back };
}

/** As long as nobody committed anything that a requirement can see. */
function exactly(metadata: TableMetadata): readonly TableRequirement[] {
  const { tableUuid, currentSchemaId, defaultSpecId, defaultSortOrderId, lastColumnId, refs } = metadata;
  return [
    ...(tableUuid === null ? [] : [{ type: "assert-table-uuid", uuid: tableUuid } as const]),
    { type: "assert-current-schema-id", currentSchemaId },
    { type: "assert-last-assigned-field-id", lastAssignedFieldId: lastColumnId },
    { type: "assert-default-spec-id", defaultSpecId },
    { type: "assert-default-sort-order-id", defaultSortOrderId },
    ...Object.entries(refs).map(
      ([ref, { snapshotId }]) => ({ type: "assert-ref-snapshot-id", ref, snapshotId }) satisfies TableRequirement,
    ),
  ];
}

function definitionsBack(before: TableMetadata, after: TableMetadata): TableUpdate[] {
  const { currentSchemaId: schemaId, defaultSpecId: specId, defaultSortOrderId: sortOrderId } = before;
  return [
    ...(schemaId === after.currentSchemaId ? [] : [{ action: "set-current-schema", schemaId } as const]),
    ...(specId === after.defaultSpecId ? [] : [{ action: "set-default-spec", specId } as const]),
    ...(sortOrderId === after.defaultSortOrderId ? [] : [{ action: "set-default-sort-order", sortOrderId } as const]),
  ];
}

/** Refs first: a snapshot that a ref names cannot go. */
function refsBack(updates: readonly TableUpdate[], before: TableMetadata, after: TableMetadata): TableUpdate[] {
  const back: TableUpdate[] = [];
  for (const update of updates) {
    if (update.action !== "set-snapshot-ref" && update.action !== "remove-snapshot-ref") continue;
    const { refName } = update;
    const ref = Object.hasOwn(before.refs, refName) ? before.refs[refName] : undefined;
    if (ref !== undefined) back.push({ action: "set-snapshot-ref", refName, ref });
    else if (Object.hasOwn(after.refs, refName)) back.push({ action: "remove-snapshot-ref", refName });
  }
  // Also where the catalog gave it another id than the one that was sent.
  const known = new Set([...before.snapshots].map(({ snapshotId }) => snapshotId));
  const added = [...after.snapshots].map(({ snapshotId }) => snapshotId).filter((id) => !known.has(id));
  if (added.length > 0) back.push({ action: "remove-snapshots", snapshotIds: added });
  return back;
}

function propertiesBack(updates: readonly TableUpdate[], before: TableMetadata, after: TableMetadata): TableUpdate[] {
  const set: Record<string, string> = {};
  const removals: string[] = [];
  for (const update of updates) {
    const keys =
      update.action === "set-properties"
        ? Object.keys(update.updates)
        : update.action === "remove-properties"
          ? update.removals
          : [];
    for (const key of keys) {
      const value = Object.hasOwn(before.properties, key) ? before.properties[key] : undefined;
      if (value !== undefined) set[key] = value;
      else if (Object.hasOwn(after.properties, key) && !removals.includes(key)) removals.push(key);
    }
  }
  return [
    ...(Object.keys(set).length === 0 ? [] : [{ action: "set-properties", updates: set } as const]),
    ...(removals.length === 0 ? [] : [{ action: "remove-properties", removals } as const]),
  ];
}
