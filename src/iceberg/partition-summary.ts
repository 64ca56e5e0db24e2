// The summary of partition values that a manifest list holds for each manifest (spec "Manifest Lists", field_summary).
// Readers skip manifests by it, so a wrong bound loses rows. Pure.
import { encodeBound, type SingleValue } from "./bound.ts";
import { compareValues, isNaNValue } from "./bounds-compare.ts";
import type { PartitionColumn, PartitionFieldSummary, PartitionValue } from "./manifest.ts";

interface Seen {
  containsNull: boolean;
  containsNaN: boolean;
  lowest: SingleValue | null;
  highest: SingleValue | null;
  /** Uuids with the first bit set and without it: see `summaries`. */
  highUuid: boolean;
  lowUuid: boolean;
}

export interface PartitionSummarizer {
  add(values: readonly PartitionValue[]): void;
  /**
   * Null, which is allowed and skips nothing, where uuids of both halves occur: the reference implementation orders
   * them as signed numbers and other readers as bytes, so no pair of bounds is right for all.
   */
  summaries(): readonly PartitionFieldSummary[] | null;
}

export function partitionSummarizer(columns: readonly PartitionColumn[]): PartitionSummarizer {
  const seen = columns.map((): Seen => {
    return { containsNull: false, containsNaN: false, lowest: null, highest: null, highUuid: false, lowUuid: false };
  });
  return {
    add(values) {
      for (const [index, { type }] of columns.entries()) {
        const field = seen[index];
        const value = values[index] ?? null;
        if (field === undefined) continue;
        if (value === null) field.containsNull = true;
        else if (isNaNValue(value)) field.containsNaN = true;
        else {
          if (field.lowest === null || compareValues(type, value, field.lowest) < 0) field.lowest = value;
          if (field.highest === null || compareValues(type, value, field.highest) > 0) field.highest = value;
          if (type.kind === "uuid" && value instanceof Uint8Array) {
            if ((value[0] ?? 0) >= 0x80) field.highUuid = true;
            else field.lowUuid = true;
          }
        }
      }
    },
    summaries() {
      if (seen.some((field) => field.highUuid && field.lowUuid)) return null;
      return columns.map(({ type }, index): PartitionFieldSummary => {
        const field = seen[index];
        const bound = (value: SingleValue | null | undefined): Uint8Array | null =>
          value === null || value === undefined ? null : encodeBound(type, value);
        return {
          containsNull: field?.containsNull ?? false,
          containsNaN: field?.containsNaN ?? false,
          lowerBound: bound(field?.lowest),
          upperBound: bound(field?.highest),
        };
      });
    },
  };
}
