// Decodes BYTE_STREAM_SPLIT (Encodings.md): the n-th bytes of all values lie together. Puts them back side by
// side; the result is read as PLAIN.
import { corrupt } from "../corrupt.ts";

export function joinByteStreams(bytes: Uint8Array, start: number, end: number, width: number): Uint8Array {
  const size = end - start;
  if (size % width !== 0) throw corrupt("A page of split byte streams has a size that is no multiple of its values");
  const values = size / width;
  const joined = new Uint8Array(size);
  for (let stream = 0; stream < width; stream++) {
    const from = start + stream * values;
    for (let index = 0, to = stream; index < values; index++, to += width) joined[to] = bytes[from + index] ?? 0;
  }
  return joined;
}
