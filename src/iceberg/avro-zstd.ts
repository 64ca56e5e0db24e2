// Decompresses Zstandard data (RFC 8878), as Avro's codec `zstandard` holds it. The decoder is fzstd; before it
// runs, the frames are walked without decoding, so that a false size is refused instead of allocated.
import { Decompress } from "fzstd";

/** What the zstd tools accept by default; a frame that wants a larger window is an attack or damage. */
const MAX_WINDOW_BYTES = 0x800_0000;
const MAX_BLOCK_BYTES = 0x2_0000;
const FRAME_MAGIC = 0xfd2f_b528;
const SKIPPABLE_MAGIC = 0x184d_2a5;
const BLOCK_RLE = 1;
const BLOCK_COMPRESSED = 2;
const BLOCK_RESERVED = 3;

/** Throws a plain Error with the reason; the caller knows the file. */
export function decompressZstd(input: Uint8Array, maxOutputBytes: number): Uint8Array {
  if (outputBound(input) > maxOutputBytes) throw new Error(`it would grow beyond ${maxOutputBytes} bytes`);
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((part) => {
    parts.push(part);
    length += part.byteLength;
  });
  stream.push(input, true);
  const output = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    output.set(part, at);
    at += part.byteLength;
  }
  return output;
}

// The most that all frames can hold.
function outputBound(input: Uint8Array): number {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  let at = 0;
  let bound = 0;
  while (at < input.byteLength) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === SKIPPABLE_MAGIC) {
      at += 8 + view.getUint32(at + 4, true);
    } else if (magic === FRAME_MAGIC) {
      const frame = walkFrame(view, at);
      bound += frame.bound;
      at = frame.end;
    } else {
      throw new Error("it is not Zstandard data");
    }
    if (at > input.byteLength) throw new Error("it ends too early");
  }
  return bound;
}

function walkFrame(view: DataView, start: number): { readonly bound: number; readonly end: number } {
  const flags = view.getUint8(start + 4);
  const singleSegment = (flags & 0x20) !== 0;
  const sizeBytes = flags >> 6 === 0 ? Number(singleSegment) : 1 << (flags >> 6);
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  let at = start + 5;
  const window = singleSegment ? contentSize(view, at + dictionaryBytes, sizeBytes) : windowSize(view.getUint8(at));
  if (window > MAX_WINDOW_BYTES) throw new Error("it wants more memory than Zstandard allows by default");
  at += Number(!singleSegment) + dictionaryBytes + sizeBytes;
  let bound = 0;
  for (let last = false; !last; ) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >> 1) & 3;
    const size = header >> 3;
    if (type === BLOCK_RESERVED) throw new Error("it holds a block of an unknown kind");
    bound += type === BLOCK_COMPRESSED ? MAX_BLOCK_BYTES : size;
    at += 3 + (type === BLOCK_RLE ? 1 : size);
    last = (header & 1) === 1;
  }
  const hasChecksum = (flags & 4) !== 0;
  return { bound, end: at + (hasChecksum ? 4 : 0) };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function contentSize(view: DataView, at: number, sizeBytes: number): number {
  if (sizeBytes === 8) return Number(view.getBigUint64(at, true));
  if (sizeBytes === 4) return view.getUint32(at, true);
  // Two bytes hold the size less 256 (RFC 8878, "Frame_Content_Size").
  return sizeBytes === 2 ? view.getUint16(at, true) + 0x100 : view.getUint8(at);
}
