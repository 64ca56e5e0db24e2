// Finds the table metadata files below a folder, in any layout, and says which belong to one table and which is its
// newest. A file counts by its content, not by its name; views and other JSON are passed over.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { scanObject } from "../src/iceberg/json-scan.ts";

export interface MetadataFile {
  /** Below the folder that was asked for. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface FoundTable {
  readonly path: string;
  /** Oldest first. */
  readonly files: readonly MetadataFile[];
}

export interface Found {
  readonly tables: readonly FoundTable[];
  /** Files that must be refused. */
  readonly wrong: readonly MetadataFile[];
}

/** Deliberately wrong files: of apache/iceberg's parser tests, of duckdb-iceberg, and our own, named by their fault. */
const WRONG: readonly RegExp[] = [
  /^TableMetadata(?:UnsupportedVersion|V1MissingSchemaType|V2CurrentSchemaNotFound)\.json$/,
  /^TableMetadataV2Missing(?:LastPartitionId|PartitionSpecs|Schemas|SortOrder)\.json$/,
  /^bad_iceberg_metadata\.json$/,
  /^wrong-.*\.json$/,
];

export function findCorpus(folder: string): Found {
  const files = metadataFiles(folder);
  const isWrong = (file: MetadataFile): boolean => WRONG.some((name) => name.test(basename(file.path)));
  const groups = new Map<string, MetadataFile[]>();
  for (const file of files.filter((one) => !isWrong(one))) {
    const key = `${dirname(file.path)} ${groupOf(file)}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  const tables = [...groups.values()].map((group): FoundTable => {
    const sorted = inOrder(folder, group);
    return { path: sorted.at(-1)?.path ?? "", files: sorted };
  });
  return { tables, wrong: files.filter(isWrong) };
}

function metadataFiles(folder: string): MetadataFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.json(?:\.gz)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .flatMap((path): MetadataFile[] => {
      const bytes = readFileSync(path);
      const isTable = isTableMetadata(bytes);
      const isNamed = /\.metadata\.json(?:\.gz)?$/.test(path) || WRONG.some((name) => name.test(basename(path)));
      return isTable || isNamed ? [{ path: relative(folder, path), bytes }] : [];
    });
}

function isTableMetadata(bytes: Uint8Array): boolean {
  try {
    const keys = new Set(scanObject(Buffer.from(unpacked(bytes), "utf8")).map((member) => member.key));
    return keys.has("format-version") && keys.has("location") && !keys.has("view-uuid");
  } catch {
    return false;
  }
}

/** One folder may hold several tables; versions of one share the uuid, those of old writers have none. */
function groupOf(file: MetadataFile): string {
  const uuid = /"table-uuid"\s*:\s*"([^"]+)"/.exec(unpacked(file.bytes))?.[1] ?? "";
  const isVersion = /^(?:v\d+(?:\.\d+)?(?:\.gz)?\.metadata\.json|\d{5}-)/.test(basename(file.path));
  return isVersion ? uuid : `${uuid} ${basename(file.path)}`;
}

/** As the hint says where it names one of the files, else by version and time. */
function inOrder(folder: string, group: readonly MetadataFile[]): readonly MetadataFile[] {
  const [first] = group;
  const hint = first === undefined ? null : hintOf(join(folder, dirname(first.path)));
  const rank = (file: MetadataFile): number => {
    const name = basename(file.path);
    if (hint !== null && name.startsWith(`v${hint}.`)) return Number.MAX_SAFE_INTEGER;
    return Number(/^v?(\d+)/.exec(name)?.[1] ?? 0);
  };
  return [...group].sort((a, b) => rank(a) - rank(b) || updatedMs(a) - updatedMs(b));
}

function hintOf(folder: string): string | null {
  try {
    return readFileSync(join(folder, "version-hint.text"), "utf8").trim();
  } catch {
    return null;
  }
}

function updatedMs(file: MetadataFile): number {
  return Number(/"last-updated-ms"\s*:\s*(\d+)/.exec(unpacked(file.bytes))?.[1] ?? 0);
}

export function unpacked(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return Buffer.from(isGzip ? gunzipSync(bytes) : bytes).toString("utf8");
}
