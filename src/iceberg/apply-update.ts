// Applies the updates of one commit to table metadata, in their order and by the rules of the reference
// implementation (core/TableMetadata.Builder). Pure: clock and ids come in. What one update does is in apply/.
import { type ApplyOptions, type Draft, startDraft } from "./apply/draft.ts";
import { finish } from "./apply/finish.ts";
import { removeProperties, setProperties } from "./apply/property-updates.ts";
import { removeSnapshotRef, setSnapshotRef } from "./apply/ref-updates.ts";
import { addSchema, removeSchemas, setCurrentSchema } from "./apply/schema-updates.ts";
import { addSnapshot, removeSnapshots } from "./apply/snapshot-updates.ts";
import { addSortOrder, setDefaultSortOrder } from "./apply/sort-order-updates.ts";
import { addSpec, removePartitionSpecs, setDefaultSpec } from "./apply/spec-updates.ts";
import { assignUuid, setLocation, toFormatVersion, upgradeFormatVersion } from "./apply/table-updates.ts";
import type { FormatVersion, TableMetadata } from "./table-metadata.ts";
import type { TableUpdate, TableUpdateAction } from "./table-update.ts";
import type { UpdateByAction } from "./update-json.ts";

export type { ApplyOptions } from "./apply/draft.ts";

type Appliers = { readonly [A in TableUpdateAction]: (draft: Draft, update: UpdateByAction[A]) => Draft };

const APPLIERS: Appliers = {
  "assign-uuid": assignUuid,
  "upgrade-format-version": upgradeFormatVersion,
  "add-schema": addSchema,
  "set-current-schema": setCurrentSchema,
  "add-spec": addSpec,
  "set-default-spec": setDefaultSpec,
  "add-sort-order": addSortOrder,
  "set-default-sort-order": setDefaultSortOrder,
  "add-snapshot": addSnapshot,
  "set-snapshot-ref": setSnapshotRef,
  "remove-snapshots": removeSnapshots,
  "remove-snapshot-ref": removeSnapshotRef,
  "set-location": setLocation,
  "set-properties": setProperties,
  "remove-properties": removeProperties,
  "remove-partition-specs": removePartitionSpecs,
  "remove-schemas": removeSchemas,
};

/**
 * The metadata after the commit; the base itself when the updates change nothing, and then nothing is to be
 * written. A null base makes a new table. Throws `refused` for what can never pass and `conflict` for what was
 * built on an older state.
 */
export function applyUpdates(base: TableMetadata | null, updates: readonly TableUpdate[], options: ApplyOptions): TableMetadata {
  const start = startDraft(base, options.nowMs, base === null ? formatVersionOf(updates) : undefined);
  const draft = updates.reduce<Draft>((state, update) => applyOne(state, update.action, update), start);
  if (base !== null && draft.metadata === start.metadata) return base;
  return finish(draft, options.previousMetadataLocation);
}

/** True when the table has all that the updates ask for: such a commit is not made. */
export function appliesNothing(base: TableMetadata, updates: readonly TableUpdate[], options: ApplyOptions): boolean {
  return applyUpdates(base, updates, options) === base;
}

function applyOne<A extends TableUpdateAction>(draft: Draft, action: A, update: UpdateByAction[A]): Draft {
  return APPLIERS[action](draft, update);
}

/** A new table starts with the version that it asks for, wherever among the updates that stands. */
function formatVersionOf(updates: readonly TableUpdate[]): FormatVersion | undefined {
  const upgrade = updates.find((update) => update.action === "upgrade-format-version");
  return upgrade === undefined ? undefined : toFormatVersion(upgrade.formatVersion);
}
