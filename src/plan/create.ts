// The commit that makes a new table: fresh field ids in the reference implementation's order, its partition
// spec and sort order by those ids, its properties.
import type { EvolutionError } from "../iceberg/evolution-error.ts";
import { assignFreshIds } from "../iceberg/assign-ids.ts";
import { LAST_ADDED, type TableUpdate } from "../iceberg/table-update.ts";
import type { PartitionSpec } from "../iceberg/partition-spec.ts";
import type { SortOrder } from "../iceberg/sort-order.ts";
import type { TableDraft } from "./draft.ts";
import type { TableChange } from "./table-change.ts";

/** `assign-uuid` and `set-location` are added by apply, who knows them. */
export function makeCreation(draft: TableDraft): TableChange | EvolutionError {
  const parts = draft.newTable;
  if (parts === null) return { category: "conflicting_changes", why: "Nothing is to be created" };
  const { schema, lastColumnId, newIds } = assignFreshIds(parts.schema);
  const renumber = (ids: readonly number[]): readonly number[] => ids.map((id) => newIds.get(id) ?? id);
  const spec: PartitionSpec = {
    specId: 0,
    fields: parts.spec.fields.map((field) => ({ ...field, sourceIds: renumber(field.sourceIds) })),
  };
  const sortOrder: SortOrder = {
    orderId: parts.sortOrder.fields.length === 0 ? 0 : 1,
    fields: parts.sortOrder.fields.map((field) => ({ ...field, sourceIds: renumber(field.sourceIds) })),
  };
  const updates: TableUpdate[] = [
    { action: "upgrade-format-version", formatVersion: parts.formatVersion },
    { action: "add-schema", schema, lastColumnId },
    { action: "set-current-schema", schemaId: LAST_ADDED },
    { action: "add-spec", spec },
    { action: "set-default-spec", specId: LAST_ADDED },
    { action: "add-sort-order", sortOrder },
    { action: "set-default-sort-order", sortOrderId: LAST_ADDED },
  ];
  if (Object.keys(parts.properties).length > 0) updates.push({ action: "set-properties", updates: parts.properties });
  return {
    createsNamespace: draft.needsNamespace,
    newTable: { ...parts, schema, spec, sortOrder },
    updates,
    requirements: [{ type: "assert-create" }],
    schema,
    conversions: [],
    catalogParameters: draft.catalogParameters,
    syncsCatalog: false,
  };
}
