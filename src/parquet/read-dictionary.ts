// Decodes the dictionary page of a chunk into its entries. Knows nothing of who uses them.
import type { ColumnChunk } from "./column-chunk.ts";
import type { DictionaryPage } from "./chunk-pages.ts";
import { decompressor } from "./codecs/codec.ts";
import { corrupt } from "./corrupt.ts";
import { readPlain } from "./encodings/plain-decode.ts";
import { fixedWidth, type ValueCursor } from "./encodings/value-cursor.ts";
import type { ColumnValue } from "./physical.ts";

export function readDictionary(chunk: ColumnChunk, page: DictionaryPage): readonly ColumnValue[] {
  const { header, body } = page;
  const name = chunk.leaf.path.join(".");
  if (header.encoding !== "PLAIN" && header.encoding !== "PLAIN_DICTIONARY") {
    throw corrupt(`The dictionary of column "${name}" uses encoding ${header.encoding}`);
  }
  const bytes = decompressor(chunk.codec)(body, header.uncompressedBytes);
  const isBoolean = chunk.leaf.type === "BOOLEAN";
  const leastBytes = isBoolean ? 1 / 8 : fixedWidth(chunk.leaf) || 4;
  if (header.values * leastBytes > bytes.length) throw corrupt(`The dictionary of column "${name}" is shorter than it claims`);
  const cursor = readPlain(chunk.leaf, bytes, 0, bytes.length);
  const entries: ColumnValue[] = [];
  for (let index = 0; index < header.values; index++) entries.push(takeValue(cursor));
  return entries;
}

/** The next value by itself. Bytes are a view: valid until the cursor moves, or as long as its page where it never copies. */
export function takeValue(cursor: ValueCursor): ColumnValue {
  if (cursor.kind === "scalar") return cursor.next();
  cursor.next();
  return cursor.bytes.subarray(cursor.start, cursor.end);
}
