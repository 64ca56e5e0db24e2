// Column metrics of a data file (spec "Manifests", value_counts and its kin): who is named, and the exchange of one
// column's metrics for another's when a conversion gives it a new field id. Pure.
import type { DataFile, OptionalColumns } from "./manifest.ts";

/** The metrics of one column in one file. Null: not known, and then not written. */
export interface ColumnMetrics {
  readonly fieldId: number;
  readonly sizeBytes: bigint | null;
  readonly valueCount: bigint | null;
  readonly nullCount: bigint | null;
  readonly nanCount: bigint | null;
  readonly lowerBound: Uint8Array | null;
  readonly upperBound: Uint8Array | null;
}

/** Do the file's metrics say that it holds the field? Lists and maps stand in the sizes only. */
export function namesField(file: Pick<OptionalColumns, "columnSizes" | "valueCounts">, fieldId: number): boolean {
  return file.valueCounts?.has(fieldId) === true || file.columnSizes?.has(fieldId) === true;
}

/** Nothing is known of any column: neither sizes nor counts. */
export function lacksMetrics(file: Pick<OptionalColumns, "columnSizes" | "valueCounts" | "nullValueCounts">): boolean {
  return [file.columnSizes, file.valueCounts, file.nullValueCounts].every((map) => map === null || map.size === 0);
}

/** What the metrics of a file say of one column; null where they say nothing of it. */
export function columnMetricsOf(file: OptionalColumns, fieldId: number): ColumnMetrics {
  return {
    fieldId,
    sizeBytes: file.columnSizes?.get(fieldId) ?? null,
    valueCount: file.valueCounts?.get(fieldId) ?? null,
    nullCount: file.nullValueCounts?.get(fieldId) ?? null,
    nanCount: file.nanValueCounts?.get(fieldId) ?? null,
    lowerBound: file.lowerBounds?.get(fieldId) ?? null,
    upperBound: file.upperBounds?.get(fieldId) ?? null,
  };
}

/** The file without metrics of the retired field and with these of the new one. */
export function replaceColumnMetrics(file: DataFile, retiredId: number, metrics: ColumnMetrics): DataFile {
  const { fieldId } = metrics;
  const exchange = <V>(map: ReadonlyMap<number, V> | null, value: V | null): ReadonlyMap<number, V> | null => {
    if (map === null && value === null) return null;
    const kept = [...(map ?? [])].filter(([id]) => id !== retiredId && id !== fieldId);
    if (value !== null) kept.push([fieldId, value]);
    return new Map(kept.sort(([a], [b]) => a - b));
  };
  return {
    ...file,
    columnSizes: exchange(file.columnSizes, metrics.sizeBytes),
    valueCounts: exchange(file.valueCounts, metrics.valueCount),
    nullValueCounts: exchange(file.nullValueCounts, metrics.nullCount),
    nanValueCounts: exchange(file.nanValueCounts, metrics.nanCount),
    lowerBounds: exchange(file.lowerBounds, metrics.lowerBound),
    upperBounds: exchange(file.upperBounds, metrics.upperBound),
  };
}
