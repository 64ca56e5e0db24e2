// Compression of Avro container blocks by codec name. Reads what Iceberg writers use; writes null and deflate.
// Deflate is written by fflate, not by node:zlib, so that the same entries give the same bytes on every Node.
import { inflateRawSync } from "node:zlib";
import { deflateSync } from "fflate";
import { decompressSnappy } from "./avro-snappy.ts";
import { decompressZstd } from "./avro-zstd.ts";

export type WriteCodec = "null" | "deflate";

/** Blocks are some 64 KB in practice; a whole manifest in one block is a few hundred MB at most. */
const MAX_BLOCK_BYTES = 0x2000_0000;

export type Decompress = (data: Uint8Array) => Uint8Array;

const DECOMPRESSORS: Readonly<Record<string, Decompress>> = {
  null: (data) => data,
  deflate: (data) => inflateRawSync(data, { maxOutputLength: MAX_BLOCK_BYTES }),
  snappy: decompressAvroSnappy,
  zstandard: (data) => decompressZstd(data, MAX_BLOCK_BYTES),
};

export const READ_CODECS: readonly string[] = Object.keys(DECOMPRESSORS);

/** Undefined for a codec that is not read here. The decompressor throws when the data is damaged. */
export function decompressorFor(codec: string): Decompress | undefined {
  return Object.hasOwn(DECOMPRESSORS, codec) ? DECOMPRESSORS[codec] : undefined;
}

export function compressBlock(codec: WriteCodec, data: Uint8Array): Uint8Array {
  return codec === "null" ? data : deflateSync(data);
}

// Avro puts the CRC-32 of the uncompressed data behind each Snappy block, big-endian.
function decompressAvroSnappy(data: Uint8Array): Uint8Array {
  const end = data.byteLength - 4;
  if (end < 0) throw new Error("it is too short");
  const output = decompressSnappy(data.subarray(0, end), MAX_BLOCK_BYTES);
  const stored = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(end);
  if (crc32(output) !== stored) throw new Error("its checksum does not match");
  return output;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  return value;
});

// node:zlib has crc32 from Node 20.15 on; this program runs from 20.12.
function crc32(data: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of data) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffff_ffff) >>> 0;
}
