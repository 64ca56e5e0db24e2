// Evidence from the manifests of whole tables: sums against those that fastavro finds in Spark's files, and made-up
// tables for what those lack (branches, late files, encryption, old inline lists).
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runJobs } from "../../src/catalog/evidence-jobs.ts";
import { liveFiles, liveManifests, loadManifestFiles } from "../../src/catalog/evidence-manifests.ts";
import { newSeenTexts } from "../../src/catalog/evidence-seen.ts";
import { type EvidenceProgress, loadEvidence } from "../../src/catalog/load-evidence.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { writeManifest } from "../../src/iceberg/manifest-write.ts";
import { writeManifestList } from "../../src/iceberg/manifest-list.ts";
import type { DataFile, ManifestEntry, ManifestFile } from "../../src/iceberg/manifest.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import type { Snapshot } from "../../src/iceberg/snapshot.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { dataFile, entry, writeOptions } from "../iceberg/manifest-support.ts";

const MANIFESTS = resolve(import.meta.dirname, "../data/iceberg/manifests");
const WAREHOUSE = "/tmp/floeplan-demo/warehouse/hr";

interface Table {
  readonly store: ObjectStore;
  readonly metadata: TableMetadata;
}

// A fixture table as it lies in its warehouse.
async function fixture(name: string, metadataFile: string): Promise<Table> {
  const store = createMemoryStore();
  for (const file of readdirSync(join(MANIFESTS, name))) {
    await store.putIfAbsent(`${WAREHOUSE}/${name}/metadata/${file}`, new Uint8Array(readFileSync(join(MANIFESTS, name, file))));
  }
  const location = `${WAREHOUSE}/${name}/metadata/${metadataFile}`;
  return { store, metadata: readMetadata(await store.read(location), location) };
}

const employees = () => fixture("employees", "v8.metadata.json");
const events = () => fixture("events", "v7.metadata.json");
const contractors = () => fixture("contractors", "v2.metadata.json");

// One manifest of the made-up table, in the store.
async function putManifest(
  store: ObjectStore,
  name: string,
  entries: readonly ManifestEntry[],
  content: "data" | "deletes" = "data",
): Promise<ManifestFile> {
  const location = `${WAREHOUSE}/employees/metadata/${name}.avro`;
  const { bytes, record } = writeManifest(writeOptions({ location, content, snapshotId: 7n }), entries);
  await store.putIfAbsent(location, bytes);
  return { ...record, sequenceNumber: 9n, minSequenceNumber: 1n };
}

// The employees' metadata with branches of our own making: name → records of its manifest list.
async function made(store: ObjectStore, branches: Readonly<Record<string, readonly ManifestFile[]>>): Promise<TableMetadata> {
  const { metadata } = await employees();
  let snapshots = metadata.snapshots.filtered(() => false);
  let snapshotId = 100n;
  const refs: Record<string, { snapshotId: bigint; type: "branch" }> = {};
  for (const [name, records] of Object.entries(branches)) {
    snapshotId++;
    const manifestList = `${WAREHOUSE}/employees/metadata/snap-${snapshotId}.avro`;
    const written = writeManifestList(
      { formatVersion: 2, snapshotId, parentSnapshotId: null, sequenceNumber: 9n, firstRowId: null },
      records,
    );
    await store.putIfAbsent(manifestList, written.bytes);
    snapshots = snapshots.appended(snapshot({ snapshotId, manifestList }));
    refs[name] = { snapshotId, type: "branch" };
  }
  return { ...metadata, snapshots, refs, currentSnapshotId: refs.main?.snapshotId ?? null };
}

function snapshot(parts: Partial<Snapshot>): Snapshot {
  return {
    snapshotId: 101n,
    parentSnapshotId: null,
    sequenceNumber: 9n,
    timestampMs: 0,
    summary: {},
    manifestList: null,
    schemaId: 0,
    firstRowId: null,
    addedRows: null,
    keyId: null,
    ...parts,
  };
}

const added = (parts: Partial<DataFile>): ManifestEntry => entry({ snapshotId: 7n, dataFile: dataFile(parts) });
const named = (path: string, ...ids: readonly number[]): Partial<DataFile> => ({
  filePath: `/t/data/${path}`,
  valueCounts: new Map(ids.map((id) => [id, 10n])),
});

// A store that tells what is read, and how much at once.
function watched(store: ObjectStore, fail: (location: string) => boolean = () => false) {
  const seen = { reads: [] as string[], most: 0, now: 0 };
  const read = async (location: string): Promise<Uint8Array> => {
    seen.reads.push(location.slice(location.lastIndexOf("/") + 1));
    seen.now++;
    seen.most = Math.max(seen.most, seen.now);
    await new Promise<void>((resume) => setTimeout(resume, 2));
    seen.now--;
    if (fail(location)) throw new ToolError("unavailable", `Cannot read "${location}"`);
    return store.read(location);
  };
  return { seen, store: { ...store, read } };
}

async function errorOf(work: Promise<unknown>): Promise<ToolError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  return expect.fail("nothing was thrown");
}

describe("evidence of a table of Spark", () => {
  it("counts files, rows and bytes, and sums up every field that metrics name (v2, position deletes)", async () => {
    const { store, metadata } = await employees();
    const evidence = await loadEvidence(store, metadata);
    expect(evidence).toMatchObject({
      dataFiles: 6,
      records: 4889n,
      sizeBytes: 64893n,
      positionDeleteFiles: 3,
      deletionVectors: 0,
      equalityDeleteFiles: 0,
      encryptedFiles: 0,
      filesWithoutMetrics: 0,
      branches: [{ name: "main", snapshotId: 6604821786979993587n }],
      lateFiles: [],
    });
    expect([...evidence.formats]).toEqual([["PARQUET", 6]]);
    expect([...evidence.filesBySpec]).toEqual([[0, 9]]);
    expect(evidence.equalityIds.size).toBe(0);
    expect(evidence.fields.get(1)).toEqual({ files: 6, values: 4889n, nulls: 0n, sizeBytes: 4826n });
    expect(evidence.fields.get(4)).toEqual({ files: 6, values: 4889n, nulls: 1467n, sizeBytes: 3972n });
    // Added later: three files do not know it.
    expect(evidence.fields.get(12)).toEqual({ files: 3, values: 1289n, nulls: 109n, sizeBytes: 1308n });
    // A list's element has sizes only.
    expect(evidence.fields.get(11)).toEqual({ files: 6, values: 0n, nulls: null, sizeBytes: 6364n });
    expect([...evidence.fields.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 8, 9, 10, 11, 12]);
  });

  it("counts deletion vectors one by one, and does not read a manifest of deleted entries (v3)", async () => {
    const { store, metadata } = await events();
    const watch = watched(store);
    const evidence = await loadEvidence(watch.store, metadata);
    expect(evidence).toMatchObject({
      dataFiles: 6,
      records: 2000n,
      sizeBytes: 42132n,
      deletionVectors: 6,
      positionDeleteFiles: 0,
    });
    expect(evidence.fields.get(6)).toEqual({ files: 6, values: 2000n, nulls: 286n, sizeBytes: 5131n });
    expect(watch.seen.reads).toHaveLength(4);
    expect(watch.seen.reads).not.toContain("66eaa9ed-8cc1-4ed8-a571-e58373a10f16-m0.avro");
  });

  it("reads v1", async () => {
    const { store, metadata } = await contractors();
    const evidence = await loadEvidence(store, metadata);
    expect(evidence).toMatchObject({ dataFiles: 1, records: 60n, sizeBytes: 2044n });
    expect(evidence.fields.get(3)).toEqual({ files: 1, values: 60n, nulls: 30n, sizeBytes: 221n });
  });

  it("is empty for a table without snapshots", async () => {
    const { store, metadata } = await employees();
    const evidence = await loadEvidence(store, { ...metadata, refs: {}, currentSnapshotId: null });
    expect(evidence).toMatchObject({ dataFiles: 0, records: 0n, branches: [], fields: new Map() });
  });
});

describe("evidence over branches", () => {
  it("reads a shared manifest once and counts a shared file once", async () => {
    const store = createMemoryStore();
    const shared = await putManifest(store, "m0", [added(named("a", 1)), added(named("b", 1))]);
    const rewritten = await putManifest(store, "m1", [added(named("b", 1)), added(named("c", 1))]);
    const own = await putManifest(store, "m2", [added(named("d", 1))]);
    const metadata = await made(store, {
      main: [shared],
      audit: [{ ...shared, path: `file:${shared.path}` }, rewritten],
      dev: [shared, own],
    });
    const aliases: ObjectStore = { ...store, read: (location) => store.read(location.replace("file:", "")) };
    const watch = watched(aliases);
    const evidence = await loadEvidence(watch.store, metadata);
    expect(evidence).toMatchObject({ dataFiles: 4, records: 40n });
    expect(evidence.branches.map((branch) => branch.name)).toEqual(["main", "audit", "dev"]);
    expect(evidence.fields.get(1)?.files).toBe(4);
    expect(watch.seen.reads.filter((name) => name.startsWith("m")).sort()).toEqual(["m0.avro", "m1.avro", "m2.avro"]);
    const main = await loadEvidence(aliases, metadata, { branches: [{ name: "main", snapshotId: 101n }] });
    expect(main).toMatchObject({ dataFiles: 2, branches: [{ name: "main", snapshotId: 101n }] });
  });

  it("reads two branches with one head once", async () => {
    const { store, metadata } = await employees();
    const main = metadata.refs.main;
    if (main === undefined) throw new Error("the fixture has main");
    const watch = watched(store);
    const evidence = await loadEvidence(watch.store, { ...metadata, refs: { ...metadata.refs, copy: main } });
    expect(evidence.dataFiles).toBe(6);
    expect(evidence.branches).toHaveLength(2);
    expect(new Set(watch.seen.reads).size).toBe(watch.seen.reads.length);
  });
});

describe("what one file does not tell", () => {
  it("is not told of all: nulls, sizes, metrics, keys, formats, specs", async () => {
    const store = createMemoryStore();
    const records = [
      await putManifest(store, "m0", [
        added({
          ...named("a", 1, 2, 3),
          nullValueCounts: new Map([
            [1, 2n],
            [3, 1n],
          ]),
          columnSizes: new Map([
            [1, 50n],
            [3, 1n],
          ]),
        }),
        added({
          ...named("b", 1, 2, 3),
          nullValueCounts: new Map([
            [1, 3n],
            [2, 0n],
          ]),
          columnSizes: new Map([
            [1, 7n],
            [2, 1n],
          ]),
        }),
        added({ filePath: "/t/data/c", fileFormat: "orc", keyMetadata: Uint8Array.of(1) }),
        added({ filePath: "/t/data/d", fileFormat: "Orc", valueCounts: new Map() }),
      ]),
    ];
    const other = await putManifest(
      store,
      "m1",
      [added({ filePath: "/t/data/x", content: "equality-deletes", equalityIds: [5, 2] })],
      "deletes",
    );
    const metadata = await made(store, { main: [...records, { ...other, partitionSpecId: 3 }] });
    const evidence = await loadEvidence(store, metadata);
    expect(evidence.fields.get(1)).toEqual({ files: 2, values: 20n, nulls: 5n, sizeBytes: 57n });
    expect(evidence.fields.get(2)).toEqual({ files: 2, values: 20n, nulls: null, sizeBytes: null });
    expect(evidence.fields.get(3)).toEqual({ files: 2, values: 20n, nulls: null, sizeBytes: null });
    expect(evidence).toMatchObject({ dataFiles: 4, filesWithoutMetrics: 2, encryptedFiles: 1, equalityDeleteFiles: 1 });
    expect([...evidence.formats]).toEqual([
      ["PARQUET", 2],
      ["ORC", 2],
    ]);
    expect([...evidence.filesBySpec]).toEqual([
      [0, 4],
      [3, 1],
    ]);
    expect(evidence.equalityIds).toEqual(new Set([2, 5]));
  });
});

describe("late files", () => {
  it("hold the retired id and not the new one; without either only the footer can tell", async () => {
    const store = createMemoryStore();
    const data = await putManifest(store, "m0", [
      added(named("converted", 1, 4)),
      added(named("late", 1, 2)),
      added({ filePath: "/t/data/late-by-size", columnSizes: new Map([[2, 9n]]), recordCount: 30n }),
      added(named("both", 2, 4)),
      added(named("neither", 1)),
      added({ filePath: "/t/data/without-metrics" }),
    ]);
    const deletes = await putManifest(
      store,
      "m1",
      [
        added({ filePath: "/t/d/1", content: "equality-deletes", equalityIds: [1, 2] }),
        added({ filePath: "/t/d/2", content: "equality-deletes", equalityIds: [1] }),
        added({ filePath: "/t/d/3", content: "position-deletes" }),
      ],
      "deletes",
    );
    const metadata = await made(store, { main: [data, deletes] });
    const evidence = await loadEvidence(store, metadata, {
      conversions: [
        { retiredId: 2, newId: 4 },
        { retiredId: 77, newId: 78 },
      ],
    });
    expect(evidence.lateFiles).toEqual([
      { retiredId: 2, newId: 4, files: 2, records: 40n, unclear: 2, equalityDeleteFiles: 1 },
      { retiredId: 77, newId: 78, files: 0, records: 0n, unclear: 6, equalityDeleteFiles: 0 },
    ]);
  });
});

describe("the reading of manifests", () => {
  it("is bounded, and tells its progress", async () => {
    const store = createMemoryStore();
    const records: ManifestFile[] = [];
    for (let index = 0; index < 12; index++) records.push(await putManifest(store, `m${index}`, [added(named(`f${index}`, 1))]));
    const metadata = await made(store, { main: records });
    const watch = watched(store);
    const progress: EvidenceProgress[] = [];
    await loadEvidence(watch.store, metadata, { concurrency: 3, onProgress: (one) => progress.push(one) });
    expect(watch.seen.most).toBe(3);
    expect(progress).toHaveLength(12);
    expect(progress.at(-1)).toEqual({ manifestsRead: 12, manifests: 12, files: 12 });
  });

  it("stops at the first failure, leaves nothing running and throws it", async () => {
    const store = createMemoryStore();
    const records: ManifestFile[] = [];
    for (let index = 0; index < 12; index++) records.push(await putManifest(store, `m${index}`, [added(named(`f${index}`, 1))]));
    const metadata = await made(store, { main: records });
    const watch = watched(store, (location) => location.endsWith("m1.avro"));
    const error = await errorOf(loadEvidence(watch.store, metadata, { concurrency: 2 }));
    expect([error.kind, error.message]).toEqual(["unavailable", `Cannot read "${WAREHOUSE}/employees/metadata/m1.avro"`]);
    expect(watch.seen.now).toBe(0);
    expect(watch.seen.reads.length).toBeLessThanOrEqual(4);
  });

  it("names a damaged manifest, a missing one and a missing snapshot", async () => {
    const store = createMemoryStore();
    const record = await putManifest(store, "m0", [added(named("a", 1))]);
    const metadata = await made(store, { main: [record] });
    await store.replace(record.path, (await store.read(record.path)).slice(0, -3));
    const damaged = await errorOf(loadEvidence(store, metadata));
    expect([damaged.kind, damaged.context.file]).toEqual(["corrupt", record.path]);
    await store.remove(record.path);
    expect((await errorOf(loadEvidence(store, metadata))).kind).toBe("not-found");
    const gone = await errorOf(loadEvidence(store, metadata, { branches: [{ name: "main", snapshotId: 5n }] }));
    expect([gone.kind, gone.message]).toEqual(["corrupt", "Cannot read the snapshot 5"]);
  });

  it("says so when a list or a manifest is encrypted", async () => {
    const store = createMemoryStore();
    const record = await putManifest(store, "m0", [added(named("a", 1))]);
    const keyed = await made(store, { main: [{ ...record, keyMetadata: Uint8Array.of(1, 2) }] });
    expect((await errorOf(loadEvidence(store, keyed))).kind).toBe("unsupported");
    expect((await errorOf(loadManifestFiles(store, snapshot({ keyId: "k", manifestList: "/l" })))).message).toBe(
      'Cannot read the manifest list "/l"',
    );
  });

  it("follows the inline lists of old v1 snapshots", async () => {
    const { store, metadata } = await contractors();
    const [record] = await loadManifestFiles(store, metadata.snapshots.at(0) ?? snapshot({}));
    const inline = snapshot({ snapshotId: 5804171294410684697n, manifests: [record?.path ?? ""] });
    const old: TableMetadata = { ...metadata, snapshots: metadata.snapshots.filtered(() => false).appended(inline) };
    const [synthetic] = await loadManifestFiles(store, inline);
    expect(synthetic).toMatchObject({
      path: record?.path,
      lengthBytes: record?.lengthBytes,
      partitionSpecId: 0,
      addedSnapshotId: 5804171294410684697n,
      addedFilesCount: null,
    });
    const { branches: _, ...evidence } = await loadEvidence(store, old);
    const { branches: __, ...expected } = await loadEvidence(store, metadata);
    expect(evidence).toEqual(expected);
  });
});

describe("the live files of a snapshot", () => {
  it("come with their record, spec and kind, and everything they inherit", async () => {
    const { store, metadata } = await events();
    const files = [];
    for await (const file of liveFiles(store, metadata, 7885701582023565518n)) files.push(file);
    expect(files.map((file) => file.kind)).toEqual([...Array(6).fill("data"), ...Array(6).fill("deletes")]);
    expect(files.slice(0, 6).map(({ entry: one }) => [one.sequenceNumber, one.dataFile.firstRowId])).toEqual([
      [3n, 1600n],
      [3n, expect.any(BigInt)],
      [3n, expect.any(BigInt)],
      [1n, 0n],
      [1n, expect.any(BigInt)],
      [1n, expect.any(BigInt)],
    ]);
    expect(files.every((file) => file.specId === 0 && file.record.partitionSpecId === 0)).toBe(true);
    expect(files.slice(6).every(({ entry: one }) => one.sequenceNumber === 4n && one.dataFile.firstRowId === null)).toBe(true);
  });

  it("leave out what a snapshot deleted", async () => {
    const store = createMemoryStore();
    const gone = entry({ status: "deleted", snapshotId: 7n, sequenceNumber: 1n, dataFile: dataFile({ filePath: "/t/gone" }) });
    const record = await putManifest(store, "m0", [added(named("a", 1)), gone]);
    const metadata = await made(store, { main: [record] });
    const paths = [];
    for await (const file of liveFiles(store, metadata, 101n)) paths.push(file.entry.dataFile.filePath);
    expect(paths).toEqual(["/t/data/a"]);
    expect((await loadEvidence(store, metadata)).dataFiles).toBe(1);
  });

  it("have partition values of the table's types, and the file's own where the spec is gone", async () => {
    const { store, metadata } = await employees();
    const columnsOf = async (one: TableMetadata) => {
      const columns = [];
      for await (const { manifest } of liveManifests(store, one, 6604821786979993587n)) columns.push(manifest.partitionColumns);
      return columns;
    };
    const columns = [{ fieldId: 1000, name: "country", type: { kind: "string" } }];
    expect(await columnsOf(metadata)).toEqual(Array(5).fill(columns));
    expect(await columnsOf({ ...metadata, partitionSpecs: [] })).toEqual(Array(5).fill(columns));
  });
});

describe("jobs that take memory", () => {
  it("run within the limit of bytes, a larger one alone, and give results in order", async () => {
    let bytes = 0;
    let most = 0;
    const alone: boolean[] = [];
    const jobs = [40, 40, 40, 500, 10, 10].map((sizeBytes) => ({
      sizeBytes,
      run: async () => {
        bytes += sizeBytes;
        most = Math.max(most, sizeBytes === 500 ? 0 : bytes);
        await new Promise<void>((resume) => setTimeout(resume, 1));
        if (sizeBytes === 500) alone.push(bytes === 500);
        bytes -= sizeBytes;
        return sizeBytes;
      },
    }));
    expect(await runJobs(jobs, { jobs: 10, bytes: 100 })).toEqual([40, 40, 40, 500, 10, 10]);
    expect(most).toBeLessThanOrEqual(100);
    expect(alone).toEqual([true]);
    expect(await runJobs([], { jobs: 1, bytes: 1 })).toEqual([]);
  });
});

describe("the set of seen texts", () => {
  it("knows each text from its second time on", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), (texts) => {
        const seen = newSeenTexts();
        const known = new Set<string>();
        for (const text of texts) {
          expect(seen.add(text)).toBe(!known.has(text));
          known.add(text);
        }
      }),
      { numRuns: 50 },
    );
    const seen = newSeenTexts();
    const paths = Array.from({ length: 5000 }, (_, index) => `s3://b/t/data/${index}.parquet`);
    expect(paths.every((path) => seen.add(path))).toBe(true);
    expect(paths.some((path) => seen.add(path))).toBe(false);
  });
});
