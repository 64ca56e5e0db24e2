// The columns of manifest entries and their data files: field id, name, property, kind of value. The one table from
// which both reading and writing are made; the two nested ones, data_file and partition, are added by those.
import type { DataFile, ManifestEntry, OptionalColumn } from "./manifest.ts";
import {
  BYTES,
  BYTES_BY_ID,
  type Column,
  column,
  type Draft,
  INT,
  INTS,
  LONG,
  LONG_BY_ID,
  LONGS,
  namesOf,
  optionalColumn,
  STRING,
} from "./manifest-record.ts";

const CONTENTS = namesOf(["data", "position-deletes", "equality-deletes"] as const);
const STATUSES = namesOf(["existing", "added", "deleted"] as const);

export const FILE_COLUMNS: readonly Column<DataFile>[] = [
  // v1 has data files only and no such column.
  optionalColumn(134, "content", "content", CONTENTS, "data"),
  column(100, "file_path", "filePath", STRING),
  column(101, "file_format", "fileFormat", STRING),
  column(103, "record_count", "recordCount", LONG),
  column(104, "file_size_in_bytes", "fileSizeBytes", LONG),
  optionalColumn(108, "column_sizes", "columnSizes", LONG_BY_ID, null),
  optionalColumn(109, "value_counts", "valueCounts", LONG_BY_ID, null),
  optionalColumn(110, "null_value_counts", "nullValueCounts", LONG_BY_ID, null),
  optionalColumn(137, "nan_value_counts", "nanValueCounts", LONG_BY_ID, null),
  optionalColumn(125, "lower_bounds", "lowerBounds", BYTES_BY_ID, null),
  optionalColumn(128, "upper_bounds", "upperBounds", BYTES_BY_ID, null),
  optionalColumn(131, "key_metadata", "keyMetadata", BYTES, null),
  optionalColumn(132, "split_offsets", "splitOffsets", LONGS, null),
  optionalColumn(135, "equality_ids", "equalityIds", INTS, null),
  optionalColumn(140, "sort_order_id", "sortOrderId", INT, null),
  optionalColumn(142, "first_row_id", "firstRowId", LONG, null),
  optionalColumn(143, "referenced_data_file", "referencedDataFile", STRING, null),
  optionalColumn(144, "content_offset", "contentOffset", LONG, null),
  optionalColumn(145, "content_size_in_bytes", "contentSizeBytes", LONG, null),
];

export const ENTRY_COLUMNS: readonly Column<ManifestEntry>[] = [
  column(0, "status", "status", STATUSES),
  optionalColumn(1, "snapshot_id", "snapshotId", LONG, null),
  optionalColumn(3, "sequence_number", "sequenceNumber", LONG, null),
  optionalColumn(4, "file_sequence_number", "fileSequenceNumber", LONG, null),
];

export const OPTIONAL_COLUMN_IDS: Readonly<Record<OptionalColumn, number>> = {
  columnSizes: 108,
  valueCounts: 109,
  nullValueCounts: 110,
  nanValueCounts: 137,
  lowerBounds: 125,
  upperBounds: 128,
  keyMetadata: 131,
  splitOffsets: 132,
};

/** A data file with nothing in it, to be filled by column readers. */
export function newDataFile(): Draft<DataFile> {
  return {
    content: "data",
    filePath: "",
    fileFormat: "",
    partition: [],
    recordCount: 0n,
    fileSizeBytes: 0n,
    columnSizes: null,
    valueCounts: null,
    nullValueCounts: null,
    nanValueCounts: null,
    lowerBounds: null,
    upperBounds: null,
    keyMetadata: null,
    splitOffsets: null,
    equalityIds: null,
    sortOrderId: null,
    firstRowId: null,
    referencedDataFile: null,
    contentOffset: null,
    contentSizeBytes: null,
    carried: null,
  };
}
