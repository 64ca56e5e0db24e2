// How many kept snapshots still name each partition spec: read from the manifest lists of all of them, each once. A
// spec that none names can be removed from the metadata.
import type { Evidence, SpecUsage } from "../iceberg/evidence.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { runMany } from "./evidence-jobs.ts";
import { loadManifestFiles } from "./evidence-manifests.ts";

const LISTS_AT_ONCE = 8;

export async function loadSpecUsage(
  store: ObjectStore,
  metadata: TableMetadata,
  { filesBySpec }: Pick<Evidence, "filesBySpec">,
): Promise<ReadonlyMap<number, SpecUsage>> {
  const snapshots = new Map<number, number>(metadata.partitionSpecs.map((spec) => [spec.specId, 0]));
  await runMany([...metadata.snapshots], LISTS_AT_ONCE, async (snapshot) => {
    const specs = new Set((await loadManifestFiles(store, snapshot)).map((record) => record.partitionSpecId));
    for (const id of specs) snapshots.set(id, (snapshots.get(id) ?? 0) + 1);
  });
  return new Map([...snapshots].map(([id, count]) => [id, { snapshots: count, liveFiles: filesBySpec.get(id) ?? 0 }]));
}
