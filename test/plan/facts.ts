// What a test says of a table's data where nothing else is meant: manifests that prove ten rows in one file, and one
// snapshot.
import type { Evidence } from "../../src/iceberg/evidence.ts";

export const PLAIN_EVIDENCE: Evidence = {
  dataFiles: 1,
  records: 10n,
  sizeBytes: 1000n,
  formats: new Map([["PARQUET", 1]]),
  positionDeleteFiles: 0,
  deletionVectors: 0,
  equalityDeleteFiles: 0,
  equalityIds: new Set(),
  encryptedFiles: 0,
  filesWithoutMetrics: 0,
  fields: new Map(),
  filesBySpec: new Map(),
  branches: [],
  lateFiles: [],
};

export const SNAPSHOT = {
  "last-sequence-number": 1,
  "current-snapshot-id": 7,
  snapshots: [
    {
      "snapshot-id": 7,
      "sequence-number": 1,
      "timestamp-ms": 1_700_000_000_000,
      summary: { operation: "append" },
      "manifest-list": "/wh/ns/t/metadata/snap.avro",
      "schema-id": 0,
    },
  ],
};
