// A table in the answer of an Iceberg REST catalog (REST spec, LoadTableResult): the metadata, exact and as lazy as that
// of a file, and what the server gives for reaching the files. Pure.
import { isJsonObject, type JsonValue } from "./json.ts";
import { corrupt, objectMember, stringMember } from "./json-fields.ts";
import { parseJson } from "./json-parse.ts";
import { scanObject } from "./json-scan.ts";
import { readDocument } from "./metadata-read.ts";
import { readProperties, type RestProperties } from "./rest-answers.ts";
import type { TableMetadata } from "./table-metadata.ts";

/** Properties for the locations that begin with the prefix. */
export interface StorageCredential {
  readonly prefix: string;
  readonly config: RestProperties;
}

export interface TableAccess {
  readonly config: RestProperties;
  readonly credentials: readonly StorageCredential[];
}

export interface TableAnswer extends TableAccess {
  readonly metadataLocation: string;
  readonly metadata: TableMetadata;
}

/** The metadata of 100 MB costs little more than its bytes: only members at the top are looked for. */
export function readTableAnswer(body: Uint8Array): TableAnswer {
  const members = membersOf(body);
  const metadataLocation = readLocation(members);
  const metadata = members.get("metadata");
  if (metadata === undefined) throw corrupt("metadata", "It is missing; an object is required");
  return { metadataLocation, metadata: readDocument(metadata, metadataLocation), ...accessOf(members) };
}

/** Where the metadata file is, without a look at the metadata. */
export function readMetadataLocation(body: Uint8Array): string {
  return readLocation(membersOf(body));
}

/** Where a table that is not there yet would be (a staged creation). */
export function readStagedLocation(body: Uint8Array): string | null {
  const metadata = membersOf(body).get("metadata");
  if (metadata === undefined) return null;
  const location = membersOf(metadata).get("location");
  const value = location === undefined ? null : parseJson(location);
  return typeof value === "string" && value !== "" ? value : null;
}

/** The answer of the endpoint for credentials alone (LoadCredentialsResponse), or the part of a table's answer. */
export function readTableAccess(body: Uint8Array): TableAccess {
  return accessOf(membersOf(body));
}

function membersOf(body: Uint8Array): ReadonlyMap<string, Uint8Array> {
  return new Map(scanObject(Buffer.from(body.buffer, body.byteOffset, body.byteLength)).map(({ key, value }) => [key, value]));
}

function readLocation(members: ReadonlyMap<string, Uint8Array>): string {
  const raw = members.get("metadata-location");
  const location = raw === undefined ? null : parseJson(raw);
  if (typeof location === "string" && location !== "") return location;
  throw corrupt("metadata-location", "It is missing; a table that is there has one");
}

function accessOf(members: ReadonlyMap<string, Uint8Array>): TableAccess {
  const config = valueOf(members, "config");
  const credentials = valueOf(members, "storage-credentials");
  return {
    config: readProperties(config, "config"),
    credentials: Array.isArray(credentials) ? credentials.filter(isJsonObject).map(readCredential) : [],
  };
}

function readCredential(object: { readonly [key: string]: JsonValue }, index: number): StorageCredential {
  const path = `storage-credentials[${index}]`;
  return {
    prefix: stringMember(object, "prefix", path),
    config: readProperties(objectMember(object, "config", path), `${path}.config`),
  };
}

function valueOf(members: ReadonlyMap<string, Uint8Array>, key: string): JsonValue {
  const raw = members.get(key);
  return raw === undefined ? null : parseJson(raw);
}
