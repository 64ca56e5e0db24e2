// What a reader sees: the live data files of a branch through hyparquet, columns found by field id as the current schema
// names them. Files are found by the manifests; nothing of the product decodes a Parquet page here.
import { type FileMetaData, parquetMetadata, parquetReadObjects, parquetSchema, type SchemaTree } from "hyparquet";
import { liveFiles } from "../../src/catalog/evidence-manifests.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Field, Schema } from "../../src/iceberg/type.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import type { Value } from "./parquet-file.ts";

/** One row: canonical texts by id of the leaf. */
export type Row = ReadonlyMap<number, Value>;

export interface SeenFile {
  readonly location: string;
  /** Everything that the file holds, by its own ids. */
  readonly rows: readonly Row[];
  /** As the manifest counts them, by id of the leaf. */
  readonly nulls: ReadonlyMap<number, bigint> | null;
  readonly records: bigint;
}

/** Leaves outside lists, by which rows are told. */
export function leavesOfSchema(schema: Pick<Schema, "fields">): Field[] {
  const inside = (fields: readonly Field[]): Field[] =>
    fields.flatMap((field) =>
      field.type.kind === "struct" ? inside(field.type.fields) : field.type.kind === "list" ? [] : [field],
    );
  return inside(schema.fields);
}

export async function readBranch(
  store: ObjectStore,
  metadata: TableMetadata,
  snapshotId: bigint | undefined,
): Promise<readonly SeenFile[]> {
  const found: SeenFile[] = [];
  if (snapshotId === undefined) return found;
  for await (const { entry, kind } of liveFiles(store, metadata, snapshotId)) {
    if (kind !== "data") throw new Error(`${entry.dataFile.filePath} is ${kind}`);
    const { filePath, recordCount, nullValueCounts } = entry.dataFile;
    const rows = await readFileRows(await store.read(filePath));
    found.push({ location: filePath, rows, nulls: nullValueCounts, records: recordCount });
  }
  return found;
}

/** What a reader shows of rows under a schema, in no order: one text a row. */
export function shown(rows: readonly Row[], schema: Pick<Schema, "fields">): string[] {
  const ids = leavesOfSchema(schema).map(({ id }) => id);
  return rows.map((row) => JSON.stringify(ids.map((id) => row.get(id) ?? null))).sort();
}

export async function readFileRows(bytes: Uint8Array): Promise<readonly Row[]> {
  // A Buffer may be a part of a larger one, and its slice is no copy.
  const buffer = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(buffer);
  const tree = parquetSchema(metadata);
  const dates = new Set(
    metadata.schema.flatMap(({ field_id: id, converted_type: kind }) => (kind === "DATE" && id !== undefined ? [id] : [])),
  );
  const leaves = [...pathsById(tree)].filter(([, { isLeaf }]) => isLeaf);
  const objects: readonly Record<string, unknown>[] = await parquetReadObjects({
    file: buffer,
    metadata: unannotated(metadata),
    utf8: false,
  });
  return objects.map(
    (object): Row => new Map(leaves.map(([id, { path }]) => [id, canonical(valueAt(object, path), dates.has(id))])),
  );
}

/** hyparquet would make local dates of days. */
function unannotated(metadata: FileMetaData): FileMetaData {
  for (const element of metadata.schema) {
    if (element.converted_type === "UTF8" || element.type === undefined) continue;
    delete element.converted_type;
    delete element.logical_type;
  }
  return metadata;
}

interface PlacedElement {
  readonly path: readonly string[];
  readonly isLeaf: boolean;
}

function pathsById(tree: SchemaTree): ReadonlyMap<number, PlacedElement> {
  const found = new Map<number, PlacedElement>();
  const walk = ({ children, element }: SchemaTree, above: readonly string[]): void => {
    const path = [...above, element.name];
    if (element.field_id !== undefined) found.set(element.field_id, { path, isLeaf: children.length === 0 });
    for (const child of children) walk(child, path);
  };
  for (const child of tree.children) walk(child, []);
  return found;
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : null),
    object,
  );
}

function canonical(value: unknown, isDate: boolean): Value {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (isDate) return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10);
  return String(value as number | bigint | string);
}

/** The stored bytes of every column chunk but those of some columns, one text a file: equal where nothing was touched. */
export function untouchedBytes(bytes: Uint8Array, except: ReadonlySet<number>): string {
  // A Buffer may be a part of a larger one, and its slice is no copy.
  const buffer = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(buffer);
  const ids = new Map([...pathsById(parquetSchema(metadata))].map(([id, { path }]) => [JSON.stringify(path), id]));
  return metadata.row_groups
    .flatMap(({ columns }, group) =>
      columns.flatMap(({ meta_data: chunk }) => {
        const id = ids.get(JSON.stringify(chunk?.path_in_schema));
        if (chunk === undefined || id === undefined || except.has(id)) return [];
        const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
        const stored = Buffer.from(buffer, start, Number(chunk.total_compressed_size));
        return [`${group} ${id} ${stored.toString("base64")}`];
      }),
    )
    .join("\n");
}
