// The names of the Hadoop table layout: the table's folder, `metadata/vN.metadata.json` (plain or gzip) and
// `version-hint.text`. Which version is the current one is decided here, from names alone, as Iceberg's own
// reader decides it. Reads nothing.
import { formatPath } from "../iceberg/field-path.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { hadoopMetadataNames, parseHadoopVersion } from "../iceberg/metadata-file.ts";

/** A table's name and its folder, an absolute path. */
export interface LocalTable {
  readonly identifier: TableIdentifier;
  readonly folder: string;
}

export function tableName(identifier: TableIdentifier): string {
  return formatPath([...identifier.namespace, identifier.name]);
}

export interface VersionFile {
  readonly version: number;
  readonly name: string;
}

export const VERSION_HINT = "version-hint.text";

/** What stands in a metadata folder. */
export interface VersionState {
  readonly files: readonly VersionFile[];
  readonly current: VersionFile | null;
  /** The version that the hint names; null when there is no hint or it is no number. */
  readonly hinted: number | null;
}

/** Null for a name that is no version of the layout, as `v01.metadata.json`, which no reader looks for. */
export function parseVersionName(name: string): VersionFile | null {
  const version = parseHadoopVersion(name);
  return version !== null && hadoopMetadataNames(version).includes(name) ? { version, name } : null;
}

/** Ascending by version; of one version, the file that readers take comes first. */
export function versionFiles(names: readonly string[]): VersionFile[] {
  const files = names.map(parseVersionName).filter((file) => file !== null);
  return files.sort((a, b) => a.version - b.version || nameRank(a) - nameRank(b));
}

/** The number in the hint's first line, which must hold nothing else. */
export function parseHint(text: string): number | null {
  const digits = /^(\d{1,10})(?:\r?\n|$)/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The hint says where to start, never where to stop: from there on, as long as the next version is there. Without
 * a hint, or if the version that it names is not there, the highest version counts.
 */
export function currentVersion(files: readonly VersionFile[], hinted: number | null): VersionFile | null {
  const byVersion = new Map<number, VersionFile>();
  for (const file of files) if (!byVersion.has(file.version)) byVersion.set(file.version, file);
  const highest = files.at(-1)?.version;
  if (highest === undefined) return null;
  let version = hinted !== null && byVersion.has(hinted) ? hinted : highest;
  while (byVersion.has(version + 1)) version++;
  return byVersion.get(version) ?? null;
}

function nameRank(file: VersionFile): number {
  return hadoopMetadataNames(file.version).indexOf(file.name);
}
