// The snapshots that a metadata document refers to must be in it, and its clocks must not run backwards: Java
// refuses such a table as a whole.
import { corrupt } from "./json-fields.ts";
import { MAIN_BRANCH } from "./snapshot.ts";
import { findSnapshots } from "./snapshot-json.ts";
import type { TableMetadata } from "./table-metadata.ts";

/** Clocks of different machines may differ by this much; Java's tolerance. */
export const CLOCK_TOLERANCE_MS = 60_000;

export function checkReferences(metadata: TableMetadata): void {
  checkRefs(metadata);
  checkClocks(metadata);
}

function checkRefs(metadata: TableMetadata): void {
  const { currentSnapshotId, refs, snapshots } = metadata;
  const main = refs[MAIN_BRANCH];
  if (main !== undefined && main.snapshotId !== currentSnapshotId) {
    throw corrupt(
      "refs.main",
      `It points to snapshot ${main.snapshotId} and "current-snapshot-id" to ${currentSnapshotId ?? "none"}`,
    );
  }
  const targets = Object.entries(refs);
  const found = findSnapshots(
    snapshots,
    targets.map(([, ref]) => ref.snapshotId),
  );
  for (const [name, { snapshotId }] of targets) {
    if (found.has(snapshotId)) continue;
    throw corrupt(name === MAIN_BRANCH ? "current-snapshot-id" : `refs.${name}`, `"snapshots" does not hold ${snapshotId}`);
  }
}

function checkClocks(metadata: TableMetadata): void {
  const { lastUpdatedMs, metadataLog, snapshotLog } = metadata;
  metadataLog.forEach((entry, index) => {
    const previous = metadataLog[index - 1];
    if (previous !== undefined && entry.timestampMs < previous.timestampMs - CLOCK_TOLERANCE_MS) {
      throw corrupt(`metadata-log[${index}]`, "It is more than a minute older than the entry before it");
    }
  });
  const newest: readonly (readonly [string, number | undefined])[] = [
    ["snapshot-log", snapshotLog.at(snapshotLog.length - 1)?.timestampMs],
    ["metadata-log", metadataLog.at(-1)?.timestampMs],
  ];
  for (const [key, timestampMs] of newest) {
    if (timestampMs !== undefined && lastUpdatedMs < timestampMs - CLOCK_TOLERANCE_MS) {
      throw corrupt(
        "last-updated-ms",
        `${lastUpdatedMs} is more than a minute before the last entry of "${key}", ${timestampMs}`,
      );
    }
  }
}
