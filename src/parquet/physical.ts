// Parquet's physical and logical types as far as a rewritten column needs them (parquet.thrift Type, LogicalType).

/**
 * A decoded value: BOOLEAN → boolean; INT32 → number; INT64 → bigint; FLOAT, DOUBLE → number; BYTE_ARRAY and
 * FIXED_LEN_BYTE_ARRAY → Uint8Array.
 */
export type ColumnValue = boolean | number | bigint | Uint8Array;

export type PhysicalType = "BOOLEAN" | "INT32" | "INT64" | "FLOAT" | "DOUBLE" | "BYTE_ARRAY" | "FIXED_LEN_BYTE_ARRAY";

export type LogicalType =
  | { readonly kind: "string" | "date" | "uuid" }
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }
  | { readonly kind: "time" | "timestamp"; readonly isAdjustedToUtc: boolean; readonly unit: "micros" | "nanos" };

export interface PhysicalTarget {
  readonly type: PhysicalType;
  /** For FIXED_LEN_BYTE_ARRAY. */
  readonly typeLength?: number;
  readonly logical?: LogicalType;
}
