// The new file from its first byte on: counts the position, joins adjacent stretches of the source into one
// copy and small pieces into one write. Knows no Parquet.
import type { ByteSink } from "./file-io.ts";

export interface FileWriter {
  /** Where the next byte goes. */
  readonly position: number;
  readonly copiedBytes: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes of the source, unchanged. */
  copy(offset: number, lengthBytes: number): Promise<void>;
  /** Hands on what is held back. */
  flush(): Promise<void>;
}

/** Enough to make requests rare, little enough to hold in memory. */
const PIECES_BYTES = 1024 * 1024;

export function fileWriter(sink: ByteSink): FileWriter {
  let position = 0;
  let copiedBytes = 0;
  let pieces: Uint8Array[] = [];
  let piecesBytes = 0;
  let stretch: { readonly offset: number; length: number } | null = null;

  const flushPieces = async (): Promise<void> => {
    if (piecesBytes === 0) return;
    const joined = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces, piecesBytes);
    pieces = [];
    piecesBytes = 0;
    await sink.write(joined);
  };
  const flushStretch = async (): Promise<void> => {
    if (stretch === null) return;
    const { offset, length } = stretch;
    stretch = null;
    await sink.copy(offset, length);
  };

  return {
    get position() {
      return position;
    },
    get copiedBytes() {
      return copiedBytes;
    },
    write: async (bytes) => {
      await flushStretch();
      pieces.push(bytes);
      piecesBytes += bytes.length;
      position += bytes.length;
      if (piecesBytes >= PIECES_BYTES) await flushPieces();
    },
    copy: async (offset, lengthBytes) => {
      if (lengthBytes === 0) return;
      await flushPieces();
      position += lengthBytes;
      copiedBytes += lengthBytes;
      if (stretch !== null && stretch.offset + stretch.length === offset) stretch.length += lengthBytes;
      else {
        await flushStretch();
        stretch = { offset, length: lengthBytes };
      }
    },
    flush: async () => {
      await flushStretch();
      await flushPieces();
    },
  };
}
