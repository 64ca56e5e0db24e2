// What a table is: its size by the manifests and who wrote it last. Facts only; nothing is decided by them here.
import { currentSnapshot, type TableMetadata } from "../iceberg/table-metadata.ts";
import { readBase } from "./base.ts";
import { writerText } from "./origin.ts";
import type { TableFacts } from "./plan.ts";
import type { TablePair } from "./table-pair.ts";

/** Null for a table that is to be made. */
export function tableFacts({ live, evidence }: TablePair): TableFacts | null {
  if (live === null) return null;
  const size =
    evidence === null
      ? null
      : {
          rows: evidence.records,
          bytes: evidence.sizeBytes,
          dataFiles: evidence.dataFiles,
          deleteFiles: evidence.positionDeleteFiles + evidence.deletionVectors + evidence.equalityDeleteFiles,
        };
  return {
    size,
    filesBySpec: evidence?.filesBySpec ?? null,
    lastWrite: lastWrite(live.metadata),
    appliedCommit: readBase(live.metadata.properties)?.commit ?? null,
  };
}

function lastWrite(metadata: TableMetadata): TableFacts["lastWrite"] {
  const snapshot = currentSnapshot(metadata);
  if (snapshot === undefined) return null;
  return { atMs: snapshot.timestampMs, operation: snapshot.summary["operation"] ?? null, writer: writerText(snapshot) };
}
