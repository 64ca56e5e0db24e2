// Feeds the values of one source page through the conversion into the encoder. Values that come again are
// recognised by their bytes or their dictionary index and converted once. Knows no page bytes.
import { type ByteTable, byteTable } from "./byte-table.ts";
import type { ChunkEncoder } from "./chunk-encoder.ts";
import { type ColumnRewrite, FAILED } from "./column-rewrite.ts";
import { corrupt } from "./corrupt.ts";
import type { OpenPage } from "./decode-page.ts";
import type { IntegerReader } from "./encodings/hybrid-decode.ts";
import { type BytesCursor, type ScalarCursor, transientBytes } from "./encodings/value-cursor.ts";
import type { ColumnValue } from "./physical.ts";

/** Why a column could not be written. */
export type ConversionFailure = "value-failed" | "null-in-required";

export interface PageConverter {
  convert(page: OpenPage): ConversionFailure | null;
}

/** Small enough for the processor's cache, large enough that the loop counts and not its frame. */
const BATCH = 4096;
/** What a memo of seen values may hold. */
const MEMO_ENTRIES = 1 << 17;
const MEMO_BYTES = 8 * 1024 * 1024;

const UNSEEN = -1;
const NULL_SLOT = -2;

type Outcome = ColumnValue | null;

/** `dictionary` are the entries of the source's dictionary page, converted when first used. */
export function pageConverter(rewrite: ColumnRewrite, encoder: ChunkEncoder, dictionary: readonly ColumnValue[]): PageConverter {
  const levels = new Int32Array(BATCH);
  const indices = new Int32Array(BATCH);
  const outcomes: (Outcome | undefined)[] = Array.from({ length: dictionary.length });
  const entrySlots = new Int32Array(dictionary.length).fill(UNSEEN);
  const memo: ByteTable = byteTable();
  const memoSlots: number[] = [];
  const transient = transientBytes();

  const put = (outcome: Outcome): ConversionFailure | null => {
    if (outcome !== null) encoder.append(outcome);
    else if (rewrite.required) return "null-in-required";
    else encoder.appendNull();
    return null;
  };
  const outcomeOf = (index: number): Outcome | typeof FAILED => {
    const known = outcomes[index];
    if (known !== undefined) return known;
    const entry = dictionary[index];
    if (entry === undefined) throw corrupt(`A page uses dictionary entry ${index} of ${dictionary.length}`);
    const outcome = rewrite.convert(entry);
    if (outcome !== FAILED) outcomes[index] = outcome instanceof Uint8Array ? outcome.slice() : outcome;
    return outcome;
  };
  const takeIndex = (index: number): ConversionFailure | null => {
    if (encoder.isDictionary()) {
      const slot = entrySlots[index] ?? UNSEEN;
      if (slot >= 0) {
        encoder.appendSlot(slot);
        return null;
      }
    }
    const outcome = outcomeOf(index);
    if (outcome === FAILED) return "value-failed";
    if (outcome !== null && encoder.isDictionary()) {
      const slot = encoder.slotOf(outcome);
      entrySlots[index] = slot;
      if (slot >= 0) {
        encoder.appendSlot(slot);
        return null;
      }
    }
    return put(outcome);
  };
  const takeBytes = (cursor: BytesCursor): ConversionFailure | null => {
    cursor.next();
    const { bytes, start, end } = cursor;
    const usesMemo = encoder.isDictionary();
    const known = usesMemo ? memo.find(bytes, start, end) : UNSEEN;
    if (known >= 0) {
      const slot = memoSlots[known] ?? NULL_SLOT;
      if (slot === NULL_SLOT) return put(null);
      encoder.appendSlot(slot);
      return null;
    }
    const outcome = rewrite.convert(transient(bytes, start, end));
    if (outcome === FAILED) return "value-failed";
    if (!usesMemo || memo.size >= MEMO_ENTRIES || memo.sizeBytes >= MEMO_BYTES) return put(outcome);
    const slot = outcome === null ? NULL_SLOT : encoder.slotOf(outcome);
    // A slot of -1 says that the dictionary was given up, and the memo with it.
    if (slot === UNSEEN || slot === NULL_SLOT) {
      if (slot === NULL_SLOT) memoSlots[memo.add(bytes, start, end)] = slot;
      return put(outcome);
    }
    memoSlots[memo.add(bytes, start, end)] = slot;
    encoder.appendSlot(slot);
    return null;
  };
  const takeScalar = (cursor: ScalarCursor): ConversionFailure | null => {
    const outcome = rewrite.convert(cursor.next());
    return outcome === FAILED ? "value-failed" : put(outcome);
  };

  const takeBatch = (page: OpenPage, count: number): ConversionFailure | null => {
    const { definition, maxDefinition, content } = page;
    const present = definition === null ? count : readLevels(definition, levels, count, maxDefinition);
    if (content.kind === "indices") content.indices.read(indices, present);
    let next = 0;
    for (let index = 0; index < count; index++) {
      let failure: ConversionFailure | null;
      if (definition !== null && levels[index] !== maxDefinition) failure = put(null);
      else if (content.kind === "indices") failure = takeIndex(indices[next++] ?? 0);
      else failure = content.cursor.kind === "bytes" ? takeBytes(content.cursor) : takeScalar(content.cursor);
      if (failure !== null) return failure;
    }
    return null;
  };

  return {
    convert: (page) => {
      for (let done = 0; done < page.values; done += BATCH) {
        const failure = takeBatch(page, Math.min(BATCH, page.values - done));
        if (failure !== null) return failure;
      }
      return null;
    },
  };
}

/** Fills `levels[0, count)`; gives how many values are there. */
export function readLevels(definition: IntegerReader, levels: Int32Array, count: number, maxDefinition: number): number {
  definition.read(levels, count);
  let present = 0;
  for (let index = 0; index < count; index++) {
    const level = levels[index] ?? 0;
    if (level === maxDefinition) present++;
    else if (level > maxDefinition) throw corrupt("A page holds a level above the column's maximum");
  }
  return present;
}
