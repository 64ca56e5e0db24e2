// A set of texts that may hold millions, in 16 bytes each: only a fingerprint of each text is kept (128 bits of
// SHA-256, so two texts never share one in practice, not even by intent).
import { createHash } from "node:crypto";

export interface SeenTexts {
  /** True the first time a text is given. */
  add(text: string): boolean;
}

const WORDS = 4;
const FIRST_SLOTS = 1024;

export function newSeenTexts(): SeenTexts {
  let slots = FIRST_SLOTS;
  let words = new Uint32Array(slots * WORDS);
  let count = 0;

  const grow = (): void => {
    const larger = new Uint32Array(2 * slots * WORDS);
    for (let at = 0; at < words.length; at += WORDS) {
      if (!isFree(words, at)) larger.set(words.subarray(at, at + WORDS), findSlot(larger, words, at));
    }
    words = larger;
    slots *= 2;
  };

  return {
    add(text) {
      const digest = createHash("sha256").update(text).digest();
      const print = new Uint32Array(WORDS);
      for (let index = 0; index < WORDS; index++) print[index] = digest.readUInt32LE(4 * index);
      const at = findSlot(words, print, 0);
      if (!isFree(words, at)) return false;
      words.set(print, at);
      count++;
      if (2 * count > slots) grow();
      return true;
    },
  };
}

// Where the fingerprint at `from` of `source` stands in the table, or the free place for it.
function findSlot(table: Uint32Array, source: Uint32Array, from: number): number {
  const slots = table.length / WORDS;
  for (let slot = (source[from] ?? 0) % slots; ; slot = (slot + 1) % slots) {
    const at = slot * WORDS;
    if (isFree(table, at) || isSame(table, at, source, from)) return at;
  }
}

function isFree(table: Uint32Array, at: number): boolean {
  return table[at] === 0 && table[at + 1] === 0 && table[at + 2] === 0 && table[at + 3] === 0;
}

function isSame(a: Uint32Array, at: number, b: Uint32Array, from: number): boolean {
  return a[at] === b[from] && a[at + 1] === b[from + 1] && a[at + 2] === b[from + 2] && a[at + 3] === b[from + 3];
}
