// Bytes of a stored object for the Parquet room: a source by ranges, a sink that copies what is untouched.
import type { ByteSink, ByteSource } from "../parquet/file-io.ts";
import type { ObjectStore, ObjectWriter } from "../storage/object-store.ts";

export function storeSource(store: ObjectStore, location: string, sizeBytes: number): ByteSource {
  return {
    sizeBytes,
    read: (offset, lengthBytes) =>
      lengthBytes === 0 ? Promise.resolve(new Uint8Array()) : store.readRange(location, offset, lengthBytes),
  };
}

export function writerSink(writer: ObjectWriter, source: string): ByteSink {
  return {
    write: (bytes) => writer.write(bytes),
    copy: (offset, lengthBytes) => writer.copyFrom(source, offset, lengthBytes),
  };
}
