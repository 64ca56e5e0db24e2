// Sort orders as data (spec "Sorting"). Order id 0 is reserved for unsorted.
import type { TransformText } from "./partition-spec.ts";

export type SortDirection = "asc" | "desc";
export type NullOrder = "nulls-first" | "nulls-last";

export interface SortField {
  readonly sourceIds: readonly number[];
  readonly transform: TransformText;
  readonly direction: SortDirection;
  readonly nullOrder: NullOrder;
}

export interface SortOrder {
  readonly orderId: number;
  readonly fields: readonly SortField[];
}

export const UNSORTED: SortOrder = { orderId: 0, fields: [] };
