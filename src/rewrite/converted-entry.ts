// The manifest entry of a converted file: the old file's, with the new location, size and metrics. Bounds follow
// the table's metrics settings; what the entry says of all other columns stays.
import { decodeBound } from "../iceberg/bound.ts";
import { lowerBoundOf, upperBoundOf } from "../iceberg/bounds-truncate.ts";
import type { DataFile, LiveEntry, ManifestEntry } from "../iceberg/manifest.ts";
import { addedEntry } from "../iceberg/manifest-live.ts";
import type { ColumnMetrics } from "../iceberg/metrics.ts";
import { replaceColumnMetrics } from "../iceberg/metrics.ts";
import type { MetricsConfig, MetricsMode } from "../iceberg/metrics-config.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import type { ConvertedFile } from "./rewrite-engine.ts";

export interface EntryRules {
  readonly snapshotId: bigint;
  readonly metrics: MetricsConfig;
  /** New id → type. */
  readonly types: ReadonlyMap<number, PrimitiveType>;
  /** Ids of sort orders that sort by a retired field: a converted file is no longer said to be in them. */
  readonly brokenOrders: ReadonlySet<number>;
}

/**
 * The data sequence number is the old file's, explicitly: deletes that apply to the old rows apply to the new ones,
 * and later commits do not take old delete files for obsolete.
 */
export function convertedEntry(entry: LiveEntry, target: NonNullable<ConvertedFile["target"]>, rules: EntryRules): ManifestEntry {
  let file: DataFile = {
    ...entry.dataFile,
    filePath: target.location,
    fileSizeBytes: target.sizeBytes,
    splitOffsets: target.splitOffsets,
    sortOrderId: rules.brokenOrders.has(entry.dataFile.sortOrderId ?? 0) ? 0 : entry.dataFile.sortOrderId,
  };
  for (const [retiredId, metrics] of target.columns) {
    file = replaceColumnMetrics(
      file,
      retiredId,
      cut(metrics, rules.types.get(metrics.fieldId), rules.metrics.modeOf(metrics.fieldId)),
    );
  }
  return addedEntry(file, rules.snapshotId, entry.sequenceNumber);
}

/** Counts and sizes are kept in every mode: late files are found by them. */
function cut(metrics: ColumnMetrics, type: PrimitiveType | undefined, mode: MetricsMode): ColumnMetrics {
  if (type === undefined || mode.kind === "none" || mode.kind === "counts")
    return { ...metrics, lowerBound: null, upperBound: null };
  const width = mode.kind === "truncate" ? mode.length : null;
  const lower = metrics.lowerBound === null ? null : decodeBound(type, metrics.lowerBound);
  const upper = metrics.upperBound === null ? null : decodeBound(type, metrics.upperBound);
  return {
    ...metrics,
    lowerBound: lower === null ? null : lowerBoundOf(type, lower, width),
    upperBound: upper === null ? null : upperBoundOf(type, upper, width),
  };
}
