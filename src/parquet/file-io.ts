// How the Parquet room reaches bytes: handed in, so that it stays pure. Offsets and lengths in bytes.

export interface ByteSource {
  readonly sizeBytes: number;
  read(offset: number, lengthBytes: number): Promise<Uint8Array>;
}

/** The new file, written front to back. `copy` takes bytes of the source unchanged. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>;
  copy(offset: number, lengthBytes: number): Promise<void>;
}
