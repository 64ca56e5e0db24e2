// Every codec gives back what it took, refuses what it cannot, and writes the same bytes on every machine.
import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { snappyUncompress } from "hyparquet";
import { beforeAll, describe, expect, it } from "vitest";
import { compressor, decompressor, loadCodecs, writtenCodec } from "../../src/parquet/codecs/codec.ts";
import { crc32, crc32ByTable } from "../../src/parquet/crc32.ts";
import { CODECS } from "../../src/parquet/format.ts";

const WRITTEN = ["UNCOMPRESSED", "SNAPPY", "GZIP", "LZ4", "ZSTD", "LZ4_RAW"] as const;

/** Bytes with repeats near and far, made by a fixed recipe. */
function sample(length: number, spread: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = length;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[index] = index % 7 < 4 ? (index / 50) & 63 : (state >>> 24) % spread;
  }
  return bytes;
}

const SAMPLES = [
  new Uint8Array(0),
  Uint8Array.of(7),
  new Uint8Array(70_000),
  sample(300, 8),
  sample(150_000, 8),
  sample(150_000, 256),
];

beforeAll(async () => {
  await loadCodecs(CODECS);
});

describe("a codec", () => {
  it.each(WRITTEN)("%s gives back what it took", (name) => {
    for (const bytes of SAMPLES) {
      const packed = compressor(name)(bytes);
      expect(Buffer.compare(decompressor(name)(packed, bytes.length), bytes)).toBe(0);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat({ max: 60 }), (piece, times) => {
        const bytes = new Uint8Array(Buffer.concat([...Array.from({ length: times }, () => piece), piece.subarray(3)]));
        expect(Buffer.compare(decompressor(name)(compressor(name)(bytes), bytes.length), bytes)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  // Taken on Node 20.20 and 24.21 (x64), where they are equal: names of rewritten files stand for their bytes.
  it.each([
    ["SNAPPY", "87319a9df486f8ad"],
    ["GZIP", "da188b379e9235cc"],
    ["LZ4", "78faeca7500d7324"],
    ["ZSTD", "4dbdfac2cbe1bdd9"],
    ["LZ4_RAW", "fd68dea09d1e85dc"],
  ] as const)("%s writes the same bytes everywhere", (name, wanted) => {
    const hash = createHash("sha256");
    for (const bytes of SAMPLES) hash.update(compressor(name)(bytes));
    expect(hash.digest("hex").slice(0, 16)).toBe(wanted);
  });

  it.each(WRITTEN.filter((name) => name !== "UNCOMPRESSED"))("%s refuses damaged bytes without harm", (name) => {
    const bytes = sample(3000, 8);
    const packed = compressor(name)(bytes);
    let state = 1;
    for (let round = 0; round < 300; round++) {
      const damaged = packed.slice(0, round % 3 === 0 ? (round * 37) % packed.length : packed.length);
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      if (damaged.length > 0) damaged[state % damaged.length] = state >>> 24;
      try {
        expect(decompressor(name)(damaged, bytes.length)).toHaveLength(bytes.length);
      } catch (error) {
        expect(error).toMatchObject({ name: "ToolError", kind: "corrupt" });
      }
    }
    // What was done to the module before leaves it sound.
    expect(Buffer.compare(decompressor(name)(packed, bytes.length), bytes)).toBe(0);
  });

  it.each(WRITTEN.filter((name) => name !== "UNCOMPRESSED"))("%s refuses another size than the page claims", (name) => {
    const packed = compressor(name)(sample(3000, 8));
    for (const size of [0, 2999, 3001, 400_000_000]) {
      expect(() => decompressor(name)(packed, size)).toThrow(expect.objectContaining({ kind: "corrupt" }));
    }
  });

  it.each([
    // Four literals, then a copy from five bytes back.
    ["SNAPPY", Uint8Array.of(8, 3 << 2, 1, 2, 3, 4, (3 << 2) | 2, 5, 0)],
    ["LZ4_RAW", Uint8Array.of(0x40, 1, 2, 3, 4, 5, 0)],
    // A copy from no distance at all.
    ["SNAPPY", Uint8Array.of(8, 3 << 2, 1, 2, 3, 4, (3 << 2) | 2, 0, 0)],
    ["LZ4_RAW", Uint8Array.of(0x40, 1, 2, 3, 4, 0, 0)],
  ] as const)("%s refuses a copy from before its start", (name, packed) => {
    expect(() => decompressor(name)(packed, 8)).toThrow(
      expect.objectContaining({ why: expect.stringMatching(/wrong (copy|match)/) }),
    );
    const sound = packed.with(packed.length - 2, 4);
    expect([...decompressor(name)(sound, 8)]).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
  });

  it("takes no memory for a zstd frame that states more than its page", () => {
    // A header with a content size of 2^40 bytes in eight bytes (RFC 8878), then anything.
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
    expect(() => decompressor("ZSTD")(frame, 100)).toThrow(
      expect.objectContaining({ why: "A zstd frame states 1099511627776 bytes instead of 100" }),
    );
    expect(() => decompressor("ZSTD")(frame.subarray(0, 9), 100)).toThrow(expect.objectContaining({ kind: "corrupt" }));
  });

  it("reads what Node's own zlib and hyparquet's snappy know", () => {
    const bytes = sample(20_000, 8);
    expect(Buffer.compare(decompressor("GZIP")(gzipSync(bytes), bytes.length), bytes)).toBe(0);
    expect(Buffer.compare(decompressor("BROTLI")(brotliCompressSync(bytes), bytes.length), bytes)).toBe(0);
    const back = new Uint8Array(bytes.length);
    snappyUncompress(compressor("SNAPPY")(bytes), back);
    expect(Buffer.compare(back, bytes)).toBe(0);
  });

  it("keeps its chunk's codec, but for brotli, which becomes zstd", () => {
    expect(CODECS.filter((name) => writtenCodec(name) !== name)).toEqual(["BROTLI"]);
    expect(writtenCodec("BROTLI")).toBe("ZSTD");
  });
});

describe("the checksum", () => {
  it("is the CRC-32 of gzip, with and without Node's own", () => {
    const digits = new TextEncoder().encode("123456789");
    // The check value of CRC-32/ISO-HDLC.
    expect(crc32ByTable(digits)).toBe(0xcbf43926);
    expect(crc32(digits)).toBe(0xcbf43926 | 0);
  });
});
