// add-snapshot and remove-snapshots, by the rules of Java's TableMetadata.Builder. The snapshot log is set
// right at the end of the commit (finish.ts).
import type { ElementList } from "../element-list.ts";
import type { Snapshot, SnapshotRef } from "../snapshot.ts";
import { findSnapshot } from "../snapshot-json.ts";
import type { TableMetadata } from "../table-metadata.ts";
import type { UpdateByAction } from "../update-json.ts";
import { change, type Draft, refused, stale } from "./draft.ts";
import { removeSnapshotRef } from "./ref-updates.ts";

/** Throws `conflict` where the snapshot was built on an older state of the table. */
export function addSnapshot(draft: Draft, { snapshot }: UpdateByAction["add-snapshot"]): Draft {
  const { metadata } = draft;
  const what = `Cannot add snapshot ${snapshot.snapshotId}`;
  const isReady = metadata.schemas.length > 0 && metadata.partitionSpecs.length > 0 && metadata.sortOrders.length > 0;
  if (!isReady) throw refused(what, "The table has no schema, no partition spec or no sort order yet");
  if (findSnapshot(metadata.snapshots, snapshot.snapshotId) !== undefined)
    throw refused(what, "The table has a snapshot of that id");
  if (snapshot.manifestList === null && metadata.formatVersion > 1) throw refused(what, "It has no manifest list");
  const sequenceNumber = checkSequenceNumber(metadata, snapshot, what);
  return {
    ...change(draft, {
      snapshots: metadata.snapshots.appended(snapshot),
      lastSequenceNumber: sequenceNumber,
      nextRowId: checkRowIds(metadata, snapshot, what),
    }),
    addedSnapshotIds: new Set([...draft.addedSnapshotIds, snapshot.snapshotId]),
  };
}

/** The table's last sequence number with the snapshot in it. */
function checkSequenceNumber(metadata: TableMetadata, snapshot: Snapshot, what: string): bigint {
  const { formatVersion, lastSequenceNumber } = metadata;
  const { sequenceNumber, parentSnapshotId } = snapshot;
  if (formatVersion === 1) {
    if (sequenceNumber === 0n) return lastSequenceNumber;
    throw refused(what, `Its sequence number is ${sequenceNumber}; format version 1 has none`);
  }
  const isFirst = parentSnapshotId === null && sequenceNumber === lastSequenceNumber;
  if (sequenceNumber > lastSequenceNumber || isFirst) return sequenceNumber;
  throw stale(what, `Its sequence number ${sequenceNumber} is not above the table's last one, ${lastSequenceNumber}`);
}

/** The table's next row id with the snapshot's rows behind it (spec "Row Lineage"). */
function checkRowIds(metadata: TableMetadata, snapshot: Snapshot, what: string): bigint | null {
  const { nextRowId } = metadata;
  if (nextRowId === null) return null;
  const { firstRowId, addedRows } = snapshot;
  if (firstRowId === null || addedRows === null) {
    throw refused(what, 'Format version 3 needs its "first-row-id" and "added-rows"');
  }
  if (firstRowId < nextRowId) throw stale(what, `Its first row id ${firstRowId} is below the table's next one, ${nextRowId}`);
  return firstRowId + addedRows;
}

/** Their statistics and the refs that point to them go too. Ids that the table does not have are passed over. */
export function removeSnapshots(draft: Draft, { snapshotIds }: UpdateByAction["remove-snapshots"]): Draft {
  const ids = new Set(snapshotIds);
  const { metadata } = draft;
  const snapshots = metadata.snapshots.filtered((snapshot) => !ids.has(snapshot.snapshotId));
  if (snapshots.length === metadata.snapshots.length) return draft;
  const carried = Object.fromEntries(Object.entries(metadata.carried).map(([key, list]) => [key, withoutSnapshots(list, ids)]));
  const removed: Draft = { ...change(draft, { snapshots, carried }), hasRemovedSnapshots: true };
  const dangling = Object.entries(metadata.refs).filter(([, ref]: [string, SnapshotRef]) => ids.has(ref.snapshotId));
  return dangling.reduce((rest, [refName]) => removeSnapshotRef(rest, { action: "remove-snapshot-ref", refName }), removed);
}

function withoutSnapshots<T extends { readonly snapshotId: bigint | null }>(
  list: ElementList<T>,
  ids: ReadonlySet<bigint>,
): ElementList<T> {
  return list.filtered((element) => element.snapshotId === null || !ids.has(element.snapshotId));
}
