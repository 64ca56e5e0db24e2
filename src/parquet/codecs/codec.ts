// The compression codecs by name: which are read, which are written, and their loading. Bytes written are the
// same on every Node version: a rewritten file is a pure function of its source. One codec is one file.
import type { CodecName } from "../format.ts";
import { brotliDecompress } from "./brotli.ts";
import { gzipCompress, gzipDecompress } from "./gzip.ts";
import { lz4Compress, lz4Decompress } from "./lz4.ts";
import { hadoopLz4Compress, hadoopLz4Decompress } from "./lz4-hadoop.ts";
import { snappyCompress, snappyDecompress } from "./snappy.ts";
import { loadZstd, zstdCompress, zstdDecompress } from "./zstd.ts";

/** Gives exactly `sizeBytes` bytes or throws ToolError `corrupt`. */
export type Decompress = (bytes: Uint8Array, sizeBytes: number) => Uint8Array;
export type Compress = (bytes: Uint8Array) => Uint8Array;

interface Codec {
  readonly decompress: Decompress;
  /** Null where nothing here writes it with the same bytes everywhere. */
  readonly compress: Compress | null;
}

const CODEC: Readonly<Record<CodecName, Codec | null>> = {
  UNCOMPRESSED: { decompress: (bytes) => bytes, compress: (bytes) => bytes },
  SNAPPY: { decompress: snappyDecompress, compress: snappyCompress },
  GZIP: { decompress: gzipDecompress, compress: gzipCompress },
  LZO: null,
  BROTLI: { decompress: brotliDecompress, compress: null },
  LZ4: { decompress: hadoopLz4Decompress, compress: hadoopLz4Compress },
  ZSTD: { decompress: zstdDecompress, compress: zstdCompress },
  LZ4_RAW: { decompress: lz4Decompress, compress: lz4Compress },
};

export function canDecompress(name: CodecName): boolean {
  return CODEC[name] !== null;
}

/** The codec of a re-encoded chunk: its own, except that brotli, whose bytes differ between Node versions, becomes zstd. */
export function writtenCodec(name: CodecName): CodecName {
  return CODEC[name] !== null && CODEC[name].compress === null ? "ZSTD" : name;
}

/** To be awaited once before codecs are used: zstd is a WebAssembly module. */
export async function loadCodecs(names: Iterable<CodecName>): Promise<void> {
  for (const name of names) if (writtenCodec(name) === "ZSTD") await loadZstd();
}

export function decompressor(name: CodecName): Decompress {
  const codec = CODEC[name];
  if (codec === null) throw new TypeError(`No decompressor for ${name}: canDecompress was not asked`);
  return codec.decompress;
}

export function compressor(name: CodecName): Compress {
  const compress = CODEC[name]?.compress;
  if (compress === null || compress === undefined) throw new TypeError(`No compressor for ${name}: writtenCodec was not asked`);
  return compress;
}
