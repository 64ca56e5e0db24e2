// set-snapshot-ref and remove-snapshot-ref, by the rules of Java's TableMetadata.Builder: moving main also
// moves the current snapshot and adds to the snapshot log.
import { CLOCK_TOLERANCE_MS } from "../metadata-read-checks.ts";
import { MAIN_BRANCH, type SnapshotRef } from "../snapshot.ts";
import { findSnapshot } from "../snapshot-json.ts";
import type { UpdateByAction } from "../update-json.ts";
import { change, type Draft, refused } from "./draft.ts";

export function setSnapshotRef(draft: Draft, { refName, ref }: UpdateByAction["set-snapshot-ref"]): Draft {
  const { metadata } = draft;
  const present = Object.hasOwn(metadata.refs, refName) ? metadata.refs[refName] : undefined;
  if (present !== undefined && isSameRef(present, ref)) return draft;
  const what = `Cannot set ${ref.type} "${refName}"`;
  const reason = retentionProblem(ref);
  if (reason !== null) throw refused(what, reason);
  const snapshot = findSnapshot(metadata.snapshots, ref.snapshotId);
  if (snapshot === undefined) throw refused(what, `The table has no snapshot ${ref.snapshotId}`);
  const moved = change(draft, { refs: { ...metadata.refs, [refName]: ref } });
  if (refName !== MAIN_BRANCH) return moved;
  if (ref.type !== "branch") throw refused(what, `"${MAIN_BRANCH}" must be a branch`);
  const isAdded = draft.addedSnapshotIds.has(ref.snapshotId);
  // Going back to an older snapshot happens now; a new one became current when it was made.
  const timestampMs = isAdded ? snapshot.timestampMs : metadata.lastUpdatedMs;
  const previous = metadata.snapshotLog.at(metadata.snapshotLog.length - 1);
  if (previous !== undefined && timestampMs < previous.timestampMs - CLOCK_TOLERANCE_MS) {
    throw refused(
      what,
      `Its time ${timestampMs} is more than a minute before the last entry of the snapshot log, ${previous.timestampMs}`,
    );
  }
  return {
    ...change(moved, {
      currentSnapshotId: ref.snapshotId,
      snapshotLog: metadata.snapshotLog.appended({ timestampMs, snapshotId: ref.snapshotId }),
    }),
    mainSnapshotIds: isAdded ? [...draft.mainSnapshotIds, ref.snapshotId] : draft.mainSnapshotIds,
  };
}

export function removeSnapshotRef(draft: Draft, { refName }: UpdateByAction["remove-snapshot-ref"]): Draft {
  const { refs, currentSnapshotId } = draft.metadata;
  if (!Object.hasOwn(refs, refName)) return draft;
  const kept = Object.fromEntries(Object.entries(refs).filter(([name]) => name !== refName));
  return change(draft, { refs: kept, currentSnapshotId: refName === MAIN_BRANCH ? null : currentSnapshotId });
}

function isSameRef(a: SnapshotRef, b: SnapshotRef): boolean {
  return (
    a.snapshotId === b.snapshotId &&
    a.type === b.type &&
    a.minSnapshotsToKeep === b.minSnapshotsToKeep &&
    a.maxSnapshotAgeMs === b.maxSnapshotAgeMs &&
    a.maxRefAgeMs === b.maxRefAgeMs
  );
}

function retentionProblem(ref: SnapshotRef): string | null {
  const { minSnapshotsToKeep, maxSnapshotAgeMs, maxRefAgeMs } = ref;
  if (ref.type === "tag" && (minSnapshotsToKeep !== undefined || maxSnapshotAgeMs !== undefined)) {
    return "A tag has no snapshots to keep and no snapshot age";
  }
  const isWrong = [minSnapshotsToKeep, maxSnapshotAgeMs, maxRefAgeMs].some((value) => value !== undefined && value <= 0);
  return isWrong ? "Its numbers of snapshots to keep and its ages must be above 0" : null;
}
