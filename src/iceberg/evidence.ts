// What the manifests of a table's branches prove, summed up: facts for the plan, no opinion. Computed by
// catalog/load-evidence.ts in one streamed pass; read by plan/ and report/.

/** Sums over the live data files for one field id that their metrics name. */
export interface FieldEvidence {
  /** Live data files whose metrics name the id (in value_counts or column_sizes). */
  readonly files: number;
  readonly values: bigint;
  /** Null when some file that names the id has no null count. */
  readonly nulls: bigint | null;
  /** Compressed bytes; null when some file that names the id has no size for it. */
  readonly sizeBytes: bigint | null;
}

/** Every value lies within; bounds may be cut short, so that neither end need be a value. */
export interface ValueRange {
  readonly lower: string;
  readonly upper: string;
}

/** Live files that still hold a converted field under its retired id only. */
export interface LateFiles {
  readonly retiredId: number;
  readonly newId: number;
  readonly files: number;
  readonly records: bigint;
  /** Files whose metrics name neither id: only their footers can tell. */
  readonly unclear: number;
  readonly equalityDeleteFiles: number;
}

/** How far an old partition spec is from being unused. */
export interface SpecUsage {
  /** Kept snapshots with a manifest of the spec, whatever its entries. */
  readonly snapshots: number;
  /** Live files of the branches that were written with it. */
  readonly liveFiles: number;
}

export interface BranchEvidence {
  readonly name: string;
  readonly snapshotId: bigint;
}

export interface Evidence {
  /** Live data files over all branches, each file counted once. */
  readonly dataFiles: number;
  readonly records: bigint;
  readonly sizeBytes: bigint;
  /** Upper-case file format → number of live data files. */
  readonly formats: ReadonlyMap<string, number>;
  readonly positionDeleteFiles: number;
  readonly deletionVectors: number;
  readonly equalityDeleteFiles: number;
  /** Field ids that live equality deletes compare. */
  readonly equalityIds: ReadonlySet<number>;
  /** Files with key_metadata. */
  readonly encryptedFiles: number;
  /** Live data files whose metrics are wholly absent: nothing is known of their columns. */
  readonly filesWithoutMetrics: number;
  readonly fields: ReadonlyMap<number, FieldEvidence>;
  /** Spec id → live files (data and delete) written with it. */
  readonly filesBySpec: ReadonlyMap<number, number>;
  readonly branches: readonly BranchEvidence[];
  readonly lateFiles: readonly LateFiles[];
  /** Field id → range, of the columns that were asked for and whose bounds tell; absent where nobody asked. */
  readonly ranges?: ReadonlyMap<number, ValueRange>;
  /** Spec id → usage over every kept snapshot; absent where nobody asked. */
  readonly specUsage?: ReadonlyMap<number, SpecUsage>;
}
