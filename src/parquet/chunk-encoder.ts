// Builds the pages of one re-encoded column chunk: with a dictionary as long as it pays, PLAIN from then on,
// as the common writers do. Takes values one by one; bounds and counts come out with the pages.
import type { Bounds } from "./bounds.ts";
import { merge, noBounds, widen } from "./bounds.ts";
import type { Compress } from "./codecs/codec.ts";
import type { Encoding } from "./format.ts";
import { type OutputDictionary, outputDictionary } from "./output-dictionary.ts";
import { encodeDictionaryPage, type EncodedPage, encodeIndices, encodePage } from "./page-encoder.ts";
import type { ColumnValue, PhysicalTarget } from "./physical.ts";
import { plainWriter } from "./plain-writer.ts";
import { storedScalar, type ValueOrder, valueOrder } from "./value-order.ts";

export interface ChunkEncoder {
  /** False from the moment when values are written as PLAIN. */
  isDictionary(): boolean;
  appendNull(): void;
  append(value: ColumnValue): void;
  /** Number of the value in the dictionary, to be appended by it; -1 when the dictionary was given up. */
  slotOf(value: ColumnValue): number;
  appendSlot(slot: number): void;
  endPage(version: 1 | 2, hasCrc: boolean): void;
  finish(): EncodedChunk;
}

export interface EncodedChunk {
  readonly dictionary: EncodedPage | null;
  readonly dictionaryEncoding: Encoding;
  readonly pages: readonly ChunkPage[];
  readonly bounds: Bounds;
  /** The dictionary was given up because its values were mostly distinct. */
  readonly isDistinct: boolean;
}

interface ChunkPage extends EncodedPage {
  readonly values: number;
  readonly version: 1 | 2;
  readonly encoding: Encoding;
  readonly bounds: Bounds;
}

export interface EncoderSettings {
  readonly target: PhysicalTarget;
  readonly isRequired: boolean;
  readonly compress: Compress;
  /** How the source names its dictionary pages: old readers know the first name only. */
  readonly namesPlainDictionary: boolean;
  readonly trialValues: number;
}

/** What parquet-java and Arrow allow by default. */
const MAX_DICTIONARY_BYTES = 1024 * 1024;
/** After this many values, a dictionary of mostly distinct ones is not worth going on with. */
export const TRIAL_VALUES = 8192;
/** The trial of a chunk after one of the same column in which it failed: most columns are alike all along a file. */
export const SHORT_TRIAL_VALUES = 1024;
const MAX_DISTINCT_SHARE = 0.8;

interface PageState {
  levels: Uint8Array;
  slots: Int32Array;
  values: number;
  present: number;
  bounds: Bounds;
}

export function chunkEncoder(settings: EncoderSettings): ChunkEncoder {
  const { target, isRequired, compress, trialValues } = settings;
  const order: ValueOrder = valueOrder(target);
  const plain = plainWriter(target);
  const pages: ChunkPage[] = [];
  const page: PageState = {
    levels: new Uint8Array(1024),
    slots: new Int32Array(1024),
    values: 0,
    present: 0,
    bounds: noBounds(),
  };
  const dictionary: OutputDictionary = outputDictionary(target);
  // Readers have no dictionaries of booleans.
  let isDictionary = target.type !== "BOOLEAN";
  let isDistinct = false;
  /** Entries that finished pages use: those of a page that went on as PLAIN are not stored. */
  let usedEntries = 0;
  let presentBefore = 0;
  /** Page in which an entry was last seen, so that bounds look at it once a page. */
  let seen = new Int32Array(1024).fill(-1);
  let hasCrc = false;

  const level = (present: 0 | 1): void => {
    if (page.values === page.levels.length) {
      const wider = new Uint8Array(page.levels.length * 2);
      wider.set(page.levels);
      page.levels = wider;
    }
    page.levels[page.values++] = present;
  };
  const bound = (value: ColumnValue): void => {
    if (order.hasNans && Number.isNaN(value)) page.bounds.nans++;
    else widen(page.bounds, order, value);
  };
  const leaveDictionary = (): void => {
    isDictionary = false;
    for (let index = 0; index < page.present; index++) plain.append(entry(dictionary, page.slots[index] ?? 0));
  };
  const isTooLarge = (): boolean => {
    const present = presentBefore + page.present;
    isDistinct = present >= trialValues && dictionary.values.length > present * MAX_DISTINCT_SHARE;
    return isDistinct || dictionary.sizeBytes > MAX_DICTIONARY_BYTES;
  };
  const slotOf = (value: ColumnValue): number => {
    const slot = dictionary.slotOf(storedScalar(target, value));
    if (!isTooLarge()) return slot;
    leaveDictionary();
    return -1;
  };
  const appendSlot = (slot: number): void => {
    level(1);
    if (page.present === page.slots.length) {
      const wider = new Int32Array(page.slots.length * 2);
      wider.set(page.slots);
      page.slots = wider;
    }
    page.slots[page.present++] = slot;
    if (slot >= seen.length) {
      const wider = new Int32Array(Math.max(seen.length * 2, slot + 1)).fill(-1);
      wider.set(seen);
      seen = wider;
    }
    if (seen[slot] === pages.length && !order.hasNans) return;
    seen[slot] = pages.length;
    bound(entry(dictionary, slot));
  };
  const appendPlain = (value: ColumnValue): void => {
    const stored = storedScalar(target, value);
    level(1);
    page.present++;
    plain.append(stored);
    bound(stored);
  };
  const paysOff = (indexBytes: number): boolean => {
    // The first page decides, as in parquet-java: its indices and the dictionary so far against its values as PLAIN.
    let plainBytes = 0;
    const perValue = dictionary.values.length === 0 ? 0 : dictionary.sizeBytes / dictionary.values.length;
    if (target.type === "BYTE_ARRAY") {
      for (let index = 0; index < page.present; index++) {
        const value = entry(dictionary, page.slots[index] ?? 0);
        plainBytes += 4 + (value instanceof Uint8Array ? value.length : 0);
      }
    } else plainBytes = page.present * perValue;
    return dictionary.sizeBytes + indexBytes < plainBytes;
  };

  const endPage = (version: 1 | 2, pageHasCrc: boolean): void => {
    hasCrc ||= pageHasCrc;
    let content: Uint8Array | null = null;
    if (isDictionary && page.present > 0) {
      const indices = encodeIndices(page.slots, page.present, dictionary.values.length);
      if (usedEntries > 0 || paysOff(indices.length)) content = indices;
      else leaveDictionary();
    } else if (isDictionary && usedEntries > 0) content = encodeIndices(page.slots, 0, dictionary.values.length);
    if (content !== null) usedEntries = dictionary.values.length;
    const encoding: Encoding = content === null ? "PLAIN" : dataEncoding(settings);
    const encoded = encodePage({
      version,
      compress,
      hasCrc: pageHasCrc,
      values: page.values,
      nulls: page.values - page.present,
      levels: isRequired ? null : page.levels,
      encoding,
      content: content ?? plain.bytes(),
    });
    page.bounds.nulls = page.values - page.present;
    pages.push({ ...encoded, values: page.values, version, encoding, bounds: page.bounds });
    presentBefore += page.present;
    page.values = 0;
    page.present = 0;
    page.bounds = noBounds();
    plain.clear();
  };

  return {
    isDictionary: () => isDictionary,
    appendNull: () => level(0),
    append: (value) => {
      const slot = isDictionary ? slotOf(value) : -1;
      if (slot >= 0) appendSlot(slot);
      else appendPlain(value);
    },
    slotOf,
    appendSlot,
    endPage,
    finish: () => {
      const bounds = noBounds();
      for (const one of pages) merge(bounds, order, one.bounds);
      return {
        dictionary: usedEntries > 0 ? dictionaryPage() : null,
        dictionaryEncoding: pageEncoding(settings),
        pages,
        bounds,
        isDistinct,
      };
    },
  };

  function dictionaryPage(): EncodedPage {
    const writer = plainWriter(target);
    for (const value of dictionary.values.slice(0, usedEntries)) writer.append(value);
    return encodeDictionaryPage(writer.bytes(), usedEntries, pageEncoding(settings), compress, hasCrc);
  }
}

function entry(dictionary: OutputDictionary, slot: number): ColumnValue {
  const value = dictionary.values[slot];
  if (value === undefined) throw new RangeError("A slot was appended that slotOf never gave");
  return value;
}

function dataEncoding(settings: EncoderSettings): Encoding {
  return settings.namesPlainDictionary ? "PLAIN_DICTIONARY" : "RLE_DICTIONARY";
}

function pageEncoding(settings: EncoderSettings): Encoding {
  return settings.namesPlainDictionary ? "PLAIN_DICTIONARY" : "PLAIN";
}
