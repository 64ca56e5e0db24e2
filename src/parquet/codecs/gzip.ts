// Gzip: read by Node's zlib, written by fflate, because the bytes of zlib differ between Node versions and
// processors.
import { gunzipSync } from "node:zlib";
import { gzipSync } from "fflate";
import { corrupt } from "../corrupt.ts";

/** Half the time of level 6 for about two per cent more bytes (measured on digits in text). */
const LEVEL = 4;
/** Zero stands for "no time" in the header; without it fflate writes the present one. */
const NO_TIME = 0;

export function gzipCompress(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: LEVEL, mtime: NO_TIME });
}

export function gzipDecompress(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  let result: Uint8Array;
  try {
    result = gunzipSync(bytes, { maxOutputLength: Math.max(1, sizeBytes) });
  } catch {
    throw corrupt("Gzip data in a page does not decompress");
  }
  if (result.length !== sizeBytes) throw corrupt(`A page decompresses to ${result.length} bytes instead of ${sizeBytes}`);
  return result;
}
