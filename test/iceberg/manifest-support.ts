// What the tests of Avro files and manifests share: the kept files, and short ways to write entries.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { DataFile, ManifestEntry, ManifestFile } from "../../src/iceberg/manifest.ts";
import { newDataFile } from "../../src/iceberg/manifest-columns.ts";
import { newManifestFile } from "../../src/iceberg/manifest-list-columns.ts";
import type { ManifestWriteOptions } from "../../src/iceberg/manifest-write.ts";

export const MANIFESTS = resolve(import.meta.dirname, "../data/iceberg/manifests");

export const EMPLOYEES = {
  list: "employees/snap-6604821786979993587-1-cb5036b9-82c6-4cf7-b999-e21bc3457f48.avro",
  data: "employees/cb5036b9-82c6-4cf7-b999-e21bc3457f48-m0.avro",
  deletes: "employees/cb5036b9-82c6-4cf7-b999-e21bc3457f48-m1.avro",
};
export const EVENTS = {
  list: "events/snap-7885701582023565518-1-66eaa9ed-8cc1-4ed8-a571-e58373a10f16.avro",
  data: "events/fe40f9a0-f0bc-452b-948f-96505e7e1f6e-m0.avro",
  firstData: "events/12bdb17e-116b-4701-b8e4-7a7ac8cbfd50-m0.avro",
  vectors: "events/66eaa9ed-8cc1-4ed8-a571-e58373a10f16-m1.avro",
  removedVectors: "events/66eaa9ed-8cc1-4ed8-a571-e58373a10f16-m0.avro",
};
export const CONTRACTORS = {
  list: "contractors/snap-5804171294410684697-1-68387380-ca2b-4212-a23f-346557f11355.avro",
  data: "contractors/68387380-ca2b-4212-a23f-346557f11355-m0.avro",
};

export function kept(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(MANIFESTS, name)));
}

export function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

export function hexOf(bytes: Uint8Array | null | undefined): string | null {
  return bytes === null || bytes === undefined ? null : Buffer.from(bytes).toString("hex");
}

export function dataFile(parts: Partial<DataFile> = {}): DataFile {
  return {
    ...newDataFile(),
    filePath: "/t/data/a.parquet",
    fileFormat: "PARQUET",
    recordCount: 10n,
    fileSizeBytes: 100n,
    ...parts,
  };
}

export function entry(parts: Partial<ManifestEntry> = {}): ManifestEntry {
  return {
    status: "added",
    snapshotId: null,
    sequenceNumber: null,
    fileSequenceNumber: null,
    dataFile: dataFile(),
    carried: null,
    ...parts,
  };
}

export function manifestFile(parts: Partial<ManifestFile> = {}): ManifestFile {
  return {
    ...newManifestFile(),
    path: "/t/metadata/m0.avro",
    lengthBytes: 1000n,
    addedSnapshotId: 7n,
    addedFilesCount: 1,
    existingFilesCount: 0,
    deletedFilesCount: 0,
    addedRowsCount: 10n,
    existingRowsCount: 0n,
    deletedRowsCount: 0n,
    ...parts,
  };
}

/** An unpartitioned table with one column. */
export function writeOptions(parts: Partial<ManifestWriteOptions> = {}): ManifestWriteOptions {
  return {
    location: "/t/metadata/m1.avro",
    formatVersion: 2,
    content: "data",
    schema: { schemaId: 3, identifierFieldIds: [], fields: [{ id: 1, name: "id", required: false, type: { kind: "long" } }] },
    spec: { specId: 0, fields: [] },
    partitionColumns: [],
    snapshotId: 7n,
    ...parts,
  };
}

/** The error that a call must throw. */
export function toolErrorOf(run: () => unknown): ToolError {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  return expect.fail("nothing was thrown");
}
