// add-sort-order and set-default-sort-order, by the rules of Java's TableMetadata.Builder.
import { checkSortOrder } from "../schema-check.ts";
import { indexSchema } from "../schema-index.ts";
import { type SortOrder, UNSORTED } from "../sort-order.ts";
import { schemaById } from "../table-metadata.ts";
import { LAST_ADDED } from "../table-update.ts";
import type { Schema } from "../type.ts";
import type { UpdateByAction } from "../update-json.ts";
import { assignSortOrderId } from "./assign-id.ts";
import { change, type Draft, isUnordered, lastAddedAfterKnown, refused } from "./draft.ts";

/** The order is bound to the schema that is current at this point of the commit. */
export function addSortOrder(draft: Draft, update: UpdateByAction["add-sort-order"]): Draft {
  const { metadata, lastAdded } = draft;
  const schema = schemaById(metadata, metadata.currentSchemaId);
  if (schema === undefined) throw refused("Cannot add the sort order", "The table has no current schema yet");
  const order = update.sortOrder;
  const [problem] = sortOrderProblems(schema, order);
  if (problem !== undefined) throw refused("Cannot add the sort order", problem);
  const { id, isKnown } = assignSortOrderId(metadata, order);
  if (isKnown) {
    const sortOrderId = lastAddedAfterKnown(id, lastAdded.sortOrderId, draft.addedSortOrderIds);
    return { ...draft, lastAdded: { ...lastAdded, sortOrderId } };
  }
  const added: SortOrder = order.fields.length === 0 ? UNSORTED : { ...order, orderId: id };
  return {
    ...change(draft, { sortOrders: [...metadata.sortOrders, added] }),
    lastAdded: { ...lastAdded, sortOrderId: id },
    addedSortOrderIds: new Set([...draft.addedSortOrderIds, id]),
  };
}

/** Why the order does not fit the schema: sources that are not there or have a type that nothing sorts by. */
export function sortOrderProblems(schema: Schema, order: SortOrder): readonly string[] {
  const found = checkSortOrder(schema, { sortOrders: [order], defaultSortOrderId: order.orderId }).map(({ why }) => why);
  const nested = order.fields
    .flatMap((field) => field.sourceIds)
    .map((id) => indexSchema(schema).byId(id))
    .filter((source) => source !== undefined && isUnordered(source.type))
    .map((source) => `"${source?.name ?? ""}" is a ${source?.type.kind ?? ""}, which has no order`);
  return [...found, ...nested];
}

export function setDefaultSortOrder(draft: Draft, update: UpdateByAction["set-default-sort-order"]): Draft {
  const orderId = update.sortOrderId === LAST_ADDED ? draft.lastAdded.sortOrderId : update.sortOrderId;
  if (orderId === null) {
    throw refused(
      "Cannot set the default sort order",
      "It should be the one added last, and this commit has added none that is new",
    );
  }
  if (!draft.metadata.sortOrders.some((order) => order.orderId === orderId)) {
    throw refused("Cannot set the default sort order", `The table has no sort order ${orderId}`);
  }
  return orderId === draft.metadata.defaultSortOrderId ? draft : change(draft, { defaultSortOrderId: orderId });
}
