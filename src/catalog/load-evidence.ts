// Reads the manifests of all branches once and sums up what they prove (Evidence). Several are read at a time, within
// bounds of number and memory; entries are never gathered. Knows nothing of plans.
import type { BranchEvidence, Evidence } from "../iceberg/evidence.ts";
import { locationKey } from "../iceberg/location.ts";
import type { ManifestFile } from "../iceberg/manifest.ts";
import { mayHaveLiveEntries } from "../iceberg/manifest-count.ts";
import { projectLiveEntries } from "../iceberg/manifest-live.ts";
import { branches as branchesOf, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type JobLimits, runJobs } from "./evidence-jobs.ts";
import { loadManifestFiles, openStoredManifest, snapshotOf } from "./evidence-manifests.ts";
import { type ConvertedField, EVIDENCE_COLUMNS, EVIDENCE_COLUMNS_WITH_BOUNDS, newEvidenceTally } from "./evidence-tally.ts";

export interface EvidenceProgress {
  readonly manifestsRead: number;
  readonly manifests: number;
  readonly files: number;
}

export interface EvidenceOptions {
  /** Absent: all branches of the table. */
  readonly branches?: readonly BranchEvidence[];
  /** Conversions whose late files are counted. */
  readonly conversions?: readonly ConvertedField[];
  /** Types of the columns whose range of values is wanted, by field id. */
  readonly ranges?: ReadonlyMap<number, PrimitiveType>;
  /** Manifests that are read at once. */
  readonly concurrency?: number;
  /** Called after each manifest. */
  readonly onProgress?: (progress: EvidenceProgress) => void;
}

const DEFAULT_CONCURRENCY = 8;
/** Bytes of manifests in memory at once; decompression adds one block each. */
const MAX_BYTES_AT_ONCE = 256 * 1024 * 1024;

/**
 * Throws the ToolError of the first manifest that cannot be read, after those under way have ended. A manifest whose
 * entries are all deleted is not read, and one that several branches share is read once.
 */
export async function loadEvidence(
  store: ObjectStore,
  metadata: TableMetadata,
  options: EvidenceOptions = {},
): Promise<Evidence> {
  const branches = options.branches ?? branchesOf(metadata);
  const limits: JobLimits = { jobs: options.concurrency ?? DEFAULT_CONCURRENCY, bytes: MAX_BYTES_AT_ONCE };
  const snapshotIds = [...new Set(branches.map((branch) => branch.snapshotId))];
  const lists = await runJobs(
    snapshotIds.map((id) => ({ sizeBytes: 0, run: () => loadManifestFiles(store, snapshotOf(metadata, id)) })),
    limits,
  );
  const records = distinct(lists.flat()).filter(mayHaveLiveEntries);
  const ranges = options.ranges ?? new Map<number, PrimitiveType>();
  const tally = newEvidenceTally(options.conversions ?? [], ranges);
  let manifestsRead = 0;
  const readOne = async (record: ManifestFile): Promise<void> => {
    const manifest = await openStoredManifest(store, record);
    const entries =
      ranges.size === 0
        ? projectLiveEntries(manifest, record, EVIDENCE_COLUMNS)
        : projectLiveEntries(manifest, record, EVIDENCE_COLUMNS_WITH_BOUNDS);
    for (const { dataFile } of entries) tally.add(dataFile, record.partitionSpecId);
    manifestsRead++;
    options.onProgress?.({ manifestsRead, manifests: records.length, files: tally.files });
  };
  await runJobs(
    records.map((record) => ({ sizeBytes: Math.max(0, Number(record.lengthBytes)), run: () => readOne(record) })),
    limits,
  );
  return tally.finish(branches);
}

function distinct(records: readonly ManifestFile[]): readonly ManifestFile[] {
  return [...new Map(records.map((record) => [locationKey(record.path), record])).values()];
}
