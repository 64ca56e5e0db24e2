// The FileMetaData of the new file: the old tree with schema, row groups, key-values and column orders as the
// rewritten columns need them. `created_by` stays: readers work around faults of old writers by it, and the
// copied chunks are theirs.
import { corrupt } from "./corrupt.ts";
import type { Footer, RowGroup } from "./footer.ts";
import { COLUMN_CHUNK, COLUMN_METADATA, FILE_METADATA, ROW_GROUP, SCHEMA_ELEMENT, SORTING_COLUMN } from "./format.ts";
import type { Leaf, SchemaNode } from "./schema.ts";
import {
  bigintAt,
  hasField,
  i32Field,
  i64Field,
  listField,
  numberAt,
  struct,
  structAt,
  structField,
  structsAt,
  THRIFT,
  type ThriftStruct,
  withFields,
  withoutFields,
} from "./thrift-tree.ts";

/** The schema's elements with replaced ones by their index, without the dropped columns. */
export function newSchema(
  footer: Footer,
  replaced: ReadonlyMap<number, ThriftStruct>,
  dropped: readonly SchemaNode[],
): ThriftStruct[] {
  const gone = new Set(dropped.flatMap(elementIndices));
  const elements = structsAt(footer.tree, FILE_METADATA.schema, "schema");
  return elements.flatMap((element, index) => {
    if (gone.has(index)) return [];
    if (index !== 0) return [replaced.get(index) ?? element];
    const children = (numberAt(element, SCHEMA_ELEMENT.children) ?? 0) - dropped.length;
    return [withFields(element, i32Field(SCHEMA_ELEMENT.children, children))];
  });
}

function elementIndices(node: SchemaNode): readonly number[] {
  return [node.elementIndex, ...node.children.flatMap(elementIndices)];
}

export function leavesOf(node: SchemaNode): readonly Leaf[] {
  return node.leaf === null ? node.children.flatMap(leavesOf) : [node.leaf];
}

/** The orders of min_value and max_value; missing in files of old writers, whose statistics stay without meaning. */
export function newColumnOrders(
  footer: Footer,
  rewritten: ReadonlySet<number>,
  dropped: ReadonlySet<number>,
): ThriftStruct[] | null {
  if (!hasField(footer.tree, FILE_METADATA.columnOrders)) return null;
  const orders = structsAt(footer.tree, FILE_METADATA.columnOrders, "list of column orders");
  if (orders.length !== footer.leaves.length) throw corrupt("The footer has another number of column orders than of columns");
  const byType = struct(structField(1, struct()));
  return orders.flatMap((order, index) => (dropped.has(index) ? [] : [rewritten.has(index) ? byType : order]));
}

/**
 * The row group over its new chunks, in the order of the leaves. `keptOrder` tells of a rewritten leaf whether
 * its rows are still sorted by it: sorting columns are kept up to the first one that is not.
 */
export function newRowGroup(
  group: RowGroup,
  chunks: readonly ThriftStruct[],
  dropped: ReadonlySet<number>,
  keptOrder: (leafIndex: number) => boolean,
): ThriftStruct {
  const metadata = chunks.map((chunk) => structAt(chunk, COLUMN_CHUNK.metadata) ?? struct());
  const sum = (id: number): bigint => metadata.reduce((total, one) => total + (bigintAt(one, id) ?? 0n), 0n);
  const starts = metadata.map((one) => {
    const data = bigintAt(one, COLUMN_METADATA.dataPageOffset) ?? 0n;
    const dictionary = bigintAt(one, COLUMN_METADATA.dictionaryPageOffset) ?? 0n;
    return dictionary > 0n && dictionary < data ? dictionary : data;
  });
  const sorting = newSortingColumns(group, dropped, keptOrder);
  const bare = sorting.length === 0 ? withoutFields(group.tree, ROW_GROUP.sortingColumns) : group.tree;
  return withFields(
    bare,
    listField(ROW_GROUP.columns, THRIFT.struct, chunks),
    i64Field(ROW_GROUP.totalBytes, sum(COLUMN_METADATA.uncompressed)),
    ...(sorting.length === 0 ? [] : [listField(ROW_GROUP.sortingColumns, THRIFT.struct, sorting)]),
    ...(hasField(group.tree, ROW_GROUP.fileOffset) ? [i64Field(ROW_GROUP.fileOffset, least(starts))] : []),
    ...(hasField(group.tree, ROW_GROUP.totalCompressed)
      ? [i64Field(ROW_GROUP.totalCompressed, sum(COLUMN_METADATA.compressed))]
      : []),
  );
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((smallest, value) => (value < smallest ? value : smallest), values[0] ?? 0n);
}

function newSortingColumns(
  group: RowGroup,
  dropped: ReadonlySet<number>,
  keptOrder: (leafIndex: number) => boolean,
): ThriftStruct[] {
  const kept: ThriftStruct[] = [];
  for (const sorting of structsAt(group.tree, ROW_GROUP.sortingColumns, "list of sorting columns")) {
    const leafIndex = numberAt(sorting, SORTING_COLUMN.column) ?? -1;
    if (dropped.has(leafIndex) || !keptOrder(leafIndex)) break;
    const before = [...dropped].filter((index) => index < leafIndex).length;
    kept.push(withFields(sorting, i32Field(SORTING_COLUMN.column, leafIndex - before)));
  }
  return kept;
}
