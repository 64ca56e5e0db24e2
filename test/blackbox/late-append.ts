// What a writer does that loaded a table before a conversion and appends after it, and the metadata file of its commit. Knows
// no catalog.
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { readManifestList, writeManifestList } from "../../src/iceberg/manifest-list.ts";
import { readManifest } from "../../src/iceberg/manifest-read.ts";
import { writeManifest } from "../../src/iceberg/manifest-write.ts";
import { writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import type { S3Objects } from "../fakes/s3.ts";

/** Appends a data file of the state before the last conversion once more: it holds the retired fields only. */
export function lateAppendTo(metadata: TableMetadata, objects: S3Objects): readonly TableUpdate[] {
  const [, tag] = Object.entries(metadata.refs).find(([name]) => name.startsWith("floeplan-before-")) ?? [];
  const before = [...metadata.snapshots].find(({ snapshotId }) => snapshotId === tag?.snapshotId);
  const head = [...metadata.snapshots].find(({ snapshotId }) => snapshotId === metadata.currentSnapshotId);
  const [spec] = metadata.partitionSpecs;
  if (before === undefined || head === undefined || spec === undefined) throw new Error(`${metadata.location} was not converted`);
  const [old] = manifestsOf(objects, before.manifestList);
  if (old === undefined) throw new Error(`${metadata.location} had no data`);
  const manifest = readManifest(objectOf(objects, old.path), old.path);
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
  objects.put(location, bytes);
  const list = writeManifestList(
    {
      formatVersion: metadata.formatVersion,
      snapshotId,
      parentSnapshotId: head.snapshotId,
      sequenceNumber,
      firstRowId: null,
    },
    [record, ...manifestsOf(objects, head.manifestList)],
  );
  const manifestList = `${metadata.location}/metadata/snap-late.avro`;
  objects.put(manifestList, list.bytes);
  return [
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
  ];
}

/** The metadata file of another writer's commit. */
export function committedBy(metadata: TableMetadata, location: string, updates: readonly TableUpdate[]): Uint8Array {
  return writeMetadata(
    applyUpdates(metadata, updates, { nowMs: metadata.lastUpdatedMs + 1, previousMetadataLocation: location }),
  );
}

function manifestsOf(objects: S3Objects, list: string | null): ReturnType<typeof readManifestList>["manifests"] {
  return list === null ? [] : readManifestList(objectOf(objects, list), list).manifests;
}

function objectOf(objects: S3Objects, location: string): Uint8Array {
  const bytes = objects.get(location);
  if (bytes === undefined) throw new Error(`The bucket has no ${location}`);
  return bytes;
}
