// Manifests and manifest lists as data (spec "Manifests", "Manifest Lists"), one shape for v1 to v3. How they
// stand in Avro files is in manifest-read.ts, manifest-write.ts and manifest-list-*.ts.
import type { AvroField } from "./avro-schema.ts";
import type { SingleValue } from "./bound.ts";
import type { PrimitiveType } from "./type.ts";

/** What the files of one manifest are. A manifest never mixes the two. */
export type ManifestContent = "data" | "deletes";

/** A deletion vector is `position-deletes` in a Puffin file with a content offset. */
type FileContent = "data" | "position-deletes" | "equality-deletes";

export type EntryStatus = "existing" | "added" | "deleted";

export type PartitionValue = SingleValue | null;

/** A field of the partition tuple as a manifest holds it. */
export interface PartitionColumn {
  readonly fieldId: number;
  readonly name: string;
  /** `unknown` when only nulls can stand there. */
  readonly type: PrimitiveType;
}

/** Columns that this version does not know, with the encoded value of each; written again as they were. */
export interface CarriedValues {
  readonly columns: readonly AvroField[];
  readonly values: readonly Uint8Array[];
}

/** What every read of a data file gives. */
export interface DataFileCore {
  readonly content: FileContent;
  /** Spelt as written: deletes refer to data files by this very text. */
  readonly filePath: string;
  /** As written; compare without regard to case. */
  readonly fileFormat: string;
  /** In the order of the manifest's `partitionColumns`. */
  readonly partition: readonly PartitionValue[];
  readonly recordCount: bigint;
  readonly fileSizeBytes: bigint;
  /** Only of equality deletes. */
  readonly equalityIds: readonly number[] | null;
  readonly sortOrderId: number | null;
  /** v3 row lineage, data files only. */
  readonly firstRowId: bigint | null;
  /** Only of position deletes that concern one data file. */
  readonly referencedDataFile: string | null;
  /** Only of deletion vectors: the blob within the Puffin file. */
  readonly contentOffset: bigint | null;
  readonly contentSizeBytes: bigint | null;
}

/** The large columns, by field id where they are maps. A projected read leaves out those that are not asked for. */
export interface OptionalColumns {
  readonly columnSizes: ReadonlyMap<number, bigint> | null;
  /** Nulls and NaNs included. */
  readonly valueCounts: ReadonlyMap<number, bigint> | null;
  readonly nullValueCounts: ReadonlyMap<number, bigint> | null;
  readonly nanValueCounts: ReadonlyMap<number, bigint> | null;
  readonly lowerBounds: ReadonlyMap<number, Uint8Array> | null;
  readonly upperBounds: ReadonlyMap<number, Uint8Array> | null;
  readonly keyMetadata: Uint8Array | null;
  readonly splitOffsets: readonly bigint[] | null;
}

export type OptionalColumn = keyof OptionalColumns;

export interface DataFile extends DataFileCore, OptionalColumns {
  readonly carried: CarriedValues | null;
}

export interface EntryCore {
  readonly status: EntryStatus;
  /** Null: inherited from the manifest list. */
  readonly snapshotId: bigint | null;
  /** The data sequence number. Null: inherited, only where added. */
  readonly sequenceNumber: bigint | null;
  readonly fileSequenceNumber: bigint | null;
}

export interface ManifestEntry extends EntryCore {
  readonly dataFile: DataFile;
  readonly carried: CarriedValues | null;
}

/** An entry's own columns with everything inherited filled in (spec "Sequence Number Inheritance"). */
export interface LiveEntryCore extends EntryCore {
  readonly status: "existing" | "added";
  readonly snapshotId: bigint;
  readonly sequenceNumber: bigint;
  /** Null only where an old writer lost it; readers then take it as unknown. */
  readonly fileSequenceNumber: bigint | null;
}

export interface LiveEntry extends LiveEntryCore {
  /** With its inherited `firstRowId`. */
  readonly dataFile: DataFile;
  readonly carried: CarriedValues | null;
}

/** A data file of which only the columns `Kept` of the optional ones were read: it cannot be written again. */
export type ProjectedDataFile<Kept extends OptionalColumn> = DataFileCore & Pick<OptionalColumns, Kept>;

export type ProjectedEntry<Kept extends OptionalColumn> = EntryCore & { readonly dataFile: ProjectedDataFile<Kept> };

export type ProjectedLiveEntry<Kept extends OptionalColumn> = LiveEntryCore & { readonly dataFile: ProjectedDataFile<Kept> };

/** What a manifest says of itself. Null where an old or foreign writer left it out. */
export interface ManifestHeader {
  readonly formatVersion: number | null;
  readonly content: ManifestContent | null;
  readonly partitionSpecId: number | null;
  /** JSON of the table's schema when the manifest was written. */
  readonly schemaText: string | null;
  /** JSON of the fields of the partition spec. */
  readonly partitionSpecText: string | null;
}

export interface PartitionFieldSummary {
  readonly containsNull: boolean;
  readonly containsNaN: boolean | null;
  /** Single-value binary of the partition type; null when every value is null or NaN. */
  readonly lowerBound: Uint8Array | null;
  readonly upperBound: Uint8Array | null;
}

/** A record of a manifest list. */
export interface ManifestFile {
  readonly path: string;
  readonly lengthBytes: bigint;
  readonly partitionSpecId: number;
  readonly content: ManifestContent;
  /** 0 in v1. */
  readonly sequenceNumber: bigint;
  /** The lowest data sequence number of the live entries. */
  readonly minSequenceNumber: bigint;
  readonly addedSnapshotId: bigint | null;
  /** Counts are null where an old v1 writer did not give them. */
  readonly addedFilesCount: number | null;
  readonly existingFilesCount: number | null;
  readonly deletedFilesCount: number | null;
  readonly addedRowsCount: bigint | null;
  readonly existingRowsCount: bigint | null;
  readonly deletedRowsCount: bigint | null;
  readonly partitions: readonly PartitionFieldSummary[] | null;
  readonly keyMetadata: Uint8Array | null;
  /** v3: row ids of data files without one are counted from here. */
  readonly firstRowId: bigint | null;
  readonly carried: CarriedValues | null;
}

/** A manifest written for a snapshot whose sequence number is assigned with the manifest list, at each attempt. */
export interface NewManifestFile extends Omit<ManifestFile, "sequenceNumber" | "minSequenceNumber" | "addedSnapshotId"> {
  readonly sequenceNumber: null;
  /** Null: no live entry has an explicit one, so it is the snapshot's own. */
  readonly minSequenceNumber: bigint | null;
  readonly addedSnapshotId: bigint;
}

interface ManifestListHeader {
  readonly formatVersion: number | null;
  readonly snapshotId: bigint | null;
  readonly parentSnapshotId: bigint | null;
  readonly sequenceNumber: bigint | null;
  readonly firstRowId: bigint | null;
}

export interface ManifestList {
  readonly header: ManifestListHeader;
  readonly manifests: readonly ManifestFile[];
}

export function isLive(entry: Pick<ManifestEntry, "status">): boolean {
  return entry.status !== "deleted";
}

export function isDeletionVector(file: Pick<DataFile, "content" | "fileFormat">): boolean {
  return file.content === "position-deletes" && file.fileFormat.toUpperCase() === "PUFFIN";
}
