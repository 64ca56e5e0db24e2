// What the surgical rewrite of one Parquet file is asked to do and what it answers. The rewriting itself is in
// rewrite-file.ts. Knows Parquet's physical types, not Iceberg's: the caller translates.
import type { ColumnValue, PhysicalTarget } from "./physical.ts";

/** One top-level primitive column to re-encode under a new field id. */
export interface ColumnRewrite {
  readonly retiredFieldId: number;
  readonly newFieldId: number;
  /** Parquet physical type, logical type and length of the new column. */
  readonly target: PhysicalTarget;
  /** Nullability of the new column; its place, name and repetition otherwise stay. */
  readonly required: boolean;
  /** a < b in the old order implies convert(a) <= convert(b): sorting columns of the file stay true. */
  readonly keepsOrder?: boolean;
  /**
   * New value for an old one, or null; FAILED when it does not convert (the file is then not written). Asked once
   * a distinct value where those are known, and never for null. Bytes are valid during the call only.
   */
  convert(value: ColumnValue): ColumnValue | null | typeof FAILED;
}

export const FAILED: unique symbol = Symbol("value does not convert");

/** Metrics of a rewritten column in the new file. Bounds are whole values; truncation is the caller's. */
export interface ColumnResult {
  readonly newFieldId: number;
  /** Rows, nulls included (Iceberg value_counts). */
  readonly values: bigint;
  readonly nulls: bigint;
  /** Null for types without NaN. */
  readonly nans: bigint | null;
  readonly lower: ColumnValue | null;
  readonly upper: ColumnValue | null;
  /** Compressed bytes with page headers (Iceberg column_sizes). */
  readonly sizeBytes: bigint;
}

export interface FileRewriteResult {
  readonly rows: bigint;
  readonly sizeBytes: number;
  readonly columns: readonly ColumnResult[];
  /** Offsets of the row groups, ascending. */
  readonly splitOffsets: readonly bigint[];
  /** Bytes of the source that were decoded, and that were copied untouched. */
  readonly decodedBytes: number;
  readonly copiedBytes: number;
}
