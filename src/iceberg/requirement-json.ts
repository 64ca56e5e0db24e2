// Requirements of the REST model in their JSON form, both ways (REST spec, TableRequirement), one entry a
// type. Ids are exact. Checking them is check-requirement.ts's.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { intMember, join, objectAt, optionalLong, stringMember } from "./json-fields.ts";
import type { TableRequirement, TableRequirementType } from "./table-requirement.ts";

/** The requirement of each type. */
export type RequirementByType = {
  readonly [T in TableRequirementType]: Extract<TableRequirement, { readonly type: T }>;
};

interface RequirementForm<R> {
  /** The members of the object beside `type`. */
  readonly write: (requirement: R) => JsonObject;
  readonly read: (object: JsonObject, path: string) => R;
}

type RequirementForms = { readonly [T in TableRequirementType]: RequirementForm<RequirementByType[T]> };

const FORMS: RequirementForms = {
  "assert-create": {
    write: () => ({}),
    read: () => ({ type: "assert-create" }),
  },
  "assert-table-uuid": {
    write: ({ uuid }) => ({ uuid }),
    read: (object, path) => ({ type: "assert-table-uuid", uuid: stringMember(object, "uuid", path) }),
  },
  "assert-ref-snapshot-id": {
    write: ({ ref, snapshotId }) => ({ ref, "snapshot-id": snapshotId }),
    read: (object, path) => ({
      type: "assert-ref-snapshot-id",
      ref: stringMember(object, "ref", path),
      snapshotId: optionalLong(object, "snapshot-id", path),
    }),
  },
  "assert-last-assigned-field-id": {
    write: ({ lastAssignedFieldId }) => ({ "last-assigned-field-id": lastAssignedFieldId }),
    read: (object, path) => ({
      type: "assert-last-assigned-field-id",
      lastAssignedFieldId: intMember(object, "last-assigned-field-id", path),
    }),
  },
  "assert-current-schema-id": {
    write: ({ currentSchemaId }) => ({ "current-schema-id": currentSchemaId }),
    read: (object, path) => ({
      type: "assert-current-schema-id",
      currentSchemaId: intMember(object, "current-schema-id", path),
    }),
  },
  "assert-last-assigned-partition-id": {
    write: ({ lastAssignedPartitionId }) => ({ "last-assigned-partition-id": lastAssignedPartitionId }),
    read: (object, path) => ({
      type: "assert-last-assigned-partition-id",
      lastAssignedPartitionId: intMember(object, "last-assigned-partition-id", path),
    }),
  },
  "assert-default-spec-id": {
    write: ({ defaultSpecId }) => ({ "default-spec-id": defaultSpecId }),
    read: (object, path) => ({ type: "assert-default-spec-id", defaultSpecId: intMember(object, "default-spec-id", path) }),
  },
  "assert-default-sort-order-id": {
    write: ({ defaultSortOrderId }) => ({ "default-sort-order-id": defaultSortOrderId }),
    read: (object, path) => ({
      type: "assert-default-sort-order-id",
      defaultSortOrderId: intMember(object, "default-sort-order-id", path),
    }),
  },
};

export function writeRequirement(requirement: TableRequirement): JsonObject {
  return { type: requirement.type, ...writeMembers(requirement.type, requirement) };
}

function writeMembers<T extends TableRequirementType>(type: T, requirement: RequirementByType[T]): JsonObject {
  return FORMS[type].write(requirement);
}

/** Throws `unsupported` for a type that is not known: a requirement that is not understood must not be passed over. */
export function readRequirement(value: JsonValue | undefined, path = "requirement"): TableRequirement {
  const object = objectAt(value, path);
  const type = stringMember(object, "type", path).toLowerCase();
  if (isType(type)) return FORMS[type].read(object, path);
  throw new ToolError("unsupported", `Cannot read "${join(path, "type")}"`, {
    why: `The requirement "${type}" is not known`,
    context: { at: join(path, "type") },
  });
}

function isType(text: string): text is TableRequirementType {
  return Object.hasOwn(FORMS, text);
}
