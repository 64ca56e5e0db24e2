// Decompresses one raw Snappy block (format description of google/snappy), as Avro's codec `snappy` holds it.
// Every length is checked against the input and the announced output. Compressing is not needed: we write deflate.

/** Throws a plain Error with the reason; the caller knows the file. */
export function decompressSnappy(input: Uint8Array, maxOutputBytes: number): Uint8Array {
  const header = readLength(input);
  if (header.length > maxOutputBytes) throw new Error(`it would grow to ${header.length} bytes`);
  // A copy of 64 bytes takes three at least, so a longer promise cannot be kept and is not allocated for.
  if (header.length > input.byteLength * MAX_GROWTH) throw new Error("its length cannot be right");
  const output = new Uint8Array(header.length);
  let at = header.end;
  let written = 0;

  const byte = (): number => {
    const value = input[at++];
    if (value === undefined) throw new Error("it ends too early");
    return value;
  };

  while (at < input.byteLength) {
    const tag = byte();
    if ((tag & 3) === LITERAL) {
      const short = tag >> 2;
      let length = short + 1;
      if (short >= FIRST_LONG_LITERAL) {
        length = 1;
        for (let index = 0; index <= short - FIRST_LONG_LITERAL; index++) length += byte() * 2 ** (8 * index);
      }
      if (length > input.byteLength - at || length > output.byteLength - written) throw new Error("a literal is too long");
      output.set(input.subarray(at, at + length), written);
      at += length;
      written += length;
      continue;
    }
    let length: number;
    let offset: number;
    if ((tag & 3) === SHORT_COPY) {
      length = ((tag >> 2) & 7) + 4;
      offset = ((tag >> 5) << 8) | byte();
    } else {
      length = (tag >> 2) + 1;
      offset = byte() | (byte() << 8);
      if ((tag & 3) === LONG_COPY) offset += (byte() + byte() * 0x100) * 0x1_0000;
    }
    if (offset === 0 || offset > written || length > output.byteLength - written) throw new Error("a copy reaches outside");
    // One by one: a copy may reach into what it writes, which repeats a pattern.
    for (let index = 0; index < length; index++) output[written + index] = output[written - offset + index] ?? 0;
    written += length;
  }
  if (written !== output.byteLength) throw new Error("it is shorter than it says");
  return output;
}

const LITERAL = 0;
const SHORT_COPY = 1;
const LONG_COPY = 3;
/** Tags from here on say how many bytes hold the literal's length. */
const FIRST_LONG_LITERAL = 60;
const MAX_GROWTH = 32;

function readLength(input: Uint8Array): { readonly length: number; readonly end: number } {
  let length = 0;
  for (let index = 0; index < 5; index++) {
    const byte = input[index];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { length, end: index + 1 };
  }
  throw new Error("it has no length");
}
