// A table of byte strings, each with a number in the order of arrival: recognises values that were seen
// without making an object or a string of them. Knows no Parquet.

export interface ByteTable {
  readonly size: number;
  /** Bytes held. */
  readonly sizeBytes: number;
  /** The number of `bytes[start, end)`, or -1. */
  find(bytes: Uint8Array, start: number, end: number): number;
  /** Adds what `find` did not find just before; gives its number. */
  add(bytes: Uint8Array, start: number, end: number): number;
}

const FIRST_SLOTS = 1024;

export function byteTable(): ByteTable {
  /** Number + 1 by hash, open addressing; twice as many slots as entries at least. */
  let slots = new Int32Array(FIRST_SLOTS);
  let hashes = new Int32Array(FIRST_SLOTS / 2);
  /** End of each entry in `held`; an entry starts where the one before ends. */
  let ends = new Int32Array(FIRST_SLOTS / 2);
  let held = new Uint8Array(FIRST_SLOTS * 8);
  let size = 0;
  let sizeBytes = 0;
  let lastHash = 0;

  const isEntry = (entry: number, bytes: Uint8Array, start: number, end: number): boolean => {
    let at = entry === 0 ? 0 : (ends[entry - 1] ?? 0);
    if ((ends[entry] ?? 0) - at !== end - start) return false;
    for (let index = start; index < end; index++, at++) if (bytes[index] !== held[at]) return false;
    return true;
  };
  const grow = (): void => {
    const wider = new Int32Array(slots.length * 2);
    const mask = wider.length - 1;
    for (let entry = 0; entry < size; entry++) {
      let at = (hashes[entry] ?? 0) & mask;
      while (wider[at] !== 0) at = (at + 1) & mask;
      wider[at] = entry + 1;
    }
    slots = wider;
    const moreHashes = new Int32Array(slots.length / 2);
    moreHashes.set(hashes);
    hashes = moreHashes;
    const moreEnds = new Int32Array(slots.length / 2);
    moreEnds.set(ends);
    ends = moreEnds;
  };

  return {
    get size() {
      return size;
    },
    get sizeBytes() {
      return sizeBytes;
    },
    find: (bytes, start, end) => {
      lastHash = hashOf(bytes, start, end);
      const mask = slots.length - 1;
      for (let at = lastHash & mask; ; at = (at + 1) & mask) {
        const entry = (slots[at] ?? 0) - 1;
        if (entry < 0) return -1;
        if (hashes[entry] === lastHash && isEntry(entry, bytes, start, end)) return entry;
      }
    },
    add: (bytes, start, end) => {
      if (size * 2 >= slots.length) grow();
      const mask = slots.length - 1;
      let at = lastHash & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = size + 1;
      hashes[size] = lastHash;
      const length = end - start;
      if (sizeBytes + length > held.length) {
        const more = new Uint8Array(Math.max(sizeBytes + length, held.length * 2));
        more.set(held.subarray(0, sizeBytes));
        held = more;
      }
      held.set(bytes.subarray(start, end), sizeBytes);
      sizeBytes += length;
      ends[size] = sizeBytes;
      return size++;
    },
  };
}

// Multiply and mix over every byte (FNV-1a), then spread the high bits, which the mask would lose.
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
