// The columns of a manifest list: field id, name, property, kind of value. Matched by id when read: older writers
// called the file counts `added_data_files_count` and so on.
import type { AvroSink } from "./avro-sink.ts";
import type { ManifestFile, PartitionFieldSummary } from "./manifest.ts";
import { recordIn } from "./avro-decode.ts";
import {
  BOOLEAN,
  BYTES,
  type Codec,
  type Column,
  column,
  type Draft,
  INT,
  listOf,
  LONG,
  namesOf,
  optionalColumn,
  recordReader,
  STRING,
} from "./manifest-record.ts";

const NO_IDS: ReadonlySet<number> = new Set();
const NO_NAMES: ReadonlyMap<number, string> = new Map();

const SUMMARY_COLUMNS: readonly Column<PartitionFieldSummary>[] = [
  column(509, "contains_null", "containsNull", BOOLEAN),
  optionalColumn(518, "contains_nan", "containsNaN", BOOLEAN, null),
  optionalColumn(510, "lower_bound", "lowerBound", BYTES, null),
  optionalColumn(511, "upper_bound", "upperBound", BYTES, null),
];

const SUMMARY_WRITERS = SUMMARY_COLUMNS.map((one) => one.writer(one.mandatory));

const SUMMARY: Codec<PartitionFieldSummary> = {
  decode: (schema, { location }) => {
    const record = recordIn(schema, { location, column: "partitions" });
    const { read } = recordReader(record, SUMMARY_COLUMNS, { location, skip: NO_IDS, forget: NO_NAMES, carry: false });
    return (cursor) => {
      const summary: Draft<PartitionFieldSummary> = {
        containsNull: false,
        containsNaN: null,
        lowerBound: null,
        upperBound: null,
      };
      read(cursor, summary);
      return summary;
    };
  },
  encode: (sink: AvroSink, summary) => {
    for (const write of SUMMARY_WRITERS) write(sink, summary);
  },
};

const CONTENTS = namesOf(["data", "deletes"] as const);

export const MANIFEST_COLUMNS: readonly Column<ManifestFile>[] = [
  column(500, "manifest_path", "path", STRING),
  column(501, "manifest_length", "lengthBytes", LONG),
  column(502, "partition_spec_id", "partitionSpecId", INT),
  // v1 has neither deletes nor sequence numbers: its manifests count as data with number 0.
  optionalColumn(517, "content", "content", CONTENTS, "data"),
  optionalColumn(515, "sequence_number", "sequenceNumber", LONG, 0n),
  optionalColumn(516, "min_sequence_number", "minSequenceNumber", LONG, 0n),
  optionalColumn(503, "added_snapshot_id", "addedSnapshotId", LONG, null),
  optionalColumn(504, "added_files_count", "addedFilesCount", INT, null),
  optionalColumn(505, "existing_files_count", "existingFilesCount", INT, null),
  optionalColumn(506, "deleted_files_count", "deletedFilesCount", INT, null),
  optionalColumn(512, "added_rows_count", "addedRowsCount", LONG, null),
  optionalColumn(513, "existing_rows_count", "existingRowsCount", LONG, null),
  optionalColumn(514, "deleted_rows_count", "deletedRowsCount", LONG, null),
  optionalColumn(507, "partitions", "partitions", listOf(SUMMARY), null),
  optionalColumn(519, "key_metadata", "keyMetadata", BYTES, null),
  optionalColumn(520, "first_row_id", "firstRowId", LONG, null),
];

/** A record with nothing in it, to be filled by column readers. */
export function newManifestFile(): Draft<ManifestFile> {
  return {
    path: "",
    lengthBytes: 0n,
    partitionSpecId: 0,
    content: "data",
    sequenceNumber: 0n,
    minSequenceNumber: 0n,
    addedSnapshotId: null,
    addedFilesCount: null,
    existingFilesCount: null,
    deletedFilesCount: null,
    addedRowsCount: null,
    existingRowsCount: null,
    deletedRowsCount: null,
    partitions: null,
    keyMetadata: null,
    firstRowId: null,
    carried: null,
  };
}
