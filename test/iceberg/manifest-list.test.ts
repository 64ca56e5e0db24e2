// Manifest lists both ways, and what entries inherit from them: values from Spark's lists and from the spec's own
// example of row lineage.
import { describe, expect, it } from "vitest";
import { newAvroFile, openAvroFile } from "../../src/iceberg/avro-container.ts";
import type { AvroSchema } from "../../src/iceberg/avro-schema.ts";
import { avroSchemaToJson } from "../../src/iceberg/avro-schema-json.ts";
import { encodeValue, readAvroValues } from "../../src/iceberg/avro-value.ts";
import { writeJson } from "../../src/iceberg/json-write.ts";
import { hasCounts, mayHaveLiveEntries, withCounts } from "../../src/iceberg/manifest-count.ts";
import { type ManifestListWriteOptions, readManifestList, writeManifestList } from "../../src/iceberg/manifest-list.ts";
import { liveEntries, projectLiveEntries } from "../../src/iceberg/manifest-live.ts";
import { readManifest } from "../../src/iceberg/manifest-read.ts";
import { writeManifest } from "../../src/iceberg/manifest-write.ts";
import type { ManifestEntry, ManifestFile, ManifestList } from "../../src/iceberg/manifest.ts";
import {
  CONTRACTORS,
  dataFile,
  EMPLOYEES,
  entry,
  EVENTS,
  kept,
  manifestFile,
  toolErrorOf,
  writeOptions,
} from "./manifest-support.ts";

function open(name: string): ManifestList {
  return readManifestList(kept(name), name);
}

function options(parts: Partial<ManifestListWriteOptions> = {}): ManifestListWriteOptions {
  return { formatVersion: 2, snapshotId: 7n, parentSnapshotId: 6n, sequenceNumber: 12n, firstRowId: null, ...parts };
}

describe("a manifest list of another writer", () => {
  it("of Spark in v3 has sequence numbers, counts, partition summaries and first row ids", () => {
    const { header, manifests } = open(EVENTS.list);
    expect(header).toEqual({
      formatVersion: 3,
      snapshotId: 7885701582023565518n,
      parentSnapshotId: 169794678241042939n,
      sequenceNumber: 4n,
      firstRowId: 2000n,
    });
    expect(
      manifests.map((one) => [one.content, one.sequenceNumber, one.minSequenceNumber, one.firstRowId, one.addedRowsCount]),
    ).toEqual([
      ["data", 3n, 3n, 1600n, 400n],
      ["data", 1n, 1n, 0n, 1600n],
      ["deletes", 4n, 4n, null, 198n],
      ["deletes", 4n, 4n, null, 0n],
    ]);
    expect(manifests[0]?.partitions?.map((one) => [one.containsNull, one.containsNaN])).toEqual([[false, false]]);
    expect(manifests.map((one) => one.deletedFilesCount)).toEqual([0, 0, 0, 3]);
    expect(manifests.map((one) => one.lengthBytes)).toEqual([8987n, 8845n, 8821n, 8739n]);
  });

  it("in v1 lists data manifests with sequence number 0 and no parent", () => {
    const { header, manifests } = open(CONTRACTORS.list);
    expect(header).toEqual({
      formatVersion: 1,
      snapshotId: 5804171294410684697n,
      parentSnapshotId: null,
      sequenceNumber: null,
      firstRowId: null,
    });
    expect(manifests).toHaveLength(1);
    expect(manifests[0]).toMatchObject({
      content: "data",
      sequenceNumber: 0n,
      minSequenceNumber: 0n,
      addedFilesCount: 1,
      addedRowsCount: 60n,
    });
  });

  it("of old Iceberg names its counts otherwise, and is read by field id", () => {
    const rows = [...readAvroValues(openAvroFile(kept("impala-old-names-list.avro"), "x"))] as Record<string, unknown>[];
    expect(rows[0]).toHaveProperty("added_data_files_count");
    expect(
      open("impala-old-names-list.avro").manifests.map((one) => [
        one.addedFilesCount,
        one.existingFilesCount,
        one.deletedFilesCount,
      ]),
    ).toEqual(rows.map((row) => [row.added_data_files_count, row.existing_data_files_count, row.deleted_data_files_count]));
  });

  it("of v1 may leave out its counts", () => {
    const { manifests } = open("v1-null-counts-list.avro");
    expect(manifests.length).toBeGreaterThan(0);
    expect(manifests.every((one) => one.addedFilesCount === null && !hasCounts(one) && mayHaveLiveEntries(one))).toBe(true);
  });

  it("is no manifest list when it is a manifest", () => {
    expect(toolErrorOf(() => open(EMPLOYEES.data)).why).toMatch(/"manifest_path"/);
  });
});

describe("a manifest list that we write", () => {
  it.each([
    ["v1", CONTRACTORS.list],
    ["v2", EMPLOYEES.list],
    ["v3", EVENTS.list],
  ])("has Spark's header and records: %s", (_, name) => {
    const list = open(name);
    const { formatVersion, snapshotId, parentSnapshotId, sequenceNumber, firstRowId } = list.header;
    const written = writeManifestList(
      {
        formatVersion: formatVersion === 1 || formatVersion === 3 ? formatVersion : 2,
        snapshotId: snapshotId ?? 0n,
        parentSnapshotId,
        sequenceNumber: sequenceNumber ?? 0n,
        firstRowId,
      },
      list.manifests,
    );
    expect(readManifestList(written.bytes, name)).toEqual(list);
    expect(written.manifests).toEqual(list.manifests);
    const header = (bytes: Uint8Array) => {
      const { metadata, schema, codec } = openAvroFile(bytes, "x");
      return [
        codec,
        writeJson(avroSchemaToJson(schema)),
        Object.fromEntries([...metadata].map(([key, value]) => [key, new TextDecoder().decode(value)])),
      ];
    };
    expect(header(written.bytes)).toEqual(header(kept(name)));
  });

  it("gives new manifests the snapshot's sequence number, and keeps an older lowest one", () => {
    const fresh = writeManifest(writeOptions(), [entry({ snapshotId: 7n })]).record;
    const old = writeManifest(writeOptions(), [entry({ snapshotId: 7n, sequenceNumber: 3n }), entry({ snapshotId: 7n })]).record;
    const carried = manifestFile({ sequenceNumber: 5n, minSequenceNumber: 2n });
    const { bytes } = writeManifestList(options(), [fresh, old, carried]);
    expect(readManifestList(bytes, "x").manifests.map((one) => [one.sequenceNumber, one.minSequenceNumber])).toEqual([
      [12n, 12n],
      [12n, 3n],
      [5n, 2n],
    ]);
  });

  // Spec "Row lineage example".
  it("assigns first row ids as the spec's example does", () => {
    const added = (addedRowsCount: bigint, existingRowsCount: bigint) => manifestFile({ addedRowsCount, existingRowsCount });
    const written = writeManifestList(options({ formatVersion: 3, firstRowId: 1000n }), [
      manifestFile({ addedRowsCount: 75n, firstRowId: 925n }),
      added(100n, 25n),
      manifestFile({ content: "deletes", addedRowsCount: 40n }),
      added(0n, 100n),
      added(125n, 25n),
    ]);
    expect(written.manifests.map((one) => one.firstRowId)).toEqual([925n, 1000n, null, 1125n, 1225n]);
    expect(written.addedRows).toBe(375n);
    expect(readManifestList(written.bytes, "x").manifests).toEqual(written.manifests);
  });

  it("is refused without what its version requires", () => {
    expect(toolErrorOf(() => writeManifestList(options({ formatVersion: 3 }), [])).kind).toBe("internal");
    expect(toolErrorOf(() => writeManifestList(options({ firstRowId: 1n }), [])).kind).toBe("internal");
    expect(toolErrorOf(() => writeManifestList(options(), [manifestFile({ addedFilesCount: null })])).message).toMatch(
      /lacks counts/,
    );
    expect(toolErrorOf(() => writeManifestList(options({ formatVersion: 1 }), [manifestFile({ content: "deletes" })])).kind).toBe(
      "internal",
    );
    expect(() => writeManifestList(options({ formatVersion: 1 }), [manifestFile({ addedFilesCount: null })])).not.toThrow();
  });

  it("carries columns that it does not know", () => {
    const file = openAvroFile(kept(EMPLOYEES.list), "x");
    if (file.schema.kind !== "record") throw new Error("a list is of records");
    const schema: AvroSchema = {
      ...file.schema,
      fields: [
        ...file.schema.fields,
        { name: "replaced", schema: { kind: "int", attributes: {} }, attributes: { "field-id": 590 } },
      ],
    };
    const copy = newAvroFile({ schema, codec: "null", metadata: {} });
    for (const row of readAvroValues(file))
      copy.append((sink) => encodeValue(sink, schema, { ...(row as object), replaced: 41 }));
    const list = readManifestList(copy.finish(), "x");
    const { bytes } = writeManifestList(options(), [...list.manifests, manifestFile()]);
    const rows = [...readAvroValues(openAvroFile(bytes, "x"))] as Record<string, unknown>[];
    expect(rows.map((row) => row.replaced)).toEqual([41, 41, 41, 41, 41, null]);
  });
});

// Entries as an own manifest holds them, read with this record of the list.
function inherited(
  entries: readonly ManifestEntry[],
  record: Partial<ManifestFile>,
  parts: Parameters<typeof writeOptions>[0] = {},
) {
  const { bytes } = writeManifest(writeOptions({ formatVersion: 3, ...parts }), entries);
  return [...liveEntries(readManifest(bytes, "/t/m.avro"), manifestFile({ path: "/t/m.avro", ...record }))];
}

describe("what live entries inherit", () => {
  it("is the manifest's snapshot id and, when added, its sequence number", () => {
    const live = inherited(
      [
        entry(),
        entry({ snapshotId: 4n, sequenceNumber: 2n }),
        entry({ status: "existing", snapshotId: 3n, sequenceNumber: 1n, fileSequenceNumber: 1n }),
        entry({ status: "deleted", snapshotId: 3n, sequenceNumber: 1n, fileSequenceNumber: 1n }),
      ],
      { sequenceNumber: 9n, addedSnapshotId: 77n },
    );
    expect(live.map((one) => [one.status, one.snapshotId, one.sequenceNumber, one.fileSequenceNumber])).toEqual([
      ["added", 77n, 9n, 9n],
      ["added", 4n, 2n, 9n],
      ["existing", 3n, 1n, 1n],
    ]);
  });

  it("is 0 in v1, for existing entries too", () => {
    const live = inherited([entry({ status: "existing", snapshotId: 1n })], { sequenceNumber: 0n }, { formatVersion: 1 });
    expect(live.map((one) => [one.sequenceNumber, one.fileSequenceNumber])).toEqual([[0n, 0n]]);
  });

  it("is nothing for an existing entry of v2: without a number the file is refused", () => {
    const { bytes } = writeManifest(writeOptions({ formatVersion: 1 }), [entry({ status: "existing", snapshotId: 1n })]);
    const error = toolErrorOf(() => [
      ...liveEntries(readManifest(bytes, "/t/m.avro"), manifestFile({ path: "/t/m.avro", sequenceNumber: 5n })),
    ]);
    expect([error.kind, error.why]).toEqual([
      "corrupt",
      'The entry of "/t/data/a.parquet" has no sequence number and may not inherit one',
    ]);
  });

  it("needs a snapshot id somewhere", () => {
    const { bytes } = writeManifest(writeOptions(), [entry()]);
    expect(toolErrorOf(() => [...liveEntries(readManifest(bytes, "x"), manifestFile({ addedSnapshotId: null }))]).why).toMatch(
      /no snapshot id/,
    );
  });

  // Spec "Row lineage example", manifest `added1`.
  it("is a first row id, counted over the files that have none", () => {
    const numbered = { snapshotId: 1n, sequenceNumber: 1n, fileSequenceNumber: 1n };
    const live = inherited(
      [
        entry({ ...numbered, status: "existing", dataFile: dataFile({ recordCount: 25n, firstRowId: 800n }) }),
        entry({ ...numbered, status: "deleted", dataFile: dataFile({ recordCount: 1000n }) }),
        entry({ dataFile: dataFile({ recordCount: 50n }) }),
        entry({ dataFile: dataFile({ recordCount: 50n }) }),
      ],
      { firstRowId: 1000n },
    );
    expect(live.map((one) => one.dataFile.firstRowId)).toEqual([800n, 1000n, 1050n]);
  });

  it("is no row id at all when the manifest has none, whatever its entries say, and never one for deletes", () => {
    expect(
      inherited([entry({ dataFile: dataFile({ firstRowId: 5n }) })], { firstRowId: null })[0]?.dataFile.firstRowId,
    ).toBeNull();
    const deletes = entry({ dataFile: dataFile({ content: "position-deletes" }) });
    const live = inherited([deletes], { content: "deletes", firstRowId: 5n }, { content: "deletes" });
    expect(live[0]?.dataFile.firstRowId).toBeNull();
  });

  it("is the same in a projected read", () => {
    const manifest = readManifest(kept(EVENTS.firstData), "x");
    const record = open(EVENTS.list).manifests[1] ?? manifestFile();
    const whole = [...liveEntries(manifest, record)];
    const part = [...projectLiveEntries(manifest, record, [])];
    expect(part.map((one) => [one.sequenceNumber, one.snapshotId, one.dataFile.firstRowId])).toEqual(
      whole.map((one) => [one.sequenceNumber, one.snapshotId, one.dataFile.firstRowId]),
    );
    expect(whole.map((one) => one.dataFile.firstRowId)[0]).toBe(0n);
  });
});

describe("counts that an old writer left out", () => {
  it("are found by reading the manifest, and only then", () => {
    const numbered = { snapshotId: 1n, sequenceNumber: 1n };
    const { bytes, record } = writeManifest(writeOptions(), [
      entry(),
      entry({ dataFile: dataFile({ recordCount: 5n }) }),
      entry({ ...numbered, status: "existing" }),
      entry({ ...numbered, status: "deleted", dataFile: dataFile({ recordCount: 3n }) }),
    ]);
    const bare = manifestFile({
      addedFilesCount: null,
      existingFilesCount: null,
      deletedFilesCount: null,
      addedRowsCount: null,
      existingRowsCount: null,
      deletedRowsCount: null,
    });
    expect(withCounts(bare, () => readManifest(bytes, "x"))).toMatchObject({
      addedFilesCount: record.addedFilesCount,
      existingFilesCount: 1,
      deletedFilesCount: 1,
      addedRowsCount: 15n,
      existingRowsCount: 10n,
      deletedRowsCount: 3n,
    });
    const full = manifestFile();
    expect(withCounts(full, () => expect.fail("it must not be read"))).toBe(full);
    expect(mayHaveLiveEntries(manifestFile({ addedFilesCount: 0, existingFilesCount: 0 }))).toBe(false);
    expect(mayHaveLiveEntries(manifestFile({ addedFilesCount: null, existingFilesCount: 0 }))).toBe(true);
  });
});
