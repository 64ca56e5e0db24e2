// Decodes the RLE and bit-packing hybrid (Encodings.md "RLE"): levels, dictionary indices, booleans. Reads as
// many values as asked, so that a page of any claimed size takes no more memory than its reader's buffer.
import { corrupt } from "../corrupt.ts";

export interface IntegerReader {
  /** Fills `target[0, count)`. */
  read(target: Int32Array, count: number): void;
}

export function readHybrid(bytes: Uint8Array, start: number, end: number, bitWidth: number): IntegerReader {
  if (bitWidth > 32) throw corrupt(`A page uses a bit width of ${bitWidth}`);
  const mask = bitWidth === 32 ? -1 : (1 << bitWidth) - 1;
  const valueBytes = (bitWidth + 7) >> 3;
  let position = start;
  let runLeft = 0;
  let runValue = 0;
  let isPacked = false;
  /** Bits of the byte at `position` that are used up; a packed run ends on a whole byte. */
  let bitPosition = 0;

  const nextRun = (): void => {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      if (position >= end || shift > 28) throw corrupt("A page has fewer levels or indices than it claims");
      const next = bytes[position++] ?? 0;
      header += (next & 0x7f) * 2 ** shift;
      if (next < 0x80) break;
    }
    isPacked = (header & 1) === 1;
    const count = Math.floor(header / 2);
    if (isPacked) {
      runLeft = count * 8;
      bitPosition = 0;
      return;
    }
    if (position + valueBytes > end) throw corrupt("A page ends within a run");
    runLeft = count;
    runValue = 0;
    for (let index = 0; index < valueBytes; index++) runValue |= (bytes[position++] ?? 0) << (8 * index);
    if ((runValue & ~mask) !== 0) throw corrupt("A run holds a value wider than its bit width");
  };

  const unpack = (target: Int32Array, from: number, count: number): void => {
    const firstBit = bitPosition;
    const lastBit = firstBit + count * bitWidth;
    // The last group may be cut short by the writer as long as no value that counts is missing.
    if (position + Math.ceil(lastBit / 8) > end) throw corrupt("A page ends within packed values");
    if (bitWidth === 1) {
      for (let index = 0; index < count; index++) {
        const bit = firstBit + index;
        target[from + index] = ((bytes[position + (bit >> 3)] ?? 0) >> (bit & 7)) & 1;
      }
    } else if (bitWidth > 0) {
      let at = position;
      let shift = firstBit;
      for (let index = 0; index < count; index++) {
        let value = (bytes[at] ?? 0) >>> shift;
        for (let have = 8 - shift, next = at + 1; have < bitWidth; have += 8, next++) value |= (bytes[next] ?? 0) << have;
        target[from + index] = value & mask;
        shift += bitWidth;
        at += shift >> 3;
        shift &= 7;
      }
    } else target.fill(0, from, from + count);
    position += Math.floor(lastBit / 8);
    bitPosition = lastBit % 8;
  };

  return {
    read: (target, count) => {
      let done = 0;
      while (done < count) {
        if (runLeft === 0) {
          nextRun();
          if (runLeft === 0) continue;
        }
        const taken = Math.min(runLeft, count - done);
        if (isPacked) unpack(target, done, taken);
        else target.fill(runValue, done, done + taken);
        done += taken;
        runLeft -= taken;
      }
    },
  };
}
