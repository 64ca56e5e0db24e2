// Which engines obey a table property, and which show it: read from the documentation of Iceberg's table properties
// and of Athena's. A data table with one look-up.

/** The only keys that Athena takes in TBLPROPERTIES of an Iceberg table, and shows (Athena user guide, "Iceberg table properties"). */
const ATHENA: ReadonlySet<string> = new Set([
  "format",
  "write_compression",
  "compression_level",
  "write_target_data_file_size_bytes",
  "optimize_rewrite_min_data_file_size_bytes",
  "optimize_rewrite_max_data_file_size_bytes",
  "optimize_rewrite_data_file_threshold",
  "optimize_rewrite_delete_file_threshold",
  "vacuum_min_snapshots_to_keep",
  "vacuum_max_snapshot_age_seconds",
  "vacuum_max_metadata_files_to_keep",
]);

/** By prefix, longest first. */
const OBEYED_BY: readonly (readonly [string, string])[] = [
  ["write.spark.", "obeyed by Spark"],
  ["read.spark.", "obeyed by Spark"],
  ["write.upsert.", "obeyed by Flink"],
  ["write.", "obeyed by Spark, Flink and other Iceberg writers"],
  ["read.", "obeyed by Spark, Flink and other Iceberg readers"],
  ["commit.", "obeyed by Spark, Flink and other Iceberg writers"],
  ["history.", "obeyed by snapshot expiry of Iceberg's engines"],
  ["gc.", "obeyed by Iceberg's engines"],
  ["schema.name-mapping.", "obeyed by readers of files without field ids"],
];

export function isAthenaProperty(key: string): boolean {
  return ATHENA.has(key);
}

/** Words for the plan; `seenByAthena`: do users of Athena see the table? */
export function propertyReach(key: string, seenByAthena: boolean): string {
  if (ATHENA.has(key)) return seenByAthena ? "obeyed and shown by Athena only" : "obeyed by Athena only";
  const obeyed = OBEYED_BY.find(([prefix]) => key.startsWith(prefix))?.[1];
  const athena = seenByAthena ? ["Athena neither sets nor shows it"] : [];
  return [...(obeyed === undefined ? [] : [obeyed]), ...athena].join("; ");
}
