// The summary of a snapshot that adds and removes files (spec Appendix F, "Optional Snapshot Summary Fields"): all
// values text, counts of zero left out, totals carried on from the branch's head. Pure arithmetic.
import { type DataFileCore, isDeletionVector } from "./manifest.ts";

/** Sums over files that a snapshot adds, or over those that it removes. */
export interface FileTally {
  readonly dataFiles: number;
  readonly deleteFiles: number;
  readonly positionDeleteFiles: number;
  readonly equalityDeleteFiles: number;
  readonly deletionVectors: number;
  readonly records: bigint;
  readonly sizeBytes: bigint;
  readonly positionDeletes: bigint;
  readonly equalityDeletes: bigint;
}

type Counted = Pick<DataFileCore, "content" | "fileFormat" | "recordCount" | "fileSizeBytes" | "contentSizeBytes">;

/** A deletion vector counts with its own bytes, not with those of the Puffin file that it shares. */
export function tallyFiles(files: Iterable<Counted>): FileTally {
  const tally = {
    dataFiles: 0,
    deleteFiles: 0,
    positionDeleteFiles: 0,
    equalityDeleteFiles: 0,
    deletionVectors: 0,
    records: 0n,
    sizeBytes: 0n,
    positionDeletes: 0n,
    equalityDeletes: 0n,
  };
  for (const file of files) {
    const isVector = isDeletionVector(file);
    tally.sizeBytes += isVector ? (file.contentSizeBytes ?? file.fileSizeBytes) : file.fileSizeBytes;
    if (file.content === "data") {
      tally.dataFiles++;
      tally.records += file.recordCount;
      continue;
    }
    tally.deleteFiles++;
    if (file.content === "equality-deletes") {
      tally.equalityDeleteFiles++;
      tally.equalityDeletes += file.recordCount;
    } else {
      if (isVector) tally.deletionVectors++;
      else tally.positionDeleteFiles++;
      tally.positionDeletes += file.recordCount;
    }
  }
  return tally;
}

export interface SnapshotChange {
  readonly operation: "append" | "replace" | "overwrite" | "delete";
  readonly added: FileTally;
  readonly removed: FileTally;
  readonly changedPartitions: number;
  readonly manifestsCreated: number;
  readonly manifestsKept: number;
  readonly manifestsReplaced: number;
  /** Entries of the manifests that were replaced. */
  readonly entriesProcessed: number;
  /** The summary of the branch's head; null when the branch has none yet, so totals start at zero. */
  readonly previous: Readonly<Record<string, string>> | null;
  /** Who wrote it and why: `engine-name`, `engine-version`, our own keys. */
  readonly extra?: Readonly<Record<string, string>>;
}

const ADDED: readonly (readonly [string, keyof FileTally])[] = [
  ["added-data-files", "dataFiles"],
  ["added-delete-files", "deleteFiles"],
  ["added-position-delete-files", "positionDeleteFiles"],
  ["added-equality-delete-files", "equalityDeleteFiles"],
  ["added-dvs", "deletionVectors"],
  ["added-records", "records"],
  ["added-files-size", "sizeBytes"],
  ["added-position-deletes", "positionDeletes"],
  ["added-equality-deletes", "equalityDeletes"],
];

const REMOVED: readonly (readonly [string, keyof FileTally])[] = [
  ["deleted-data-files", "dataFiles"],
  ["removed-delete-files", "deleteFiles"],
  ["removed-position-delete-files", "positionDeleteFiles"],
  ["removed-equality-delete-files", "equalityDeleteFiles"],
  ["removed-dvs", "deletionVectors"],
  ["deleted-records", "records"],
  ["removed-files-size", "sizeBytes"],
  ["removed-position-deletes", "positionDeletes"],
  ["removed-equality-deletes", "equalityDeletes"],
];

const TOTALS: readonly (readonly [string, keyof FileTally])[] = [
  ["total-records", "records"],
  ["total-files-size", "sizeBytes"],
  ["total-data-files", "dataFiles"],
  ["total-delete-files", "deleteFiles"],
  ["total-position-deletes", "positionDeletes"],
  ["total-equality-deletes", "equalityDeletes"],
];

export function summarizeSnapshot(change: SnapshotChange): Readonly<Record<string, string>> {
  const { added, removed } = change;
  const summary: Record<string, string> = {
    operation: change.operation,
    ...change.extra,
    "manifests-created": String(change.manifestsCreated),
    "manifests-kept": String(change.manifestsKept),
    "manifests-replaced": String(change.manifestsReplaced),
    "entries-processed": String(change.entriesProcessed),
  };
  for (const [key, count] of ADDED) if (BigInt(added[count]) > 0n) summary[key] = String(added[count]);
  for (const [key, count] of REMOVED) if (BigInt(removed[count]) > 0n) summary[key] = String(removed[count]);
  summary["changed-partition-count"] = String(change.changedPartitions);
  for (const [key, count] of TOTALS) {
    const total = totalOf(change.previous === null ? "0" : change.previous[key], BigInt(added[count]) - BigInt(removed[count]));
    if (total !== null) summary[key] = total;
  }
  return summary;
}

// A total that the head lacks, or that would come out negative because it was wrong before, is left out: readers
// take a missing one as unknown.
function totalOf(before: string | undefined, change: bigint): string | null {
  if (before === undefined || !/^\d{1,19}$/.test(before)) return null;
  const total = BigInt(before) + change;
  return total < 0n ? null : String(total);
}
