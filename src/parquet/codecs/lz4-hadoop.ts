// Parquet's deprecated codec LZ4: LZ4 blocks in Hadoop's framing (big-endian sizes before each block). Some
// writers stored a bare block under this name; that is read too (parquet-format, Compression.md, "LZ4").
import { corrupt } from "../corrupt.ts";
import { lz4Compress, lz4Decompress, lz4DecompressInto, roomFor } from "./lz4.ts";

export function hadoopLz4Decompress(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  return framesOf(bytes, sizeBytes) ?? lz4Decompress(bytes, sizeBytes);
}

/** Null when the sizes do not add up: then it is no framing. A frame holds one block or several. */
function framesOf(bytes: Uint8Array, sizeBytes: number): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const result = roomFor(bytes, sizeBytes);
  let position = 0;
  let written = 0;
  while (position < bytes.length) {
    if (position + 8 > bytes.length) return null;
    const frameEnd = written + view.getUint32(position);
    position += 4;
    if (frameEnd > sizeBytes) return null;
    do {
      if (position + 4 > bytes.length) return null;
      const compressed = view.getUint32(position);
      position += 4;
      if (compressed === 0 || position + compressed > bytes.length) return null;
      written = lz4DecompressInto(bytes.subarray(position, position + compressed), result, written, frameEnd);
      position += compressed;
    } while (written < frameEnd);
  }
  if (written !== sizeBytes) throw corrupt(`A page decompresses to ${written} bytes instead of ${sizeBytes}`);
  return result;
}

export function hadoopLz4Compress(bytes: Uint8Array): Uint8Array {
  const block = lz4Compress(bytes);
  const result = new Uint8Array(8 + block.length);
  const view = new DataView(result.buffer);
  view.setUint32(0, bytes.length);
  view.setUint32(4, block.length);
  result.set(block, 8);
  return result;
}
