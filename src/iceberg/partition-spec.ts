// Partition specs as data (spec "Partitioning"). How they evolve is in partition-spec-update.ts; how a
// transform computes is in transform.ts.

/** The text of a transform as in metadata: `identity`, `bucket[16]`, `day`, … Unknown ones are kept as they are. */
export type TransformText = string;

export interface PartitionField {
  /** One source in v1 and v2; v3 transforms may have several. Never empty. */
  readonly sourceIds: readonly number[];
  /** From 1000 upward; unique across the specs of a table in v2 and later. */
  readonly fieldId: number;
  readonly transform: TransformText;
  readonly name: string;
}

export interface PartitionSpec {
  readonly specId: number;
  readonly fields: readonly PartitionField[];
}

/** Highest partition field id of a table that never had one (spec "Partition Field IDs" start at 1000). */
export const NO_PARTITION_FIELD_ID = 999;
