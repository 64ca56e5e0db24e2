// Snappy, both ways (format description of google/snappy: varint length, then literals and copies).
import { corrupt } from "../corrupt.ts";
import { copyMatch, hashBits, matchLength, word } from "./copy-match.ts";

/** Copies reach at most this far back, so that two bytes hold every offset. */
const BLOCK_BYTES = 65_536;
const MIN_MATCH = 4;
/** The format lets a copy of three bytes hold 64. */
const MAX_COPY = 64;
const MAX_EXPANSION = 22;

export function snappyDecompress(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  let position = 0;
  let stated = 0;
  for (let shift = 0; ; shift += 7) {
    const next = bytes[position++];
    if (next === undefined || shift > 28) throw corrupt("Snappy data in a page has no length");
    stated += (next & 0x7f) * 2 ** shift;
    if (next < 0x80) break;
  }
  if (stated !== sizeBytes) throw corrupt(`Snappy data in a page states ${stated} bytes instead of ${sizeBytes}`);
  if (sizeBytes > bytes.length * MAX_EXPANSION) throw corrupt("Snappy data in a page claims more bytes than it can hold");
  const result = new Uint8Array(sizeBytes);
  let written = 0;
  while (position < bytes.length) {
    const tag = bytes[position++] ?? 0;
    const kind = tag & 3;
    if (kind === 0) {
      let length = (tag >> 2) + 1;
      if (length > 60) {
        const extra = length - 60;
        if (position + extra > bytes.length) throw corrupt("Snappy data in a page is cut off");
        length = 1;
        for (let index = 0; index < extra; index++) length += (bytes[position++] ?? 0) * 2 ** (8 * index);
      }
      if (position + length > bytes.length || written + length > sizeBytes)
        throw corrupt("Snappy data in a page has a wrong literal");
      if (length > 32) result.set(bytes.subarray(position, position + length), written);
      else for (let index = 0; index < length; index++) result[written + index] = bytes[position + index] ?? 0;
      position += length;
      written += length;
      continue;
    }
    const width = kind === 1 ? 1 : kind === 2 ? 2 : 4;
    if (position + width > bytes.length) throw corrupt("Snappy data in a page is cut off");
    const length = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    let distance = kind === 1 ? (tag >> 5) << 8 : 0;
    for (let index = 0; index < width; index++) distance += (bytes[position++] ?? 0) * 2 ** (8 * index);
    if (distance === 0 || distance > written || written + length > sizeBytes)
      throw corrupt("Snappy data in a page has a wrong copy");
    copyMatch(result, written, distance, length);
    written += length;
  }
  if (written !== sizeBytes) throw corrupt(`A page decompresses to ${written} bytes instead of ${sizeBytes}`);
  return result;
}

export function snappyCompress(bytes: Uint8Array): Uint8Array {
  const output = new Uint8Array(32 + bytes.length + Math.ceil(bytes.length / 6));
  let written = 0;
  let rest = bytes.length;
  while (rest > 0x7f) {
    output[written++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  output[written++] = rest;
  const table = new Int32Array(1 << hashBits(Math.min(bytes.length, BLOCK_BYTES)));
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
    table.fill(-1);
    written = compressBlock(bytes, start, Math.min(start + BLOCK_BYTES, bytes.length), table, output, written);
  }
  return output.slice(0, written);
}

function compressBlock(
  bytes: Uint8Array,
  start: number,
  end: number,
  table: Int32Array,
  output: Uint8Array,
  outputStart: number,
): number {
  const shift = Math.clz32(table.length) + 1;
  let written = outputStart;
  let literal = start;
  let position = start;
  let misses = 0;
  while (position + MIN_MATCH <= end) {
    const hash = Math.imul(word(bytes, position), 0x1e35a7bd) >>> shift;
    const candidate = table[hash] ?? -1;
    table[hash] = position;
    if (candidate < 0 || word(bytes, candidate) !== word(bytes, position)) {
      // The longer nothing matches, the larger the steps: data without repeats costs little.
      position += 1 + (misses++ >> 5);
      continue;
    }
    misses = 0;
    const length = MIN_MATCH + matchLength(bytes, candidate + MIN_MATCH, position + MIN_MATCH, end);
    written = putLiteral(bytes, literal, position, output, written);
    written = putCopy(position - candidate, length, output, written);
    position += length;
    literal = position;
  }
  return putLiteral(bytes, literal, end, output, written);
}

function putLiteral(bytes: Uint8Array, start: number, end: number, output: Uint8Array, outputStart: number): number {
  const length = end - start;
  if (length === 0) return outputStart;
  let written = outputStart;
  const stored = length - 1;
  if (stored < 60) output[written++] = stored << 2;
  else if (stored < 0x100) {
    output[written++] = 60 << 2;
    output[written++] = stored;
  } else {
    output[written++] = 61 << 2;
    output[written++] = stored & 0xff;
    output[written++] = stored >> 8;
  }
  output.set(bytes.subarray(start, end), written);
  return written + length;
}

function putCopy(distance: number, lengthBytes: number, output: Uint8Array, outputStart: number): number {
  let written = outputStart;
  let length = lengthBytes;
  while (length > 0) {
    const taken = Math.min(length, MAX_COPY);
    output[written++] = ((taken - 1) << 2) | 2;
    output[written++] = distance & 0xff;
    output[written++] = distance >> 8;
    length -= taken;
  }
  return written;
}
