// Encodes the RLE and bit-packing hybrid (Encodings.md "RLE"): runs of eight or more equal values as runs,
// the rest packed in groups of eight.

const MIN_RUN = 8;

/** `values[0, count)`, each below 2^bitWidth. */
export function writeHybrid(values: Int32Array | Uint8Array, count: number, bitWidth: number): Uint8Array {
  // The packed bits, and at worst a byte a value for the heads of runs.
  const output = new Uint8Array(Math.ceil((count * bitWidth) / 8) + count + 64);
  const valueBytes = (bitWidth + 7) >> 3;
  let written = 0;

  const varint = (value: number): void => {
    let rest = value;
    while (rest > 0x7f) {
      output[written++] = (rest & 0x7f) | 0x80;
      rest = Math.floor(rest / 128);
    }
    output[written++] = rest;
  };
  const pack = (from: number, to: number): void => {
    const groups = Math.ceil((to - from) / 8);
    if (groups === 0) return;
    varint(groups * 2 + 1);
    let bits = 0;
    let have = 0;
    for (let index = from; index < from + groups * 8; index++) {
      const value = index < to ? (values[index] ?? 0) : 0;
      bits |= value << have;
      have += bitWidth;
      while (have >= 8) {
        output[written++] = bits & 0xff;
        bits >>>= 8;
        have -= 8;
      }
    }
  };
  const run = (value: number, length: number): void => {
    varint(length * 2);
    for (let index = 0; index < valueBytes; index++) output[written++] = (value >>> (8 * index)) & 0xff;
  };

  let literal = 0;
  let position = 0;
  while (position < count) {
    const value = values[position] ?? 0;
    let end = position + 1;
    while (end < count && values[end] === value) end++;
    // Packed values come in whole groups, so a run first completes the open group.
    const missing = (8 - ((position - literal) & 7)) & 7;
    if (end - position - missing >= MIN_RUN) {
      pack(literal, position + missing);
      run(value, end - position - missing);
      literal = end;
    }
    position = end;
  }
  pack(literal, count);
  return output.slice(0, written);
}

/** Bits that an index below `size` needs; one at least, as some readers refuse a width of zero. */
export function indexWidth(size: number): number {
  return Math.max(1, 32 - Math.clz32(Math.max(0, size - 1)));
}
