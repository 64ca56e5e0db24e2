// Finds and opens the manifests of a snapshot: manifest lists, and the inline lists of old v1 snapshots. One manifest
// is in memory at a time. Knows nothing of what the plan wants from them.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { LiveEntry, ManifestContent, ManifestFile } from "../iceberg/manifest.ts";
import { mayHaveLiveEntries } from "../iceberg/manifest-count.ts";
import { newManifestFile } from "../iceberg/manifest-list-columns.ts";
import { readManifestList } from "../iceberg/manifest-list.ts";
import { liveEntries } from "../iceberg/manifest-live.ts";
import { partitionColumnsOf } from "../iceberg/manifest-partition.ts";
import { type Manifest, readManifest } from "../iceberg/manifest-read.ts";
import type { Snapshot } from "../iceberg/snapshot.ts";
import { currentSchema, snapshotById, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/** The records of every manifest of the snapshot, in the order of its list. */
export async function loadManifestFiles(store: ObjectStore, snapshot: Snapshot): Promise<readonly ManifestFile[]> {
  if (snapshot.keyId !== null) throw encrypted(snapshot.manifestList ?? "", "manifest list");
  if (snapshot.manifestList !== null) {
    return readManifestList(await store.read(snapshot.manifestList), snapshot.manifestList).manifests;
  }
  const records: ManifestFile[] = [];
  for (const path of snapshot.manifests ?? []) {
    const bytes = await store.read(path);
    const { partitionSpecId } = readManifest(bytes, path).header;
    records.push({
      ...newManifestFile(),
      path,
      lengthBytes: BigInt(bytes.byteLength),
      // Inline lists are older than partition evolution: spec 0, if the manifest does not say another.
      partitionSpecId: partitionSpecId ?? 0,
      addedSnapshotId: snapshot.snapshotId,
    });
  }
  return records;
}

/** Opens a manifest with its partition tuples as the table's spec and schemas have them now. */
export async function openManifest(store: ObjectStore, metadata: TableMetadata, record: ManifestFile): Promise<Manifest> {
  const spec = metadata.partitionSpecs.find((one) => one.specId === record.partitionSpecId);
  if (spec === undefined) return openStoredManifest(store, record);
  const partitionColumns = partitionColumnsOf(spec, currentSchema(metadata), metadata.schemas);
  return readManifest(await readBytes(store, record), record.path, { partitionColumns });
}

/** Opens a manifest with its partition tuples as they are stored: for those who do not look at them. */
export async function openStoredManifest(store: ObjectStore, record: ManifestFile): Promise<Manifest> {
  return readManifest(await readBytes(store, record), record.path);
}

async function readBytes(store: ObjectStore, record: ManifestFile): Promise<Uint8Array> {
  if (record.keyMetadata !== null) throw encrypted(record.path, "manifest");
  return store.read(record.path);
}

export interface LiveManifest {
  readonly record: ManifestFile;
  readonly manifest: Manifest;
}

/** The manifests of a snapshot that have live entries, opened one after the other. */
export async function* liveManifests(
  store: ObjectStore,
  metadata: TableMetadata,
  snapshotId: bigint,
): AsyncGenerator<LiveManifest> {
  for (const record of await loadManifestFiles(store, snapshotOf(metadata, snapshotId))) {
    if (mayHaveLiveEntries(record)) yield { record, manifest: await openManifest(store, metadata, record) };
  }
}

export interface LiveFile {
  /** With sequence numbers, snapshot id and first row id filled in. */
  readonly entry: LiveEntry;
  readonly record: ManifestFile;
  readonly specId: number;
  readonly kind: ManifestContent;
}

/** Every live data and delete file of a snapshot, complete, one at a time. */
export async function* liveFiles(store: ObjectStore, metadata: TableMetadata, snapshotId: bigint): AsyncGenerator<LiveFile> {
  for await (const { record, manifest } of liveManifests(store, metadata, snapshotId)) {
    const { partitionSpecId: specId, content: kind } = record;
    for (const entry of liveEntries(manifest, record)) yield { entry, record, specId, kind };
  }
}

export function snapshotOf(metadata: TableMetadata, snapshotId: bigint): Snapshot {
  const snapshot = snapshotById(metadata, snapshotId);
  if (snapshot !== undefined) return snapshot;
  throw new ToolError("corrupt", `Cannot read the snapshot ${snapshotId}`, {
    why: "The table's metadata names it and does not hold it",
    context: { location: metadata.location, snapshot: snapshotId },
  });
}

function encrypted(location: string, what: string): ToolError {
  return new ToolError("unsupported", `Cannot read the ${what} "${location}"`, {
    why: "It is encrypted, and floeplan has no key for it",
    mend: "Plan this table without evidence, or read it with the engine that holds its keys",
    context: { file: location },
  });
}
