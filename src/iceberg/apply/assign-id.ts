// Which id a schema, partition spec or sort order gets in a table: that of an equal one, else the next. Java's
// rules; planners use them to know the ids before the commit.
import type { PartitionSpec } from "../partition-spec.ts";
import { findEqualSpec } from "../partition-spec-update.ts";
import { type SortOrder, UNSORTED } from "../sort-order.ts";
import { findEqualOrder } from "../sort-order-update.ts";
import type { TableMetadata } from "../table-metadata.ts";
import type { Schema } from "../type.ts";
import { sameSchema } from "./same-schema.ts";

export interface AssignedId {
  readonly id: number;
  /** The table has it already: it is not added, and -1 does not mean it. */
  readonly isKnown: boolean;
}

export function assignSchemaId(metadata: Pick<TableMetadata, "schemas">, schema: Schema): AssignedId {
  const known = metadata.schemas.find((one) => sameSchema(one, schema));
  if (known !== undefined) return { id: known.schemaId, isKnown: true };
  return { id: next(metadata.schemas, (one) => one.schemaId, 0), isKnown: false };
}

export function assignSpecId(metadata: Pick<TableMetadata, "partitionSpecs">, spec: PartitionSpec): AssignedId {
  const known = findEqualSpec(metadata.partitionSpecs, spec.fields);
  if (known !== undefined) return { id: known.specId, isKnown: true };
  return { id: next(metadata.partitionSpecs, (one) => one.specId, 0), isKnown: false };
}

export function assignSortOrderId(metadata: Pick<TableMetadata, "sortOrders">, order: SortOrder): AssignedId {
  if (order.fields.length === 0) {
    return { id: UNSORTED.orderId, isKnown: metadata.sortOrders.some((one) => one.orderId === UNSORTED.orderId) };
  }
  const known = findEqualOrder(metadata.sortOrders, order.fields);
  if (known !== undefined) return { id: known.orderId, isKnown: true };
  return { id: next(metadata.sortOrders, (one) => one.orderId, UNSORTED.orderId + 1), isKnown: false };
}

/** One more than the highest, at least `lowest`. */
function next<T>(list: readonly T[], idOf: (one: T) => number, lowest: number): number {
  return list.reduce((id, one) => Math.max(id, idOf(one) + 1), lowest);
}
