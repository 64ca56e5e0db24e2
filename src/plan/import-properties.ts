// Which live table properties a file does not take over: what engines and catalogs write for themselves, what names a
// place of one environment, what Iceberg derives, what looks like a secret. The list is told in docs/table-files.md.
// What is left out stays in the table as it is: an undeclared property is never touched.
import { redact } from "../diagnostics/redact.ts";
import { NAME_MAPPING_PROPERTY } from "../iceberg/name-mapping.ts";
import { OWN_PREFIX } from "./base.ts";

export type LeftOutKind = "own" | "engine" | "kept-in-step" | "place" | "derived" | "secret" | "nameless";

/** Written by an engine or a catalog about itself; nobody decided on these. Compared without letter case. */
export const ENGINE_KEYS: readonly string[] = [
  // Spark
  "owner",
  // Hive and Impala
  "bucketing_version",
  "column_stats_accurate",
  "created_with_ctlt",
  "do_not_update_stats",
  "engine.hive.enabled",
  "external",
  "external.table.purge",
  "field.delim",
  "last_modified_by",
  "last_modified_time",
  "line.delim",
  "migrated_to_iceberg",
  "numfiles",
  "numfileserasurecoded",
  "numpartitions",
  "numrows",
  "objcapabilities",
  "rawdatasize",
  "serialization.format",
  "stats_generated_via_stats_task",
  "storage_handler",
  "totalsize",
  "transient_lastddltime",
  "translated_to_external",
  // Catalogs
  "bigquery-table-id",
  "metadata_location",
  "previous_metadata_location",
  "table_type",
  // Flink
  "catalog-database",
  "catalog-impl",
  "catalog-name",
  "catalog-table",
  "catalog-type",
  "connector",
  "hive-conf-dir",
];

export const ENGINE_PREFIXES: readonly string[] = [
  "hive.metastore.",
  "iceberg.catalog",
  "iceberg.mr.",
  "iceberg.table_identifier",
  "impala.",
  "nessie.",
  "option.",
  "presto_",
  "spark.sql.",
  "trino.",
  "trino_",
];

/** What writers put on every new table, since it is the usual choice. Another value is somebody's and is taken over. */
export const ENGINE_DEFAULTS: Readonly<Record<string, string>> = { "write.parquet.compression-codec": "zstd" };

/** Kept in step with the columns by whoever changes these; a copy in a file would undo it. */
export const KEPT_IN_STEP: readonly string[] = [NAME_MAPPING_PROPERTY];

/** Hold a location: the same text in another environment would write into this one. */
export const PLACE_KEYS: readonly string[] = [
  "location",
  "path",
  "write.data.path",
  "write.folder-storage.path",
  "write.metadata.path",
  "write.object-storage.path",
];

/** Answers of the reference implementation about the table, not properties of it. */
export const DERIVED_KEYS: readonly string[] = [
  "current-schema",
  "current-snapshot-id",
  "current-snapshot-summary",
  "current-snapshot-timestamp-ms",
  "default-partition-spec",
  "default-sort-order",
  "format-version",
  "snapshot-count",
  "uuid",
];

const ENGINE: ReadonlySet<string> = new Set(ENGINE_KEYS);

/** Null for a property that a file takes over. `isOurs`: floeplan set it before, so that some file declared it. */
export function leftOutKind(key: string, value: string, isOurs: boolean): LeftOutKind | null {
  if (key === "") return "nameless";
  if (key.startsWith(OWN_PREFIX)) return "own";
  if (DERIVED_KEYS.includes(key)) return "derived";
  if (looksSecret(key, value)) return "secret";
  if (isOurs) return null;
  if (KEPT_IN_STEP.includes(key)) return "kept-in-step";
  if (PLACE_KEYS.includes(key)) return "place";
  const lower = key.toLowerCase();
  if (ENGINE.has(lower) || ENGINE_PREFIXES.some((prefix) => lower.startsWith(prefix))) return "engine";
  return Object.hasOwn(ENGINE_DEFAULTS, key) && ENGINE_DEFAULTS[key] === value.toLowerCase() ? "engine" : null;
}

/** By the shapes that are taken out of everything that floeplan prints: no such text goes into Git. */
function looksSecret(key: string, value: string): boolean {
  const shown = `${key}=${value}`;
  return redact(shown) !== shown;
}
