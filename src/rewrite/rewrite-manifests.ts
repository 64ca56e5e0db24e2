// The manifests of a snapshot that swaps converted files in: manifests without a converted file are carried by
// reference; of the others, converted files become ADDED, the rest EXISTING with explicit numbers, and the old
// files DELETED, each in manifests of their own (the shape that was proved on every reader).
import { liveEntries, deletedEntry, existingEntry } from "../iceberg/manifest-live.ts";
import type { LiveEntry, ManifestEntry, ManifestFile, NewManifestFile } from "../iceberg/manifest.ts";
import { writeManifest } from "../iceberg/manifest-write.ts";
import { joinLocation, locationKey } from "../iceberg/location.ts";
import type { PartitionSpec } from "../iceberg/partition-spec.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { Schema } from "../iceberg/type.ts";
import { loadManifestFiles, openManifest, snapshotOf } from "../catalog/evidence-manifests.ts";
import { bug, ToolError } from "../diagnostics/tool-error.ts";
import { mayHaveLiveEntries } from "../iceberg/manifest-count.ts";
import type { Manifest } from "../iceberg/manifest-read.ts";
import { formatType } from "../iceberg/type-text.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { convertedEntry, type EntryRules } from "./converted-entry.ts";
import type { ConvertedFile } from "./rewrite-engine.ts";

export interface ManifestSwap {
  readonly metadata: TableMetadata;
  readonly store: ObjectStore;
  /** The schema as it will stand, for the headers. */
  readonly schema: Schema;
  readonly converted: ReadonlyMap<string, ConvertedFile>;
  readonly rules: EntryRules;
  /** Names of this attempt's manifests start with it. */
  readonly attempt: string;
}

export interface SwappedManifests {
  /** For the manifest list, in its order. */
  readonly records: readonly (ManifestFile | NewManifestFile)[];
  readonly added: readonly ManifestEntry[];
  readonly removed: readonly LiveEntry[];
  readonly created: number;
  readonly written: readonly string[];
  readonly kept: number;
  readonly replaced: number;
  readonly entriesProcessed: number;
}

/** Entries of one kind of one spec, until they are enough for a manifest. */
interface Pending {
  readonly record: ManifestFile;
  readonly manifest: Manifest;
  readonly added: ManifestEntry[];
  readonly existing: ManifestEntry[];
  readonly deleted: ManifestEntry[];
}

/** About 8 MiB with the metrics of twenty columns, the target size of Iceberg's own writers. */
const ENTRIES_A_MANIFEST = 10_000;

export async function swapManifests(swap: ManifestSwap, snapshotId: bigint): Promise<SwappedManifests> {
  const { metadata, store } = swap;
  const kept: ManifestFile[] = [];
  const made: NewManifestFile[] = [];
  const added: ManifestEntry[] = [];
  const removed: LiveEntry[] = [];
  const pending = new Map<string, Pending>();
  let entriesProcessed = 0;
  let replaced = 0;

  const flush = async (one: Pending, atLeast: number): Promise<void> => {
    for (const list of [one.added, one.existing, one.deleted]) {
      if (list.length >= atLeast) made.push(await writeOne(swap, one, list.splice(0), made.length));
    }
  };
  for (const record of await loadManifestFiles(store, snapshotOf(metadata, snapshotId))) {
    if (record.content !== "data") kept.push(record);
    if (record.content !== "data" || !mayHaveLiveEntries(record)) continue;
    const manifest = await openManifest(store, metadata, record);
    const entries = [...liveEntries(manifest, record)];
    const part = swapEntries(swap, entries);
    if (part.added.length === 0) {
      kept.push(record);
      continue;
    }
    replaced++;
    entriesProcessed += entries.length;
    const key = pendingKey(record, manifest);
    const one = pending.get(key) ?? { record, manifest, added: [], existing: [], deleted: [] };
    pending.set(key, one);
    // One by one: a manifest may hold more entries than arguments fit into a call.
    for (const entry of part.existing) one.existing.push(entry);
    for (const entry of part.added) {
      one.added.push(entry);
      added.push(entry);
    }
    for (const entry of part.removed) {
      one.deleted.push(deletedEntry(entry, swap.rules.snapshotId));
      removed.push(entry);
    }
    await flush(one, ENTRIES_A_MANIFEST);
  }
  for (const one of pending.values()) await flush(one, 1);

  const isData = (record: ManifestFile | NewManifestFile): boolean => record.content === "data";
  const records = [...made, ...kept.filter(isData), ...kept.filter((record) => !isData(record))];
  const written = made.map((record) => record.path);
  return { records, added, removed, written, created: made.length, kept: kept.length, replaced, entriesProcessed };
}

/** Manifests may be merged when their tuples and their unknown columns have one shape. */
function pendingKey(record: ManifestFile, manifest: Manifest): string {
  const carried = [...manifest.carried.entry, ...manifest.carried.dataFile].map((field) => field.name);
  const columns = manifest.partitionColumns.map((column) => [column.fieldId, formatType(column.type)]);
  return JSON.stringify([record.partitionSpecId, columns, carried]);
}

interface SwappedEntries {
  readonly added: readonly ManifestEntry[];
  readonly existing: readonly ManifestEntry[];
  readonly removed: readonly LiveEntry[];
}

function swapEntries({ converted, rules }: ManifestSwap, entries: readonly LiveEntry[]): SwappedEntries {
  const added: ManifestEntry[] = [];
  const existing: ManifestEntry[] = [];
  const removed: LiveEntry[] = [];
  for (const entry of entries) {
    const file = converted.get(locationKey(entry.dataFile.filePath));
    if (file === undefined) throw bug("A live data file was not looked at", { file: entry.dataFile.filePath });
    if (file.target === null) {
      existing.push(existingEntry(entry));
      continue;
    }
    added.push(convertedEntry(entry, file.target, rules));
    removed.push(entry);
  }
  return { added, existing, removed };
}

async function writeOne(
  { metadata, store, schema, rules, attempt }: ManifestSwap,
  { record, manifest }: Pending,
  entries: readonly ManifestEntry[],
  index: number,
): Promise<NewManifestFile> {
  const location = joinLocation(metadataFolder(metadata), `${attempt}-m${index}.avro`);
  const written = writeManifest(
    {
      location,
      formatVersion: metadata.formatVersion,
      content: "data",
      schema,
      spec: specOf(metadata, record.partitionSpecId),
      partitionColumns: manifest.partitionColumns,
      snapshotId: rules.snapshotId,
      carried: manifest.carried,
    },
    entries,
  );
  await putNew(store, location, written.bytes);
  return written.record;
}

export function metadataFolder(metadata: TableMetadata): string {
  return metadata.properties["write.metadata.path"] ?? joinLocation(metadata.location, "metadata");
}

/** Names hold the attempt's random id, so a file of that name is never somebody else's. */
export async function putNew(store: ObjectStore, location: string, bytes: Uint8Array): Promise<void> {
  if ((await store.putIfAbsent(location, bytes)) === "exists")
    throw bug("A new metadata file is there already", { file: location });
}

function specOf(metadata: TableMetadata, specId: number): PartitionSpec {
  const spec = metadata.partitionSpecs.find((one) => one.specId === specId);
  if (spec !== undefined) return spec;
  throw new ToolError("corrupt", `Cannot find partition spec ${specId}`, {
    why: "A live manifest was written with it, and the metadata does not hold it",
  });
}
