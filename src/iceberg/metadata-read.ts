// Builds a table metadata document from its JSON sections (spec "Table Metadata Fields"). Snapshots, their log
// and carried lists stay unparsed until asked for. Knows the rules for v1 files without lists; refuses what
// no engine can use.
import { ToolError } from "../diagnostics/tool-error.ts";
import { type ElementList, elements, rawElements } from "./element-list.ts";
import { isJsonObject, type JsonValue } from "./json.ts";
import {
  arrayAt,
  corrupt,
  intMember,
  millisMember,
  optionalLong,
  optionalString,
  stringMapAt,
  stringMember,
} from "./json-fields.ts";
import { parseJson } from "./json-parse.ts";
import { positionAt, type ScannedMember, scanObject } from "./json-scan.ts";
import { stripTrailingSlashes, unreadable } from "./metadata-file.ts";
import { checkReferences } from "./metadata-read-checks.ts";
import { readDefinitions, type Sections } from "./metadata-read-definitions.ts";
import { MAIN_BRANCH, type MetadataLogEntry, type Snapshot, type SnapshotLogEntry, type SnapshotRef } from "./snapshot.ts";
import {
  CARRIED_LISTS,
  readCarried,
  readMetadataLogEntry,
  readSnapshot,
  readSnapshotLogEntry,
  readSnapshotRef,
} from "./snapshot-json.ts";
import { type FormatVersion, NEWEST_FORMAT_VERSION, type TableMetadata } from "./table-metadata.ts";

/** Lists whose elements are parsed one by one, when asked for. */
const LAZY_LISTS: ReadonlySet<string> = new Set(["snapshots", "snapshot-log", ...CARRIED_LISTS]);

/** `document` is JSON, unpacked; `location` is for messages. */
export function readDocument(document: Uint8Array, location: string): TableMetadata {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  return inFile(location, () => {
    const members = scanObject(bytes);
    refuseTwins(members);
    const read = readMembers(bytes, members, location);
    checkReferences(read);
    return { ...read, origin: { document: bytes, members, read } };
  });
}

function readMembers(document: Uint8Array, members: readonly ScannedMember[], location: string): TableMetadata {
  const sections: Sections = Object.fromEntries(
    members.filter(({ key }) => !LAZY_LISTS.has(key)).map(({ key, value }) => [key, parseSection(document, value)]),
  );
  const formatVersion = readFormatVersion(sections);
  const lastSequenceNumber = formatVersion === 1 ? 0n : readLong(sections, "last-sequence-number");
  const currentSnapshotId = readCurrentSnapshotId(sections);
  const list = <T>(key: string, read: (value: JsonValue, path: string) => T): ElementList<T> =>
    lazyList(members, key, (raw) => inFile(location, () => read(parseSection(document, raw), `${key}[]`)));
  const tableUuid = optionalString(sections, "table-uuid", "");
  if (tableUuid === null && formatVersion > 1)
    throw corrupt("table-uuid", `It is missing; format version ${formatVersion} requires it`);
  return {
    formatVersion,
    tableUuid,
    location: stripTrailingSlashes(stringMember(sections, "location", "")),
    lastSequenceNumber,
    lastUpdatedMs: millisMember(sections, "last-updated-ms", ""),
    lastColumnId: intMember(sections, "last-column-id", ""),
    ...readDefinitions(sections, formatVersion),
    properties: isNone(sections["properties"]) ? {} : stringMapAt(sections["properties"], "properties"),
    currentSnapshotId,
    refs: readRefs(sections["refs"], currentSnapshotId),
    snapshots: list("snapshots", (value, path) => readKnownSnapshot(value, path, lastSequenceNumber)),
    snapshotLog: list<SnapshotLogEntry>("snapshot-log", readSnapshotLogEntry),
    metadataLog: readMetadataLog(sections["metadata-log"]),
    nextRowId: formatVersion < 3 ? null : readLong(sections, "next-row-id"),
    carried: Object.fromEntries(CARRIED_LISTS.map((key) => [key, list(key, readCarried)])),
    origin: null,
  };
}

function readFormatVersion(sections: Sections): FormatVersion {
  const version = intMember(sections, "format-version", "");
  if (version === 1 || version === 2 || version === 3) return version;
  if (version < 1) throw corrupt("format-version", `Format version ${version} does not exist`);
  throw new ToolError("unsupported", 'Cannot read "format-version"', {
    why: `Format version ${version} is newer than ${NEWEST_FORMAT_VERSION}, the newest that floeplan knows`,
    context: { at: "format-version" },
  });
}

function readLong(sections: Sections, key: string): bigint {
  const value = optionalLong(sections, key, "");
  if (value === null) throw corrupt(key, "It is missing; a 64-bit integer is required");
  return value;
}

/** Absent, null and -1 all say that there is none. */
function readCurrentSnapshotId(sections: Sections): bigint | null {
  const id = optionalLong(sections, "current-snapshot-id", "");
  return id === -1n ? null : id;
}

function readRefs(value: JsonValue | undefined, currentSnapshotId: bigint | null): Readonly<Record<string, SnapshotRef>> {
  if (!isNone(value) && !isJsonObject(value)) throw corrupt("refs", "An object is required");
  const refs: [string, SnapshotRef][] = Object.entries(value ?? {}).map(([name, ref]) => [
    name,
    readSnapshotRef(ref, `refs.${name}`),
  ]);
  if (currentSnapshotId !== null && !refs.some(([name]) => name === MAIN_BRANCH)) {
    refs.unshift([MAIN_BRANCH, { snapshotId: currentSnapshotId, type: "branch" }]);
  }
  return Object.fromEntries(refs);
}

/** Java refuses a table with such a snapshot as a whole, in version 1 too, where all are 0; here it is found when it is looked at. */
function readKnownSnapshot(value: JsonValue, path: string, lastSequenceNumber: bigint): Snapshot {
  const snapshot = readSnapshot(value, path);
  if (snapshot.sequenceNumber > lastSequenceNumber) {
    const why = `Snapshot ${snapshot.snapshotId} has the sequence number ${snapshot.sequenceNumber}, above "last-sequence-number" ${lastSequenceNumber}`;
    throw corrupt(path, why);
  }
  return snapshot;
}

function readMetadataLog(value: JsonValue | undefined): readonly MetadataLogEntry[] {
  if (isNone(value)) return [];
  return arrayAt(value, "metadata-log").map((entry, index) => readMetadataLogEntry(entry, `metadata-log[${index}]`));
}

function lazyList<T>(members: readonly ScannedMember[], key: string, read: (raw: Uint8Array) => T): ElementList<T> {
  const member = members.find((one) => one.key === key);
  if (member === undefined || isNullText(member.value)) return elements<T>([]);
  if (member.elements === null) throw corrupt(key, "An array is required");
  return rawElements(member.elements, read);
}

function isNullText(raw: Uint8Array): boolean {
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).equals(Buffer.from("null"));
}

/** Readers differ in which of two equal keys counts, so such a file says different things to different engines. */
function refuseTwins(members: readonly ScannedMember[]): void {
  const seen = new Set<string>();
  for (const { key } of members) {
    if (seen.has(key)) throw corrupt(key, "It stands twice in the file");
    seen.add(key);
  }
}

function parseSection(document: Uint8Array, raw: Uint8Array): JsonValue {
  try {
    return parseJson(raw);
  } catch (error) {
    if (!(error instanceof ToolError) || error.context["offset"] === undefined) throw error;
    return parseJson(raw, { start: positionAt(document, raw.byteOffset - document.byteOffset) });
  }
}

function isNone(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** Says in which file, and where in it, the reading failed. */
function inFile<T>(location: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ToolError) || (error.kind !== "corrupt" && error.kind !== "unsupported")) throw error;
    const at = error.context["at"];
    const why = error.why ?? error.message;
    throw unreadable(error.kind, location, at === undefined ? why : `At "${at}": ${why}`, error);
  }
}
