// The contract of a rewrite engine: what moves the data when metadata is not enough. An engine is one file and
// one line in index.ts. A rewrite is a pure function of each live data file, so every call may be repeated.
import type { ColumnConversion } from "../conversion/column-conversion.ts";
import type { PreflightCounts } from "../conversion/preflight.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { ColumnMetrics } from "../iceberg/metrics.ts";
import type { DataFileRef } from "./live-data.ts";

export interface RewriteJob {
  /** Declared table name, for messages. */
  readonly table: string;
  readonly metadata: TableMetadata;
  readonly store: ObjectStore;
  readonly conversions: readonly ColumnConversion[];
  /** The live data files of all branches, by location key: read from the manifests once a job. */
  readonly files: ReadonlyMap<string, DataFileRef>;
}

/** What became of one live data file. */
export interface ConvertedFile {
  readonly source: string;
  /** The new file; null where the source holds none of the converted columns and stays as it is. */
  readonly target: {
    readonly location: string;
    readonly sizeBytes: bigint;
    readonly splitOffsets: readonly bigint[];
    /** Retired id → metrics of the column that took its place, bounds whole and not truncated yet. */
    readonly columns: ReadonlyMap<number, ColumnMetrics>;
  } | null;
}

export interface RewriteProgress {
  /** `done` of `total` files. */
  report(what: string, done: number, total: number): void;
  /** Throws when the user asked to stop. */
  checkpoint(): void;
}

export interface RewriteEngine {
  readonly name: string;
  /** Can every live data file be rewritten? Reads footers only. */
  check(job: RewriteJob, progress: RewriteProgress): Promise<readonly Diagnostic[]>;
  /** Counts by live field id what does not convert, and what is lost; writes nothing. */
  preflight(job: RewriteJob, progress: RewriteProgress): Promise<ReadonlyMap<number, PreflightCounts>>;
  /** New files for all live data files, by source location key; finished ones of an interrupted run are taken up. */
  convert(job: RewriteJob, progress: RewriteProgress): Promise<ReadonlyMap<string, ConvertedFile>>;
}
