// MurmurHash3, 32 bits, x86, seed 0: the hash of the bucket transform (spec Appendix B). Bytes in, number out.

const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

/** The hash as a signed 32-bit number. */
export function murmur3(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = bytes.length - (bytes.length % 4);
  let hash = 0;
  for (let at = 0; at < blocks; at += 4) {
    hash ^= scramble(view.getUint32(at, true));
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let at = bytes.length - 1; at >= blocks; at--) tail = (tail << 8) | view.getUint8(at);
  if (bytes.length > blocks) hash ^= scramble(tail);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}

function scramble(block: number): number {
  const mixed = Math.imul(block, C1);
  return Math.imul((mixed << 15) | (mixed >>> 17), C2);
}
