// What is known of where something live came from: the first schema that has it and the first snapshot written
// with that schema or a later one. That snapshot's writer is not necessarily the one who changed the schema.
import { formatInstant } from "../iceberg/iso-time.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { Snapshot } from "../iceberg/snapshot.ts";

/** E.g. `first written by spark (app local-17), 2026-08-20`; null when no snapshot tells. */
export function fieldOrigin(metadata: TableMetadata, firstSchemaId: number | undefined): string | null {
  if (firstSchemaId === undefined) return null;
  for (const snapshot of metadata.snapshots) {
    if (snapshot.schemaId !== null && snapshot.schemaId >= firstSchemaId) {
      return `in schema ${firstSchemaId}, first written by ${writerText(snapshot)}, ${dayText(snapshot.timestampMs)}`;
    }
  }
  return `in schema ${firstSchemaId}, no snapshot written with it yet`;
}

/** The engine and the run that wrote a snapshot, as far as its summary says. */
export function writerText(snapshot: Snapshot): string {
  const { summary } = snapshot;
  const engine =
    summary["engine-name"] ??
    (summary["trino_query_id"] === undefined ? undefined : "trino") ??
    summary["created-by"] ??
    "an unnamed writer";
  const run = summary["spark.app.id"] ?? summary["app-id"] ?? summary["trino_query_id"] ?? summary["flink.job-id"];
  return run === undefined ? engine : `${engine} (${run})`;
}

/** `2026-08-20`, in UTC. */
function dayText(timestampMs: number): string {
  return formatInstant(timestampMs).slice(0, 10);
}
