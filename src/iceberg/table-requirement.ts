// The preconditions of Iceberg's REST model (spec "REST Catalog", TableRequirement) as data. Checking one is
// in check-requirement.ts, its JSON form in update-json.ts.

export type TableRequirement =
  | { readonly type: "assert-create" }
  | { readonly type: "assert-table-uuid"; readonly uuid: string }
  /** `snapshotId: null` means that the ref must not exist. */
  | { readonly type: "assert-ref-snapshot-id"; readonly ref: string; readonly snapshotId: bigint | null }
  | { readonly type: "assert-last-assigned-field-id"; readonly lastAssignedFieldId: number }
  | { readonly type: "assert-current-schema-id"; readonly currentSchemaId: number }
  | { readonly type: "assert-last-assigned-partition-id"; readonly lastAssignedPartitionId: number }
  | { readonly type: "assert-default-spec-id"; readonly defaultSpecId: number }
  | { readonly type: "assert-default-sort-order-id"; readonly defaultSortOrderId: number };

export type TableRequirementType = TableRequirement["type"];
