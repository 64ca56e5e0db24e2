// Rewrites one column chunk by decoding every page, converting and encoding it again: same pages, same rows.
// For chunks with plain pages, or whose dictionary cannot stand for the new values.
import { type ChunkReader } from "./chunk-pages.ts";
import { type ChunkEncoder, chunkEncoder, type EncodedChunk } from "./chunk-encoder.ts";
import type { ChunkSummary, EncodingCount, PageFacts } from "./chunk-summary.ts";
import { compressor, writtenCodec } from "./codecs/codec.ts";
import type { ColumnRewrite } from "./column-rewrite.ts";
import { type ConversionFailure, pageConverter } from "./convert-page.ts";
import { openPage } from "./decode-page.ts";
import type { FileWriter } from "./file-writer.ts";
import { codeOf, type Encoding, ENCODINGS, PAGE_TYPE } from "./format.ts";
import { readDictionary } from "./read-dictionary.ts";

export async function rewriteDecodedChunk(
  reader: ChunkReader,
  rewrite: ColumnRewrite,
  writer: FileWriter,
  trialValues: number,
): Promise<ChunkSummary | ConversionFailure> {
  const { chunk } = reader;
  const codec = writtenCodec(chunk.codec);
  const encoder = chunkEncoder({
    target: rewrite.target,
    isRequired: rewrite.required,
    compress: compressor(codec),
    namesPlainDictionary: chunk.encodings.includes("PLAIN_DICTIONARY"),
    trialValues,
  });
  const failure = await encodePages(reader, rewrite, encoder);
  if (failure !== null) return failure;
  const encoded = encoder.finish();
  const offset = writer.position;
  let uncompressedBytes = 0;
  if (encoded.dictionary !== null) {
    await writer.write(encoded.dictionary.header);
    await writer.write(encoded.dictionary.body);
    uncompressedBytes += encoded.dictionary.uncompressedBytes;
  }
  const dataOffset = writer.position;
  const pages: PageFacts[] = [];
  for (const page of encoded.pages) {
    const bytes = page.header.length + page.body.length;
    pages.push({ offset: writer.position, bytes, values: page.values, bounds: page.bounds });
    uncompressedBytes += page.uncompressedBytes;
    await writer.write(page.header);
    await writer.write(page.body);
  }
  return {
    offset,
    dictionaryOffset: encoded.dictionary === null ? null : offset,
    dataOffset,
    compressedBytes: writer.position - offset,
    uncompressedBytes,
    codec,
    ...encodingsOf(encoded),
    bounds: encoded.bounds,
    pages,
    decodedBytes: chunk.compressedBytes,
    keptBytes: 0,
    isDistinct: encoded.isDistinct,
  };
}

async function encodePages(
  reader: ChunkReader,
  rewrite: ColumnRewrite,
  encoder: ChunkEncoder,
): Promise<ConversionFailure | null> {
  const page = await reader.dictionary();
  const dictionary = page === null ? [] : readDictionary(reader.chunk, page);
  const converter = pageConverter(rewrite, encoder, dictionary);
  for await (const page of reader.dataPages()) {
    const failure = converter.convert(openPage(reader.chunk, page));
    if (failure !== null) return failure;
    encoder.endPage(page.header.version, page.header.crc !== null);
  }
  return null;
}

function encodingsOf(encoded: EncodedChunk): Pick<ChunkSummary, "encodings" | "encodingCounts"> {
  const counts: EncodingCount[] = [];
  const add = (pageType: number, name: Encoding): void => {
    const encoding = codeOf(ENCODINGS, name);
    const at = counts.findIndex((one) => one.pageType === pageType && one.encoding === encoding);
    const found = counts[at];
    if (found === undefined) counts.push({ pageType, encoding, count: 1 });
    else counts[at] = { ...found, count: found.count + 1 };
  };
  if (encoded.dictionary !== null) add(PAGE_TYPE.dictionary, encoded.dictionaryEncoding);
  for (const page of encoded.pages) add(page.version === 1 ? PAGE_TYPE.data : PAGE_TYPE.dataV2, page.encoding);
  const encodings = [...new Set([codeOf(ENCODINGS, "RLE"), ...counts.map((one) => one.encoding)])];
  return { encodings, encodingCounts: counts };
}
