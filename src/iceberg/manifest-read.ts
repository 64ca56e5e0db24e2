// Reads a manifest (spec "Manifests"): bytes in, entries out, one at a time. Matches columns by field id, so that the
// names of older writers do not matter. What entries inherit from the manifest list is filled in by manifest-live.ts.
import { ToolError } from "../diagnostics/tool-error.ts";
import { type AvroFile, openAvroFile } from "./avro-container.ts";
import { type AvroCursor, failAt } from "./avro-cursor.ts";
import { enterValue, failType, recordIn } from "./avro-decode.ts";
import type { AvroField } from "./avro-schema.ts";
import type { DataFile, ManifestEntry, ManifestHeader, OptionalColumn, PartitionColumn, ProjectedEntry } from "./manifest.ts";
import { ENTRY_COLUMNS, FILE_COLUMNS, newDataFile, OPTIONAL_COLUMN_IDS } from "./manifest-columns.ts";
import { DATA_FILE_FIELD_ID, DEPRECATED_FIELDS, PARTITION_FIELD_ID } from "./manifest-fields.ts";
import { type PartitionReader, partitionReader } from "./manifest-partition.ts";
import { type Draft, findField, type ReadColumn, type ReadPlan, type RecordReader, recordReader } from "./manifest-record.ts";

/** Columns of the file that this version does not know, at both levels. */
export interface CarriedColumns {
  readonly entry: readonly AvroField[];
  readonly dataFile: readonly AvroField[];
}

export interface Manifest {
  readonly location: string;
  readonly header: ManifestHeader;
  readonly partitionColumns: readonly PartitionColumn[];
  readonly carried: CarriedColumns;
  /** Every entry with every column, in file order. */
  entries(): Generator<ManifestEntry>;
  /** Every entry, without the optional columns that are not asked for: those are read over, which is much quicker. */
  project<Kept extends OptionalColumn>(kept: readonly Kept[]): Generator<ProjectedEntry<Kept>>;
}

export interface ManifestReadOptions {
  /** The partition columns that tuples are aligned with and read as; absent: the file's own. */
  readonly partitionColumns?: readonly PartitionColumn[];
}

const NOTHING: ReadonlySet<number> = new Set();

/** Throws `corrupt` with file and offset for damage, and for a file that is no manifest. Entries are decoded when asked for. */
export function readManifest(bytes: Uint8Array, location: string, options: ManifestReadOptions = {}): Manifest {
  const file = openAvroFile(bytes, location);
  const wanted = options.partitionColumns ?? null;
  const whole = entryReader(file, wanted, NOTHING, true);
  return {
    location,
    header: readHeader(file),
    partitionColumns: whole.partition.columns,
    carried: { entry: whole.entry.carried, dataFile: whole.dataFile.carried },
    entries: () => entriesOf(file, whole.entry),
    project: (kept) => {
      const ids = new Set<number>(kept.map((name) => OPTIONAL_COLUMN_IDS[name]));
      const skip = new Set(Object.values(OPTIONAL_COLUMN_IDS).filter((id) => !ids.has(id)));
      return entriesOf(file, entryReader(file, wanted, skip, false).entry);
    },
  };
}

interface EntryReader {
  readonly entry: RecordReader<ManifestEntry>;
  readonly dataFile: RecordReader<DataFile>;
  readonly partition: PartitionReader;
}

function entryReader(
  file: AvroFile,
  wanted: readonly PartitionColumn[] | null,
  skip: ReadonlySet<number>,
  carry: boolean,
): EntryReader {
  const { location } = file;
  const plan: ReadPlan = { location, skip, forget: DEPRECATED_FIELDS, carry };
  const entryRecord = recordIn(file.schema, { location, column: "manifest_entry" });
  const fileField = findField(entryRecord, DATA_FILE_FIELD_ID, "data_file");
  if (fileField === undefined) failType({ location, column: "data_file" }, "a record");
  const fileRecord = recordIn(fileField.schema, { location, column: "data_file" });
  const partition = partitionOf(findField(fileRecord, PARTITION_FIELD_ID, "partition"), location, wanted);
  const dataFile = recordReader<DataFile>(fileRecord, [...FILE_COLUMNS, partitionColumn(partition)], plan);
  const entry = recordReader<ManifestEntry>(entryRecord, [...ENTRY_COLUMNS, dataFileColumn(dataFile)], plan);
  return { entry, dataFile, partition };
}

// Unpartitioned tables may do without the column.
function partitionOf(field: AvroField | undefined, location: string, wanted: readonly PartitionColumn[] | null): PartitionReader {
  if (field !== undefined) return partitionReader(field.schema, location, wanted);
  if (wanted !== null && wanted.length > 0) failType({ location, column: "partition" }, "a record");
  return { columns: [], decode: () => [] };
}

function partitionColumn(partition: PartitionReader): ReadColumn<DataFile> {
  return {
    id: PARTITION_FIELD_ID,
    name: "partition",
    mandatory: false,
    reader: () => (cursor, row) => {
      row.partition = partition.decode(cursor);
    },
  };
}

function dataFileColumn(files: RecordReader<DataFile>): ReadColumn<ManifestEntry> {
  return {
    id: DATA_FILE_FIELD_ID,
    name: "data_file",
    mandatory: true,
    reader: (schema) => {
      const enter = enterValue(schema);
      return (cursor, row) => {
        if (!enter(cursor)) failAt(cursor, "An entry has no data file");
        const file = newDataFile();
        file.carried = files.read(cursor, file);
        row.dataFile = file;
      };
    },
  };
}

function* entriesOf(file: AvroFile, reader: RecordReader<ManifestEntry>): Generator<ManifestEntry> {
  for (const { count, cursor } of file.blocks()) {
    for (let left = count; left > 0; left--) yield readEntry(cursor, reader);
  }
}

const NO_FILE = newDataFile();

function readEntry(cursor: AvroCursor, reader: RecordReader<ManifestEntry>): ManifestEntry {
  const entry: Draft<ManifestEntry> = {
    status: "existing",
    snapshotId: null,
    sequenceNumber: null,
    fileSequenceNumber: null,
    dataFile: NO_FILE,
    carried: null,
  };
  entry.carried = reader.read(cursor, entry);
  return entry;
}

function readHeader(file: AvroFile): ManifestHeader {
  const text = (key: string): string | null => {
    const value = file.metadata.get(key);
    return value === undefined ? null : new TextDecoder().decode(value);
  };
  const content = text("content");
  if (content !== null && content !== "data" && content !== "deletes") {
    throw new ToolError("corrupt", `Cannot read the manifest "${file.location}"`, {
      why: `Its header says that it holds "${content}"; a manifest holds data or deletes`,
      context: { file: file.location },
    });
  }
  return {
    formatVersion: wholeNumber(text("format-version")),
    content,
    partitionSpecId: wholeNumber(text("partition-spec-id")),
    schemaText: text("schema"),
    partitionSpecText: text("partition-spec"),
  };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
