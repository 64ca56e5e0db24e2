// The changes of Iceberg's REST model (spec "REST Catalog", TableUpdate) as data. Applying one is in
// apply-update.ts, its JSON form in update-json.ts. -1 as an id means "the last one added in this commit".
import type { PartitionSpec } from "./partition-spec.ts";
import type { Snapshot, SnapshotRef } from "./snapshot.ts";
import type { SortOrder } from "./sort-order.ts";
import type { Schema } from "./type.ts";

export type TableUpdate =
  | { readonly action: "assign-uuid"; readonly uuid: string }
  | { readonly action: "upgrade-format-version"; readonly formatVersion: number }
  | { readonly action: "add-schema"; readonly schema: Schema; readonly lastColumnId: number }
  | { readonly action: "set-current-schema"; readonly schemaId: number }
  | { readonly action: "add-spec"; readonly spec: PartitionSpec }
  | { readonly action: "set-default-spec"; readonly specId: number }
  | { readonly action: "add-sort-order"; readonly sortOrder: SortOrder }
  | { readonly action: "set-default-sort-order"; readonly sortOrderId: number }
  | { readonly action: "add-snapshot"; readonly snapshot: Snapshot }
  | { readonly action: "set-snapshot-ref"; readonly refName: string; readonly ref: SnapshotRef }
  | { readonly action: "remove-snapshots"; readonly snapshotIds: readonly bigint[] }
  | { readonly action: "remove-snapshot-ref"; readonly refName: string }
  | { readonly action: "set-location"; readonly location: string }
  | { readonly action: "set-properties"; readonly updates: Readonly<Record<string, string>> }
  | { readonly action: "remove-properties"; readonly removals: readonly string[] }
  | { readonly action: "remove-partition-specs"; readonly specIds: readonly number[] }
  | { readonly action: "remove-schemas"; readonly schemaIds: readonly number[] };

export type TableUpdateAction = TableUpdate["action"];

/** "The last one added by an update earlier in the same commit" (REST spec, set-current-schema and its kin). */
export const LAST_ADDED = -1;
