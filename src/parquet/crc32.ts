// The CRC-32 of page bodies (parquet.thrift PageHeader.crc, the polynomial of gzip). Uses Node's own where
// it has one: 20.12 to 20.14 have none.
import * as zlib from "node:zlib";

const TABLE = new Uint32Array(256).map((_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 as the signed 32-bit integer that Thrift holds. */
export function crc32(bytes: Uint8Array): number {
  return (typeof zlib.crc32 === "function" ? zlib.crc32(bytes) : crc32ByTable(bytes)) | 0;
}

export function crc32ByTable(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}
