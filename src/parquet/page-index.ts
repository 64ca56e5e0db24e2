// The page indexes: offset index and column index of a rewritten column, and the shifted offset index of an
// untouched one (PageIndex.md). Knows no page bytes.
import type { PageFacts } from "./chunk-summary.ts";
import { lowerOf, upperOf } from "./bounds.ts";
import { corrupt } from "./corrupt.ts";
import { BOUNDARY_ORDER, COLUMN_INDEX, OFFSET_INDEX, PAGE_LOCATION } from "./format.ts";
import type { ColumnValue } from "./physical.ts";
import { readStruct, ThriftTruncated } from "./thrift-read.ts";
import {
  bigintAt,
  i32Field,
  i64Field,
  listField,
  struct,
  structsAt,
  THRIFT,
  type ThriftStruct,
  withFields,
} from "./thrift-tree.ts";
import { writeStruct } from "./thrift-write.ts";
import type { ValueOrder } from "./value-order.ts";

/** Longer bounds would have to be cut, which the order of the type does not allow in general. */
const MAX_BOUND_BYTES = 256;

export function offsetIndex(pages: readonly PageFacts[]): Uint8Array {
  let firstRow = 0n;
  const locations = pages.map((page) => {
    const location = struct(
      i64Field(PAGE_LOCATION.offset, BigInt(page.offset)),
      i32Field(PAGE_LOCATION.compressed, page.bytes),
      i64Field(PAGE_LOCATION.firstRow, firstRow),
    );
    firstRow += BigInt(page.values);
    return location;
  });
  return writeStruct(struct(listField(OFFSET_INDEX.locations, THRIFT.struct, locations)));
}

/** The offset index of a chunk that moved by `shift` bytes. */
export function shiftOffsetIndex(bytes: Uint8Array, shift: number): Uint8Array {
  const index = indexTree(bytes);
  const locations = structsAt(index, OFFSET_INDEX.locations, "offset index").map((location) => {
    const offset = bigintAt(location, PAGE_LOCATION.offset);
    if (offset === undefined) throw corrupt("An offset index lacks the offset of a page");
    return withFields(location, i64Field(PAGE_LOCATION.offset, offset + BigInt(shift)));
  });
  return writeStruct(withFields(index, listField(OFFSET_INDEX.locations, THRIFT.struct, locations)));
}

function indexTree(bytes: Uint8Array): ThriftStruct {
  try {
    return readStruct(bytes).value;
  } catch (error) {
    if (error instanceof ThriftTruncated) throw corrupt("An offset index is cut off");
    throw error;
  }
}

/** Null where none may or can be written: a page of NaNs alone, a bound too long, or pages kept unread. */
export function columnIndex(pages: readonly PageFacts[], order: ValueOrder): Uint8Array | null {
  const lowers: (ColumnValue | null)[] = [];
  const uppers: (ColumnValue | null)[] = [];
  const nullCounts: bigint[] = [];
  const nanCounts: bigint[] = [];
  for (const { bounds, values } of pages) {
    if (bounds === null) return null;
    const lower = lowerOf(bounds, order);
    if (lower === null && bounds.nulls < values) return null;
    lowers.push(lower);
    uppers.push(upperOf(bounds, order));
    nullCounts.push(BigInt(bounds.nulls));
    nanCounts.push(BigInt(bounds.nans));
  }
  const toBytes = (value: ColumnValue | null): Uint8Array => (value === null ? new Uint8Array(0) : order.toBytes(value));
  const minima = lowers.map(toBytes);
  const maxima = uppers.map(toBytes);
  if ([...minima, ...maxima].some((bytes) => bytes.length > MAX_BOUND_BYTES)) return null;
  const nullPages = lowers.map((lower) => lower === null);
  return writeStruct(
    struct(
      listField(COLUMN_INDEX.nullPages, THRIFT.boolean, nullPages),
      listField(COLUMN_INDEX.minValues, THRIFT.binary, minima),
      listField(COLUMN_INDEX.maxValues, THRIFT.binary, maxima),
      i32Field(COLUMN_INDEX.boundaryOrder, boundaryOrder(lowers, uppers, order)),
      listField(COLUMN_INDEX.nullCounts, THRIFT.i64, nullCounts),
      order.hasNans ? listField(COLUMN_INDEX.nanCounts, THRIFT.i64, nanCounts) : null,
    ),
  );
}

function boundaryOrder(
  lowers: readonly (ColumnValue | null)[],
  uppers: readonly (ColumnValue | null)[],
  order: ValueOrder,
): number {
  const isSorted = (values: readonly (ColumnValue | null)[], sign: 1 | -1): boolean => {
    const present = values.filter((value) => value !== null);
    return present.every((value, index) => {
      const before = present[index - 1];
      return before === undefined || order.compare(before, value) * sign <= 0;
    });
  };
  if (isSorted(lowers, 1) && isSorted(uppers, 1)) return BOUNDARY_ORDER.ascending;
  return isSorted(lowers, -1) && isSorted(uppers, -1) ? BOUNDARY_ORDER.descending : BOUNDARY_ORDER.unordered;
}
