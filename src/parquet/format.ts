// The numbers of parquet.thrift that are used here, by name: field ids of its structs, and its enumerations.
// A table; knows nothing of how they are read.

export const FILE_METADATA = {
  version: 1,
  schema: 2,
  rows: 3,
  rowGroups: 4,
  keyValues: 5,
  createdBy: 6,
  columnOrders: 7,
  encryption: 8,
} as const;

export const SCHEMA_ELEMENT = {
  type: 1,
  typeLength: 2,
  repetition: 3,
  name: 4,
  children: 5,
  convertedType: 6,
  scale: 7,
  precision: 8,
  fieldId: 9,
  logicalType: 10,
} as const;

export const ROW_GROUP = { columns: 1, totalBytes: 2, rows: 3, sortingColumns: 4, fileOffset: 5, totalCompressed: 6 } as const;

export const SORTING_COLUMN = { column: 1 } as const;

export const COLUMN_CHUNK = {
  filePath: 1,
  fileOffset: 2,
  metadata: 3,
  offsetIndexOffset: 4,
  offsetIndexLength: 5,
  columnIndexOffset: 6,
  columnIndexLength: 7,
  crypto: 8,
  encryptedMetadata: 9,
} as const;

export const COLUMN_METADATA = {
  type: 1,
  encodings: 2,
  path: 3,
  codec: 4,
  values: 5,
  uncompressed: 6,
  compressed: 7,
  keyValues: 8,
  dataPageOffset: 9,
  indexPageOffset: 10,
  dictionaryPageOffset: 11,
  statistics: 12,
  encodingStats: 13,
  bloomFilterOffset: 14,
  bloomFilterLength: 15,
  sizeStatistics: 16,
  geospatialStatistics: 17,
} as const;

export const PAGE_ENCODING_STATS = { pageType: 1, encoding: 2, count: 3 } as const;

export const STATISTICS = { max: 1, min: 2, nulls: 3, maxValue: 5, minValue: 6, maxExact: 7, minExact: 8, nans: 9 } as const;

export const PAGE_HEADER = { type: 1, uncompressed: 2, compressed: 3, crc: 4, data: 5, dictionary: 7, dataV2: 8 } as const;

export const DATA_PAGE = { values: 1, encoding: 2, definitionEncoding: 3, repetitionEncoding: 4, statistics: 5 } as const;

export const DATA_PAGE_V2 = {
  values: 1,
  nulls: 2,
  rows: 3,
  encoding: 4,
  definitionBytes: 5,
  repetitionBytes: 6,
  compressed: 7,
  statistics: 8,
} as const;

export const DICTIONARY_PAGE = { values: 1, encoding: 2 } as const;

export const PAGE_TYPE = { data: 0, index: 1, dictionary: 2, dataV2: 3 } as const;

export const KEY_VALUE = { key: 1, value: 2 } as const;

export const OFFSET_INDEX = { locations: 1 } as const;

export const PAGE_LOCATION = { offset: 1, compressed: 2, firstRow: 3 } as const;

export const COLUMN_INDEX = { nullPages: 1, minValues: 2, maxValues: 3, boundaryOrder: 4, nullCounts: 5, nanCounts: 8 } as const;

export const BOUNDARY_ORDER = { unordered: 0, ascending: 1, descending: 2 } as const;

export const BLOOM_FILTER_HEADER = { bytes: 1 } as const;

/** FieldRepetitionType. */
export const REPETITION = { required: 0, optional: 1, repeated: 2 } as const;

/** Physical types by their number. INT96 is read and never written. */
export const TYPES = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"] as const;
export type StoredType = (typeof TYPES)[number];

/** Encodings by their number; 1 was never used. */
export const ENCODINGS = [
  "PLAIN",
  "GROUP_VAR_INT",
  "PLAIN_DICTIONARY",
  "RLE",
  "BIT_PACKED",
  "DELTA_BINARY_PACKED",
  "DELTA_LENGTH_BYTE_ARRAY",
  "DELTA_BYTE_ARRAY",
  "RLE_DICTIONARY",
  "BYTE_STREAM_SPLIT",
  "ALP",
] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const CODECS = ["UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"] as const;
export type CodecName = (typeof CODECS)[number];

/** LogicalType union members. */
export const LOGICAL_TYPE = { string: 1, map: 2, list: 3, decimal: 5, date: 6, time: 7, timestamp: 8, uuid: 14 } as const;

export const LOGICAL_TYPE_NAMES: Readonly<Record<number, string>> = {
  1: "STRING",
  2: "MAP",
  3: "LIST",
  4: "ENUM",
  5: "DECIMAL",
  6: "DATE",
  7: "TIME",
  8: "TIMESTAMP",
  10: "INTEGER",
  11: "UNKNOWN",
  12: "JSON",
  13: "BSON",
  14: "UUID",
  15: "FLOAT16",
  16: "VARIANT",
  17: "GEOMETRY",
  18: "GEOGRAPHY",
};

/** ConvertedType, the older annotation. */
export const CONVERTED_TYPE = {
  utf8: 0,
  map: 1,
  mapKeyValue: 2,
  list: 3,
  decimal: 5,
  date: 6,
  timeMicros: 8,
  timestampMicros: 10,
} as const;

export const CONVERTED_TYPE_NAMES = [
  "UTF8",
  "MAP",
  "MAP_KEY_VALUE",
  "LIST",
  "ENUM",
  "DECIMAL",
  "DATE",
  "TIME_MILLIS",
  "TIME_MICROS",
  "TIMESTAMP_MILLIS",
  "TIMESTAMP_MICROS",
  "UINT_8",
  "UINT_16",
  "UINT_32",
  "UINT_64",
  "INT_8",
  "INT_16",
  "INT_32",
  "INT_64",
  "JSON",
  "BSON",
  "INTERVAL",
] as const;

/** The number of a name in one of the lists above. */
export function codeOf<T extends string>(names: readonly T[], name: T): number {
  return names.indexOf(name);
}
