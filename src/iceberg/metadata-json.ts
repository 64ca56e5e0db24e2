// A table metadata file to the document and back. Reading and writing are lossless: what was not changed is
// written as it was read, byte for byte, and what was not asked for was never parsed.
import { unpackMetadataFile } from "./metadata-file.ts";
import { readDocument } from "./metadata-read.ts";
import { writeDocument } from "./metadata-write.ts";
import type { TableMetadata } from "./table-metadata.ts";

/**
 * The document in a metadata file of format version 1 to 3, plain or gzip. Throws `corrupt` or `unsupported`
 * with the place in the file. The bytes are kept, not copied: the caller must not change them afterwards.
 */
export function readMetadata(bytes: Uint8Array, location: string): TableMetadata {
  return readDocument(unpackMetadataFile(bytes, location), location);
}

/** The JSON document, not packed. For metadata as it was read these are the bytes that were read. */
export function writeMetadata(metadata: TableMetadata): Uint8Array {
  return writeDocument(metadata);
}
