// The live data files that a conversion must look at: those of the current snapshots of all branches, each once.
import { liveFiles } from "../catalog/evidence-manifests.ts";
import { locationKey } from "../iceberg/location.ts";
import { branches, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";

export interface DataFileRef {
  readonly location: string;
  readonly sizeBytes: number;
  readonly records: bigint;
}

/** By location key, in manifest order. */
export async function liveDataFiles(store: ObjectStore, metadata: TableMetadata): Promise<ReadonlyMap<string, DataFileRef>> {
  const files = new Map<string, DataFileRef>();
  for (const snapshotId of new Set(branches(metadata).map((branch) => branch.snapshotId))) {
    for await (const { entry } of liveFiles(store, metadata, snapshotId)) {
      const { content, filePath, fileSizeBytes, recordCount } = entry.dataFile;
      if (content === "data")
        files.set(locationKey(filePath), { location: filePath, sizeBytes: Number(fileSizeBytes), records: recordCount });
    }
  }
  return files;
}
