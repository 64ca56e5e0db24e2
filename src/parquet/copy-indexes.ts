// Carries the page indexes and bloom filters of untouched columns into the new file, and writes the page
// indexes of rewritten ones. They lie behind the column chunks, where most writers put them.
import type { ChunkSummary } from "./chunk-summary.ts";
import { type ColumnChunk, optionalCount } from "./column-chunk.ts";
import { corrupt } from "./corrupt.ts";
import type { ByteSource } from "./file-io.ts";
import type { FileWriter } from "./file-writer.ts";
import { BLOOM_FILTER_HEADER, COLUMN_CHUNK, COLUMN_METADATA } from "./format.ts";
import { columnIndex, offsetIndex, shiftOffsetIndex } from "./page-index.ts";
import { readStruct, ThriftTruncated } from "./thrift-read.ts";
import { hasField, i32Field, i64Field, numberAt, structAt, structField, type ThriftStruct, withFields } from "./thrift-tree.ts";
import type { ValueOrder } from "./value-order.ts";

/** A chunk that is in the new file; `tree` is completed here. */
export interface WrittenChunk {
  readonly source: ColumnChunk;
  readonly offset: number;
  /** For a rewritten column. */
  readonly rewritten: { readonly summary: ChunkSummary; readonly order: ValueOrder } | null;
  tree: ThriftStruct;
}

/** A header holds four small fields. */
const BLOOM_HEADER_BYTES = 64;
/** Offset indexes closer than this are fetched with one request. */
const JOIN_GAP_BYTES = 64 * 1024;
const JOIN_MAX_BYTES = 8 * 1024 * 1024;

interface Stretch {
  readonly offset: number;
  readonly lengthBytes: number;
}

export async function writeIndexes(source: ByteSource, writer: FileWriter, chunks: readonly WrittenChunk[]): Promise<void> {
  await copyBloomFilters(source, writer, chunks);
  await writeColumnIndexes(source, writer, chunks);
  await writeOffsetIndexes(source, writer, chunks);
}

function within(source: ByteSource, what: string, offset: number, lengthBytes: number): Stretch {
  if (offset < 4 || lengthBytes <= 0 || offset + lengthBytes > source.sizeBytes) throw corrupt(`A ${what} lies outside the file`);
  return { offset, lengthBytes };
}

async function copyBloomFilters(source: ByteSource, writer: FileWriter, chunks: readonly WrittenChunk[]): Promise<void> {
  const withFilter = chunks.filter(
    (one) => one.rewritten === null && hasField(one.source.metadata, COLUMN_METADATA.bloomFilterOffset),
  );
  const offsetOf = (one: WrittenChunk): number => optionalCount(one.source.metadata, COLUMN_METADATA.bloomFilterOffset);
  for (const chunk of withFilter.sort((a, b) => offsetOf(a) - offsetOf(b))) {
    const { metadata } = chunk.source;
    const stated = numberAt(metadata, COLUMN_METADATA.bloomFilterLength);
    const length = stated ?? (await bloomFilterLength(source, offsetOf(chunk)));
    const { offset, lengthBytes } = within(source, "bloom filter", offsetOf(chunk), length);
    const moved = writer.position;
    await writer.copy(offset, lengthBytes);
    const now = structAt(chunk.tree, COLUMN_CHUNK.metadata);
    if (now === undefined) continue;
    const field = structField(COLUMN_CHUNK.metadata, withFields(now, i64Field(COLUMN_METADATA.bloomFilterOffset, BigInt(moved))));
    chunk.tree = withFields(chunk.tree, field);
  }
}

/** Older writers do not state the length: the filter's own header tells it. */
async function bloomFilterLength(source: ByteSource, offset: number): Promise<number> {
  const available = Math.min(BLOOM_HEADER_BYTES, source.sizeBytes - offset);
  if (offset < 4 || available <= 0) throw corrupt("A bloom filter lies outside the file");
  try {
    const { value, end } = readStruct(await source.read(offset, available));
    return end + (numberAt(value, BLOOM_FILTER_HEADER.bytes) ?? 0);
  } catch (error) {
    if (error instanceof ThriftTruncated) throw corrupt("The header of a bloom filter is cut off");
    throw error;
  }
}

function stretchOf(source: ByteSource, tree: ThriftStruct, what: string, offsetId: number, lengthId: number): Stretch | null {
  if (!hasField(tree, offsetId) || !hasField(tree, lengthId)) return null;
  return within(source, what, optionalCount(tree, offsetId), numberAt(tree, lengthId) ?? 0);
}

function columnIndexOf(source: ByteSource, chunk: ColumnChunk): Stretch | null {
  return stretchOf(source, chunk.tree, "column index", COLUMN_CHUNK.columnIndexOffset, COLUMN_CHUNK.columnIndexLength);
}

function offsetIndexOf(source: ByteSource, chunk: ColumnChunk): Stretch | null {
  return stretchOf(source, chunk.tree, "offset index", COLUMN_CHUNK.offsetIndexOffset, COLUMN_CHUNK.offsetIndexLength);
}

async function writeColumnIndexes(source: ByteSource, writer: FileWriter, chunks: readonly WrittenChunk[]): Promise<void> {
  for (const chunk of chunks) {
    const old = columnIndexOf(source, chunk.source);
    if (old === null) continue;
    const offset = writer.position;
    if (chunk.rewritten === null) await writer.copy(old.offset, old.lengthBytes);
    else {
      const index = columnIndex(chunk.rewritten.summary.pages, chunk.rewritten.order);
      if (index === null) continue;
      await writer.write(index);
    }
    chunk.tree = withFields(
      chunk.tree,
      i64Field(COLUMN_CHUNK.columnIndexOffset, BigInt(offset)),
      i32Field(COLUMN_CHUNK.columnIndexLength, writer.position - offset),
    );
  }
}

async function writeOffsetIndexes(source: ByteSource, writer: FileWriter, chunks: readonly WrittenChunk[]): Promise<void> {
  const read = joinedReader(
    source,
    chunks.flatMap((chunk) => (chunk.rewritten === null ? (offsetIndexOf(source, chunk.source) ?? []) : [])),
  );
  for (const chunk of chunks) {
    const old = offsetIndexOf(source, chunk.source);
    if (old === null) continue;
    const offset = writer.position;
    const index =
      chunk.rewritten === null
        ? shiftOffsetIndex(await read(old), chunk.offset - chunk.source.offset)
        : offsetIndex(chunk.rewritten.summary.pages);
    await writer.write(index);
    chunk.tree = withFields(
      chunk.tree,
      i64Field(COLUMN_CHUNK.offsetIndexOffset, BigInt(offset)),
      i32Field(COLUMN_CHUNK.offsetIndexLength, index.length),
    );
  }
}

/** Reads stretches that lie close together with one request. */
function joinedReader(source: ByteSource, stretches: readonly Stretch[]): (stretch: Stretch) => Promise<Uint8Array> {
  const sorted = [...stretches].sort((a, b) => a.offset - b.offset);
  let bytes: Uint8Array = new Uint8Array(0);
  let start = 0;
  return async ({ offset, lengthBytes }) => {
    if (offset < start || offset + lengthBytes > start + bytes.length) {
      let end = offset + lengthBytes;
      for (const next of sorted) {
        const nextEnd = next.offset + next.lengthBytes;
        if (next.offset < offset || nextEnd <= end) continue;
        if (next.offset - end > JOIN_GAP_BYTES || nextEnd - offset > JOIN_MAX_BYTES) break;
        end = nextEnd;
      }
      start = offset;
      bytes = await source.read(offset, end - offset);
      if (bytes.length !== end - offset) throw corrupt("The file ended before its size was reached");
    }
    return bytes.subarray(offset - start, offset - start + lengthBytes);
  };
}
