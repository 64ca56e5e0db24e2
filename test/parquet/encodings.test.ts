// Decoders against the examples of Parquet's Encodings.md and encoders against their decoders.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBitPacked } from "../../src/parquet/encodings/bit-packed-levels.ts";
import { joinByteStreams } from "../../src/parquet/encodings/byte-stream-split.ts";
import { deltaEnd, readDelta } from "../../src/parquet/encodings/delta-binary-packed.ts";
import { readDeltaLengths, readDeltaPrefixes } from "../../src/parquet/encodings/delta-byte-array.ts";
import { readHybrid } from "../../src/parquet/encodings/hybrid-decode.ts";
import { indexWidth, writeHybrid } from "../../src/parquet/encodings/hybrid-encode.ts";
import { readPlain } from "../../src/parquet/encodings/plain-decode.ts";
import type { BytesCursor } from "../../src/parquet/encodings/value-cursor.ts";
import { openPage } from "../../src/parquet/decode-page.ts";
import { takeValue } from "../../src/parquet/read-dictionary.ts";
import { readFooter } from "../../src/parquet/footer.ts";
import { struct } from "../../src/parquet/thrift-tree.ts";
import { load, memorySource, utf8 } from "./support.ts";

const CORRUPT = expect.objectContaining({ name: "ToolError", kind: "corrupt" });

describe("the hybrid of runs and packed values", () => {
  const read = (bytes: Uint8Array, width: number, count: number): number[] => {
    const target = new Int32Array(count);
    readHybrid(bytes, 0, bytes.length, width).read(target, count);
    return [...target];
  };

  it("packs from the least significant bit, as the format's example does", () => {
    // Encodings.md "RLE": 0 to 7 with three bits are 10001000 11000110 11111010.
    expect(read(Uint8Array.of(0x03, 0b10001000, 0b11000110, 0b11111010), 3, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...writeHybrid(Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7), 8, 3)]).toEqual([0x03, 0b10001000, 0b11000110, 0b11111010]);
  });

  it("reads a run and a packed group in one", () => {
    expect(read(Uint8Array.of(0x0c, 5, 0x03, 0b10001000, 0b11000110, 0b11111010), 3, 10)).toEqual([5, 5, 5, 5, 5, 5, 0, 1, 2, 3]);
  });

  it("reads packed values of a whole number of bytes, each by itself", () => {
    const values = [1, -1, 0x01020304, 0, -2_147_483_648, 2_147_483_647, 7, 0x7f00_00ff];
    for (const width of [8, 16, 24, 32]) {
      const kept = values.map((value) => (width === 32 ? value : value & (2 ** width - 1)));
      const packed = kept.flatMap((value) =>
        [0, 8, 16, 24].filter((shift) => shift < width).map((shift) => (value >>> shift) & 0xff),
      );
      // Behind the group stands a run of ones, which must not leak into the last value.
      expect(read(Uint8Array.of(0x03, ...packed, 0xff, 0xff, 0xff, 0xff), width, 8)).toEqual(kept);
    }
  });

  it("gives back any values, however they are asked for", () => {
    const lists = fc.integer({ min: 1, max: 20 }).chain((width) => {
      const one = fc.integer({ min: 0, max: 2 ** width - 1 });
      const run = fc
        .tuple(one, fc.integer({ min: 1, max: 40 }))
        .map(([value, times]) => Array.from({ length: times }, () => value));
      return fc.tuple(fc.constant(width), fc.array(run, { maxLength: 30 }), fc.integer({ min: 1, max: 50 }));
    });
    fc.assert(
      fc.property(lists, ([width, runs, step]) => {
        const values = runs.flat();
        const bytes = writeHybrid(Int32Array.from(values), values.length, width);
        const reader = readHybrid(bytes, 0, bytes.length, width);
        const found: number[] = [];
        const target = new Int32Array(step);
        for (let done = 0; done < values.length; done += step) {
          const count = Math.min(step, values.length - done);
          reader.read(target, count);
          found.push(...target.subarray(0, count));
        }
        expect(found).toEqual(values);
      }),
    );
  });

  it("takes a last group that its writer cut short, and refuses a missing value", () => {
    // One packed group of width 8 that stops after three values.
    expect(read(Uint8Array.of(0x03, 1, 2, 3), 8, 3)).toEqual([1, 2, 3]);
    expect(() => read(Uint8Array.of(0x03, 1, 2, 3), 8, 4)).toThrow(CORRUPT);
    expect(() => read(Uint8Array.of(0x0c, 5), 3, 7)).toThrow(CORRUPT);
    expect(() => read(Uint8Array.of(0x0c, 9), 3, 6)).toThrow(CORRUPT);
    expect(() => read(Uint8Array.of(), 1, 1)).toThrow(CORRUPT);
    expect(() => readHybrid(Uint8Array.of(1), 0, 1, 33)).toThrow(CORRUPT);
  });

  it("needs one bit at least for an index", () => {
    expect([0, 1, 2, 3, 4, 5, 256, 257].map(indexWidth)).toEqual([1, 1, 1, 2, 2, 3, 8, 9]);
  });
});

describe("bit-packed levels", () => {
  it("start at the most significant bit, as the format's example does", () => {
    const target = new Int32Array(8);
    readBitPacked(Uint8Array.of(0b00000101, 0b00111001, 0b01110111), 0, 3, 3).read(target, 8);
    expect([...target]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(() => readBitPacked(Uint8Array.of(1), 0, 1, 3).read(target, 3)).toThrow(CORRUPT);
  });
});

describe("plain values", () => {
  it("are refused where their bytes are missing", () => {
    const cursor = (type: "BYTE_ARRAY" | "INT64" | "BOOLEAN" | "INT96", bytes: Uint8Array): (() => unknown) => {
      const values = readPlain({ type, typeLength: type === "INT96" ? 12 : 0 }, bytes, 0, bytes.length);
      return () => takeValue(values);
    };
    expect(cursor("BYTE_ARRAY", Uint8Array.of(3, 0, 0, 0, 1, 2))).toThrow(CORRUPT);
    expect(cursor("BYTE_ARRAY", Uint8Array.of(0xff, 0xff, 0xff, 0xff, 1))).toThrow(CORRUPT);
    expect(cursor("BYTE_ARRAY", Uint8Array.of(3, 0, 0))).toThrow(CORRUPT);
    expect(cursor("INT64", new Uint8Array(7))).toThrow(CORRUPT);
    expect(cursor("INT96", new Uint8Array(11))).toThrow(CORRUPT);
    expect(cursor("BOOLEAN", new Uint8Array(0))).toThrow(CORRUPT);
    expect(cursor("BYTE_ARRAY", Uint8Array.of(2, 0, 0, 0, 1, 2))()).toEqual(Uint8Array.of(1, 2));
  });
});

describe("a version 1 page with bit-packed definition levels", () => {
  it("holds its levels without a length, then its values", async () => {
    const source = memorySource(load("required.parquet"));
    const chunk = (await readFooter(source)).rowGroups[0]?.chunks[1];
    if (chunk === undefined) throw new Error("no chunk");
    const body = Uint8Array.of(0b10110000, 5, 0, 0, 0, 0x61, 0x62, 0x63, 0x64, 0x65, 1, 0, 0, 0, 0x78, 0, 0, 0, 0);
    const header = {
      type: "data",
      version: 1,
      tree: struct(),
      uncompressedBytes: body.length,
      compressedBytes: body.length,
      crc: null,
      values: 4,
      encoding: "PLAIN",
      definitionEncoding: "BIT_PACKED",
      repetitionEncoding: "BIT_PACKED",
    } as const;
    const page = openPage({ ...chunk, codec: "UNCOMPRESSED" }, { header, rawHeader: new Uint8Array(0), body });
    const levels = new Int32Array(4);
    page.definition?.read(levels, 4);
    expect([...levels]).toEqual([1, 0, 1, 1]);
    if (page.content.kind !== "values" || page.content.cursor.kind !== "bytes") throw new Error("no bytes");
    const { cursor } = page.content;
    const values = [1, 2, 3].map(() => {
      cursor.next();
      return new TextDecoder().decode(cursor.bytes.subarray(cursor.start, cursor.end));
    });
    expect(values).toEqual(["abcde", "x", ""]);
  });
});

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

describe("delta-encoded integers", () => {
  const read = (bytes: Uint8Array, bits: 32 | 64 = 32): bigint[] => {
    const reader = readDelta(bytes, 0, bytes.length, bits);
    return Array.from({ length: reader.total }, () => reader.next());
  };

  it("follow the format's first example: 1, 2, 3, 4, 5", () => {
    const bytes = Uint8Array.of(8, 1, 5, zigzag(1), zigzag(1), 0);
    expect(read(bytes)).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(deltaEnd(bytes, 0, bytes.length)).toBe(bytes.length);
  });

  it("follow the format's second example: 7, 5, 3, 1, 2, 3, 4, 5", () => {
    const bytes = Uint8Array.of(8, 1, 8, zigzag(7), zigzag(-2), 2, 0b11000000, 0b00111111);
    expect(read(bytes)).toEqual([7n, 5n, 3n, 1n, 2n, 3n, 4n, 5n]);
  });

  it("wrap around at the width of their type", () => {
    const most = 2 ** 31 - 1;
    const varint = (value: number): number[] => {
      const bytes: number[] = [];
      for (let rest = value; ; rest = Math.floor(rest / 128)) {
        if (rest < 128) return [...bytes, rest];
        bytes.push((rest % 128) | 128);
      }
    };
    expect(read(Uint8Array.from([8, 1, 2, ...varint(2 * most), zigzag(1), 0]))).toEqual([BigInt(most), -(2n ** 31n)]);
  });

  it("are refused where header, block or values are missing", () => {
    expect(() => read(Uint8Array.of(0, 1, 5, 2))).toThrow(CORRUPT);
    expect(() => read(Uint8Array.of(8, 0, 5, 2))).toThrow(CORRUPT);
    expect(() => read(Uint8Array.of(8, 1, 5, 2))).toThrow(CORRUPT);
    expect(() => read(Uint8Array.of(8, 1, 5, 2, 0, 65))).toThrow(CORRUPT);
    expect(() => read(Uint8Array.of(8, 1, 5, 2, 0, 8, 1))).toThrow(CORRUPT);
  });
});

describe("delta-encoded byte arrays", () => {
  const strings = (cursor: BytesCursor, count: number): string[] =>
    Array.from({ length: count }, () => {
      cursor.next();
      return new TextDecoder().decode(cursor.bytes.subarray(cursor.start, cursor.end));
    });

  it("hold lengths, then bytes (the format's example)", () => {
    // Encodings.md: "Hello", "World", "Foobar", "ABCDEF" have the lengths 5, 5, 6, 6.
    const lengths = Uint8Array.of(8, 1, 4, zigzag(5), zigzag(0), 1, 0b010);
    const bytes = new Uint8Array(Buffer.concat([lengths, utf8("HelloWorldFoobarABCDEF")]));
    expect(strings(readDeltaLengths(bytes, 0, bytes.length), 4)).toEqual(["Hello", "World", "Foobar", "ABCDEF"]);
    expect(() => strings(readDeltaLengths(bytes, 0, bytes.length - 1), 4)).toThrow(CORRUPT);
  });

  it("share prefixes with the value before (the format's example)", () => {
    // Encodings.md: axis, axle, babble, babyhood have the prefixes 0, 2, 0, 3 and the rest axis, le, babble, yhood.
    const prefixes = Uint8Array.of(8, 1, 4, zigzag(0), zigzag(-2), 3, 0b00000100 | (0 << 3) | ((5 & 0b11) << 6), 5 >> 2);
    const suffixes = Uint8Array.of(8, 1, 4, zigzag(4), zigzag(-2), 3, 0 | (6 << 3) | ((1 & 0b11) << 6), 1 >> 2, 0);
    const bytes = new Uint8Array(Buffer.concat([prefixes, Uint8Array.of(0), suffixes, utf8("axislebabbleyhood")]));
    expect(strings(readDeltaPrefixes(bytes, 0, bytes.length), 4)).toEqual(["axis", "axle", "babble", "babyhood"]);
  });

  it("are refused when a prefix is longer than the value before", () => {
    const prefixes = Uint8Array.of(8, 1, 1, zigzag(2));
    const suffixes = Uint8Array.of(8, 1, 1, zigzag(1));
    const bytes = new Uint8Array(Buffer.concat([prefixes, suffixes, utf8("x")]));
    expect(() => strings(readDeltaPrefixes(bytes, 0, bytes.length), 1)).toThrow(CORRUPT);
  });
});

describe("split byte streams", () => {
  it("are joined as the format's example splits them", () => {
    // Encodings.md "Byte Stream Split": three 4-byte values AA BB CC DD, 00 11 22 33, A3 B4 C5 D6.
    const split = Uint8Array.of(0xaa, 0x00, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6);
    expect([...joinByteStreams(split, 0, 12, 4)]).toEqual([
      0xaa, 0xbb, 0xcc, 0xdd, 0x00, 0x11, 0x22, 0x33, 0xa3, 0xb4, 0xc5, 0xd6,
    ]);
    expect(() => joinByteStreams(split, 0, 11, 4)).toThrow(CORRUPT);
  });
});
