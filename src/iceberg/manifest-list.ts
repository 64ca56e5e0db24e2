// Reads and writes manifest lists (spec "Manifest Lists"). Writing assigns what is known only at the commit attempt:
// the snapshot's sequence number and, in v3, the first row ids of new data manifests.
import { bug } from "../diagnostics/tool-error.ts";
import type { WriteCodec } from "./avro-codec.ts";
import { newAvroFile, openAvroFile } from "./avro-container.ts";
import { recordIn } from "./avro-decode.ts";
import type { ManifestFile, ManifestList, NewManifestFile } from "./manifest.ts";
import { carriedFields, carriedWriter, mergeCarried } from "./manifest-carried.ts";
import { hasCounts } from "./manifest-count.ts";
import { manifestListFields } from "./manifest-fields.ts";
import { MANIFEST_COLUMNS, newManifestFile } from "./manifest-list-columns.ts";
import { recordReader } from "./manifest-record.ts";
import { avroRecordOf, icebergSchemaText } from "./manifest-schema.ts";
import type { FormatVersion } from "./table-metadata.ts";

const NO_IDS: ReadonlySet<number> = new Set();
const NO_NAMES: ReadonlyMap<number, string> = new Map();

/** Throws `corrupt` with file and offset for damage, and for a file that is no manifest list. */
export function readManifestList(bytes: Uint8Array, location: string): ManifestList {
  const file = openAvroFile(bytes, location);
  const record = recordIn(file.schema, { location, column: "manifest_file" });
  const reader = recordReader<ManifestFile>(record, MANIFEST_COLUMNS, { location, skip: NO_IDS, forget: NO_NAMES, carry: true });
  const manifests: ManifestFile[] = [];
  for (const { count, cursor } of file.blocks()) {
    for (let left = count; left > 0; left--) {
      const manifest = newManifestFile();
      manifest.carried = reader.read(cursor, manifest);
      manifests.push(manifest);
    }
  }
  const long = (key: string): bigint | null => {
    const text = new TextDecoder().decode(file.metadata.get(key));
    return /^-?\d{1,19}$/.test(text) ? BigInt(text) : null;
  };
  const formatVersion = long("format-version");
  return {
    header: {
      formatVersion: formatVersion === null ? null : Number(formatVersion),
      snapshotId: long("snapshot-id"),
      parentSnapshotId: long("parent-snapshot-id"),
      sequenceNumber: long("sequence-number"),
      firstRowId: long("first-row-id"),
    },
    manifests,
  };
}

export interface ManifestListWriteOptions {
  readonly formatVersion: FormatVersion;
  readonly snapshotId: bigint;
  readonly parentSnapshotId: bigint | null;
  /** 0 in v1. */
  readonly sequenceNumber: bigint;
  /** The table's `next-row-id` in v3; null below. */
  readonly firstRowId: bigint | null;
  readonly codec?: WriteCodec;
}

export interface WrittenManifestList {
  readonly bytes: Uint8Array;
  /** The records as written, with what was assigned. */
  readonly manifests: readonly ManifestFile[];
  /** v3: the snapshot's `added-rows`, by which the table's `next-row-id` grows; null below. */
  readonly addedRows: bigint | null;
}

export function writeManifestList(
  options: ManifestListWriteOptions,
  records: readonly (ManifestFile | NewManifestFile)[],
): WrittenManifestList {
  const { formatVersion, firstRowId } = options;
  if ((formatVersion === 3) !== (firstRowId !== null)) throw bug("Row ids are assigned in v3, and only there");
  const { manifests, nextRowId } = assign(options, records);
  const carried = mergeCarried(manifests.map((manifest) => manifest.carried?.columns ?? []));
  const fields = manifestListFields(formatVersion);
  const record = avroRecordOf(fields, "manifest_file");
  const file = newAvroFile({
    schema: { ...record, fields: [...record.fields, ...carriedFields(carried)] },
    codec: options.codec ?? "deflate",
    metadata: { ...headerOf(options), "iceberg.schema": icebergSchemaText(fields) },
  });
  const writers = fields.map((field) => {
    const column = MANIFEST_COLUMNS.find((one) => one.id === field.id);
    if (column === undefined) throw bug(`No column is written for the manifest list field ${field.id}`);
    return column.writer(field.required);
  });
  const writeRest = carriedWriter(carried);
  for (const manifest of manifests) {
    if (formatVersion > 1) checkCounts(manifest);
    file.append((sink) => {
      for (const write of writers) write(sink, manifest);
      writeRest(sink, manifest.carried);
    });
  }
  return {
    bytes: file.finish(),
    manifests,
    addedRows: nextRowId === null || firstRowId === null ? null : nextRowId - firstRowId,
  };
}

// As the reference implementation assigns: a data manifest without a first row id gets the next one, and room for all
// its existing and added rows, since any of them may lack an id of its own.
function assign(
  { sequenceNumber, firstRowId, formatVersion }: ManifestListWriteOptions,
  records: readonly (ManifestFile | NewManifestFile)[],
): { readonly manifests: readonly ManifestFile[]; readonly nextRowId: bigint | null } {
  let nextRowId = firstRowId;
  const manifests = records.map((record): ManifestFile => {
    if (formatVersion === 1 && record.content === "deletes") throw bug("A v1 table has no delete manifests");
    const numbered: ManifestFile = {
      ...record,
      sequenceNumber: record.sequenceNumber ?? sequenceNumber,
      minSequenceNumber: record.minSequenceNumber ?? sequenceNumber,
    };
    if (nextRowId === null || record.content === "deletes" || record.firstRowId !== null) return numbered;
    const assigned = { ...numbered, firstRowId: nextRowId };
    nextRowId += (record.existingRowsCount ?? 0n) + (record.addedRowsCount ?? 0n);
    return assigned;
  });
  return { manifests, nextRowId };
}

// v1 did not ask for counts (`withCounts` finds them); since v2 they are required.
function checkCounts(manifest: ManifestFile): void {
  if (hasCounts(manifest) && manifest.addedSnapshotId !== null) return;
  throw bug(`The manifest "${manifest.path}" lacks counts that are required since format version 2`);
}

function headerOf(options: ManifestListWriteOptions): Readonly<Record<string, string>> {
  const { formatVersion, firstRowId } = options;
  return {
    "snapshot-id": String(options.snapshotId),
    // Java writes the word where there is no parent.
    "parent-snapshot-id": String(options.parentSnapshotId),
    ...(formatVersion === 1 ? {} : { "sequence-number": String(options.sequenceNumber) }),
    ...(firstRowId === null ? {} : { "first-row-id": String(firstRowId) }),
    "format-version": String(formatVersion),
  };
}
