// Brotli is read only: Node's encoder changes its bytes between versions, and no other is at hand.
import { brotliDecompressSync } from "node:zlib";
import { corrupt } from "../corrupt.ts";

export function brotliDecompress(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  let result: Uint8Array;
  try {
    result = brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, sizeBytes) });
  } catch {
    throw corrupt("Brotli data in a page does not decompress");
  }
  if (result.length !== sizeBytes) throw corrupt(`A page decompresses to ${result.length} bytes instead of ${sizeBytes}`);
  return result;
}
