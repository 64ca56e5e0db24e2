// Rewrites one column chunk by its dictionary page alone: entries are converted, pages of indices keep their
// compressed bytes and get headers without the old statistics. Where that cannot be, it says so before writing.
import { type Bounds, noBounds, widen } from "./bounds.ts";
import type { ChunkReader, DataPage, DictionaryPage } from "./chunk-pages.ts";
import type { ChunkSummary, PageFacts } from "./chunk-summary.ts";
import { compressor, writtenCodec } from "./codecs/codec.ts";
import { type ColumnRewrite, FAILED } from "./column-rewrite.ts";
import { addUse, type EntryUse, isAllDictionary, notAnIndexPage, noUse } from "./dictionary-use.ts";
import { isDictionaryEncoding } from "./encodings/read-values.ts";
import type { FileWriter } from "./file-writer.ts";
import { COLUMN_METADATA, type Encoding } from "./format.ts";
import { outputDictionary } from "./output-dictionary.ts";
import { encodeDictionaryPage } from "./page-encoder.ts";
import { headerWithoutStatistics } from "./page-header.ts";
import type { ColumnValue, PhysicalTarget } from "./physical.ts";
import { plainWriter } from "./plain-writer.ts";
import { readDictionary } from "./read-dictionary.ts";
import { itemsAt } from "./thrift-tree.ts";
import { writeStruct } from "./thrift-write.ts";
import { storedScalar, type ValueOrder, valueOrder } from "./value-order.ts";

/** Null: the pages have to be decoded. */
export async function rewriteKeptDictionary(
  reader: ChunkReader,
  rewrite: ColumnRewrite,
  writer: FileWriter,
): Promise<ChunkSummary | null> {
  const { chunk } = reader;
  const isSameShape = (chunk.leaf.maxDefinition === 0) === rewrite.required;
  const canHold = rewrite.target.type !== "BOOLEAN" && writtenCodec(chunk.codec) === chunk.codec;
  if (!isSameShape || !canHold || !(await isAllDictionary(reader))) return null;
  const page = await reader.dictionary();
  const converted = page === null ? { entries: [], use: null } : await convertEntries(reader, page, rewrite);
  if (converted === null) return null;
  const { entries } = converted;
  const order = valueOrder(rewrite.target);
  const search = converted.use === null ? boundsSearch(entries, order) : null;
  const use = converted.use ?? noUse(entries.length);
  const needsNulls = converted.use === null && chunk.leaf.maxDefinition > 0 && chunk.nulls === null;
  const isEnough = (): boolean => !needsNulls && (search === null || search.isDone(use));

  const offset = writer.position;
  let uncompressedBytes = 0;
  let decodedBytes = 0;
  if (page !== null) {
    const encoding: Encoding = page.header.encoding === "PLAIN" ? "PLAIN" : "PLAIN_DICTIONARY";
    const plain = plainWriter(rewrite.target);
    for (const entry of entries) plain.append(entry);
    const encoded = encodeDictionaryPage(
      plain.bytes(),
      entries.length,
      encoding,
      compressor(chunk.codec),
      page.header.crc !== null,
    );
    await writer.write(encoded.header);
    await writer.write(encoded.body);
    uncompressedBytes += encoded.uncompressedBytes;
    decodedBytes += page.headerBytes + page.body.length;
  }
  const dataOffset = writer.position;
  const pages: PageFacts[] = [];
  for await (const data of reader.dataPages()) {
    if (!isDictionaryEncoding(data.header.encoding)) throw notAnIndexPage(chunk);
    if (!isEnough()) {
      addUse(use, chunk, data, isEnough);
      decodedBytes += data.body.length;
    }
    const header = keptHeader(data);
    pages.push({ offset: writer.position, bytes: header.length + data.body.length, values: data.header.values, bounds: null });
    await writer.write(header);
    await writer.write(data.body);
    uncompressedBytes += header.length + data.header.uncompressedBytes;
  }
  const bounds = usedBounds(entries, use, search, order);
  bounds.nulls = needsNulls || converted.use !== null ? use.nulls : Number(chunk.nulls ?? 0n);
  return {
    offset,
    dictionaryOffset: page === null ? null : offset,
    dataOffset,
    compressedBytes: writer.position - offset,
    uncompressedBytes,
    codec: chunk.codec,
    encodings: (itemsAt(chunk.metadata, COLUMN_METADATA.encodings) ?? []).filter((code) => typeof code === "number"),
    encodingCounts: null,
    bounds,
    pages,
    decodedBytes,
    keptBytes: chunk.compressedBytes - decodedBytes,
    isDistinct: false,
  };
}

function keptHeader(page: DataPage): Uint8Array {
  const changed = headerWithoutStatistics(page.header);
  return changed === null ? page.rawHeader : writeStruct(changed);
}

/**
 * Every entry's new value; null when the pages must be decoded. Entries that convert to null, to NaN or not at
 * all make the uses count: those that no row uses are harmless.
 */
async function convertEntries(
  reader: ChunkReader,
  page: DictionaryPage,
  rewrite: ColumnRewrite,
): Promise<{ readonly entries: readonly ColumnValue[]; readonly use: EntryUse | null } | null> {
  const outcomes = readDictionary(reader.chunk, page).map((entry) => {
    const outcome = rewrite.convert(entry);
    if (!isValue(outcome)) return outcome;
    return outcome instanceof Uint8Array ? outcome.slice() : storedScalar(rewrite.target, outcome);
  });
  if (outcomes.every((outcome) => isPlainValue(outcome))) {
    const entries = outcomes.filter((outcome) => isPlainValue(outcome));
    return isFit(entries, rewrite.target) ? { entries, use: null } : null;
  }
  const use = noUse(outcomes.length);
  for await (const data of reader.dataPages()) addUse(use, reader.chunk, data);
  // An entry that no row uses takes the value of one that is used: it must be some value.
  const stand = outcomes.find((outcome, index) => isValue(outcome) && (use.counts[index] ?? 0) > 0);
  const entries: ColumnValue[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (isValue(outcome)) entries.push(outcome);
    else if (stand !== undefined && isValue(stand) && use.counts[index] === 0) entries.push(stand);
    else return null;
  }
  return isFit(entries, rewrite.target) ? { entries, use } : null;
}

function isValue(outcome: ColumnValue | null | typeof FAILED): outcome is ColumnValue {
  return outcome !== null && outcome !== FAILED;
}

function isPlainValue(outcome: ColumnValue | null | typeof FAILED): outcome is ColumnValue {
  return isValue(outcome) && !Number.isNaN(outcome);
}

/** Readers that keep dictionaries of byte arrays take each entry for a different value. */
function isFit(entries: readonly ColumnValue[], target: PhysicalTarget): boolean {
  if (target.type !== "BYTE_ARRAY") return true;
  const distinct = outputDictionary(target);
  return entries.every((entry, index) => distinct.slotOf(entry) === index);
}

interface BoundsSearch {
  /** Are the smallest and the largest entry known to be used? */
  isDone(use: EntryUse): boolean;
  readonly extremes: Bounds;
}

function boundsSearch(entries: readonly ColumnValue[], order: ValueOrder): BoundsSearch {
  const extremes = noBounds();
  for (const entry of entries) widen(extremes, order, entry);
  const places = (extreme: ColumnValue | null): readonly number[] =>
    extreme === null ? [] : entries.flatMap((entry, index) => (order.compare(entry, extreme) === 0 ? [index] : []));
  const lowest = places(extremes.lower);
  const highest = places(extremes.upper);
  const isUsed = (use: EntryUse, indices: readonly number[]): boolean => indices.some((index) => (use.counts[index] ?? 0) > 0);
  return { extremes, isDone: (use) => isUsed(use, lowest) && isUsed(use, highest) };
}

function usedBounds(entries: readonly ColumnValue[], use: EntryUse, search: BoundsSearch | null, order: ValueOrder): Bounds {
  if (search?.isDone(use) === true) return { ...search.extremes };
  const bounds = noBounds();
  for (const [index, entry] of entries.entries()) {
    const count = use.counts[index] ?? 0;
    if (order.hasNans && Number.isNaN(entry)) bounds.nans += count;
    else if (count > 0) widen(bounds, order, entry);
  }
  return bounds;
}
