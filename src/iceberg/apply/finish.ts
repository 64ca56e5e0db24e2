// The end of a commit: checks that the metadata holds together, and sets the two logs right (Java's
// TableMetadata.Builder.build). Knows no single update.
import { CLOCK_TOLERANCE_MS } from "../metadata-read-checks.ts";
import type { MetadataLogEntry, SnapshotLogEntry } from "../snapshot.ts";
import type { ElementList } from "../element-list.ts";
import { schemaById, type TableMetadata } from "../table-metadata.ts";
import { type Draft, refused } from "./draft.ts";
import { sortOrderProblems } from "./sort-order-updates.ts";
import { specProblems } from "./spec-updates.ts";

const WHAT = "Cannot commit the table's metadata";
const PREVIOUS_VERSIONS_MAX = "write.metadata.previous-versions-max";
const DEFAULT_PREVIOUS_VERSIONS = 100;

export function finish(draft: Draft, previousMetadataLocation: string | null): TableMetadata {
  const { metadata } = draft;
  checkIdentity(metadata);
  checkDefinitions(metadata);
  const finished = {
    ...metadata,
    metadataLog: addPreviousFile(draft, previousMetadataLocation),
    snapshotLog: mendSnapshotLog(draft),
  };
  checkClocks(finished);
  return finished;
}

function checkIdentity({ formatVersion, tableUuid, location }: TableMetadata): void {
  if (tableUuid === null && formatVersion > 1)
    throw refused(WHAT, `Format version ${formatVersion} needs a table uuid, and none was assigned`);
  if (location === "") throw refused(WHAT, "The table has no location");
}

function checkDefinitions(metadata: TableMetadata): void {
  const schema = schemaById(metadata, metadata.currentSchemaId);
  if (schema === undefined)
    throw refused(WHAT, `The current schema should be ${metadata.currentSchemaId}, which the table does not have`);
  const spec = metadata.partitionSpecs.find((one) => one.specId === metadata.defaultSpecId);
  if (spec === undefined)
    throw refused(WHAT, `The default partition spec should be ${metadata.defaultSpecId}, which the table does not have`);
  const order = metadata.sortOrders.find((one) => one.orderId === metadata.defaultSortOrderId);
  if (order === undefined)
    throw refused(WHAT, `The default sort order should be ${metadata.defaultSortOrderId}, which the table does not have`);
  const problems = [...specProblems(schema, spec), ...sortOrderProblems(schema, order)];
  if (problems.length > 0) throw refused(WHAT, problems.join("; "));
}

/** The base's own file and time come in at the end; the oldest entries go. */
function addPreviousFile({ base, metadata }: Draft, previousMetadataLocation: string | null): readonly MetadataLogEntry[] {
  if (base === null || previousMetadataLocation === null) return metadata.metadataLog;
  const entry = { timestampMs: base.lastUpdatedMs, metadataFile: previousMetadataLocation };
  return [...metadata.metadataLog, entry].slice(-maxPreviousVersions(metadata));
}

/** How many entries the metadata log holds; files that fall out of it may be deleted after the commit. */
function maxPreviousVersions({ properties }: Pick<TableMetadata, "properties">): number {
  const text = properties[PREVIOUS_VERSIONS_MAX];
  if (text === undefined) return DEFAULT_PREVIOUS_VERSIONS;
  if (!/^[+-]?\d{1,10}$/.test(text)) {
    throw refused(
      WHAT,
      `Property "${PREVIOUS_VERSIONS_MAX}" is "${text}", which is no whole number`,
      `Set it to a number, e.g. ${DEFAULT_PREVIOUS_VERSIONS}`,
    );
  }
  return Math.max(1, Number(text));
}

/**
 * Snapshots that were current only between two updates of this commit leave the log. Where a logged snapshot
 * was removed, all up to it goes: a gap would show a later snapshot as current at that time.
 */
function mendSnapshotLog(draft: Draft): ElementList<SnapshotLogEntry> {
  const { metadata, hasRemovedSnapshots } = draft;
  const intermediate = new Set(draft.mainSnapshotIds.filter((id) => id !== metadata.currentSnapshotId));
  if (intermediate.size === 0 && !hasRemovedSnapshots) return metadata.snapshotLog;
  const present = new Set(Array.from(metadata.snapshots, (snapshot) => snapshot.snapshotId));
  const entries = [...metadata.snapshotLog];
  const lastGap = hasRemovedSnapshots ? entries.findLastIndex((entry) => !present.has(entry.snapshotId)) : -1;
  const kept = new Set(
    entries.slice(lastGap + 1).filter((entry) => present.has(entry.snapshotId) && !intermediate.has(entry.snapshotId)),
  );
  const log = metadata.snapshotLog.filtered((entry) => kept.has(entry));
  const last = log.at(log.length - 1);
  if (metadata.currentSnapshotId !== null && last?.snapshotId !== metadata.currentSnapshotId) {
    throw refused(WHAT, `The snapshot log would not end at the current snapshot ${metadata.currentSnapshotId}`);
  }
  return log;
}

function checkClocks({ lastUpdatedMs, snapshotLog }: TableMetadata): void {
  const newest = snapshotLog.at(snapshotLog.length - 1);
  if (newest !== undefined && lastUpdatedMs < newest.timestampMs - CLOCK_TOLERANCE_MS) {
    throw refused(
      WHAT,
      `Snapshot ${newest.snapshotId} became current at ${newest.timestampMs}, more than a minute after this commit's time ${lastUpdatedMs}`,
      "Set the clock of this machine right",
    );
  }
}
