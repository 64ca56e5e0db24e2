// Names of metadata files and what the names say: version and compression. Knows where the next file of a
// table goes; knows no catalog and no storage.
import { gunzipSync, gzipSync } from "node:zlib";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { TableMetadata } from "./table-metadata.ts";

export type MetadataCodec = "none" | "gzip";

/** Limit of the document, unpacked: the contract's 1 GiB. */
const MAX_METADATA_BYTES = 2 ** 30;
export const METADATA_FOLDER = "metadata";

const CODEC_PROPERTY = "write.metadata.compression-codec";
const PATH_PROPERTY = "write.metadata.path";
const MAX_VERSION = 2 ** 31 - 1;

/** What the table's property asks for in new metadata files. */
export function metadataCodec(metadata: TableMetadata): MetadataCodec {
  const name = metadata.properties[CODEC_PROPERTY] ?? "none";
  const codec = name.toLowerCase();
  if (codec === "none" || codec === "gzip") return codec;
  throw new ToolError("unsupported", "Cannot name the next metadata file", {
    why: `Property "${CODEC_PROPERTY}" is "${name}"; "none" and "gzip" are known`,
    mend: `Set "${CODEC_PROPERTY}" to "none" or "gzip"`,
  });
}

/** `.gz.metadata.json`, or `.metadata.json.gz` of older writers. */
export function hasGzipName(location: string): boolean {
  return location.endsWith(".gz.metadata.json") || location.endsWith(".metadata.json.gz");
}

/** The document in a metadata file: unpacked where the name or the first bytes say gzip. */
export function unpackMetadataFile(bytes: Uint8Array, location: string): Uint8Array {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip && hasGzipName(location)) throw unreadable("corrupt", location, "Its name says gzip and its content is not gzip");
  if (!isGzip) return bytes.byteLength <= MAX_METADATA_BYTES ? bytes : tooLarge(location);
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_METADATA_BYTES });
  } catch (cause) {
    if (cause instanceof RangeError) return tooLarge(location);
    throw unreadable("corrupt", location, "Its gzip stream is broken", cause);
  }
}

/** The bytes to store under that name. */
export function packMetadataFile(document: Uint8Array, location: string): Uint8Array {
  return hasGzipName(location) ? gzipSync(document) : document;
}

/**
 * Where a pointer catalog writes the next metadata file: five digits of the version after the current file's,
 * then the given uuid. A current name without a version counts as none, so the count starts at 00000 again.
 */
export function nextMetadataLocation(
  metadata: TableMetadata,
  currentLocation: string | null,
  uuid: string,
  codec: MetadataCodec = metadataCodec(metadata),
): string {
  const version = (currentLocation === null ? -1 : (parseMetadataVersion(currentLocation) ?? -1)) + 1;
  return `${metadataFolder(metadata)}/${String(version).padStart(5, "0")}-${uuid}${extensionOf(codec)}`;
}

/** The folder of the table's metadata files, without a trailing slash. */
export function metadataFolder(metadata: TableMetadata): string {
  const path = metadata.properties[PATH_PROPERTY];
  return path === undefined || path === "" ? `${metadata.location}/${METADATA_FOLDER}` : stripTrailingSlashes(path);
}

/** 12 for `…/00012-<uuid>.metadata.json`; null where the name has no version of that form. */
export function parseMetadataVersion(location: string): number | null {
  const name = location.slice(location.lastIndexOf("/") + 1);
  return toVersion(/^(\d+)-/.exec(name)?.[1]);
}

/** The file name of version N in the Hadoop layout, as the standard writers make it. */
export function hadoopMetadataName(version: number, codec: MetadataCodec = "none"): string {
  return `v${version}${extensionOf(codec)}`;
}

/** All names that version N may have in the Hadoop layout, the usual one first. */
export function hadoopMetadataNames(version: number): readonly string[] {
  return [hadoopMetadataName(version), hadoopMetadataName(version, "gzip"), `v${version}.metadata.json.gz`];
}

/** 3 for `…/v3.metadata.json`, `v3.gz.metadata.json` and `v3.metadata.json.gz`; else null. */
export function parseHadoopVersion(location: string): number | null {
  const name = location.slice(location.lastIndexOf("/") + 1);
  return toVersion(/^v(\d+)(?:\.gz)?\.metadata\.json(?:\.gz)?$/.exec(name)?.[1]);
}

/** As Java does for every location it stores; the `//` of a bare scheme stays. */
export function stripTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/" && !path.endsWith("://", end)) end--;
  return path.slice(0, end);
}

function extensionOf(codec: MetadataCodec): string {
  return codec === "gzip" ? ".gz.metadata.json" : ".metadata.json";
}

function toVersion(digits: string | undefined): number | null {
  if (digits === undefined) return null;
  const version = Number(digits);
  return version <= MAX_VERSION ? version : null;
}

function tooLarge(location: string): never {
  throw unreadable("unsupported", location, `It is larger than ${MAX_METADATA_BYTES / 2 ** 30} GiB`);
}

export function unreadable(kind: "corrupt" | "unsupported", location: string, why: string, cause?: unknown): ToolError {
  return new ToolError(kind, `Cannot read metadata file "${location}"`, { why, cause });
}
