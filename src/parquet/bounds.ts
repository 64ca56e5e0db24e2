// Smallest and largest value, nulls and NaNs of a page or a chunk, and the statistics made of them. Bounds
// are exact: engines answer MIN and MAX from them.
import { STATISTICS } from "./format.ts";
import type { ColumnValue } from "./physical.ts";
import { binaryField, booleanField, i64Field, struct, type ThriftStruct } from "./thrift-tree.ts";
import type { ValueOrder } from "./value-order.ts";

export interface Bounds {
  lower: ColumnValue | null;
  upper: ColumnValue | null;
  nulls: number;
  nans: number;
}

/** Longer ones would swell the footer, which every reader loads whole. */
const MAX_STATISTIC_BYTES = 4096;

export function noBounds(): Bounds {
  return { lower: null, upper: null, nulls: 0, nans: 0 };
}

/** Takes in a value that is no NaN. Bytes are copied when they are kept. */
export function widen(bounds: Bounds, order: ValueOrder, value: ColumnValue): void {
  const { lower, upper } = bounds;
  if (lower === null || upper === null) {
    bounds.lower = keep(value);
    bounds.upper = bounds.lower;
  } else if (typeof value !== "object") {
    // Scalars have the order of the language; asked for every value, so without a call.
    if (value < lower) bounds.lower = value;
    else if (value > upper) bounds.upper = value;
  } else if (order.compare(value, lower) < 0) bounds.lower = keep(value);
  else if (order.compare(value, upper) > 0) bounds.upper = keep(value);
}

export function merge(bounds: Bounds, order: ValueOrder, other: Bounds): void {
  if (other.lower !== null) widen(bounds, order, other.lower);
  if (other.upper !== null) widen(bounds, order, other.upper);
  bounds.nulls += other.nulls;
  bounds.nans += other.nans;
}

function keep(value: ColumnValue): ColumnValue {
  return value instanceof Uint8Array ? value.slice() : value;
}

/** Zero of either sign is -0 as a lower and +0 as an upper bound (parquet.thrift ColumnOrder; Iceberg spec, bounds). */
export function lowerOf(bounds: Bounds, order: ValueOrder): ColumnValue | null {
  return order.hasNans && bounds.lower === 0 ? -0 : bounds.lower;
}

export function upperOf(bounds: Bounds, order: ValueOrder): ColumnValue | null {
  return order.hasNans && bounds.upper === 0 ? 0 : bounds.upper;
}

export function statisticsOf(bounds: Bounds, order: ValueOrder): ThriftStruct {
  const lower = lowerOf(bounds, order);
  const upper = upperOf(bounds, order);
  const nulls = i64Field(STATISTICS.nulls, BigInt(bounds.nulls));
  const nans = order.hasNans ? i64Field(STATISTICS.nans, BigInt(bounds.nans)) : null;
  if (lower === null || upper === null) return struct(nulls, nans);
  const min = order.toBytes(lower);
  const max = order.toBytes(upper);
  if (Math.max(min.length, max.length) > MAX_STATISTIC_BYTES) return struct(nulls, nans);
  return struct(
    nulls,
    binaryField(STATISTICS.maxValue, max),
    binaryField(STATISTICS.minValue, min),
    booleanField(STATISTICS.maxExact, true),
    booleanField(STATISTICS.minExact, true),
    nans,
  );
}
