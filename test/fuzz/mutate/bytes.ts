// Changes of bytes that know no format: bits turned, bytes set, cut, put in, put twice, taken from another file, numbers
// of all widths written over, varints without an end.
import type { Random } from "../random.ts";

type Change = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const INTERESTING = [0, 1, 2, 3, 0x0f, 0x10, 0x1f, 0x20, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0xc0, 0xfe, 0xff];

const CHANGES: readonly Change[] = [
  (bytes, random) => set(bytes, random.below(bytes.length), (old) => old ^ (1 << random.below(8))),
  (bytes, random) => set(bytes, random.below(bytes.length), () => random.below(256)),
  (bytes, random) => set(bytes, random.below(bytes.length), () => random.pick(INTERESTING)),
  (bytes, random) => set(bytes, random.below(bytes.length), (old) => old + (random.once(2) ? 1 : -1)),
  (bytes, random) => bytes.slice(0, random.below(bytes.length + 1)),
  (bytes, random) => spliced(bytes, random.below(bytes.length + 1), random.few(64), new Uint8Array()),
  (bytes, random) => spliced(bytes, random.below(bytes.length + 1), random.once(2) ? 1 : 0, hostileVarint(random)),
  (bytes, random) => spliced(bytes, random.below(bytes.length + 1), 0, randomBytes(random, random.few(64))),
  (bytes, random) => spliced(bytes, random.below(bytes.length + 1), 0, part(bytes, random, 64)),
  (bytes, random, other) => spliced(bytes, random.below(bytes.length + 1), random.below(64), part(other, random, 256)),
  (bytes, random) => wide(bytes, random),
  (bytes, random, other) => {
    const at = random.below(bytes.length + 1);
    return spliced(bytes, at, bytes.length - at, other.slice(random.below(other.length + 1)));
  },
];

export function mutateBytes(bytes: Uint8Array, random: Random, other: Uint8Array, most = 6): Uint8Array {
  let changed = bytes;
  for (let left = random.few(most); left > 0; left--) {
    changed = changed.length === 0 ? randomBytes(random, 8) : random.pick(CHANGES)(changed, random, other);
  }
  return changed;
}

/** Up to ten bytes: the ends of 32 and 64 bits, more than both, and none of them minimal. */
export function hostileVarint(random: Random): Uint8Array {
  const length = random.below(11);
  const bytes = new Uint8Array(length + 1);
  const filler = random.pick([0x80, 0xff, 0x81]);
  bytes.fill(filler, 0, length);
  bytes[length] = random.pick([0, 1, 2, 0x0f, 0x7e, 0x7f]);
  return bytes;
}

export function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function part(bytes: Uint8Array, random: Random, most: number): Uint8Array {
  const from = random.below(bytes.length + 1);
  return bytes.slice(from, from + random.below(most));
}

function set(bytes: Uint8Array, at: number, change: (old: number) => number): Uint8Array {
  const changed = bytes.slice();
  changed[at] = change(changed[at] ?? 0);
  return changed;
}

function spliced(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array {
  return joined([bytes.subarray(0, at), added, bytes.subarray(Math.min(bytes.length, at + removed))]);
}

function wide(bytes: Uint8Array, random: Random): Uint8Array {
  const width = random.pick([2, 4, 8]);
  if (bytes.length < width) return bytes;
  const changed = bytes.slice();
  const at = random.below(bytes.length - width + 1);
  const value = random.pick([0, 1, 0x7f, 0xff]);
  changed.fill(value, at, at + width);
  if (random.once(2)) changed[at + (random.once(2) ? 0 : width - 1)] = random.pick(INTERESTING);
  return changed;
}
