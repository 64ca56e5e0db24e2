// Snapshot summaries against those that Spark wrote for the same files; partition summaries and column metrics
// against the rules of the spec.
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/iceberg/json-parse.ts";
import { lastPart } from "../../src/iceberg/location.ts";
import { readManifestList } from "../../src/iceberg/manifest-list.ts";
import { readManifest } from "../../src/iceberg/manifest-read.ts";
import { partitionKey } from "../../src/iceberg/manifest-partition.ts";
import type { DataFile, PartitionColumn, PartitionValue } from "../../src/iceberg/manifest.ts";
import { columnMetricsOf, lacksMetrics, namesField, replaceColumnMetrics } from "../../src/iceberg/metrics.ts";
import { partitionSummarizer } from "../../src/iceberg/partition-summary.ts";
import { summarizeSnapshot, tallyFiles } from "../../src/iceberg/snapshot-summary.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { bytesOf, dataFile, EMPLOYEES, EVENTS, hexOf, kept } from "./manifest-support.ts";

interface SnapshotJson {
  readonly "snapshot-id": bigint;
  readonly "parent-snapshot-id"?: bigint;
  readonly summary: Readonly<Record<string, string>>;
}

// The head snapshot's own summary and its parent's, as Spark wrote them.
function summariesOf(metadataFile: string): { readonly head: Record<string, string>; readonly parent: Record<string, string> } {
  const metadata = parseJson(kept(metadataFile)) as unknown as {
    "current-snapshot-id": bigint;
    snapshots: readonly SnapshotJson[];
  };
  const byId = (id: bigint | undefined) => metadata.snapshots.find((one) => one["snapshot-id"] === id);
  const head = byId(metadata["current-snapshot-id"]);
  return { head: { ...head?.summary }, parent: { ...byId(head?.["parent-snapshot-id"])?.summary } };
}

function filesOf(manifests: readonly string[], status: string): DataFile[] {
  return manifests.flatMap((name) =>
    [...readManifest(kept(name), name).entries()].filter((entry) => entry.status === status).map((entry) => entry.dataFile),
  );
}

describe("the summary of a snapshot", () => {
  it.each([
    ["overwrite with position deletes (v2)", "employees/v8.metadata.json", [EMPLOYEES.data, EMPLOYEES.deletes]],
    ["delete that replaces deletion vectors (v3)", "events/v7.metadata.json", [EVENTS.vectors, EVENTS.removedVectors]],
  ])("is Spark's: %s", (_, metadataFile, manifests) => {
    const { head, parent } = summariesOf(metadataFile);
    const added = filesOf(manifests, "added");
    const removed = filesOf(manifests, "deleted");
    const summary = summarizeSnapshot({
      operation: head.operation === "delete" ? "delete" : "overwrite",
      added: tallyFiles(added),
      removed: tallyFiles(removed),
      changedPartitions: new Set([...added, ...removed].map((file) => partitionKey(file.partition))).size,
      manifestsCreated: 0,
      manifestsKept: 0,
      manifestsReplaced: 0,
      entriesProcessed: 0,
      previous: parent,
    });
    const counted = (all: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(all).filter(([key]) => /^(added|removed|deleted|total|changed)-|^operation$/.test(key)));
    expect(counted(summary)).toEqual(counted(head));
  });

  const nothing = tallyFiles([]);
  const change = {
    operation: "overwrite",
    removed: nothing,
    changedPartitions: 1,
    manifestsCreated: 2,
    manifestsKept: 3,
    manifestsReplaced: 1,
    entriesProcessed: 9,
  } as const;

  it("starts totals at zero on a new branch, and puts the operation first", () => {
    const summary = summarizeSnapshot({
      ...change,
      added: tallyFiles([dataFile()]),
      previous: null,
      extra: { "engine-name": "floeplan" },
    });
    expect(Object.keys(summary)[0]).toBe("operation");
    expect(summary).toEqual({
      operation: "overwrite",
      "engine-name": "floeplan",
      "manifests-created": "2",
      "manifests-kept": "3",
      "manifests-replaced": "1",
      "entries-processed": "9",
      "added-data-files": "1",
      "added-records": "10",
      "added-files-size": "100",
      "changed-partition-count": "1",
      "total-records": "10",
      "total-files-size": "100",
      "total-data-files": "1",
      "total-delete-files": "0",
      "total-position-deletes": "0",
      "total-equality-deletes": "0",
    });
  });

  it("leaves out a total that the head does not have, is no number, or would be negative", () => {
    const previous = { "total-records": "-1", "total-data-files": "many", "total-files-size": "5", "total-delete-files": "7" };
    const summary = summarizeSnapshot({ ...change, added: nothing, removed: tallyFiles([dataFile()]), previous });
    const totals = Object.entries(summary).filter(([key]) => key.startsWith("total-"));
    expect(totals).toEqual([["total-delete-files", "7"]]);
  });

  it("is exact beyond 2^53", () => {
    const summary = summarizeSnapshot({
      ...change,
      added: tallyFiles([dataFile()]),
      previous: { "total-records": "9007199254740993" },
    });
    expect(summary["total-records"]).toBe("9007199254741003");
  });

  it("counts equality deletes apart", () => {
    const deletes = dataFile({ content: "equality-deletes", equalityIds: [1], recordCount: 4n });
    expect(tallyFiles([deletes])).toMatchObject({
      deleteFiles: 1,
      equalityDeleteFiles: 1,
      equalityDeletes: 4n,
      positionDeletes: 0n,
      records: 0n,
    });
  });
});

function summarize(type: PrimitiveType, ...values: readonly PartitionValue[]) {
  const columns: readonly PartitionColumn[] = [{ fieldId: 1000, name: "p", type }];
  const summarizer = partitionSummarizer(columns);
  for (const value of values) summarizer.add([value]);
  const [summary] = summarizer.summaries() ?? [];
  return summary === undefined
    ? null
    : [summary.containsNull, summary.containsNaN, hexOf(summary.lowerBound), hexOf(summary.upperBound)];
}

describe("the partition summary of a manifest", () => {
  it("has the lowest and highest value in single-value binary", () => {
    expect(summarize({ kind: "date" }, 3, -1, 2)).toEqual([false, false, "ffffffff", "03000000"]);
    expect(summarize({ kind: "string" }, "b", "a", null)).toEqual([true, false, "61", "62"]);
    expect(summarize({ kind: "decimal", precision: 9, scale: 2 }, 128n, -1n)).toEqual([false, false, "ff", "0080"]);
  });

  it("has no bounds when every value is null or NaN, and counts neither in them", () => {
    expect(summarize({ kind: "double" }, null, Number.NaN)).toEqual([true, true, null, null]);
    expect(summarize({ kind: "float" }, Number.NaN, 1)).toEqual([false, true, "0000803f", "0000803f"]);
    expect(summarize({ kind: "unknown" }, null)).toEqual([true, false, null, null]);
    expect(summarize({ kind: "int" })).toEqual([false, false, null, null]);
  });

  it("puts -0.0 below +0.0", () => {
    expect(summarize({ kind: "float" }, 0, -0)).toEqual([false, false, "00000080", "00000000"]);
  });

  it.each([
    ["employees", EMPLOYEES.list],
    ["events", EVENTS.list],
  ])("is what Spark wrote for each manifest of %s", (table, list) => {
    for (const record of readManifestList(kept(list), list).manifests) {
      const name = `${table}/${lastPart(record.path)}`;
      const manifest = readManifest(kept(name), name);
      const summarizer = partitionSummarizer(manifest.partitionColumns);
      for (const entry of manifest.entries()) summarizer.add(entry.dataFile.partition);
      expect(summarizer.summaries()).toEqual(record.partitions);
    }
  });

  // The reference implementation compares uuids as signed numbers, others as bytes: a bound would prune rows away.
  it("is left out where readers order the uuids differently", () => {
    const low = bytesOf(`7f${"00".repeat(15)}`);
    const high = bytesOf(`80${"00".repeat(15)}`);
    expect(summarize({ kind: "uuid" }, low, high)).toBeNull();
    expect(summarize({ kind: "uuid" }, high, null)).toEqual([true, false, hexOf(high), hexOf(high)]);
  });
});

describe("column metrics", () => {
  const file = dataFile({
    columnSizes: new Map([
      [1, 5n],
      [2, 6n],
      [9, 7n],
    ]),
    valueCounts: new Map([
      [1, 10n],
      [2, 10n],
    ]),
    nullValueCounts: new Map([
      [1, 0n],
      [2, 3n],
    ]),
    nanValueCounts: new Map(),
    lowerBounds: new Map([[2, bytesOf("32")]]),
    upperBounds: null,
  });

  it("name a field by its sizes or its counts", () => {
    expect([namesField(file, 1), namesField(file, 9), namesField(file, 3)]).toEqual([true, true, false]);
    expect([lacksMetrics(file), lacksMetrics(dataFile()), lacksMetrics(dataFile({ columnSizes: new Map() }))]).toEqual([
      false,
      true,
      true,
    ]);
    expect(columnMetricsOf(file, 2)).toEqual({
      fieldId: 2,
      sizeBytes: 6n,
      valueCount: 10n,
      nullCount: 3n,
      nanCount: null,
      lowerBound: bytesOf("32"),
      upperBound: null,
    });
  });

  it("of a converted field take the place of the retired one's, in ascending order of ids", () => {
    const replaced = replaceColumnMetrics(file, 2, {
      fieldId: 4,
      sizeBytes: 8n,
      valueCount: 10n,
      nullCount: 3n,
      nanCount: null,
      lowerBound: bytesOf("01"),
      upperBound: bytesOf("02"),
    });
    expect([...(replaced.columnSizes ?? [])]).toEqual([
      [1, 5n],
      [4, 8n],
      [9, 7n],
    ]);
    expect([...(replaced.valueCounts ?? [])]).toEqual([
      [1, 10n],
      [4, 10n],
    ]);
    expect([...(replaced.nanValueCounts ?? [])]).toEqual([]);
    expect([...(replaced.lowerBounds ?? [])]).toEqual([[4, bytesOf("01")]]);
    expect([...(replaced.upperBounds ?? [])]).toEqual([[4, bytesOf("02")]]);
    expect(file.columnSizes?.has(2)).toBe(true);
  });

  it("stay absent where nothing is known", () => {
    const none = {
      fieldId: 4,
      sizeBytes: null,
      valueCount: null,
      nullCount: null,
      nanCount: null,
      lowerBound: null,
      upperBound: null,
    };
    const replaced = replaceColumnMetrics(dataFile(), 2, none);
    expect(replaced).toEqual(dataFile());
    expect(replaceColumnMetrics(file, 2, none).valueCounts).toEqual(new Map([[1, 10n]]));
  });
});
