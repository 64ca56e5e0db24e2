// Chooses the decoder for a page's encoding and type. The one list of what can be decoded; dictionary indices
// are not values and are read elsewhere.
import { corrupt, unsupported } from "../corrupt.ts";
import type { StoredType } from "../format.ts";
import type { Leaf } from "../schema.ts";
import { joinByteStreams } from "./byte-stream-split.ts";
import { readDeltaLengths, readDeltaPrefixes } from "./delta-byte-array.ts";
import { readDelta } from "./delta-binary-packed.ts";
import { readHybrid } from "./hybrid-decode.ts";
import { readPlain } from "./plain-decode.ts";
import { fixedWidth, type ScalarCursor, type ValueCursor, viewOf } from "./value-cursor.ts";

type Read = (leaf: Leaf, bytes: Uint8Array, start: number, end: number) => ValueCursor;

const BYTES: readonly StoredType[] = ["BYTE_ARRAY"];

const DECODERS: Readonly<Record<string, { readonly types: readonly StoredType[] | null; readonly read: Read }>> = {
  PLAIN: { types: null, read: readPlain },
  RLE: { types: ["BOOLEAN"], read: (_, bytes, start, end) => runBooleans(bytes, start, end) },
  DELTA_BINARY_PACKED: { types: ["INT32", "INT64"], read: deltaIntegers },
  DELTA_LENGTH_BYTE_ARRAY: { types: BYTES, read: (_, bytes, start, end) => readDeltaLengths(bytes, start, end) },
  DELTA_BYTE_ARRAY: {
    types: ["BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"],
    read: (_, bytes, start, end) => readDeltaPrefixes(bytes, start, end),
  },
  BYTE_STREAM_SPLIT: {
    types: ["INT32", "INT64", "FLOAT", "DOUBLE", "FIXED_LEN_BYTE_ARRAY"],
    read: (leaf, bytes, start, end) => readPlain(leaf, joinByteStreams(bytes, start, end, fixedWidth(leaf)), 0, end - start),
  },
};

/** Encodings of levels and indices, which a chunk lists beside those of its values. */
const NOT_OF_VALUES: readonly string[] = ["RLE", "BIT_PACKED", "PLAIN_DICTIONARY", "RLE_DICTIONARY"];

export function isDictionaryEncoding(encoding: string): boolean {
  return encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY";
}

/** Can a chunk that lists this encoding be decoded? */
export function canDecode(encoding: string): boolean {
  return NOT_OF_VALUES.includes(encoding) || Object.hasOwn(DECODERS, encoding);
}

export function readValues(encoding: string, leaf: Leaf, bytes: Uint8Array, start: number, end: number): ValueCursor {
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  const name = leaf.path.join(".");
  if (decoder === undefined) throw unsupported(`Column "${name}" uses encoding ${encoding}, which is not read here`);
  if (decoder.types !== null && !decoder.types.includes(leaf.type)) {
    throw corrupt(`Column "${name}" uses encoding ${encoding} for type ${leaf.type}`);
  }
  return decoder.read(leaf, bytes, start, end);
}

function runBooleans(bytes: Uint8Array, start: number, end: number): ScalarCursor {
  if (start + 4 > end) throw corrupt("A page of booleans ends before its length");
  const length = viewOf(bytes).getUint32(start, true);
  if (start + 4 + length > end) throw corrupt("A page of booleans is shorter than its length");
  const reader = readHybrid(bytes, start + 4, start + 4 + length, 1);
  const one = new Int32Array(1);
  return {
    kind: "scalar",
    next: () => {
      reader.read(one, 1);
      return one[0] === 1;
    },
  };
}

function deltaIntegers(leaf: Leaf, bytes: Uint8Array, start: number, end: number): ScalarCursor {
  if (leaf.type === "INT64") {
    const wide = readDelta(bytes, start, end, 64);
    return { kind: "scalar", next: () => wide.next() };
  }
  const narrow = readDelta(bytes, start, end, 32);
  return { kind: "scalar", next: () => Number(narrow.next()) };
}
