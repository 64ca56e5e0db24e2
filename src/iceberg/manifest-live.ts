// Live entries of a manifest with what they inherit from its record in the manifest list (spec "Sequence Number
// Inheritance", "First Row ID Inheritance"), and the three kinds of entries that a new snapshot writes.
import { ToolError } from "../diagnostics/tool-error.ts";
import type {
  DataFile,
  DataFileCore,
  EntryCore,
  LiveEntry,
  LiveEntryCore,
  ManifestEntry,
  ManifestFile,
  OptionalColumn,
  ProjectedLiveEntry,
} from "./manifest.ts";
import type { Manifest } from "./manifest-read.ts";

/** What of a manifest's record its entries inherit. */
export type Inherited = Pick<ManifestFile, "path" | "content" | "sequenceNumber" | "addedSnapshotId" | "firstRowId">;

/** Entries that are existing or added, complete: they can be written to another manifest. */
export function* liveEntries(manifest: Manifest, record: Inherited): Generator<LiveEntry> {
  const inherit = inheritance(record);
  for (const entry of manifest.entries()) {
    const live = inherit(entry, entry.dataFile);
    if (live !== null) yield { ...entry, ...live.core, dataFile: withRowId(entry.dataFile, live.firstRowId) };
  }
}

/** The same with the optional columns that are asked for only. */
export function* projectLiveEntries<Kept extends OptionalColumn>(
  manifest: Manifest,
  record: Inherited,
  kept: readonly Kept[],
): Generator<ProjectedLiveEntry<Kept>> {
  const inherit = inheritance(record);
  for (const entry of manifest.project(kept)) {
    const live = inherit(entry, entry.dataFile);
    if (live !== null) yield { ...live.core, dataFile: withRowId(entry.dataFile, live.firstRowId) };
  }
}

/** An entry of a rewritten manifest for a file that stays: it carries every number explicitly. */
export function existingEntry(entry: LiveEntry): ManifestEntry {
  return { ...entry, status: "existing" };
}

/** The entry that takes a file out of the table, in the name of the snapshot that does so. */
export function deletedEntry(entry: LiveEntry, snapshotId: bigint): ManifestEntry {
  return { ...entry, status: "deleted", snapshotId };
}

/** A new file. `sequenceNumber`: that of the file it replaces, where deletes depend on it; null inherits the snapshot's. */
export function addedEntry(dataFile: DataFile, snapshotId: bigint, sequenceNumber: bigint | null): ManifestEntry {
  return { status: "added", snapshotId, sequenceNumber, fileSequenceNumber: null, dataFile, carried: null };
}

interface LiveNumbers {
  readonly core: LiveEntryCore;
  readonly firstRowId: bigint | null;
}

// To be asked for every entry in file order: row ids count up. Null for an entry that is deleted.
function inheritance(record: Inherited): (entry: EntryCore, file: DataFileCore) => LiveNumbers | null {
  let nextRowId = record.firstRowId;
  return (entry, file) => {
    const { status } = entry;
    if (status === "deleted") return null;
    // v1 stores no numbers: all are 0. Since v2 only an added entry may leave them to its manifest.
    const fallback = status === "added" || record.sequenceNumber === 0n ? record.sequenceNumber : null;
    // Readers take no row ids from a manifest that has none itself, whatever its entries say.
    let firstRowId = nextRowId === null ? null : file.firstRowId;
    if (nextRowId !== null && firstRowId === null && record.content === "data") {
      firstRowId = nextRowId;
      nextRowId += file.recordCount;
    }
    const core: LiveEntryCore = {
      status,
      snapshotId: entry.snapshotId ?? record.addedSnapshotId ?? failMissing(record, file.filePath, "snapshot id"),
      sequenceNumber: entry.sequenceNumber ?? fallback ?? failMissing(record, file.filePath, "sequence number"),
      fileSequenceNumber: entry.fileSequenceNumber ?? fallback,
    };
    return { core, firstRowId };
  };
}

function withRowId<File extends DataFileCore>(file: File, firstRowId: bigint | null): File {
  return firstRowId === file.firstRowId ? file : { ...file, firstRowId };
}

function failMissing(record: Inherited, filePath: string, what: string): never {
  throw new ToolError("corrupt", `Cannot read the manifest "${record.path}"`, {
    why: `The entry of "${filePath}" has no ${what} and may not inherit one`,
    context: { file: record.path },
  });
}
