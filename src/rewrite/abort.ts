// Ends an interrupted conversion: deletes the finished files that its journal names and no snapshot does, then the
// journal. A file that any snapshot of the table names is never touched.
import { liveFiles } from "../catalog/evidence-manifests.ts";
import { locationKey } from "../iceberg/location.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { endJournal, readJournal } from "./journal.ts";

export interface Aborted {
  readonly removed: number;
  /** Files that a snapshot names: they are the table's. */
  readonly kept: number;
}

export async function journalledFiles(store: ObjectStore, metadata: TableMetadata): Promise<readonly string[]> {
  return (await readJournal(store, metadata)).flatMap((file) => file.target?.location ?? []);
}

export async function abortConversion(store: ObjectStore, metadata: TableMetadata): Promise<Aborted> {
  const named = await journalledFiles(store, metadata);
  if (named.length === 0) return { removed: 0, kept: 0 };
  const used = await usedFiles(store, metadata, new Set(named.map(locationKey)));
  let removed = 0;
  for (const location of named) {
    if (used.has(locationKey(location)) || !store.canRemove) continue;
    await store.remove(location);
    removed++;
  }
  await endJournal(store, metadata);
  return { removed, kept: named.length - removed };
}

/** Which of the files some snapshot of the table names. */
async function usedFiles(store: ObjectStore, metadata: TableMetadata, asked: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const snapshot of metadata.snapshots) {
    for await (const { entry } of liveFiles(store, metadata, snapshot.snapshotId)) {
      const key = locationKey(entry.dataFile.filePath);
      if (asked.has(key)) used.add(key);
    }
  }
  return used;
}
