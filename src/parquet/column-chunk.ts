// One column chunk as its row group describes it, read from the tree and checked against the schema and the
// file's length. Knows where bytes are, not what they hold.
import { corrupt, unsupported } from "./corrupt.ts";
import {
  CODECS,
  type CodecName,
  COLUMN_CHUNK,
  COLUMN_METADATA,
  ENCODINGS,
  PAGE_ENCODING_STATS,
  PAGE_TYPE,
  STATISTICS,
  TYPES,
} from "./format.ts";
import type { Leaf } from "./schema.ts";
import { bigintAt, hasField, itemsAt, numberAt, structAt, structsAt, type ThriftStruct } from "./thrift-tree.ts";

export interface ColumnChunk {
  readonly tree: ThriftStruct;
  readonly metadata: ThriftStruct;
  readonly leaf: Leaf;
  readonly codec: CodecName;
  /** Names of the encodings the footer lists, `encoding 11` for one without a name here. */
  readonly encodings: readonly string[];
  /** Data page encodings by name where the footer counts them a page, else null. */
  readonly dataPageEncodings: readonly string[] | null;
  readonly values: number;
  /** First byte of the first page, dictionary included. */
  readonly offset: number;
  readonly compressedBytes: number;
  readonly uncompressedBytes: number;
  /** From the statistics; null when they do not say. */
  readonly nulls: bigint | null;
}

/** `end` is where the footer starts: no page reaches beyond. */
export function readColumnChunk(tree: ThriftStruct, leaf: Leaf, rows: number, end: number): ColumnChunk {
  const name = leaf.path.join(".");
  if (hasField(tree, COLUMN_CHUNK.crypto) || hasField(tree, COLUMN_CHUNK.encryptedMetadata)) {
    throw unsupported(`Column "${name}" is encrypted`);
  }
  if (hasField(tree, COLUMN_CHUNK.filePath)) throw unsupported(`Column "${name}" is stored in another file`);
  const metadata = structAt(tree, COLUMN_CHUNK.metadata);
  if (metadata === undefined) throw corrupt(`Column "${name}" has no metadata`);
  if (TYPES[numberAt(metadata, COLUMN_METADATA.type) ?? -1] !== leaf.type) {
    throw corrupt(`Column "${name}" has one physical type in the schema and another in a row group`);
  }
  const codec = CODECS[numberAt(metadata, COLUMN_METADATA.codec) ?? -1];
  if (codec === undefined) throw unsupported(`Column "${name}" is compressed with an unknown codec`);
  const values = count(metadata, COLUMN_METADATA.values, `number of values of column "${name}"`);
  if (leaf.maxRepetition === 0 && values !== rows) {
    throw corrupt(`Column "${name}" has ${values} values in a row group of ${rows} rows`);
  }
  const compressedBytes = count(metadata, COLUMN_METADATA.compressed, `size of column "${name}"`);
  const dataOffset = count(metadata, COLUMN_METADATA.dataPageOffset, `offset of column "${name}"`);
  // Zero stands for "none" in files of some writers.
  const starts = [dataOffset, optionalCount(metadata, COLUMN_METADATA.dictionaryPageOffset)].filter((start) => start > 0);
  const offset = starts.length === 0 ? 0 : Math.min(...starts);
  if (compressedBytes > 0 && (offset < 4 || offset + compressedBytes > end)) {
    throw corrupt(`Column "${name}" lies outside the file`);
  }
  return {
    tree,
    metadata,
    leaf,
    codec,
    encodings: (itemsAt(metadata, COLUMN_METADATA.encodings) ?? []).map(encodingName),
    dataPageEncodings: dataPageEncodings(metadata),
    values,
    offset,
    compressedBytes,
    uncompressedBytes: count(metadata, COLUMN_METADATA.uncompressed, `uncompressed size of column "${name}"`),
    nulls: nullCount(metadata),
  };
}

export function encodingName(code: unknown): string {
  return (typeof code === "number" ? ENCODINGS[code] : undefined) ?? `encoding ${String(code)}`;
}

/** A number of the footer that counts bytes or values: not negative, exact as a double. */
export function count(tree: ThriftStruct, id: number, what: string): number {
  const value = bigintAt(tree, id);
  if (value === undefined || value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw corrupt(`The ${what} is missing or wrong`);
  return Number(value);
}

/** As `count`; zero when the field is missing or makes no sense. */
export function optionalCount(tree: ThriftStruct, id: number): number {
  const value = bigintAt(tree, id) ?? 0n;
  return value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER) ? 0 : Number(value);
}

function dataPageEncodings(metadata: ThriftStruct): readonly string[] | null {
  if (!hasField(metadata, COLUMN_METADATA.encodingStats)) return null;
  return structsAt(metadata, COLUMN_METADATA.encodingStats, "encoding statistics")
    .filter((one) => {
      const type = numberAt(one, PAGE_ENCODING_STATS.pageType);
      return (type === PAGE_TYPE.data || type === PAGE_TYPE.dataV2) && (numberAt(one, PAGE_ENCODING_STATS.count) ?? 0) > 0;
    })
    .map((one) => encodingName(numberAt(one, PAGE_ENCODING_STATS.encoding)));
}

function nullCount(metadata: ThriftStruct): bigint | null {
  const statistics = structAt(metadata, COLUMN_METADATA.statistics);
  const nulls = statistics === undefined ? undefined : bigintAt(statistics, STATISTICS.nulls);
  return nulls === undefined || nulls < 0n ? null : nulls;
}
