// Fills in the file counts that old v1 writers left out of a manifest list. Since v2 they are required, so a list of
// an upgraded table cannot be written again without them.
import type { EntryStatus, ManifestFile } from "./manifest.ts";
import type { Manifest } from "./manifest-read.ts";

/** The record with every count; the manifest is read only where one is missing. */
export function withCounts(record: ManifestFile, open: () => Manifest): ManifestFile {
  if (hasCounts(record)) return record;
  const files: Record<EntryStatus, number> = { existing: 0, added: 0, deleted: 0 };
  const rows: Record<EntryStatus, bigint> = { existing: 0n, added: 0n, deleted: 0n };
  for (const { status, dataFile } of open().project([])) {
    files[status]++;
    rows[status] += dataFile.recordCount;
  }
  return {
    ...record,
    addedFilesCount: files.added,
    existingFilesCount: files.existing,
    deletedFilesCount: files.deleted,
    addedRowsCount: rows.added,
    existingRowsCount: rows.existing,
    deletedRowsCount: rows.deleted,
  };
}

export function hasCounts(record: ManifestFile): boolean {
  const { addedFilesCount, existingFilesCount, deletedFilesCount } = record;
  const { addedRowsCount, existingRowsCount, deletedRowsCount } = record;
  return ![addedFilesCount, existingFilesCount, deletedFilesCount, addedRowsCount, existingRowsCount, deletedRowsCount].includes(
    null,
  );
}

/** False only when the counts prove that every entry is deleted. */
export function mayHaveLiveEntries(record: Pick<ManifestFile, "addedFilesCount" | "existingFilesCount">): boolean {
  return record.addedFilesCount !== 0 || record.existingFilesCount !== 0;
}
