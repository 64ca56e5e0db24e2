// How decoded values are handed over, one after the other without an object for each: text and binary as a
// stretch of a buffer, everything else as a scalar.
import { corrupt } from "../corrupt.ts";
import type { StoredType } from "../format.ts";
import type { Leaf } from "../schema.ts";

export interface BytesCursor {
  readonly kind: "bytes";
  /** The present value is `bytes[start, end)`, valid until the next call of `next`. */
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Moves to the next value; throws ToolError `corrupt` when there is none. */
  next(): void;
}

export interface ScalarCursor {
  readonly kind: "scalar";
  next(): boolean | number | bigint;
}

export type ValueCursor = BytesCursor | ScalarCursor;

/** Bytes of one value in PLAIN, 0 where it varies or is not whole bytes. */
export function fixedWidth(leaf: Pick<Leaf, "type" | "typeLength">): number {
  return leaf.typeLength > 0 ? leaf.typeLength : WIDTH[leaf.type];
}

const WIDTH: Readonly<Record<StoredType, number>> = {
  BOOLEAN: 0,
  INT32: 4,
  INT64: 8,
  INT96: 12,
  FLOAT: 4,
  DOUBLE: 8,
  BYTE_ARRAY: 0,
  FIXED_LEN_BYTE_ARRAY: 0,
};

/** Values up to this length are copied, which costs less than half of making a view for each. */
const SCRATCH_BYTES = 64;

/** Gives `bytes[start, end)` as an array of its own that is valid until the next call. */
export function transientBytes(): (bytes: Uint8Array, start: number, end: number) => Uint8Array {
  const scratch = Array.from({ length: SCRATCH_BYTES + 1 }, (_, length) => new Uint8Array(length));
  return (bytes, start, end) => {
    const value = scratch[end - start];
    if (value === undefined) return bytes.subarray(start, end);
    for (let index = start; index < end; index++) value[index - start] = bytes[index] ?? 0;
    return value;
  };
}

export function missingValue(): Error {
  return corrupt("A page holds fewer values than it claims");
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
