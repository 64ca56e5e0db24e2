// Tables for a fake Glue and S3: the example's Spark-written tables with the paths of a bucket, and the entry that
// Iceberg's Java writer makes of a table's metadata. The entry is made here from the JSON alone, so that what floeplan
// writes can be held against it. Knows no server.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readManifestList, writeManifestList } from "../../src/iceberg/manifest-list.ts";
import { readManifest } from "../../src/iceberg/manifest-read.ts";
import { writeManifest } from "../../src/iceberg/manifest-write.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import { schemaById } from "../../src/iceberg/table-metadata.ts";

type JsonType =
  | string
  | { readonly type: "struct"; readonly fields: readonly JsonField[] }
  | { readonly type: "list"; readonly element: JsonType }
  | { readonly type: "map"; readonly key: JsonType; readonly value: JsonType };

export interface JsonField {
  readonly id: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: JsonType;
  readonly doc?: string;
}

interface JsonSchema {
  readonly "schema-id": number;
  readonly fields: readonly JsonField[];
}

/** What tests look at of a metadata file; 64-bit ids are not exact in it. */
export interface JsonMetadata {
  readonly "format-version": number;
  readonly location: string;
  readonly "current-schema-id": number;
  readonly "current-snapshot-id"?: number;
  readonly schemas: readonly JsonSchema[];
  readonly properties: Readonly<Record<string, string>>;
  readonly "default-spec-id": number;
  readonly "partition-specs": readonly { readonly "spec-id": number; readonly fields: readonly { readonly name: string }[] }[];
  readonly "default-sort-order-id": number;
  readonly "metadata-log": readonly { readonly "metadata-file": string }[];
  readonly refs: Readonly<Record<string, { readonly type: string }>>;
}

export interface GlueColumnEntry {
  readonly Name: string;
  readonly Type: string;
  readonly Comment?: string;
  readonly Parameters?: Readonly<Record<string, string>>;
}

const EXAMPLE = resolve(import.meta.dirname, "../../examples/employees/warehouse/hr");
const WRITTEN_AT = "/tmp/floeplan-demo/warehouse/hr";

/** A table as it lies in a bucket. */
export interface BucketTable {
  readonly metadataLocation: string;
  readonly previousLocation: string;
  readonly objects: ReadonlyMap<string, Uint8Array>;
}

type ExampleName = "iceberg_employee" | "iceberg_employee_dirty";

/** The tests of a file ask for the same ones. */
const MOVED = new Map<string, BucketTable>();

/** One of the example's tables below `location`, with every path in it changed and the file names of a catalog that is no folder. */
export function exampleTable(table: ExampleName, location: string): BucketTable {
  const key = `${table} ${location}`;
  const found = MOVED.get(key) ?? moveExample(table, location);
  MOVED.set(key, found);
  return found;
}

function moveExample(table: ExampleName, location: string): BucketTable {
  const folder = join(EXAMPLE, table);
  const from = `${WRITTEN_AT}/${table}`;
  const moved = (path: string): string => (path.startsWith(`${from}/`) ? location + path.slice(from.length) : path);
  const read = (path: string): Uint8Array => new Uint8Array(readFileSync(join(folder, path.slice(from.length))));
  const objects = new Map<string, Uint8Array>();
  for (const name of readdirSync(join(folder, "data"))) objects.set(`${location}/data/${name}`, read(`${from}/data/${name}`));

  const versions = readdirSync(join(folder, "metadata")).flatMap((name) => /^v(\d+)\.metadata\.json$/.exec(name)?.[1] ?? []);
  const files = versions.map(Number).sort((a, b) => a - b);
  for (const version of files) {
    const text = readFileSync(join(folder, "metadata", `v${version}.metadata.json`), "utf8").replaceAll(from, location);
    const named = text.replaceAll(/\/metadata\/v(\d+)\.metadata\.json/g, (_, number: string) => catalogName(Number(number)));
    objects.set(location + catalogName(version), new TextEncoder().encode(named));
  }
  const newest = files.at(-1) ?? 0;
  const before = readMetadata(new Uint8Array(readFileSync(join(folder, `metadata/v${newest}.metadata.json`))), from);
  for (const { manifestList, snapshotId, parentSnapshotId, sequenceNumber, firstRowId } of before.snapshots) {
    if (manifestList === null) continue;
    const manifests = readManifestList(read(manifestList), manifestList).manifests.map((record) => {
      const path = moved(record.path);
      const manifest = readManifest(read(record.path), record.path);
      const schema = schemaById(before, before.currentSchemaId);
      const spec = before.partitionSpecs.find((one) => one.specId === record.partitionSpecId);
      if (schema === undefined || spec === undefined)
        throw new Error(`The example lost the schema or the spec of ${record.path}`);
      const { bytes } = writeManifest(
        {
          location: path,
          formatVersion: before.formatVersion,
          content: record.content,
          schema,
          spec,
          partitionColumns: manifest.partitionColumns,
          snapshotId: record.addedSnapshotId ?? 0n,
          carried: manifest.carried,
        },
        [...manifest.entries()].map((entry) => ({
          ...entry,
          dataFile: { ...entry.dataFile, filePath: moved(entry.dataFile.filePath) },
        })),
      );
      objects.set(path, bytes);
      return { ...record, path, lengthBytes: BigInt(bytes.byteLength) };
    });
    const list = writeManifestList(
      { formatVersion: before.formatVersion, snapshotId, parentSnapshotId, sequenceNumber, firstRowId },
      manifests,
    );
    objects.set(moved(manifestList), list.bytes);
  }
  return {
    metadataLocation: location + catalogName(newest),
    previousLocation: location + catalogName(newest - 1),
    objects,
  };
}

/** `v3` of a folder of versions is the fourth file of a catalog that counts from nought. */
function catalogName(version: number): string {
  return `/metadata/${String(version - 1).padStart(5, "0")}-5eed0000-0000-4000-8000-00000000000${version}.metadata.json`;
}

export function currentFields({ schemas, "current-schema-id": current }: JsonMetadata): readonly JsonField[] {
  return schemas.find((schema) => schema["schema-id"] === current)?.fields ?? [];
}

/** The entry of Iceberg's Java writer (IcebergToGlueConverter): current columns, then those of older schemas, marked. */
export function javaEntry(
  name: string,
  metadata: JsonMetadata,
  location: string,
  previousLocation: string | null,
): Record<string, unknown> {
  return {
    Name: name,
    Owner: "spark",
    TableType: "EXTERNAL_TABLE",
    Parameters: {
      table_type: "ICEBERG",
      metadata_location: location,
      ...(previousLocation === null ? {} : { previous_metadata_location: previousLocation }),
    },
    StorageDescriptor: { Location: metadata.location, Columns: javaColumns(metadata) },
  };
}

export function javaColumns(metadata: JsonMetadata): readonly GlueColumnEntry[] {
  const current = currentColumns(metadata);
  const names = new Set(current.map(({ Name }) => Name));
  const old: GlueColumnEntry[] = [];
  for (const schema of metadata.schemas) {
    for (const field of schema.fields) {
      if (names.has(field.name)) continue;
      names.add(field.name);
      old.push(columnOf(field, false));
    }
  }
  return [...current, ...old];
}

/** The list that Glue must have after a commit of floeplan. */
export function currentColumns(metadata: JsonMetadata): readonly GlueColumnEntry[] {
  return currentFields(metadata).map((field) => columnOf(field, true));
}

function columnOf(field: JsonField, isCurrent: boolean): GlueColumnEntry {
  return {
    Name: field.name,
    Type: typeText(field.type),
    ...(field.doc === undefined ? {} : { Comment: field.doc }),
    Parameters: {
      "iceberg.field.id": String(field.id),
      "iceberg.field.optional": String(!field.required),
      "iceberg.field.current": String(isCurrent),
    },
  };
}

const OTHER_WORDS: Readonly<Record<string, string>> = {
  long: "bigint",
  time: "string",
  uuid: "string",
  timestamptz: "timestamp",
  timestamp_ns: "timestamp_nano",
  timestamptz_ns: "timestamp_nano",
};

function typeText(type: JsonType): string {
  if (typeof type === "string") return OTHER_WORDS[type] ?? (type.startsWith("fixed") ? "binary" : type.replaceAll(" ", ""));
  switch (type.type) {
    case "struct":
      return `struct<${type.fields.map((field) => `${field.name}:${typeText(field.type)}`).join(",")}>`;
    case "list":
      return `array<${typeText(type.element)}>`;
    case "map":
      return `map<${typeText(type.key)},${typeText(type.value)}>`;
  }
}
