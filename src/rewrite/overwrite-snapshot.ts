// The snapshot of a conversion: one `overwrite` that swaps every converted file of the main branch, as updates of
// the commit. The rules of sequence numbers and manifests are in rewrite-manifests.ts.
import type { ColumnConversion } from "../conversion/column-conversion.ts";
import { partitionKey } from "../iceberg/manifest-partition.ts";
import { writeManifestList } from "../iceberg/manifest-list.ts";
import { metricsConfig } from "../iceberg/metrics-config.ts";
import { joinLocation } from "../iceberg/location.ts";
import { MAIN_BRANCH, type Snapshot } from "../iceberg/snapshot.ts";
import { summarizeSnapshot, tallyFiles } from "../iceberg/snapshot-summary.ts";
import { currentSnapshot, defaultSortOrder, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { TableUpdate } from "../iceberg/table-update.ts";
import type { Schema } from "../iceberg/type.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { ConvertedFile } from "./rewrite-engine.ts";
import { metadataFolder, putNew, swapManifests } from "./rewrite-manifests.ts";

export interface SnapshotRequest {
  readonly metadata: TableMetadata;
  readonly store: ObjectStore;
  /** The schema as it will stand, with its predicted id. */
  readonly schema: Schema;
  readonly conversions: readonly ColumnConversion[];
  readonly converted: ReadonlyMap<string, ConvertedFile>;
  /** Random, positive, not in the table. */
  readonly snapshotId: bigint;
  readonly attempt: string;
  readonly nowMs: number;
  readonly version: string;
  /** Name of the tag on the state before; null leaves no tag. */
  readonly tag: string | null;
}

export interface BuiltSnapshot {
  readonly updates: readonly TableUpdate[];
  readonly snapshotId: bigint;
  readonly files: number;
  /** Manifests and manifest list of this attempt: of no use when its commit did not land. */
  readonly written: readonly string[];
}

/** Null where no live file holds a converted column: then the schema alone changes. */
export async function buildSnapshot(request: SnapshotRequest): Promise<BuiltSnapshot | null> {
  const { metadata, store, schema, conversions, converted, snapshotId, attempt } = request;
  const head = currentSnapshot(metadata);
  if (head === undefined || ![...converted.values()].some((file) => file.target !== null)) return null;

  const types = new Map(conversions.map((conversion) => [conversion.newId, conversion.to]));
  const rules = {
    snapshotId,
    metrics: metricsConfig(metadata.properties, schema, defaultSortOrder(metadata)),
    types,
    brokenOrders: brokenOrders(request),
  };
  const swapped = await swapManifests({ metadata, store, schema, converted, rules, attempt }, head.snapshotId);
  const sequenceNumber = metadata.formatVersion === 1 ? 0n : metadata.lastSequenceNumber + 1n;
  const list = writeManifestList(
    {
      formatVersion: metadata.formatVersion,
      snapshotId,
      parentSnapshotId: head.snapshotId,
      sequenceNumber,
      firstRowId: metadata.nextRowId,
    },
    swapped.records,
  );
  const location = joinLocation(metadataFolder(metadata), `snap-${snapshotId}-1-${attempt}.avro`);
  await putNew(store, location, list.bytes);

  const added = swapped.added.map((entry) => entry.dataFile);
  const summary = summarizeSnapshot({
    operation: "overwrite",
    added: tallyFiles(added),
    removed: tallyFiles(swapped.removed.map((entry) => entry.dataFile)),
    changedPartitions: new Set(added.map((file) => partitionKey(file.partition))).size,
    manifestsCreated: swapped.created,
    manifestsKept: swapped.kept,
    manifestsReplaced: swapped.replaced,
    entriesProcessed: swapped.entriesProcessed,
    previous: head.summary,
    extra: { "engine-name": "floeplan", "engine-version": request.version },
  });
  const snapshot: Snapshot = {
    snapshotId,
    parentSnapshotId: head.snapshotId,
    sequenceNumber,
    timestampMs: Math.max(request.nowMs, metadata.lastUpdatedMs + 1, head.timestampMs + 1),
    summary,
    manifestList: location,
    schemaId: schema.schemaId,
    firstRowId: metadata.nextRowId,
    addedRows: list.addedRows,
    keyId: null,
  };
  return {
    updates: snapshotUpdates(snapshot, metadata, request.tag),
    snapshotId,
    files: added.length,
    written: [...swapped.written, location],
  };
}

function brokenOrders({ metadata, conversions }: SnapshotRequest): ReadonlySet<number> {
  const retired = new Set(conversions.map((conversion) => conversion.fieldId));
  const orders = metadata.sortOrders.filter((order) =>
    order.fields.some((field) => field.sourceIds.some((id) => retired.has(id))),
  );
  return new Set(orders.map((order) => order.orderId));
}

function snapshotUpdates(snapshot: Snapshot, metadata: TableMetadata, tag: string | null): TableUpdate[] {
  const main = metadata.refs[MAIN_BRANCH];
  const updates: TableUpdate[] = [
    { action: "add-snapshot", snapshot },
    { action: "set-snapshot-ref", refName: MAIN_BRANCH, ref: { type: "branch", ...main, snapshotId: snapshot.snapshotId } },
  ];
  if (tag !== null && snapshot.parentSnapshotId !== null) {
    updates.push({ action: "set-snapshot-ref", refName: tag, ref: { type: "tag", snapshotId: snapshot.parentSnapshotId } });
  }
  return updates;
}
