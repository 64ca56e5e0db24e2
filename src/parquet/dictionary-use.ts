// Which dictionary entries the pages of a chunk use, and how often. Index pages are decompressed and their
// indices read; no value is decoded.
import type { ChunkReader, DataPage } from "./chunk-pages.ts";
import type { ColumnChunk } from "./column-chunk.ts";
import { readLevels } from "./convert-page.ts";
import { corrupt } from "./corrupt.ts";
import { openPage } from "./decode-page.ts";
import { isDictionaryEncoding } from "./encodings/read-values.ts";

export interface EntryUse {
  /** Uses by entry. */
  readonly counts: Float64Array;
  nulls: number;
}

const BATCH = 4096;

export function noUse(entries: number): EntryUse {
  return { counts: new Float64Array(entries), nulls: 0 };
}

/** Adds one page of indices; may stop early where `isEnough` says so, and then neither uses nor nulls are complete. */
export function addUse(use: EntryUse, chunk: ColumnChunk, page: DataPage, isEnough: () => boolean = () => false): void {
  const { definition, maxDefinition, content, values } = openPage(chunk, page);
  if (content.kind !== "indices") throw notAnIndexPage(chunk);
  const { counts } = use;
  const batch = new Int32Array(BATCH);
  for (let done = 0; done < values && !isEnough(); done += BATCH) {
    const count = Math.min(BATCH, values - done);
    const present = definition === null ? count : readLevels(definition, batch, count, maxDefinition);
    use.nulls += count - present;
    content.indices.read(batch, present);
    for (let at = 0; at < present; at++) {
      const index = batch[at] ?? 0;
      if (index < 0 || index >= counts.length) throw corrupt(`A page uses dictionary entry ${index} of ${counts.length}`);
      counts[index] = (counts[index] ?? 0) + 1;
    }
  }
}

export function notAnIndexPage(chunk: ColumnChunk): Error {
  return corrupt(
    `The footer counts only dictionary-encoded pages in column "${chunk.leaf.path.join(".")}", and another is there`,
  );
}

/**
 * Are all data pages indices into the dictionary? Told by the footer where it counts encodings a page, or
 * where it lists no other; else the page headers are walked.
 */
export async function isAllDictionary(reader: ChunkReader): Promise<boolean> {
  const { chunk } = reader;
  if (chunk.dataPageEncodings !== null && chunk.dataPageEncodings.length > 0)
    return chunk.dataPageEncodings.every(isDictionaryEncoding);
  const ofValues = chunk.encodings.filter((name) => name !== "RLE" && name !== "BIT_PACKED");
  if (!ofValues.some(isDictionaryEncoding)) return false;
  if (ofValues.every((name) => name === "PLAIN_DICTIONARY")) return true;
  // PLAIN beside RLE_DICTIONARY may be the dictionary page's own encoding or that of plain pages.
  for await (const page of reader.dataPages()) if (!isDictionaryEncoding(page.header.encoding)) return false;
  return true;
}
