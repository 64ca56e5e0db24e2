// Decodes DELTA_BINARY_PACKED integers (Encodings.md "Delta encoding"): a first value, then blocks of
// mini-blocks of packed differences. Sums wrap around at the width of the type, as the format says.
import { corrupt } from "../corrupt.ts";
import { missingValue } from "./value-cursor.ts";

export interface DeltaReader {
  /** Values that the header promises. */
  readonly total: number;
  next(): bigint;
}

interface Header {
  readonly miniBlocks: number;
  readonly valuesPerMiniBlock: number;
  readonly total: number;
  readonly first: bigint;
  /** Where the first block starts. */
  readonly end: number;
}

/** A mini-block wider than this has no writer; it bounds what one block may claim. */
const MAX_BLOCK_VALUES = 1 << 20;

function unsignedVarint(bytes: Uint8Array, start: number, end: number): readonly [value: bigint, end: number] {
  let value = 0n;
  let position = start;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const next = bytes[position++];
    if (next === undefined || position > end) break;
    value |= BigInt(next & 0x7f) << shift;
    if (next < 0x80) return [value, position];
  }
  throw corrupt("A delta-encoded page has a wrong header");
}

function zigzag(value: bigint): bigint {
  return (value >> 1n) ^ -(value & 1n);
}

function readHeader(bytes: Uint8Array, start: number, end: number): Header {
  const [blockSize, afterBlock] = unsignedVarint(bytes, start, end);
  const [miniBlocks, afterMini] = unsignedVarint(bytes, afterBlock, end);
  const [total, afterTotal] = unsignedVarint(bytes, afterMini, end);
  const [first, position] = unsignedVarint(bytes, afterTotal, end);
  const isSound = miniBlocks > 0n && blockSize > 0n && blockSize <= MAX_BLOCK_VALUES && blockSize % (miniBlocks * 8n) === 0n;
  if (!isSound || total > 0x7fffffffn) throw corrupt("A delta-encoded page has a wrong header");
  return {
    miniBlocks: Number(miniBlocks),
    valuesPerMiniBlock: Number(blockSize / miniBlocks),
    total: Number(total),
    first: zigzag(first),
    end: position,
  };
}

/** Where the encoded integers end, found from the widths of the mini-blocks alone. */
export function deltaEnd(bytes: Uint8Array, start: number, end: number): number {
  const header = readHeader(bytes, start, end);
  let position = header.end;
  let left = header.total - 1;
  while (left > 0) {
    const [, afterMinimum] = unsignedVarint(bytes, position, end);
    position = afterMinimum + header.miniBlocks;
    for (let index = 0; index < header.miniBlocks && left > 0; index++) {
      position += ((bytes[afterMinimum + index] ?? 0) * header.valuesPerMiniBlock) / 8;
      left -= header.valuesPerMiniBlock;
    }
    if (position > end) throw corrupt("A delta-encoded page ends within a block");
  }
  return position;
}

export function readDelta(bytes: Uint8Array, start: number, end: number, bits: 32 | 64): DeltaReader {
  const header = readHeader(bytes, start, end);
  const { miniBlocks, valuesPerMiniBlock } = header;
  /** Where the next mini-block or block starts, and where the values of the present mini-block are. */
  let position = header.end;
  let packedAt = position;
  let left = header.total;
  let value = BigInt.asIntN(bits, header.first);
  let isFirst = true;
  let minimum = 0n;
  let widthsAt = 0;
  let miniBlock = miniBlocks;
  let inMiniBlock = valuesPerMiniBlock;
  let width = 0;

  const nextMiniBlock = (): void => {
    if (miniBlock === miniBlocks) {
      const [smallest, afterMinimum] = unsignedVarint(bytes, position, end);
      minimum = zigzag(smallest);
      widthsAt = afterMinimum;
      position = afterMinimum + miniBlocks;
      miniBlock = 0;
    }
    width = bytes[widthsAt + miniBlock] ?? 0;
    if (width > 64 || position > end) throw corrupt("A delta-encoded page has a wrong block");
    packedAt = position;
    position += (width * valuesPerMiniBlock) / 8;
    miniBlock++;
    inMiniBlock = 0;
  };
  const next = (): bigint => {
    if (left-- <= 0) throw missingValue();
    if (isFirst) {
      isFirst = false;
      return value;
    }
    if (inMiniBlock === valuesPerMiniBlock) nextMiniBlock();
    const delta = packed(bytes, packedAt, end, inMiniBlock * width, width);
    inMiniBlock++;
    value = BigInt.asIntN(bits, value + minimum + delta);
    return value;
  };
  return { total: header.total, next };
}

/** `width` bits at `bit` after `position`, least significant first. */
function packed(bytes: Uint8Array, position: number, end: number, bit: number, width: number): bigint {
  if (width === 0) return 0n;
  const from = position + (bit >> 3);
  const shift = bit & 7;
  const to = from + ((shift + width + 7) >> 3);
  if (to > end) throw missingValue();
  // Up to 48 bits fit a double exactly; wider differences are rare.
  if (to - from <= 6) {
    let value = 0;
    for (let at = to - 1; at >= from; at--) value = value * 256 + (bytes[at] ?? 0);
    return BigInt(Math.floor(value / 2 ** shift) % 2 ** width);
  }
  let value = 0n;
  for (let at = to - 1; at >= from; at--) value = (value << 8n) | BigInt(bytes[at] ?? 0);
  return BigInt.asUintN(width, value >> BigInt(shift));
}
