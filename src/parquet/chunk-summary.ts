// What is known of a column chunk once it is written anew: the facts its metadata, its page index and the
// caller's metrics are made of. And the metadata itself.
import { type Bounds, statisticsOf } from "./bounds.ts";
import type { ColumnChunk } from "./column-chunk.ts";
import { CODECS, type CodecName, codeOf, COLUMN_CHUNK, COLUMN_METADATA, PAGE_ENCODING_STATS, TYPES } from "./format.ts";
import type { PhysicalTarget } from "./physical.ts";
import {
  bigintAt,
  i32Field,
  i64Field,
  listField,
  struct,
  structField,
  THRIFT,
  type ThriftStruct,
  withFields,
  withoutFields,
} from "./thrift-tree.ts";
import { valueOrder } from "./value-order.ts";

export interface PageFacts {
  readonly offset: number;
  /** Compressed, header included. */
  readonly bytes: number;
  readonly values: number;
  /** Null where the page's indices were kept unread. */
  readonly bounds: Bounds | null;
}

/** One line of encoding_stats. */
export interface EncodingCount {
  readonly pageType: number;
  readonly encoding: number;
  readonly count: number;
}

export interface ChunkSummary {
  readonly offset: number;
  /** Null without a dictionary page. */
  readonly dictionaryOffset: number | null;
  readonly dataOffset: number;
  readonly compressedBytes: number;
  readonly uncompressedBytes: number;
  readonly codec: CodecName;
  /** Numbers of parquet.thrift Encoding. */
  readonly encodings: readonly number[];
  /** Null where the pages are kept, and what the source says of them with it. */
  readonly encodingCounts: readonly EncodingCount[] | null;
  readonly bounds: Bounds;
  readonly pages: readonly PageFacts[];
  readonly decodedBytes: number;
  readonly keptBytes: number;
  /** The values are mostly distinct: a dictionary was tried and given up for that. */
  readonly isDistinct: boolean;
}

/** The ColumnChunk of a rewritten column. Page indexes are added once they are written. */
export function chunkTree(source: ColumnChunk, summary: ChunkSummary, target: PhysicalTarget): ThriftStruct {
  const old = withoutFields(
    source.metadata,
    COLUMN_METADATA.indexPageOffset,
    COLUMN_METADATA.dictionaryPageOffset,
    COLUMN_METADATA.bloomFilterOffset,
    COLUMN_METADATA.bloomFilterLength,
    COLUMN_METADATA.sizeStatistics,
    COLUMN_METADATA.geospatialStatistics,
  );
  const metadata = withFields(
    old,
    i32Field(COLUMN_METADATA.type, codeOf(TYPES, target.type)),
    listField(COLUMN_METADATA.encodings, THRIFT.i32, summary.encodings),
    i32Field(COLUMN_METADATA.codec, codeOf(CODECS, summary.codec)),
    i64Field(COLUMN_METADATA.uncompressed, BigInt(summary.uncompressedBytes)),
    i64Field(COLUMN_METADATA.compressed, BigInt(summary.compressedBytes)),
    i64Field(COLUMN_METADATA.dataPageOffset, BigInt(summary.dataOffset)),
    ...(summary.dictionaryOffset === null
      ? []
      : [i64Field(COLUMN_METADATA.dictionaryPageOffset, BigInt(summary.dictionaryOffset))]),
    structField(COLUMN_METADATA.statistics, statisticsOf(summary.bounds, valueOrder(target))),
    ...(summary.encodingCounts === null ? [] : [encodingStats(summary.encodingCounts)]),
  );
  const bare = withoutFields(
    source.tree,
    COLUMN_CHUNK.offsetIndexOffset,
    COLUMN_CHUNK.offsetIndexLength,
    COLUMN_CHUNK.columnIndexOffset,
    COLUMN_CHUNK.columnIndexLength,
  );
  const fileOffset = movedFileOffset(source, summary.offset, BigInt(summary.dataOffset));
  return withFields(bare, i64Field(COLUMN_CHUNK.fileOffset, fileOffset), structField(COLUMN_CHUNK.metadata, metadata));
}

function encodingStats(counts: readonly EncodingCount[]): ReturnType<typeof listField> {
  const items = counts.map((one) =>
    struct(
      i32Field(PAGE_ENCODING_STATS.pageType, one.pageType),
      i32Field(PAGE_ENCODING_STATS.encoding, one.encoding),
      i32Field(PAGE_ENCODING_STATS.count, one.count),
    ),
  );
  return listField(COLUMN_METADATA.encodingStats, THRIFT.struct, items);
}

/** The ColumnChunk of an untouched column whose bytes now start at `offset`. */
export function movedChunkTree(source: ColumnChunk, offset: number): ThriftStruct {
  const shift = BigInt(offset - source.offset);
  const moved = [COLUMN_METADATA.dataPageOffset, COLUMN_METADATA.indexPageOffset, COLUMN_METADATA.dictionaryPageOffset].flatMap(
    (id) => {
      const old = bigintAt(source.metadata, id);
      // Zero stands for "none" with some writers and stays.
      return old === undefined || old === 0n ? [] : [i64Field(id, old + shift)];
    },
  );
  const dataOffset = (bigintAt(source.metadata, COLUMN_METADATA.dataPageOffset) ?? 0n) + shift;
  return withFields(
    source.tree,
    i64Field(COLUMN_CHUNK.fileOffset, movedFileOffset(source, offset, dataOffset)),
    structField(COLUMN_CHUNK.metadata, withFields(source.metadata, ...moved)),
  );
}

/**
 * The deprecated file_offset: writers put the first data page, the chunk's start, or zero there. Anything else
 * pointed to a copy of the metadata behind the chunk, which is not carried along: zero, as the format says now.
 */
function movedFileOffset(source: ColumnChunk, offset: number, dataOffset: bigint): bigint {
  const old = bigintAt(source.tree, COLUMN_CHUNK.fileOffset);
  if (old === bigintAt(source.metadata, COLUMN_METADATA.dataPageOffset)) return dataOffset;
  return old === BigInt(source.offset) ? BigInt(offset) : 0n;
}
