// Checks the preconditions of a commit against the metadata that it would change. Says what is there instead;
// whether to plan again is the caller's.
import type { RequirementByType } from "./requirement-json.ts";
import { MAIN_BRANCH } from "./snapshot.ts";
import type { TableMetadata } from "./table-metadata.ts";
import type { TableRequirement, TableRequirementType } from "./table-requirement.ts";

type Checks = {
  readonly [T in Exclude<TableRequirementType, "assert-create">]: (
    requirement: RequirementByType[T],
    metadata: TableMetadata,
  ) => string | null;
};

const CHECKS: Checks = {
  "assert-table-uuid": ({ uuid }, { tableUuid }) =>
    tableUuid?.toLowerCase() === uuid.toLowerCase() ? null : `The table's uuid is ${tableUuid ?? "not set"}, expected ${uuid}`,
  "assert-ref-snapshot-id": checkRef,
  "assert-last-assigned-field-id": ({ lastAssignedFieldId }, { lastColumnId }) =>
    compare("last assigned field id", lastAssignedFieldId, lastColumnId),
  "assert-current-schema-id": (requirement, metadata) =>
    compare("current schema id", requirement.currentSchemaId, metadata.currentSchemaId),
  "assert-last-assigned-partition-id": ({ lastAssignedPartitionId }, { lastPartitionId }) =>
    compare("last assigned partition field id", lastAssignedPartitionId, lastPartitionId),
  "assert-default-spec-id": (requirement, metadata) =>
    compare("default partition spec id", requirement.defaultSpecId, metadata.defaultSpecId),
  "assert-default-sort-order-id": (requirement, metadata) =>
    compare("default sort order id", requirement.defaultSortOrderId, metadata.defaultSortOrderId),
};

/** Why the requirement does not hold, as a sentence; null when it does. `metadata: null` is a table that does not exist. */
export function checkRequirement(requirement: TableRequirement, metadata: TableMetadata | null): string | null {
  if (requirement.type === "assert-create") return metadata === null ? null : "The table exists already";
  if (metadata === null) return "The table does not exist";
  return check(requirement.type, requirement, metadata);
}

/** The reasons of all that do not hold, in their order. */
export function checkRequirements(requirements: readonly TableRequirement[], metadata: TableMetadata | null): readonly string[] {
  return requirements.map((requirement) => checkRequirement(requirement, metadata)).filter((reason) => reason !== null);
}

function check<T extends keyof Checks>(type: T, requirement: RequirementByType[T], metadata: TableMetadata): string | null {
  return CHECKS[type](requirement, metadata);
}

function checkRef(requirement: RequirementByType["assert-ref-snapshot-id"], metadata: TableMetadata): string | null {
  const name = requirement.ref;
  const ref = Object.hasOwn(metadata.refs, name) ? metadata.refs[name] : undefined;
  const kind = ref?.type ?? (name === MAIN_BRANCH ? "branch" : "branch or tag");
  const present = ref?.snapshotId ?? null;
  if (present === requirement.snapshotId) return null;
  if (present === null) return `There is no ${kind} "${name}", expected one at snapshot ${requirement.snapshotId}`;
  if (requirement.snapshotId === null) return `The ${kind} "${name}" exists already, at snapshot ${present}`;
  return `The ${kind} "${name}" is at snapshot ${present}, expected ${requirement.snapshotId}`;
}

function compare(what: string, expected: number, present: number): string | null {
  return present === expected ? null : `The ${what} is ${present}, expected ${expected}`;
}
