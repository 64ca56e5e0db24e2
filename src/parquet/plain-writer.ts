// Writes PLAIN values of the target type into a growing buffer (Encodings.md "Plain"). Refuses a value that
// the type cannot hold: a conversion that gives one is a bug of ours, and rounding would hide it.
import { bug } from "../diagnostics/tool-error.ts";
import { viewOf } from "./encodings/value-cursor.ts";
import type { ColumnValue, PhysicalTarget } from "./physical.ts";
import { bigintOf, bytesOf, numberOf } from "./value-order.ts";

export interface PlainWriter {
  append(value: ColumnValue): void;
  readonly sizeBytes: number;
  /** A view, valid until the next call of `append` or `clear`. */
  bytes(): Uint8Array;
  clear(): void;
}

interface Buffer {
  bytes: Uint8Array;
  view: DataView;
  position: number;
}

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

export function plainWriter(target: PhysicalTarget): PlainWriter {
  const bytes = new Uint8Array(4096);
  const buffer: Buffer = { bytes, view: viewOf(bytes), position: 0 };
  const put = putterOf(target);
  let bits = 0;
  if (target.type === "BOOLEAN") {
    return {
      append: (value) => {
        if ((bits & 7) === 0) {
          const at = reserve(buffer, 1);
          buffer.bytes[at] = 0;
        }
        if (value === true) buffer.bytes[bits >> 3] = (buffer.bytes[bits >> 3] ?? 0) | (1 << (bits & 7));
        bits++;
      },
      get sizeBytes() {
        return buffer.position;
      },
      bytes: () => buffer.bytes.subarray(0, buffer.position),
      clear: () => {
        buffer.position = 0;
        bits = 0;
      },
    };
  }
  return {
    append: (value) => put(buffer, value),
    get sizeBytes() {
      return buffer.position;
    },
    bytes: () => buffer.bytes.subarray(0, buffer.position),
    clear: () => {
      buffer.position = 0;
    },
  };
}

/** PLAIN bytes of one value with its length where the type has one. */
export function plainSize(target: PhysicalTarget, value: ColumnValue): number {
  switch (target.type) {
    case "BOOLEAN":
      return 1;
    case "INT32":
    case "FLOAT":
      return 4;
    case "INT64":
    case "DOUBLE":
      return 8;
    case "BYTE_ARRAY":
      return 4 + bytesOf(value).length;
    case "FIXED_LEN_BYTE_ARRAY":
      return target.typeLength ?? 0;
  }
}

function putterOf(target: PhysicalTarget): (buffer: Buffer, value: ColumnValue) => void {
  switch (target.type) {
    case "BOOLEAN":
    case "INT32":
      return putInt32;
    case "INT64":
      return putInt64;
    case "FLOAT":
      return (buffer, value) => {
        const at = reserve(buffer, 4);
        buffer.view.setFloat32(at, numberOf(value), true);
      };
    case "DOUBLE":
      return (buffer, value) => {
        const at = reserve(buffer, 8);
        buffer.view.setFloat64(at, numberOf(value), true);
      };
    case "BYTE_ARRAY":
      return (buffer, value) => {
        const bytes = bytesOf(value);
        const at = reserve(buffer, 4 + bytes.length);
        buffer.view.setUint32(at, bytes.length, true);
        putBytes(buffer.bytes, at + 4, bytes);
      };
    case "FIXED_LEN_BYTE_ARRAY": {
      const { typeLength } = target;
      return (buffer, value) => {
        const bytes = bytesOf(value);
        if (bytes.length !== typeLength)
          throw bug(`A conversion gave ${bytes.length} bytes for a fixed length of ${typeLength ?? "none"}`);
        const at = reserve(buffer, bytes.length);
        putBytes(buffer.bytes, at, bytes);
      };
    }
  }
}

function putInt32(buffer: Buffer, value: ColumnValue): void {
  const number = numberOf(value);
  if ((number | 0) !== number) throw bug("A conversion gave a number outside 32 bits for an INT32 column");
  const at = reserve(buffer, 4);
  buffer.view.setInt32(at, number, true);
}

function putInt64(buffer: Buffer, value: ColumnValue): void {
  const number = bigintOf(value);
  if (number < LONG_MIN || number > LONG_MAX) throw bug("A conversion gave a number outside 64 bits for an INT64 column");
  const at = reserve(buffer, 8);
  buffer.view.setBigInt64(at, number, true);
}

function putBytes(target: Uint8Array, at: number, bytes: Uint8Array): void {
  if (bytes.length > 24) target.set(bytes, at);
  else for (let index = 0; index < bytes.length; index++) target[at + index] = bytes[index] ?? 0;
}

/** Room for `lengthBytes`; gives where they start. May replace `buffer.bytes`, so it is called before those are looked at. */
function reserve(buffer: Buffer, lengthBytes: number): number {
  const at = buffer.position;
  buffer.position = at + lengthBytes;
  if (buffer.position > buffer.bytes.length) {
    const grown = new Uint8Array(Math.max(buffer.position, buffer.bytes.length * 2));
    grown.set(buffer.bytes.subarray(0, at));
    buffer.bytes = grown;
    buffer.view = viewOf(grown);
  }
  return at;
}
