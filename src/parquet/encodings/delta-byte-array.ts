// Decodes DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY (Encodings.md): lengths as deltas, then the bytes;
// the second also shares prefixes with the value before.
import { corrupt } from "../corrupt.ts";
import { deltaEnd, readDelta } from "./delta-binary-packed.ts";
import { type BytesCursor, missingValue } from "./value-cursor.ts";

export function readDeltaLengths(bytes: Uint8Array, start: number, end: number): BytesCursor {
  const lengths = readDelta(bytes, start, end, 32);
  const first = deltaEnd(bytes, start, end);
  return {
    kind: "bytes",
    bytes,
    start: first,
    end: first,
    next() {
      const length = Number(lengths.next());
      if (length < 0) throw corrupt("A page holds a value of negative length");
      if (this.end + length > end) throw missingValue();
      this.start = this.end;
      this.end += length;
    },
  };
}

export function readDeltaPrefixes(bytes: Uint8Array, start: number, end: number): BytesCursor {
  const prefixes = readDelta(bytes, start, end, 32);
  const suffixes = readDeltaLengths(bytes, deltaEnd(bytes, start, end), end);
  // The value is built in place: what it shares with the one before stays where it is.
  return {
    kind: "bytes",
    bytes: new Uint8Array(256),
    start: 0,
    end: 0,
    next() {
      const prefix = Number(prefixes.next());
      suffixes.next();
      if (prefix < 0 || prefix > this.end) throw corrupt("A page holds a value with a prefix longer than the value before");
      const length = prefix + suffixes.end - suffixes.start;
      if (length > this.bytes.length) {
        const grown = new Uint8Array(length * 2);
        grown.set(this.bytes.subarray(0, prefix));
        this.bytes = grown;
      }
      this.bytes.set(suffixes.bytes.subarray(suffixes.start, suffixes.end), prefix);
      this.end = length;
    },
  };
}
