// The fields of manifest entries and manifest lists by format version, in the order, with the ids, names and docs
// that the reference implementation writes (spec "Manifests", "Manifest Lists"). Iceberg types only; no Avro.
import type { PartitionColumn } from "./manifest.ts";
import type { FormatVersion } from "./table-metadata.ts";
import type { Field, ListType, MapType, PlainTypeName, Type } from "./type.ts";

type Need = "required" | "optional";

/** Fields that old writers wrote and the spec forbids now, by id; dropped when a manifest is written again. */
export const DEPRECATED_FIELDS: ReadonlyMap<number, string> = new Map([
  [105, "block_size_in_bytes"],
  [106, "file_ordinal"],
  [107, "sort_columns"],
  [111, "distinct_counts"],
]);

export const DATA_FILE_FIELD_ID = 2;
export const PARTITION_FIELD_ID = 102;

/** Java writes this constant; the field is required in v1 and gone since. */
export const BLOCK_SIZE_FIELD_ID = 105;
export const BLOCK_SIZE_BYTES = 64n * 1024n * 1024n;

const PATH = "Fully qualified location (URI with FS scheme) of a data file that all deletes reference";

const FILE_FIELDS: readonly Field[] = [
  field(134, "content", "int", "Contents of the file: 0=data, 1=position deletes, 2=equality deletes", "required"),
  field(100, "file_path", "string", "Location URI with FS scheme", "required"),
  field(101, "file_format", "string", "File format name: avro, orc, or parquet", "required"),
  field(103, "record_count", "long", "Number of records in the file", "required"),
  field(104, "file_size_in_bytes", "long", "Total file size in bytes", "required"),
  field(108, "column_sizes", intMap(117, 118, "long"), "Map of column id to total size on disk"),
  field(109, "value_counts", intMap(119, 120, "long"), "Map of column id to total count, including null and NaN"),
  field(110, "null_value_counts", intMap(121, 122, "long"), "Map of column id to null value count"),
  field(137, "nan_value_counts", intMap(138, 139, "long"), "Map of column id to number of NaN values in the column"),
  field(125, "lower_bounds", intMap(126, 127, "binary"), "Map of column id to lower bound"),
  field(128, "upper_bounds", intMap(129, 130, "binary"), "Map of column id to upper bound"),
  field(131, "key_metadata", "binary", "Encryption key metadata blob"),
  field(132, "split_offsets", list(133, { kind: "long" }), "Splittable offsets"),
  field(135, "equality_ids", list(136, { kind: "int" }), "Equality comparison field IDs"),
  field(140, "sort_order_id", "int", "Sort order ID"),
  field(142, "first_row_id", "long", "The first row ID assigned to the first row in the data file"),
  field(143, "referenced_data_file", "string", PATH),
  field(144, "content_offset", "long", "The offset in the file where the content starts"),
  field(145, "content_size_in_bytes", "long", "The length of referenced content stored in the file"),
];

const V1_FILE_IDS = [100, 101, 102, 103, 104, 105, 108, 109, 110, 137, 125, 128, 131, 132, 140];
const V2_FILE_IDS = [134, 100, 101, 102, 103, 104, 108, 109, 110, 137, 125, 128, 131, 132, 135, 140, 143];
const FILE_IDS: Readonly<Record<FormatVersion, readonly number[]>> = {
  1: V1_FILE_IDS,
  2: V2_FILE_IDS,
  3: [...V2_FILE_IDS.slice(0, -1), 142, 143, 144, 145],
};

const PARTITION_DOC = "Partition data tuple, schema based on the partition spec";

export function dataFileFields(version: FormatVersion, partition: readonly PartitionColumn[]): readonly Field[] {
  return FILE_IDS[version].flatMap((id) => {
    if (id === PARTITION_FIELD_ID) return [partitionField(partition, version)];
    if (id === BLOCK_SIZE_FIELD_ID) return [{ id, name: "block_size_in_bytes", required: true, type: { kind: "long" } }];
    return FILE_FIELDS.filter((one) => one.id === id);
  });
}

export function entryFields(version: FormatVersion, partition: readonly PartitionColumn[]): readonly Field[] {
  const sequenceNumbers = [plain(3, "sequence_number", "long", "optional"), plain(4, "file_sequence_number", "long", "optional")];
  return [
    plain(0, "status", "int", "required"),
    plain(1, "snapshot_id", "long", "optional"),
    ...(version === 1 ? [] : sequenceNumbers),
    {
      id: DATA_FILE_FIELD_ID,
      name: "data_file",
      required: true,
      type: { kind: "struct", fields: dataFileFields(version, partition) },
    },
  ];
}

const SUMMARY_FIELDS: readonly Field[] = [
  field(509, "contains_null", "boolean", "True if any file has a null partition value", "required"),
  field(518, "contains_nan", "boolean", "True if any file has a nan partition value"),
  field(510, "lower_bound", "binary", "Partition lower bound for all files"),
  field(511, "upper_bound", "binary", "Partition upper bound for all files"),
];

const LIST_FIELDS: readonly Field[] = [
  field(500, "manifest_path", "string", "Location URI with FS scheme", "required"),
  field(501, "manifest_length", "long", "Total file size in bytes", "required"),
  field(502, "partition_spec_id", "int", "Spec ID used to write", "required"),
  field(517, "content", "int", "Contents of the manifest: 0=data, 1=deletes", "required"),
  field(515, "sequence_number", "long", "Sequence number when the manifest was added", "required"),
  field(516, "min_sequence_number", "long", "Lowest sequence number in the manifest", "required"),
  field(503, "added_snapshot_id", "long", "Snapshot ID that added the manifest", "required"),
  field(504, "added_files_count", "int", "Added entry count", "required"),
  field(505, "existing_files_count", "int", "Existing entry count", "required"),
  field(506, "deleted_files_count", "int", "Deleted entry count", "required"),
  field(512, "added_rows_count", "long", "Added rows count", "required"),
  field(513, "existing_rows_count", "long", "Existing rows count", "required"),
  field(514, "deleted_rows_count", "long", "Deleted rows count", "required"),
  field(507, "partitions", list(508, { kind: "struct", fields: SUMMARY_FIELDS }), "Summary for each partition"),
  field(519, "key_metadata", "binary", "Encryption key metadata blob"),
  field(520, "first_row_id", "long", "Starting row ID to assign to new rows in ADDED data files"),
];

const V1_LIST_IDS = [500, 501, 502, 503, 504, 505, 506, 507, 512, 513, 514, 519];
const V1_OPTIONAL_LIST_IDS: ReadonlySet<number> = new Set([504, 505, 506, 512, 513, 514]);
const V3_ONLY_LIST_ID = 520;

export function manifestListFields(version: FormatVersion): readonly Field[] {
  if (version === 3) return LIST_FIELDS;
  if (version === 2) return LIST_FIELDS.filter((one) => one.id !== V3_ONLY_LIST_ID);
  return V1_LIST_IDS.flatMap((id) =>
    LIST_FIELDS.filter((one) => one.id === id).map((one) => (V1_OPTIONAL_LIST_IDS.has(id) ? { ...one, required: false } : one)),
  );
}

function partitionField(partition: readonly PartitionColumn[], version: FormatVersion): Field {
  const fields = partition.map(({ fieldId, name, type }): Field => ({ id: fieldId, name, required: false, type }));
  const doc = version === 1 ? {} : { doc: PARTITION_DOC };
  return { id: PARTITION_FIELD_ID, name: "partition", required: true, type: { kind: "struct", fields }, ...doc };
}

function field(id: number, name: string, type: PlainTypeName | Type, doc: string, need: Need = "optional"): Field {
  return { id, name, required: need === "required", type: typeof type === "string" ? { kind: type } : type, doc };
}

function plain(id: number, name: string, type: PlainTypeName, need: Need): Field {
  return { id, name, required: need === "required", type: { kind: type } };
}

function intMap(keyId: number, valueId: number, value: PlainTypeName): MapType {
  return { kind: "map", keyId, key: { kind: "int" }, valueId, value: { kind: value }, valueRequired: true };
}

function list(elementId: number, element: Type): ListType {
  return { kind: "list", elementId, element, elementRequired: true };
}
