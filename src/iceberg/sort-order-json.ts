// Sort orders in their JSON form, both ways (spec Appendix C "Sort Orders"), keys in Java's order.
import type { JsonObject, JsonValue } from "./json.ts";
import { arrayMember, corrupt, intMember, join, objectAt, stringMember } from "./json-fields.ts";
import { readSourceIds, writeSourceIds } from "./partition-spec-json.ts";
import type { NullOrder, SortDirection, SortOrder } from "./sort-order.ts";

/** Order id 0 is unsorted and has no fields; every other has at least one. */
export function readSortOrder(value: JsonValue | undefined, path = "sort-order"): SortOrder {
  const object = objectAt(value, path);
  const orderId = intMember(object, "order-id", path);
  const fields = arrayMember(object, "fields", path).map((element, index) => {
    const fieldPath = `${join(path, "fields")}[${index}]`;
    const field = objectAt(element, fieldPath);
    return {
      sourceIds: readSourceIds(field, fieldPath),
      transform: stringMember(field, "transform", fieldPath),
      direction: readDirection(field, fieldPath),
      nullOrder: readNullOrder(field, fieldPath),
    };
  });
  if (orderId === 0 && fields.length > 0)
    throw corrupt(join(path, "order-id"), "Sort order id 0 is reserved for unsorted and must have no fields");
  if (orderId !== 0 && fields.length === 0)
    throw corrupt(join(path, "order-id"), `Sort order ${orderId} has no fields; unsorted has the id 0`);
  return { orderId, fields };
}

function readDirection(field: JsonObject, path: string): SortDirection {
  const direction = stringMember(field, "direction", path).toLowerCase();
  if (direction === "asc" || direction === "desc") return direction;
  throw corrupt(join(path, "direction"), `"asc" or "desc" is required, found "${direction}"`);
}

function readNullOrder(field: JsonObject, path: string): NullOrder {
  const order = stringMember(field, "null-order", path).toLowerCase();
  if (order === "nulls-first" || order === "nulls-last") return order;
  throw corrupt(join(path, "null-order"), `"nulls-first" or "nulls-last" is required, found "${order}"`);
}

export function writeSortOrder(order: SortOrder): JsonObject {
  return {
    "order-id": order.orderId,
    fields: order.fields.map((field) => ({
      transform: field.transform,
      ...writeSourceIds(field.sourceIds),
      direction: field.direction,
      "null-order": field.nullOrder,
    })),
  };
}
