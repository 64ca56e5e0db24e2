// Snapshots, refs and the two logs in their JSON form, both ways (spec Appendix C "Snapshots"), keys in Java's
// order. Ids are exact. Also finds a snapshot by id without parsing the others.
import type { ElementList } from "./element-list.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import {
  arrayMember,
  corrupt,
  isAbsent,
  join,
  longMember,
  member,
  millisMember,
  objectAt,
  optionalInt,
  optionalLong,
  optionalString,
  stringMapAt,
  stringMember,
  unknownMembers,
} from "./json-fields.ts";
import { skipBlanks } from "./json-scan.ts";
import type { MetadataLogEntry, Snapshot, SnapshotLogEntry, SnapshotRef } from "./snapshot.ts";

const SNAPSHOT_KEYS: ReadonlySet<string> = new Set([
  "sequence-number",
  "snapshot-id",
  "parent-snapshot-id",
  "timestamp-ms",
  "summary",
  "manifest-list",
  "manifests",
  "schema-id",
  "first-row-id",
  "added-rows",
  "key-id",
]);

export function readSnapshot(value: JsonValue | undefined, path = "snapshot"): Snapshot {
  const object = objectAt(value, path);
  const manifestList = optionalString(object, "manifest-list", path);
  const extra = unknownMembers(object, SNAPSHOT_KEYS);
  return {
    snapshotId: longMember(object, "snapshot-id", path),
    parentSnapshotId: optionalLong(object, "parent-snapshot-id", path),
    sequenceNumber: optionalLong(object, "sequence-number", path) ?? 0n,
    timestampMs: millisMember(object, "timestamp-ms", path),
    summary: isAbsent(object, "summary") ? {} : stringMapAt(object["summary"], join(path, "summary")),
    manifestList,
    ...(manifestList === null ? { manifests: readManifests(object, path) } : {}),
    schemaId: optionalInt(object, "schema-id", path),
    firstRowId: optionalLong(object, "first-row-id", path),
    addedRows: optionalLong(object, "added-rows", path),
    keyId: optionalString(object, "key-id", path),
    ...(extra === undefined ? {} : { extra }),
  };
}

function readManifests(object: JsonObject, path: string): readonly string[] {
  return arrayMember(object, "manifests", path).map((manifest, index) => {
    if (typeof manifest === "string") return manifest;
    throw corrupt(`${join(path, "manifests")}[${index}]`, "The path of a manifest is required");
  });
}

export function writeSnapshot(snapshot: Snapshot): JsonObject {
  const { operation, ...counters } = snapshot.summary;
  const summary = operation === undefined ? counters : { operation, ...counters };
  return {
    ...(snapshot.sequenceNumber > 0n ? { "sequence-number": snapshot.sequenceNumber } : {}),
    "snapshot-id": snapshot.snapshotId,
    ...(snapshot.parentSnapshotId === null ? {} : { "parent-snapshot-id": snapshot.parentSnapshotId }),
    "timestamp-ms": snapshot.timestampMs,
    ...(Object.keys(summary).length === 0 ? {} : { summary }),
    ...(snapshot.manifestList === null ? { manifests: snapshot.manifests ?? [] } : { "manifest-list": snapshot.manifestList }),
    ...(snapshot.schemaId === null ? {} : { "schema-id": snapshot.schemaId }),
    ...(snapshot.firstRowId === null ? {} : { "first-row-id": snapshot.firstRowId }),
    ...(snapshot.addedRows === null ? {} : { "added-rows": snapshot.addedRows }),
    ...(snapshot.keyId === null ? {} : { "key-id": snapshot.keyId }),
    ...snapshot.extra,
  };
}

/** Also reads the members of a `set-snapshot-ref` update, which are the same. */
export function readSnapshotRef(value: JsonValue | undefined, path = "ref"): SnapshotRef {
  const object = objectAt(value, path);
  const minSnapshotsToKeep = optionalInt(object, "min-snapshots-to-keep", path);
  const maxSnapshotAgeMs = readAge(object, "max-snapshot-age-ms", path);
  const maxRefAgeMs = readAge(object, "max-ref-age-ms", path);
  return {
    snapshotId: longMember(object, "snapshot-id", path),
    type: readRefType(object, path),
    ...(minSnapshotsToKeep === null ? {} : { minSnapshotsToKeep }),
    ...(maxSnapshotAgeMs === null ? {} : { maxSnapshotAgeMs }),
    ...(maxRefAgeMs === null ? {} : { maxRefAgeMs }),
  };
}

/** Java's "for ever" is the highest 64-bit number; as milliseconds the nearest double says the same. */
function readAge(object: JsonObject, key: string, path: string): number | null {
  const age = optionalLong(object, key, path);
  return age === null ? null : Number(age);
}

function readRefType(object: JsonObject, path: string): SnapshotRef["type"] {
  const type = stringMember(object, "type", path).toLowerCase();
  if (type === "branch" || type === "tag") return type;
  throw corrupt(join(path, "type"), `"branch" or "tag" is required, found "${type}"`);
}

export function writeSnapshotRef(ref: SnapshotRef): JsonObject {
  return {
    "snapshot-id": ref.snapshotId,
    type: ref.type,
    ...(ref.minSnapshotsToKeep === undefined ? {} : { "min-snapshots-to-keep": ref.minSnapshotsToKeep }),
    ...(ref.maxSnapshotAgeMs === undefined ? {} : { "max-snapshot-age-ms": writeAge(ref.maxSnapshotAgeMs) }),
    ...(ref.maxRefAgeMs === undefined ? {} : { "max-ref-age-ms": writeAge(ref.maxRefAgeMs) }),
  };
}

function writeAge(age: number): number | bigint {
  const highest = 2n ** 63n - 1n;
  return Number.isSafeInteger(age) ? age : BigInt(age) > highest ? highest : BigInt(age);
}

export function readSnapshotLogEntry(value: JsonValue | undefined, path = "snapshot-log"): SnapshotLogEntry {
  const object = objectAt(value, path);
  return { timestampMs: millisMember(object, "timestamp-ms", path), snapshotId: longMember(object, "snapshot-id", path) };
}

export function writeSnapshotLogEntry(entry: SnapshotLogEntry): JsonObject {
  return { "timestamp-ms": entry.timestampMs, "snapshot-id": entry.snapshotId };
}

export function readMetadataLogEntry(value: JsonValue | undefined, path = "metadata-log"): MetadataLogEntry {
  const object = objectAt(value, path);
  return { timestampMs: millisMember(object, "timestamp-ms", path), metadataFile: stringMember(object, "metadata-file", path) };
}

export function writeMetadataLogEntry(entry: MetadataLogEntry): JsonObject {
  return { "timestamp-ms": entry.timestampMs, "metadata-file": entry.metadataFile };
}

/** Lists of the metadata document that are carried without being understood. */
export const CARRIED_LISTS = ["statistics", "partition-statistics", "encryption-keys"] as const;

/** The snapshot a statistics file belongs to; null where a carried element names none. */
export function readCarried(value: JsonValue): { readonly snapshotId: bigint | null } {
  const isNamed = isJsonObject(value) && member(value, "snapshot-id") !== undefined;
  return { snapshotId: isNamed ? optionalLong(value, "snapshot-id", "") : null };
}

const SNAPSHOT_ID_KEY = Buffer.from('"snapshot-id"');

/** The snapshot of that id, or undefined. */
export function findSnapshot(snapshots: ElementList<Snapshot>, snapshotId: bigint): Snapshot | undefined {
  return findSnapshots(snapshots, [snapshotId]).get(snapshotId);
}

/**
 * Those of the snapshots that are there, by id. One walk from the newest backwards that ends when all are
 * found and parses no other: in a file of 100 MB that is the difference between milliseconds and half a second.
 */
export function findSnapshots(snapshots: ElementList<Snapshot>, ids: Iterable<bigint>): ReadonlyMap<bigint, Snapshot> {
  const found = new Map<bigint, Snapshot>();
  const wanted = new Set(Array.from(ids, String));
  for (let index = snapshots.length - 1; index >= 0 && wanted.size > 0; index--) {
    const raw = snapshots.rawAt(index);
    const hint = raw === undefined ? null : peekSnapshotId(raw);
    if (hint !== null && !wanted.has(hint)) continue;
    const snapshot = snapshots.at(index);
    if (snapshot !== undefined && wanted.delete(String(snapshot.snapshotId))) found.set(snapshot.snapshotId, snapshot);
  }
  return found;
}

/** The digits after the first `"snapshot-id":`, or null where only parsing can tell. A summary's values are texts, so none is mistaken. */
function peekSnapshotId(raw: Uint8Array): string | null {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const key = bytes.indexOf(SNAPSHOT_ID_KEY);
  if (key < 0) return null;
  const colon = skipBlanks(bytes, key + SNAPSHOT_ID_KEY.length);
  const start = skipBlanks(bytes, colon + 1);
  let end = start;
  while (isDigit(bytes[end])) end++;
  return end === start || bytes[start] === 0x30 ? null : bytes.toString("latin1", start, end);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
