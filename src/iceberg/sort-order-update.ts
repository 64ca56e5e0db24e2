// Builds the sort order that replaces a table's (spec "Sorting"). Pure; gives the id of an equal order that the table
// has, else the next one.
import { isUnordered } from "./apply/draft.ts";
import { type EvolutionError, evolutionError, isEvolutionError } from "./evolution-error.ts";
import { indexSchema } from "./schema-index.ts";
import { findByName } from "./schema-update-by-name.ts";
import { type NullOrder, type SortDirection, type SortField, type SortOrder, UNSORTED } from "./sort-order.ts";
import { canonicalTransform, formatTransform, type Transform, transformProblem } from "./transform.ts";
import type { Schema } from "./type.ts";

export interface NewSortField {
  /** A field id, or a dotted name. */
  readonly source: number | string;
  readonly transform: Transform;
  readonly direction: SortDirection;
  /** Null: the usual one of the direction. */
  readonly nullOrder: NullOrder | null;
}

export interface SortOrderBase {
  readonly schema: Schema;
  readonly sortOrders: readonly SortOrder[];
  readonly ignoresCase?: boolean;
}

/** Nulls sort as the smallest values unless somebody says otherwise. */
export function defaultNullOrder(direction: SortDirection): NullOrder {
  return direction === "asc" ? "nulls-first" : "nulls-last";
}

/** No fields: unsorted, order id 0. */
export function buildSortOrder(base: SortOrderBase, wanted: readonly NewSortField[]): SortOrder | EvolutionError {
  const fields: SortField[] = [];
  for (const one of wanted) {
    const field = buildField(base, one);
    if (isEvolutionError(field)) return field;
    fields.push(field);
  }
  if (fields.length === 0) return UNSORTED;
  return findEqualOrder(base.sortOrders, fields) ?? { orderId: nextOrderId(base.sortOrders), fields };
}

/** The order of the table with the same fields in the same order. */
export function findEqualOrder(orders: readonly SortOrder[], fields: readonly SortField[]): SortOrder | undefined {
  const key = (list: readonly SortField[]): string =>
    JSON.stringify(list.map((field) => [field.sourceIds, canonicalTransform(field.transform), field.direction, field.nullOrder]));
  const wanted = key(fields);
  return orders.find((order) => key(order.fields) === wanted);
}

function nextOrderId(orders: readonly SortOrder[]): number {
  return Math.max(UNSORTED.orderId, ...orders.map((order) => order.orderId)) + 1;
}

function buildField(base: SortOrderBase, wanted: NewSortField): SortField | EvolutionError {
  const index = indexSchema(base.schema);
  const { source, transform } = wanted;
  const node = typeof source === "number" ? (index.byId(source) ?? null) : findByName(index, source, base.ignoresCase ?? false);
  if (node === null)
    return evolutionError(
      "missing_column",
      `There is no field ${typeof source === "number" ? `with id ${source}` : `"${source}"`}`,
    );
  if (isEvolutionError(node)) return node;
  const problem = isUnordered(node.type) ? `it is a ${node.type.kind}` : transformProblem(transform, node.type);
  if (problem !== null) return evolutionError("sort_invalid", `Cannot sort by "${node.name}": ${problem}`, node.id);
  return {
    sourceIds: [node.id],
    transform: formatTransform(transform),
    direction: wanted.direction,
    nullOrder: wanted.nullOrder ?? defaultNullOrder(wanted.direction),
  };
}
