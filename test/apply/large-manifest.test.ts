// A conversion beside very many data files: a manifest of them is read, swapped and written whole.
import { expect, it } from "vitest";
import { loadManifestFiles, openManifest, snapshotOf } from "../../src/catalog/evidence-manifests.ts";
import { locationKey } from "../../src/iceberg/location.ts";
import { liveEntries } from "../../src/iceberg/manifest-live.ts";
import { writeManifestList } from "../../src/iceberg/manifest-list.ts";
import { writeManifest } from "../../src/iceberg/manifest-write.ts";
import { metricsConfig } from "../../src/iceberg/metrics-config.ts";
import { currentSchema, currentSnapshot, defaultSortOrder, defaultSpec } from "../../src/iceberg/table-metadata.ts";
import { swapManifests } from "../../src/rewrite/rewrite-manifests.ts";
import { IS_LONG } from "../long.ts";
import { original, world } from "./support.ts";

/** More than arguments fit on the stack. */
const FILES = 130_000;

it.runIf(IS_LONG)("one manifest of 130,000 files is swapped, where one of them is converted, and where all are", async () => {
  const { catalog, target } = await world(original());
  const live = await catalog.loadTable(target.spec.identifier);
  const head = live === null ? undefined : currentSnapshot(live.metadata);
  if (live === null || head === undefined) throw new Error("the table is gone");
  const { metadata } = live;
  const store = catalog.storeFor(live);
  const [record] = await loadManifestFiles(store, snapshotOf(metadata, head.snapshotId));
  if (record === undefined) throw new Error("the table has no manifest");
  const manifest = await openManifest(store, metadata, record);
  const [entry] = liveEntries(manifest, record);
  if (entry === undefined) throw new Error("the manifest is empty");
  const none = { columnSizes: null, valueCounts: null, nullValueCounts: null, nanValueCounts: null, lowerBounds: null };
  const paths = Array.from({ length: FILES }, (_, index) => `memory://lake/many/${index}.parquet`);
  const schema = currentSchema(metadata);
  const large = writeManifest(
    {
      location: "memory://lake/many/m0.avro",
      formatVersion: metadata.formatVersion,
      content: "data",
      schema,
      spec: defaultSpec(metadata),
      partitionColumns: manifest.partitionColumns,
      snapshotId: head.snapshotId,
    },
    paths.map((filePath) => ({ ...entry, dataFile: { ...entry.dataFile, ...none, upperBounds: null, filePath } })),
  );
  await store.putIfAbsent(large.record.path, large.bytes);
  const { formatVersion, nextRowId } = metadata;
  const { snapshotId, parentSnapshotId, sequenceNumber } = head;
  const list = writeManifestList({ formatVersion, snapshotId, parentSnapshotId, sequenceNumber, firstRowId: nextRowId }, [
    large.record,
  ]);
  const manifestList = "memory://lake/many/list.avro";
  await store.putIfAbsent(manifestList, list.bytes);

  const rules = {
    snapshotId: 77n,
    metrics: metricsConfig(metadata.properties, schema, defaultSortOrder(metadata)),
    types: new Map(),
    brokenOrders: new Set<number>(),
  };
  const convert = (filePath: string) => ({ location: `${filePath}.new`, sizeBytes: 1n, splitOffsets: [], columns: new Map() });
  const swapOf = async (isConverted: (index: number) => boolean, attempt: string) =>
    await swapManifests(
      {
        metadata: { ...metadata, snapshots: metadata.snapshots.filtered(() => false).appended({ ...head, manifestList }) },
        store,
        schema,
        converted: new Map(
          paths.map((source, index) => [locationKey(source), { source, target: isConverted(index) ? convert(source) : null }]),
        ),
        rules,
        attempt,
      },
      snapshotId,
    );
  const one = await swapOf((index) => index === 7, "one");
  expect([one.added.length, one.removed.length, one.entriesProcessed]).toEqual([1, 1, FILES]);
  const all = await swapOf(() => true, "all");
  expect([all.added.length, all.removed.length, all.records.length]).toEqual([FILES, FILES, 2]);
});
