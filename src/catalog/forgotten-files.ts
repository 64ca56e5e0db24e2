// Removes metadata files that a commit pushed out of the metadata log, where the table asks for it
// (`write.metadata.delete-after-commit.enabled`). Best effort: a file that stays does no harm.
import { parentLocation, sameLocation } from "../iceberg/location.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/**
 * Oldest first, and no further than the first that cannot be removed: a local commit takes a version that is still
 * there as a sign that the later ones are, too. Only files beside the live metadata file are touched: the log of a
 * table that was copied elsewhere still names the files of the table it was copied from.
 */
export async function removeForgottenFiles(store: ObjectStore, before: TableMetadata, live: LiveTable): Promise<void> {
  const after = live.metadata;
  if (!store.canRemove || after.properties["write.metadata.delete-after-commit.enabled"]?.toLowerCase() !== "true") return;
  const kept = new Set(after.metadataLog.map((entry) => entry.metadataFile));
  const folder = parentLocation(live.metadataLocation);
  for (const { metadataFile } of before.metadataLog) {
    if (kept.has(metadataFile) || !/\.metadata\.json(\.gz)?$/.test(metadataFile)) continue;
    const parent = parentLocation(metadataFile);
    if (folder === null || parent === null || !sameLocation(folder, parent)) continue;
    try {
      await store.remove(metadataFile);
    } catch {
      return;
    }
  }
}
