// Data as other engines write it: appends of real Parquet files with the metrics that Spark leaves, deletes of whole
// files, both as new snapshots of a branch.
import { liveManifests } from "../../src/catalog/evidence-manifests.ts";
import type { SingleValue } from "../../src/iceberg/bound.ts";
import type { DataFile, ManifestFile, NewManifestFile } from "../../src/iceberg/manifest.ts";
import { addedEntry, deletedEntry, existingEntry, liveEntries } from "../../src/iceberg/manifest-live.ts";
import { writeManifestList } from "../../src/iceberg/manifest-list.ts";
import { partitionColumnsOf } from "../../src/iceberg/manifest-partition.ts";
import { writeManifest } from "../../src/iceberg/manifest-write.ts";
import { indexSchema } from "../../src/iceberg/schema-index.ts";
import { defaultSpec, snapshotById, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import { parseTransform } from "../../src/iceberg/transform.ts";
import { transformValue } from "../../src/iceberg/transform-value.ts";
import { type Field, isPrimitive, type Schema } from "../../src/iceberg/type.ts";
import { PRIMITIVES, type Primitive } from "./declaration.ts";
import { type Node, parquetFile, type Value } from "./parquet-file.ts";
import { leavesOfSchema, readFileRows, type Row } from "./read-rows.ts";
import { Violation } from "./tally.ts";
import type { ModelFile, World } from "./world.ts";

const VALUES: Readonly<Record<Primitive, readonly Value[]>> = {
  string: ["20240131", "20231205", "17", "-4", "x", null, "20240131", "20231205"],
  int: ["0", "1", "-7", "2147483647", null],
  long: ["0", "1", "-7", "9007199254740993", null],
  float: ["0.5", "-2.25", "100", null],
  double: ["0.5", "-2.25", "0.1", null],
  date: ["2024-01-31", "1969-12-31", null],
};

interface Commit {
  readonly updates: readonly TableUpdate[];
  readonly snapshotId: bigint;
  readonly files: readonly ModelFile[];
}

/** Rows by the columns of `schema`, which may be one that the writer loaded long ago. */
export async function appendTo(
  world: World,
  metadata: TableMetadata,
  branch: string,
  schema: Schema,
  a: number,
): Promise<Commit> {
  const snapshotId = world.nextSnapshot++;
  const count = 1 + (a % 3);
  const leaves = leavesOfSchema(schema);
  const spec = defaultSpec(metadata);
  const sources = new Set(spec.fields.flatMap(({ sourceIds }) => sourceIds));
  const columns = new Map(
    leaves.map((leaf, number): [number, readonly Value[]] => {
      const pool = VALUES[primitiveOf(leaf)].filter((value) => value !== null || !leaf.required);
      const pick = (row: number): Value => pool[(a + number * 7 + row * 3) % pool.length] ?? null;
      // One file is of one partition.
      return [leaf.id, Array.from({ length: count }, (_, row) => pick(sources.has(leaf.id) ? 0 : row))];
    }),
  );
  const bytes = parquetFile(
    count,
    schema.fields.flatMap((field) => nodeOf(field, columns)),
  );
  const location = `${metadata.location}/data/part-${snapshotId}.parquet`;
  await world.lake.store.putIfAbsent(location, bytes);
  const partition = spec.fields.map(({ sourceIds, transform }): SingleValue | null => {
    const node = indexSchema(schema).byId(sourceIds[0] ?? -1);
    const value = columns.get(sourceIds[0] ?? -1)?.[0] ?? null;
    return node === undefined || !isPrimitive(node.type) || value === null
      ? null
      : transformValue(parseTransform(transform), node.type, singleValue(value, primitiveOf(node)));
  });
  const dataFile: DataFile = {
    content: "data",
    filePath: location,
    fileFormat: "PARQUET",
    partition,
    recordCount: BigInt(count),
    fileSizeBytes: BigInt(bytes.length),
    equalityIds: null,
    sortOrderId: null,
    firstRowId: null,
    referencedDataFile: null,
    contentOffset: null,
    contentSizeBytes: null,
    columnSizes: counted(columns, () => 40n),
    valueCounts: counted(columns, (values) => BigInt(values.length)),
    nullValueCounts: counted(columns, (values) => BigInt(values.filter((value) => value === null).length)),
    nanValueCounts: null,
    lowerBounds: null,
    upperBounds: null,
    keyMetadata: null,
    splitOffsets: null,
    carried: null,
  };
  const path = `${metadata.location}/metadata/${snapshotId}-m0.avro`;
  const manifest = writeManifest(
    {
      location: path,
      formatVersion: metadata.formatVersion,
      content: "data",
      schema,
      spec,
      partitionColumns: partitionColumnsOf(spec, schema, metadata.schemas),
      snapshotId,
    },
    [addedEntry(dataFile, snapshotId, null)],
  );
  await world.lake.store.putIfAbsent(path, manifest.bytes);
  const parent = metadata.refs[branch]?.snapshotId ?? null;
  const before = parent === null ? [] : await recordsOf(world, metadata, parent);
  const rows = Array.from(
    { length: count },
    (_, row): Row => new Map([...columns].map(([id, values]) => [id, values[row] ?? null])),
  );
  const files = [...(parent === null ? [] : (world.snapshots.get(parent) ?? [])), { rows }];
  const updates = await snapshotUpdates(world, metadata, branch, snapshotId, [manifest.record, ...before], "append", schema);
  return { updates, snapshotId, files };
}

/** The oldest file of the branch goes; null where there is none. */
export async function deleteOldest(
  world: World,
  metadata: TableMetadata,
  branch: string,
  schema: Schema,
): Promise<Commit | null> {
  const parent = metadata.refs[branch]?.snapshotId;
  const known = parent === undefined ? undefined : world.snapshots.get(parent);
  if (parent === undefined || known === undefined || known.length === 0) return null;
  const snapshotId = world.nextSnapshot++;
  const records: (ManifestFile | NewManifestFile)[] = [];
  let gone: ModelFile | null = null;
  for await (const { record, manifest } of liveManifests(world.lake.store, metadata, parent)) {
    const entries = [...liveEntries(manifest, record)];
    const spec = metadata.partitionSpecs.find((one) => one.specId === record.partitionSpecId);
    if (gone !== null || spec === undefined) {
      records.push(record);
      continue;
    }
    const [first, ...others] = entries;
    if (first === undefined) continue;
    gone = await modelFileOf(world, known, first.dataFile.filePath);
    const location = `${metadata.location}/metadata/${snapshotId}-m${records.length}.avro`;
    const written = writeManifest(
      {
        location,
        formatVersion: metadata.formatVersion,
        content: "data",
        schema,
        spec,
        partitionColumns: manifest.partitionColumns,
        snapshotId,
      },
      [deletedEntry(first, snapshotId), ...others.map(existingEntry)],
    );
    await world.lake.store.putIfAbsent(location, written.bytes);
    records.push(written.record);
  }
  if (gone === null) return null;
  const files = known.filter((file) => file !== gone);
  const updates = await snapshotUpdates(world, metadata, branch, snapshotId, records, "delete", schema);
  return { updates, snapshotId, files };
}

/** Files that hold the same are one as good as the other. */
async function modelFileOf(world: World, known: readonly ModelFile[], location: string): Promise<ModelFile> {
  const told = (rows: readonly Row[]): string => JSON.stringify(rows.map((row) => [...row].sort(([a], [b]) => a - b)));
  const wanted = told(await readFileRows(await world.lake.store.read(location)));
  const found = known.find(({ rows }) => told(rows) === wanted);
  if (found === undefined) throw new Violation("I10", `${location} holds rows that nobody wrote: ${wanted}`);
  return found;
}

async function recordsOf(world: World, metadata: TableMetadata, snapshotId: bigint): Promise<ManifestFile[]> {
  const records: ManifestFile[] = [];
  for await (const { record } of liveManifests(world.lake.store, metadata, snapshotId)) records.push(record);
  return records;
}

async function snapshotUpdates(
  world: World,
  metadata: TableMetadata,
  branch: string,
  snapshotId: bigint,
  records: readonly (ManifestFile | NewManifestFile)[],
  operation: "append" | "delete",
  schema: Schema,
): Promise<readonly TableUpdate[]> {
  const { formatVersion, lastSequenceNumber, nextRowId } = metadata;
  const parentSnapshotId = metadata.refs[branch]?.snapshotId ?? null;
  const sequenceNumber = formatVersion === 1 ? 0n : lastSequenceNumber + 1n;
  const list = writeManifestList({ formatVersion, snapshotId, parentSnapshotId, sequenceNumber, firstRowId: nextRowId }, records);
  const manifestList = `${metadata.location}/metadata/snap-${snapshotId}.avro`;
  await world.lake.store.putIfAbsent(manifestList, list.bytes);
  const parent = parentSnapshotId === null ? undefined : snapshotById(metadata, parentSnapshotId);
  const snapshot = {
    snapshotId,
    parentSnapshotId,
    sequenceNumber,
    timestampMs: Math.max(metadata.lastUpdatedMs, parent?.timestampMs ?? 0) + 1,
    summary: { operation, "engine-name": "spark", "app-id": `job-${snapshotId}` },
    manifestList,
    schemaId: schema.schemaId,
    firstRowId: nextRowId,
    addedRows: list.addedRows,
    keyId: null,
  };
  return [
    { action: "add-snapshot", snapshot },
    { action: "set-snapshot-ref", refName: branch, ref: { type: "branch", snapshotId } },
  ];
}

function nodeOf(field: Field, columns: ReadonlyMap<number, readonly Value[]>): Node[] {
  const { id, name, type } = field;
  if (type.kind === "struct") {
    const children = type.fields.flatMap((child) => nodeOf(child, columns));
    return children.length === 0 ? [] : [{ kind: "group", id, name, children }];
  }
  const values = columns.get(id);
  return values === undefined ? [] : [{ kind: "leaf", id, name, type: primitiveOf(field), values }];
}

function primitiveOf({ type }: Pick<Field, "type">): Primitive {
  const found = PRIMITIVES.find((name) => name === type.kind);
  if (found === undefined) throw new Error(`The model writes no ${type.kind}`);
  return found;
}

function singleValue(value: string, type: Primitive): SingleValue {
  if (type === "string") return value;
  if (type === "long") return BigInt(value);
  return type === "date" ? Date.parse(`${value}T00:00:00Z`) / 86_400_000 : Number(value);
}

function counted(
  columns: ReadonlyMap<number, readonly Value[]>,
  count: (values: readonly Value[]) => bigint,
): ReadonlyMap<number, bigint> {
  return new Map([...columns].map(([id, values]) => [id, count(values)]));
}
