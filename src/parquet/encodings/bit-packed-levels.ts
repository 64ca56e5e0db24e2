// Decodes levels in the deprecated BIT_PACKED encoding of version 1 pages (Encodings.md "Bit-packed
// (Deprecated)"): most significant bit first, no runs.
import { corrupt } from "../corrupt.ts";
import type { IntegerReader } from "./hybrid-decode.ts";

export function bitPackedBytes(values: number, bitWidth: number): number {
  return Math.ceil((values * bitWidth) / 8);
}

export function readBitPacked(bytes: Uint8Array, start: number, end: number, bitWidth: number): IntegerReader {
  let bit = 0;
  return {
    read: (target, count) => {
      for (let index = 0; index < count; index++) {
        let value = 0;
        for (let have = 0; have < bitWidth; have++, bit++) {
          const byte = bytes[start + (bit >> 3)];
          if (byte === undefined || start + (bit >> 3) >= end) throw corrupt("A page has fewer levels than it claims");
          value = (value << 1) | ((byte >> (7 - (bit & 7))) & 1);
        }
        target[index] = value;
      }
    },
  };
}
