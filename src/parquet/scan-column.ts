// Walks the values of one column for a preflight, reading as little as decides: a chunk that is all dictionary
// shows its entries, and its pages are opened only when uses must be counted. Writes nothing.
import { type ByteTable, byteTable } from "./byte-table.ts";
import { checkColumn } from "./check-rewrite.ts";
import { type ChunkReader, openChunk } from "./chunk-pages.ts";
import { loadCodecs } from "./codecs/codec.ts";
import { readLevels } from "./convert-page.ts";
import { corrupt } from "./corrupt.ts";
import { type OpenPage, openPage } from "./decode-page.ts";
import { addUse, isAllDictionary, noUse } from "./dictionary-use.ts";
import { type BytesCursor, transientBytes } from "./encodings/value-cursor.ts";
import type { ByteSource } from "./file-io.ts";
import type { Footer } from "./footer.ts";
import type { ColumnValue } from "./physical.ts";
import { readDictionary } from "./read-dictionary.ts";

export interface ColumnVisitor {
  /** Must the rows with this value be counted? Asked at least once a distinct value; also for dictionary entries that no row uses. */
  counts(value: ColumnValue): boolean;
  /** `rows` more rows hold this value, one that counts. Bytes are valid during the call only. */
  found(value: ColumnValue, rows: number): void;
}

export type ScanAnswer =
  | {
      readonly state: "scanned";
      readonly rows: bigint;
      /** Null when neither statistics nor opened pages told. */
      readonly nulls: bigint | null;
      /** Bytes asked of the source, the footer apart. */
      readonly bytesRead: number;
    }
  | { readonly state: "absent" }
  | { readonly state: "unsupported"; readonly column: string; readonly why: string };

const BATCH = 4096;
const MEMO_ENTRIES = 1 << 16;
const MEMO_BYTES = 8 * 1024 * 1024;
/** After this many values, a memo of mostly distinct ones costs more than it saves. */
const TRIAL_VALUES = 8192;

export async function scanColumn(
  source: ByteSource,
  footer: Footer,
  fieldId: number,
  visitor: ColumnVisitor,
): Promise<ScanAnswer> {
  const check = checkColumn(footer, fieldId);
  if (check.state !== "ready") return check;
  const chunks = footer.rowGroups.flatMap((group) => group.chunks[check.leaf.index] ?? []);
  await loadCodecs(new Set(chunks.map((chunk) => chunk.codec)));
  let nulls: bigint | null = 0n;
  let bytesRead = 0;
  for (const chunk of chunks) {
    const reader = openChunk(source, chunk);
    const ofChunk: bigint | null = (await isAllDictionary(reader))
      ? await scanDictionary(reader, visitor)
      : await scanPages(reader, visitor);
    nulls = nulls === null || ofChunk === null ? null : nulls + ofChunk;
    bytesRead += reader.bytesRead();
  }
  return { state: "scanned", rows: BigInt(footer.rows), nulls, bytesRead };
}

async function scanDictionary(reader: ChunkReader, visitor: ColumnVisitor): Promise<bigint | null> {
  const { chunk } = reader;
  const page = await reader.dictionary();
  const entries = page === null ? [] : readDictionary(chunk, page);
  const wanted = entries.map((entry) => visitor.counts(entry));
  if (!wanted.includes(true)) return chunk.leaf.maxDefinition === 0 ? 0n : chunk.nulls;
  const use = noUse(entries.length);
  for await (const data of reader.dataPages()) addUse(use, chunk, data);
  for (const [index, entry] of entries.entries()) {
    const rows = use.counts[index] ?? 0;
    if (wanted[index] === true && rows > 0) visitor.found(entry, rows);
  }
  return BigInt(use.nulls);
}

async function scanPages(reader: ChunkReader, visitor: ColumnVisitor): Promise<bigint> {
  const dictionary = await reader.dictionary();
  const entries = dictionary === null ? [] : readDictionary(reader.chunk, dictionary);
  const scanner = pageScanner(entries, visitor);
  let nulls = 0;
  for await (const page of reader.dataPages()) nulls += scanner(openPage(reader.chunk, page));
  return BigInt(nulls);
}

/** Shows the values of a page; gives its nulls. */
function pageScanner(entries: readonly ColumnValue[], visitor: ColumnVisitor): (page: OpenPage) => number {
  const batch = new Int32Array(BATCH);
  const wanted: (boolean | undefined)[] = Array.from({ length: entries.length });
  const visitBytes = bytesVisitor(visitor);
  const visitEntry = (index: number): void => {
    const entry = entries[index];
    if (entry === undefined) throw corrupt(`A page uses dictionary entry ${index} of ${entries.length}`);
    const counts = wanted[index] ?? visitor.counts(entry);
    wanted[index] = counts;
    if (counts) visitor.found(entry, 1);
  };
  return ({ definition, maxDefinition, content, values }) => {
    let nulls = 0;
    for (let done = 0; done < values; done += BATCH) {
      const count = Math.min(BATCH, values - done);
      const present = definition === null ? count : readLevels(definition, batch, count, maxDefinition);
      nulls += count - present;
      if (content.kind === "indices") {
        content.indices.read(batch, present);
        for (let at = 0; at < present; at++) visitEntry(batch[at] ?? 0);
      } else if (content.cursor.kind === "bytes") {
        for (let at = 0; at < present; at++) visitBytes(content.cursor);
      } else {
        for (let at = 0; at < present; at++) {
          const value = content.cursor.next();
          if (visitor.counts(value)) visitor.found(value, 1);
        }
      }
    }
    return nulls;
  };
}

/** Values that come again are recognised, as long as that pays. */
function bytesVisitor(visitor: ColumnVisitor): (cursor: BytesCursor) => void {
  let memo: ByteTable | null = byteTable();
  const wanted: boolean[] = [];
  const transient = transientBytes();
  let seen = 0;
  return (cursor) => {
    cursor.next();
    const { bytes, start, end } = cursor;
    if (memo !== null) {
      seen++;
      const known = memo.find(bytes, start, end);
      if (known >= 0) {
        if (wanted[known] === true) visitor.found(transient(bytes, start, end), 1);
        return;
      }
    }
    const value = transient(bytes, start, end);
    const counts = visitor.counts(value);
    if (counts) visitor.found(value, 1);
    if (memo === null) return;
    if (memo.size < MEMO_ENTRIES && memo.sizeBytes < MEMO_BYTES) wanted[memo.add(bytes, start, end)] = counts;
    if (seen >= TRIAL_VALUES && memo.size * 2 > seen) memo = null;
  };
}
