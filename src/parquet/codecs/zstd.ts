// Zstandard by its reference implementation as WebAssembly, so that compressed bytes do not depend on Node.
// Checks the frame header before memory is taken. The module must be loaded first.
import { compress, decompress, init } from "@bokuweb/zstd-wasm";
import { corrupt } from "../corrupt.ts";

/** The level that Iceberg's own writers use when none is set. */
const LEVEL = 3;
const FRAME_MAGIC = 0xfd2fb528;
/** A block of four bytes stands for 128 KiB at most (RFC 8878, 3.1.1.2). */
const MAX_EXPANSION = 32_768;

let loading: Promise<void> | null = null;

export async function loadZstd(): Promise<void> {
  loading ??= init();
  await loading;
}

export function zstdCompress(bytes: Uint8Array): Uint8Array {
  return compress(bytes, LEVEL);
}

export function zstdDecompress(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  const stated = contentSize(bytes);
  if (stated !== null && stated !== BigInt(sizeBytes))
    throw corrupt(`A zstd frame states ${stated} bytes instead of ${sizeBytes}`);
  if (sizeBytes > bytes.length * MAX_EXPANSION) throw corrupt("Zstd data in a page claims more bytes than it can hold");
  let result: Uint8Array;
  try {
    // A frame without its size is decompressed into a buffer of this size; one byte at least is allocated.
    result = decompress(bytes, { defaultHeapSize: Math.max(1, sizeBytes) });
  } catch (cause) {
    // The module says so itself where the data is at fault; a trap of WebAssembly is something else.
    if (cause instanceof Error && cause.message.startsWith("Failed to")) throw corrupt("Zstd data in a page does not decompress");
    throw cause;
  }
  if (result.length !== sizeBytes) throw corrupt(`A page decompresses to ${result.length} bytes instead of ${sizeBytes}`);
  return result;
}

/** The content size in the frame header (RFC 8878, 3.1.1.1), null when the frame does not state it. */
function contentSize(bytes: Uint8Array): bigint | null {
  if (bytes.length < 6) throw corrupt("Zstd data in a page is cut off");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== FRAME_MAGIC) throw corrupt("Zstd data in a page does not start with its magic");
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const start = 5 + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  if (sizeFlag === 0 && !isSingleSegment) return null;
  const width = sizeFlag === 0 ? 1 : 2 ** sizeFlag;
  if (start + width > bytes.length) throw corrupt("Zstd data in a page is cut off");
  if (width === 1) return BigInt(view.getUint8(start));
  if (width === 2) return BigInt(view.getUint16(start, true) + 256);
  return width === 4 ? BigInt(view.getUint32(start, true)) : view.getBigUint64(start, true);
}
