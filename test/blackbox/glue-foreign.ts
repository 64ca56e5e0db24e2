// What Iceberg's Java writer does to a table in Glue behind Git's back: any updates, and an append by a writer that
// loaded the table before a conversion.
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { readManifestList, writeManifestList } from "../../src/iceberg/manifest-list.ts";
import { readManifest } from "../../src/iceberg/manifest-read.ts";
import { writeManifest } from "../../src/iceberg/manifest-write.ts";
import { readMetadata, writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Field } from "../../src/iceberg/type.ts";
import type { Lake } from "./glue-support.ts";
import { javaEntry, type JsonMetadata } from "./glue-tables.ts";

function liveMetadata(lake: Lake, table: string): TableMetadata {
  const location = lake.metadataLocation(table);
  return readMetadata(objectOf(lake, location), location);
}

/** The list in Glue is written as Java does, with columns of older schemas; parameters and owner stay. */
export function foreignCommit(lake: Lake, table: string, updates: readonly TableUpdate[]): void {
  const [database = "", name = ""] = table.split(".");
  const before = lake.metadataLocation(table);
  const metadata = liveMetadata(lake, table);
  const after = applyUpdates(metadata, updates, { nowMs: metadata.lastUpdatedMs + 1, previousMetadataLocation: before });
  const version = Number(/\/(\d{5})-[^/]*$/.exec(before)?.[1]) + 1;
  const location = `${metadata.location}/metadata/${String(version).padStart(5, "0")}-f0e1900d-0000-4000-8000-000000000000.metadata.json`;
  const bytes = writeMetadata(after);
  lake.s3.objects.put(location, bytes);
  const made = javaEntry(name, JSON.parse(new TextDecoder().decode(bytes)) as JsonMetadata, location, before);
  const entry = lake.glue.tables.get(database, name) ?? {};
  lake.glue.tables.put(database, {
    ...made,
    Owner: entry["Owner"],
    Parameters: { ...lake.parameters(table), ...(made["Parameters"] as object) },
  });
}

/** A column at the end. */
export function foreignColumn(lake: Lake, table: string, name: string): void {
  const metadata = liveMetadata(lake, table);
  const schema = currentSchema(metadata);
  const id = metadata.lastColumnId + 1;
  const column: Field = { id, name, required: false, type: { kind: "string" } };
  foreignCommit(lake, table, [
    { action: "add-schema", schema: { ...schema, fields: [...schema.fields, column] }, lastColumnId: id },
    { action: "set-current-schema", schemaId: -1 },
  ]);
}

/** Appends a data file of the state before the last conversion once more: it holds the retired fields only. */
export function lateAppend(lake: Lake, table: string): void {
  const metadata = liveMetadata(lake, table);
  const [, tag] = Object.entries(metadata.refs).find(([name]) => name.startsWith("floeplan-before-")) ?? [];
  const before = [...metadata.snapshots].find(({ snapshotId }) => snapshotId === tag?.snapshotId);
  const head = [...metadata.snapshots].find(({ snapshotId }) => snapshotId === metadata.currentSnapshotId);
  const [spec] = metadata.partitionSpecs;
  if (before === undefined || head === undefined || spec === undefined) throw new Error(`${table} was not converted`);
  const [old] = manifestsOf(lake, before.manifestList);
  if (old === undefined) throw new Error(`${table} had no data`);
  const manifest = readManifest(objectOf(lake, old.path), old.path);
  const [entry] = [...manifest.entries()];
  if (entry === undefined) throw new Error(`${old.path} is empty`);
  const snapshotId = 4_200_000_000_000_000_042n;
  const sequenceNumber = metadata.lastSequenceNumber + 1n;
  const location = `${metadata.location}/metadata/late-m0.avro`;
  const schema = metadata.schemas.find((one) => one.schemaId === before.schemaId) ?? currentSchema(metadata);
  const { bytes, record } = writeManifest(
    {
      location,
      formatVersion: metadata.formatVersion,
      content: "data",
      schema,
      spec,
      partitionColumns: manifest.partitionColumns,
      snapshotId,
    },
    [{ ...entry, status: "added", snapshotId, sequenceNumber: null, fileSequenceNumber: null, carried: null }],
  );
  lake.s3.objects.put(location, bytes);
  const list = writeManifestList(
    {
      formatVersion: metadata.formatVersion,
      snapshotId,
      parentSnapshotId: head.snapshotId,
      sequenceNumber,
      firstRowId: null,
    },
    [record, ...manifestsOf(lake, head.manifestList)],
  );
  const manifestList = `${metadata.location}/metadata/snap-late.avro`;
  lake.s3.objects.put(manifestList, list.bytes);
  foreignCommit(lake, table, [
    {
      action: "add-snapshot",
      snapshot: {
        snapshotId,
        parentSnapshotId: head.snapshotId,
        sequenceNumber,
        timestampMs: metadata.lastUpdatedMs + 1,
        summary: { operation: "append", "engine-name": "spark", "app-id": "late-job" },
        manifestList,
        schemaId: before.schemaId,
        firstRowId: null,
        addedRows: null,
        keyId: null,
      },
    },
    { action: "set-snapshot-ref", refName: "main", ref: { type: "branch", snapshotId } },
  ]);
}

function manifestsOf(lake: Lake, list: string | null): ReturnType<typeof readManifestList>["manifests"] {
  return list === null ? [] : readManifestList(objectOf(lake, list), list).manifests;
}

function objectOf(lake: Lake, location: string): Uint8Array {
  const bytes = lake.s3.objects.get(location);
  if (bytes === undefined) throw new Error(`The bucket has no ${location}`);
  return bytes;
}
