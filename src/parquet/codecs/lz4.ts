// The LZ4 block format, both ways (Parquet codec LZ4_RAW; lz4_Block_format.md of lz4/lz4).
import { corrupt } from "../corrupt.ts";
import { copyMatch, hashBits, matchLength, word } from "./copy-match.ts";

const MIN_MATCH = 4;
/** The format's end rules: the last five bytes are literals, and no match starts in the last twelve. */
const LAST_LITERALS = 5;
const MATCH_LIMIT = 12;
const MAX_DISTANCE = 65_535;

export function lz4Decompress(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  const result = roomFor(bytes, sizeBytes);
  const written = lz4DecompressInto(bytes, result, 0, sizeBytes);
  if (written !== sizeBytes) throw corrupt(`A page decompresses to ${written} bytes instead of ${sizeBytes}`);
  return result;
}

/** The memory for a block, if these bytes can hold so much: a byte of length stands for 255 bytes at most. */
export function roomFor(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  if (sizeBytes > (bytes.length + 1) * 255) throw corrupt("LZ4 data in a page claims more bytes than it can hold");
  return new Uint8Array(sizeBytes);
}

/** Decompresses one block into `[start, end)` of `result`; gives where it ended. */
export function lz4DecompressInto(bytes: Uint8Array, result: Uint8Array, start: number, end: number): number {
  let position = 0;
  let written = start;
  const longLength = (short: number): number => {
    let length = short;
    if (short !== 15) return length;
    for (;;) {
      const next = bytes[position++];
      if (next === undefined) throw corrupt("LZ4 data in a page is cut off");
      length += next;
      if (next !== 255) return length;
    }
  };
  while (position < bytes.length) {
    const token = bytes[position++] ?? 0;
    const literals = longLength(token >> 4);
    if (position + literals > bytes.length || written + literals > end) throw corrupt("LZ4 data in a page has a wrong literal");
    if (literals > 32) result.set(bytes.subarray(position, position + literals), written);
    else for (let index = 0; index < literals; index++) result[written + index] = bytes[position + index] ?? 0;
    position += literals;
    written += literals;
    if (position === bytes.length) break;
    if (position + 2 > bytes.length) throw corrupt("LZ4 data in a page is cut off");
    const distance = (bytes[position] ?? 0) | ((bytes[position + 1] ?? 0) << 8);
    position += 2;
    const length = longLength(token & 15) + MIN_MATCH;
    if (distance === 0 || distance > written - start || written + length > end)
      throw corrupt("LZ4 data in a page has a wrong match");
    copyMatch(result, written, distance, length);
    written += length;
  }
  return written;
}

export function lz4Compress(bytes: Uint8Array): Uint8Array {
  const output = new Uint8Array(16 + bytes.length + Math.ceil(bytes.length / 255));
  const bits = hashBits(bytes.length);
  const table = new Int32Array(1 << bits).fill(-1);
  const matchEnd = bytes.length - LAST_LITERALS;
  let written = 0;
  let literal = 0;
  let position = 0;
  let misses = 0;
  while (position + MATCH_LIMIT <= bytes.length) {
    const hash = Math.imul(word(bytes, position), 0x9e3779b1) >>> (32 - bits);
    const candidate = table[hash] ?? -1;
    table[hash] = position;
    if (candidate < 0 || position - candidate > MAX_DISTANCE || word(bytes, candidate) !== word(bytes, position)) {
      position += 1 + (misses++ >> 6);
      continue;
    }
    misses = 0;
    const length = MIN_MATCH + matchLength(bytes, candidate + MIN_MATCH, position + MIN_MATCH, matchEnd);
    written = putSequence(bytes, literal, position, length - MIN_MATCH, output, written);
    output[written++] = (position - candidate) & 0xff;
    output[written++] = (position - candidate) >> 8;
    written = putLongLength(length - MIN_MATCH, output, written);
    position += length;
    literal = position;
  }
  return output.slice(0, putSequence(bytes, literal, bytes.length, 0, output, written));
}

/** Token, long literal length and literals; the match itself follows. */
function putSequence(
  bytes: Uint8Array,
  start: number,
  end: number,
  extraMatch: number,
  output: Uint8Array,
  outputStart: number,
): number {
  const literals = end - start;
  let written = outputStart;
  output[written++] = (Math.min(literals, 15) << 4) | Math.min(extraMatch, 15);
  written = putLongLength(literals, output, written);
  output.set(bytes.subarray(start, end), written);
  return written + literals;
}

function putLongLength(length: number, output: Uint8Array, outputStart: number): number {
  if (length < 15) return outputStart;
  let written = outputStart;
  let rest = length - 15;
  while (rest >= 255) {
    output[written++] = 255;
    rest -= 255;
  }
  output[written++] = rest;
  return written;
}
