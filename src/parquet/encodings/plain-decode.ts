// Decodes PLAIN values of every physical type (Encodings.md "Plain").
import type { Leaf } from "../schema.ts";
import { type BytesCursor, fixedWidth, missingValue, type ScalarCursor, type ValueCursor, viewOf } from "./value-cursor.ts";

export function readPlain(leaf: Pick<Leaf, "type" | "typeLength">, bytes: Uint8Array, start: number, end: number): ValueCursor {
  switch (leaf.type) {
    case "BOOLEAN":
      return plainBooleans(bytes, start, end);
    case "BYTE_ARRAY":
      return lengthPrefixed(bytes, start, end);
    case "FIXED_LEN_BYTE_ARRAY":
    case "INT96":
      return fixedLength(bytes, start, end, fixedWidth(leaf));
    case "INT32":
    case "INT64":
    case "FLOAT":
    case "DOUBLE":
      return plainNumbers(leaf.type, bytes, start, end);
  }
}

function plainBooleans(bytes: Uint8Array, start: number, end: number): ScalarCursor {
  let bit = 0;
  return {
    kind: "scalar",
    next: () => {
      const at = start + (bit >> 3);
      if (at >= end) throw missingValue();
      return (((bytes[at] ?? 0) >> (bit++ & 7)) & 1) === 1;
    },
  };
}

function plainNumbers(type: "INT32" | "INT64" | "FLOAT" | "DOUBLE", bytes: Uint8Array, start: number, end: number): ScalarCursor {
  const view = viewOf(bytes);
  const width = type === "INT32" || type === "FLOAT" ? 4 : 8;
  let position = start;
  const take = (): number => {
    const at = position;
    position += width;
    if (position > end) throw missingValue();
    return at;
  };
  switch (type) {
    case "INT32":
      return { kind: "scalar", next: () => view.getInt32(take(), true) };
    case "INT64":
      return { kind: "scalar", next: () => view.getBigInt64(take(), true) };
    case "FLOAT":
      return { kind: "scalar", next: () => view.getFloat32(take(), true) };
    case "DOUBLE":
      return { kind: "scalar", next: () => view.getFloat64(take(), true) };
  }
}

function lengthPrefixed(bytes: Uint8Array, start: number, end: number): BytesCursor {
  return {
    kind: "bytes",
    bytes,
    start,
    end: start,
    next() {
      const at = this.end;
      const from = at + 4;
      if (from > end) throw missingValue();
      const length =
        (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8) + ((bytes[at + 2] ?? 0) << 16) + (bytes[at + 3] ?? 0) * 0x1000000;
      if (from + length > end) throw missingValue();
      this.start = from;
      this.end = from + length;
    },
  };
}

function fixedLength(bytes: Uint8Array, start: number, end: number, width: number): BytesCursor {
  return {
    kind: "bytes",
    bytes,
    start,
    end: start,
    next() {
      const from = this.end;
      if (from + width > end) throw missingValue();
      this.start = from;
      this.end = from + width;
    },
  };
}
