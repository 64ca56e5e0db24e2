// What has to be said in the REST model to bring a table from one state to another: definitions, defaults, properties.
import type { TableMetadata } from "../../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../../src/iceberg/table-update.ts";

export function updatesBetween(before: TableMetadata, after: TableMetadata): readonly TableUpdate[] {
  const schemas = after.schemas.filter((one) => !before.schemas.some((known) => known.schemaId === one.schemaId));
  const specs = after.partitionSpecs.filter((one) => !before.partitionSpecs.some((known) => known.specId === one.specId));
  const orders = after.sortOrders.filter((one) => !before.sortOrders.some((known) => known.orderId === one.orderId));
  const set = Object.entries(after.properties).filter(([key, value]) => before.properties[key] !== value);
  const removals = Object.keys(before.properties).filter((key) => !Object.hasOwn(after.properties, key));
  return [
    ...(before.formatVersion === after.formatVersion
      ? []
      : [{ action: "upgrade-format-version" as const, formatVersion: after.formatVersion }]),
    ...schemas.map((schema) => ({ action: "add-schema" as const, schema, lastColumnId: after.lastColumnId })),
    { action: "set-current-schema", schemaId: after.currentSchemaId },
    ...specs.map((spec) => ({ action: "add-spec" as const, spec })),
    { action: "set-default-spec", specId: after.defaultSpecId },
    ...orders.map((sortOrder) => ({ action: "add-sort-order" as const, sortOrder })),
    { action: "set-default-sort-order", sortOrderId: after.defaultSortOrderId },
    ...(set.length === 0 ? [] : [{ action: "set-properties" as const, updates: Object.fromEntries(set) }]),
    ...(removals.length === 0 ? [] : [{ action: "remove-properties" as const, removals }]),
  ];
}
