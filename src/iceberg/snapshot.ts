// Snapshots, refs and the two logs as data (spec "Snapshots", "Snapshot References"). Ids are 64 bit.
import type { JsonObject } from "./json.ts";

export interface Snapshot {
  readonly snapshotId: bigint;
  readonly parentSnapshotId: bigint | null;
  /** 0 in v1. */
  readonly sequenceNumber: bigint;
  readonly timestampMs: number;
  /** `operation` and counters, all as text; empty when a v1 snapshot has none. */
  readonly summary: Readonly<Record<string, string>>;
  /** Absent only in v1 snapshots that list `manifests` inline. */
  readonly manifestList: string | null;
  readonly manifests?: readonly string[];
  readonly schemaId: number | null;
  /** v3 row lineage. */
  readonly firstRowId: bigint | null;
  readonly addedRows: bigint | null;
  readonly keyId: string | null;
  readonly extra?: JsonObject;
}

export interface SnapshotRef {
  readonly snapshotId: bigint;
  readonly type: "branch" | "tag";
  readonly minSnapshotsToKeep?: number;
  readonly maxSnapshotAgeMs?: number;
  readonly maxRefAgeMs?: number;
}

export interface SnapshotLogEntry {
  readonly timestampMs: number;
  readonly snapshotId: bigint;
}

export interface MetadataLogEntry {
  readonly timestampMs: number;
  readonly metadataFile: string;
}

export const MAIN_BRANCH = "main";
