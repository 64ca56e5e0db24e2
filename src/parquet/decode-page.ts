// Opens one data page: decompresses it, finds its levels and its values. Definition levels say which values
// are there; repetition levels are carried along unread, so that nested leaves can be added here alone.
import type { ColumnChunk } from "./column-chunk.ts";
import type { DataPage } from "./chunk-pages.ts";
import { decompressor } from "./codecs/codec.ts";
import { corrupt, unsupported } from "./corrupt.ts";
import { bitPackedBytes, readBitPacked } from "./encodings/bit-packed-levels.ts";
import { type IntegerReader, readHybrid } from "./encodings/hybrid-decode.ts";
import { isDictionaryEncoding, readValues } from "./encodings/read-values.ts";
import { type ValueCursor, viewOf } from "./encodings/value-cursor.ts";
import type { DataPageHeader, DataPageV2Header } from "./page-header.ts";

export interface OpenPage {
  /** Nulls included. */
  readonly values: number;
  /** Null when every value is there (a required column). A value is there where its level is the maximum. */
  readonly definition: IntegerReader | null;
  readonly maxDefinition: number;
  readonly content: PageContent;
}

type PageContent =
  | { readonly kind: "indices"; readonly indices: IntegerReader }
  | { readonly kind: "values"; readonly cursor: ValueCursor };

interface Section {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

interface Parts {
  readonly definition: IntegerReader | null;
  readonly values: Section;
}

export function openPage(chunk: ColumnChunk, page: DataPage): OpenPage {
  const { header } = page;
  const { leaf } = chunk;
  if (leaf.maxRepetition > 0) throw unsupported(`Column "${leaf.path.join(".")}" is repeated`);
  const { definition, values } = header.version === 1 ? partsOfV1(chunk, header, page.body) : partsOfV2(chunk, header, page.body);
  const content: PageContent = isDictionaryEncoding(header.encoding)
    ? { kind: "indices", indices: readIndices(values) }
    : { kind: "values", cursor: readValues(header.encoding, leaf, values.bytes, values.start, values.end) };
  return { values: header.values, definition, maxDefinition: leaf.maxDefinition, content };
}

function levelWidth(maximum: number): number {
  return 32 - Math.clz32(maximum);
}

function partsOfV1(chunk: ColumnChunk, header: DataPageHeader, body: Uint8Array): Parts {
  const bytes = decompressor(chunk.codec)(body, header.uncompressedBytes);
  if (bytes.length !== header.uncompressedBytes) throw corrupt("An uncompressed page has two different sizes");
  const { maxDefinition } = chunk.leaf;
  if (maxDefinition === 0) return { definition: null, values: { bytes, start: 0, end: bytes.length } };
  const width = levelWidth(maxDefinition);
  if (header.definitionEncoding === "BIT_PACKED") {
    const end = bitPackedBytes(header.values, width);
    if (end > bytes.length) throw corrupt("A page has fewer levels than it claims");
    return { definition: readBitPacked(bytes, 0, end, width), values: { bytes, start: end, end: bytes.length } };
  }
  if (header.definitionEncoding !== "RLE") throw unsupported(`A page encodes its levels as ${header.definitionEncoding}`);
  if (bytes.length < 4) throw corrupt("A page ends before its levels");
  const end = 4 + viewOf(bytes).getUint32(0, true);
  if (end > bytes.length) throw corrupt("A page is shorter than its levels");
  return { definition: readHybrid(bytes, 4, end, width), values: { bytes, start: end, end: bytes.length } };
}

function partsOfV2(chunk: ColumnChunk, header: DataPageV2Header, body: Uint8Array): Parts {
  const levels = header.repetitionBytes + header.definitionBytes;
  if (levels > body.length || levels > header.uncompressedBytes) throw corrupt("A page is shorter than its levels");
  const stored = body.subarray(levels);
  const size = header.uncompressedBytes - levels;
  // Old parquet-cpp wrote the flag wrong; where the sizes differ the bytes are compressed whatever it says.
  const isPlain = !header.isCompressed && stored.length === size;
  // A page of nulls may hold no bytes at all, not even an empty compressed stream.
  const bytes = isPlain || stored.length === 0 ? stored : decompressor(chunk.codec)(stored, size);
  if (bytes.length !== size) throw corrupt("A page has two different sizes");
  const { maxDefinition } = chunk.leaf;
  const definition = maxDefinition === 0 ? null : readHybrid(body, header.repetitionBytes, levels, levelWidth(maxDefinition));
  return { definition, values: { bytes, start: 0, end: bytes.length } };
}

/** Indices after the byte that tells their width; without a byte there can be no index. */
function readIndices({ bytes, start, end }: Section): IntegerReader {
  const width = bytes[start];
  if (start >= end || width === undefined) return readHybrid(bytes, end, end, 0);
  return readHybrid(bytes, start + 1, end, width);
}
