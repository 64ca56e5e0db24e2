// Turns levels and values of one page into its bytes, in the data page version asked for: levels as RLE,
// values as PLAIN or as indices. Knows one page; what goes into it is decided by chunk-encoder.ts.
import type { Compress } from "./codecs/codec.ts";
import { crc32 } from "./crc32.ts";
import { indexWidth, writeHybrid } from "./encodings/hybrid-encode.ts";
import type { Encoding } from "./format.ts";
import { dataPageHeader, dataPageV2Header, dictionaryPageHeader } from "./page-header.ts";
import { writeStruct } from "./thrift-write.ts";

export interface EncodedPage {
  readonly header: Uint8Array;
  readonly body: Uint8Array;
  readonly uncompressedBytes: number;
}

export interface PageContentToWrite {
  readonly version: 1 | 2;
  readonly compress: Compress;
  /** Pages of the source had checksums, so these do. */
  readonly hasCrc: boolean;
  /** Nulls included. */
  readonly values: number;
  readonly nulls: number;
  /** One level a value; null for a required column. */
  readonly levels: Uint8Array | null;
  readonly encoding: Encoding;
  readonly content: Uint8Array;
}

export function encodePage(page: PageContentToWrite): EncodedPage {
  return page.version === 1 ? encodeV1(page) : encodeV2(page);
}

function levelBytes(page: PageContentToWrite): Uint8Array {
  return page.levels === null ? new Uint8Array(0) : writeHybrid(page.levels, page.values, 1);
}

function encodeV1(page: PageContentToWrite): EncodedPage {
  const levels = levelBytes(page);
  const prefix = page.levels === null ? 0 : 4;
  const plain = new Uint8Array(prefix + levels.length + page.content.length);
  if (prefix > 0) new DataView(plain.buffer).setUint32(0, levels.length, true);
  plain.set(levels, prefix);
  plain.set(page.content, prefix + levels.length);
  const body = page.compress(plain);
  const header = dataPageHeader({
    uncompressedBytes: plain.length,
    compressedBytes: body.length,
    crc: page.hasCrc ? crc32(body) : null,
    values: page.values,
    encoding: page.encoding,
  });
  return finished(header, body, plain.length);
}

function encodeV2(page: PageContentToWrite): EncodedPage {
  const levels = levelBytes(page);
  // Without a value there is nothing to compress; readers take the empty section as it is.
  const stored = page.content.length === 0 ? page.content : page.compress(page.content);
  const body = new Uint8Array(levels.length + stored.length);
  body.set(levels);
  body.set(stored, levels.length);
  const uncompressedBytes = levels.length + page.content.length;
  const header = dataPageV2Header({
    uncompressedBytes,
    compressedBytes: body.length,
    crc: page.hasCrc ? crc32(body) : null,
    values: page.values,
    encoding: page.encoding,
    nulls: page.nulls,
    definitionBytes: levels.length,
  });
  return finished(header, body, uncompressedBytes);
}

/** `plain` holds the entries as PLAIN. */
export function encodeDictionaryPage(
  plain: Uint8Array,
  entries: number,
  encoding: Encoding,
  compress: Compress,
  hasCrc: boolean,
): EncodedPage {
  const body = compress(plain);
  const header = dictionaryPageHeader({
    uncompressedBytes: plain.length,
    compressedBytes: body.length,
    crc: hasCrc ? crc32(body) : null,
    values: entries,
    encoding,
  });
  return finished(header, body === plain ? plain.slice() : body, plain.length);
}

function finished(tree: Parameters<typeof writeStruct>[0], body: Uint8Array, plainBytes: number): EncodedPage {
  const header = writeStruct(tree);
  return { header, body, uncompressedBytes: header.length + plainBytes };
}

/** The value section of a page of indices: the byte that tells their width, then the indices. */
export function encodeIndices(slots: Int32Array, count: number, dictionarySize: number): Uint8Array {
  const width = indexWidth(dictionarySize);
  const packed = writeHybrid(slots, count, width);
  const section = new Uint8Array(1 + packed.length);
  section[0] = width;
  section.set(packed, 1);
  return section;
}
