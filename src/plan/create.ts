// The commit that makes a new table: fresh field ids in the reference implementation's order, its partition
// spec and sort order by those ids, its properties.
import type { EvolutionError } from "../iceberg/evolution-error.ts";
import { assignFreshIds } from "../iceberg/assign-ids.ts";
import { LAST_ADDED, type TableUpdate } from "../iceberg/table-update.ts";
import type { PartitionSpec } from "../iceberg/partition-spec.ts";
import type { SortOrder } from "../iceberg/sort-order.ts";
import type { FormatVersion } from "../iceberg/table-metadata.ts";
import type { Schema } from "../iceberg/type.ts";
import type { TableChange, TableDraft } from "./draft.ts";

/** A new table before its ids are given: `schema` with placeholder ids, spec and order by those placeholders. */
export interface NewTableParts {
  readonly formatVersion: FormatVersion;
  readonly schema: Schema;
  readonly spec: PartitionSpec;
  readonly sortOrder: SortOrder;
  readonly properties: Readonly<Record<string, string>>;
  /** Null: the catalog chooses. */
  readonly location: string | null;
}

/** `assign-uuid` and `set-location` are added by apply, who knows them. */
export function makeCreation(draft: TableDraft): TableChange | EvolutionError {
  const parts = draft.newTable;
  if (parts === null) return { category: "conflicting_changes", why: "nothing is to be created" };
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
