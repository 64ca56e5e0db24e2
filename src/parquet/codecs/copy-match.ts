// What the LZ77 family shares: repeating bytes that were just written, and finding how far two places agree.

/** Copies `length` bytes from `distance` back; source and target may overlap. The caller has checked the bounds. */
export function copyMatch(target: Uint8Array, position: number, distance: number, length: number): void {
  if (distance >= length) {
    if (length > 16) {
      target.copyWithin(position, position - distance, position - distance + length);
      return;
    }
  } else if (distance === 1) {
    target.fill(target[position - 1] ?? 0, position, position + length);
    return;
  }
  for (let index = position; index < position + length; index++) target[index] = target[index - distance] ?? 0;
}

const MIN_HASH_BITS = 8;
const MAX_HASH_BITS = 14;

/** Bits of a hash table for so many bytes: a small page must not pay for a large table. */
export function hashBits(lengthBytes: number): number {
  return Math.min(MAX_HASH_BITS, Math.max(MIN_HASH_BITS, 32 - Math.clz32(lengthBytes)));
}

/** The four bytes at `position` as one number; the caller has checked that they are there. */
export function word(bytes: Uint8Array, position: number): number {
  return (
    (bytes[position] ?? 0) |
    ((bytes[position + 1] ?? 0) << 8) |
    ((bytes[position + 2] ?? 0) << 16) |
    ((bytes[position + 3] ?? 0) << 24)
  );
}

/** How many bytes from `a` and from `b` on are equal, `b` not reaching `end`. */
export function matchLength(bytes: Uint8Array, a: number, b: number, end: number): number {
  let length = 0;
  while (b + length < end && bytes[a + length] === bytes[b + length]) length++;
  return length;
}
