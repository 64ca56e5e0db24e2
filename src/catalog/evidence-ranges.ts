// The range of values of a few columns over the live files, as their bounds tell. A bound may be cut short, so that
// every value lies within, and neither end need be one. Silent where one file with values does not tell.
import { decodeBound, type SingleValue } from "../iceberg/bound.ts";
import { compareValues, isNaNValue } from "../iceberg/bounds-compare.ts";
import type { ValueRange } from "../iceberg/evidence.ts";
import type { OptionalColumns } from "../iceberg/manifest.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import { singleValueText } from "../iceberg/value-text.ts";

export type RangeColumns = Pick<OptionalColumns, "lowerBounds" | "upperBounds" | "valueCounts" | "nullValueCounts">;

export interface RangeTally {
  add(file: RangeColumns): void;
  finish(): ReadonlyMap<number, ValueRange>;
}

interface Ends {
  lower: SingleValue;
  upper: SingleValue;
}

/** `types`: of the wanted columns, by field id. */
export function newRangeTally(types: ReadonlyMap<number, PrimitiveType>): RangeTally {
  const ends = new Map<number, Ends>();
  const untold = new Set<number>();

  const addColumn = (file: RangeColumns, id: number, type: PrimitiveType): void => {
    const lower = bound(file.lowerBounds, id, type);
    const upper = bound(file.upperBounds, id, type);
    if (lower === null || upper === null) {
      if (!holdsNone(file, id)) untold.add(id);
      return;
    }
    const known = ends.get(id);
    if (known === undefined) {
      ends.set(id, { lower, upper });
      return;
    }
    if (compareValues(type, lower, known.lower) < 0) known.lower = lower;
    if (compareValues(type, upper, known.upper) > 0) known.upper = upper;
  };

  return {
    add(file) {
      for (const [id, type] of types) addColumn(file, id, type);
    },
    finish() {
      const told = [...ends].filter(([id]) => !untold.has(id));
      return new Map(
        told.flatMap(([id, { lower, upper }]) => {
          const type = types.get(id);
          return type === undefined
            ? []
            : [[id, { lower: singleValueText(type, lower), upper: singleValueText(type, upper) }] as const];
        }),
      );
    },
  };
}

function bound(bounds: ReadonlyMap<number, Uint8Array> | null, id: number, type: PrimitiveType): SingleValue | null {
  const bytes = bounds?.get(id);
  const value = bytes === undefined ? null : decodeBound(type, bytes);
  return value === null || isNaNValue(value) ? null : value;
}

/** Nulls only, or written before the column existed. */
function holdsNone({ valueCounts, nullValueCounts }: RangeColumns, id: number): boolean {
  const values = valueCounts?.get(id);
  if (values === undefined) return valueCounts !== null && valueCounts.size > 0;
  return values === nullValueCounts?.get(id);
}
