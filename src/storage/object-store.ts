// The contract of every store of bytes. Locations are absolute texts as they stand in table metadata
// (`/x`, `file:/x`, `file:///x`, `s3://bucket/key`). Failures are ToolErrors: not-found, auth, storage-full,
// throttled, unavailable, corrupt (shorter than asked). Knows nothing of tables.

export interface ObjectInfo {
  readonly location: string;
  readonly sizeBytes: number;
}

export type PutResult = "written" | "exists";

/** A new object that appears whole at `close()` or never. One writer at a time a location. */
export interface ObjectWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** Appends bytes of another object of the same store; stores that can do it on their side do so. */
  copyFrom(source: string, offset: number, lengthBytes: number): Promise<void>;
  close(): Promise<ObjectInfo>;
  /** Nothing is left behind, as far as the store allows. Safe to call twice and after a failure. */
  abort(): Promise<void>;
}

export interface ObjectStore {
  readonly canList: boolean;
  readonly canRemove: boolean;
  read(location: string): Promise<Uint8Array>;
  /** Exactly `lengthBytes` bytes from `offset`, else ToolError `corrupt`. */
  readRange(location: string, offset: number, lengthBytes: number): Promise<Uint8Array>;
  /** Null when nothing is there. */
  head(location: string): Promise<ObjectInfo | null>;
  /** Writes only where nothing has that name, atomically; a reader never sees a part. */
  putIfAbsent(location: string, bytes: Uint8Array): Promise<PutResult>;
  /** Writes or overwrites, atomically. For hints and journals only, never for metadata or data files. */
  replace(location: string, bytes: Uint8Array): Promise<void>;
  /** A streamed new object. Overwrites a leftover of the same name: names of data files are content-derived. */
  create(location: string): Promise<ObjectWriter>;
  /** Everything under a folder-like prefix; only where `canList`. */
  list(prefix: string): AsyncIterable<ObjectInfo>;
  /** Removing what is not there is no error; only where `canRemove`. */
  remove(location: string): Promise<void>;
}
