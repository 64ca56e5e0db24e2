// Which kind of refusal an exception of Iceberg Java is, in the categories of the conformance format. A message that
// is not in the table is not guessed at: it stops the suite.
import type { EvolutionCategory } from "../../../src/iceberg/evolution-error.ts";
import type { JsonObject } from "../../../src/iceberg/json.ts";
import type { JavaRefusal } from "./oracle.ts";

const MESSAGES: readonly (readonly [RegExp, EvolutionCategory])[] = [
  [/^Cannot (?:delete|rename|update|move) missing column/, "missing_column"],
  [/^Cannot move .* (?:before|after) missing column/, "missing_column"],
  [/^Cannot find field '.*' in struct/, "missing_column"],
  [/^Cannot find parent struct/, "missing_parent"],
  [/^Cannot add to non-struct column/, "not_a_struct"],
  [/^Cannot add column, name already exists/, "name_exists"],
  [/^Invalid schema: multiple fields for name/, "name_exists"],
  [/^Cannot (?:add|delete|rename) .*ambiguous name/, "ambiguous_name"],
  [/^Cannot build lower case index/, "ambiguous_name"],
  [/^Multiple entries with same key/, "ambiguous_name"],
  [/^Cannot delete a column that has (?:additions|updates)/, "conflicting_changes"],
  [/^Cannot (?:rename|update|add to) a column that will be deleted/, "conflicting_changes"],
  [/^Cannot change column type/, "illegal_type_change"],
  [/^Not a (?:struct|list|map|primitive) type/, "illegal_type_change"],
  [/^Incompatible change: cannot add required column/, "incompatible_required"],
  [/^Cannot change column nullability/, "incompatible_nullability"],
  [/^Cannot (?:delete|update|add fields to|alter) map keys/, "map_key_change"],
  [/^Cannot delete (?:element|value) type from/, "container_part_dropped"],
  [/^Cannot move .* (?:before|after) itself/, "bad_move"],
  [/^Cannot move field .* to a different struct/, "bad_move"],
  [/^Cannot move fields in non-struct type/, "bad_move"],
  [/^Cannot add field(?:Id)? .* as an identifier field/, "invalid_identifier"],
  [/^Cannot delete identifier field/, "identifier_dropped"],
  [/^Cannot delete field .* as it will delete nested identifier field/, "identifier_dropped"],
  [/^Cannot (?:parse|cast|convert) .*default/i, "invalid_default"],
  [/^Cannot create required field with unknown type/, "unknown_must_be_optional"],
  [/^Cannot create expression literal from/, "invalid_default"],
  [/^Invalid default value for/, "invalid_default"],
  [/^Invalid schema for v\d+:[^]*(?:initial|default)/, "default_needs_version"],
  [/^Invalid schema for v\d+/, "type_needs_version"],
  [/^Cannot add duplicate partition field/, "partition_duplicate"],
  [/^Cannot use partition name more than once/, "partition_duplicate"],
  [/^Cannot delete newly added field/, "partition_conflict"],
  [/^Cannot rename and delete partition field/, "partition_conflict"],
  [/^Cannot rename newly added partition field/, "partition_conflict"],
  [/^Cannot delete and rename partition field/, "partition_conflict"],
  [/^Cannot add redundant partition/, "partition_redundant_time"],
  [/^Cannot find partition field to (?:remove|rename)/, "partition_missing"],
  [/^Cannot find source column for partition field/, "partition_source_dropped"],
  [/^Cannot create (?:identity )?partition (?:sourced )?from/, "partition_name_conflict"],
  [/^Cannot partition by non-primitive source field/, "invalid_transform_source"],
  [/^Invalid source type .* for transform/, "invalid_transform_source"],
  [/^Invalid partition field parent/, "invalid_transform_source"],
  [/^Cannot bind: .* cannot transform/, "invalid_transform_source"],
  [/^Unsupported type for identity/, "invalid_transform_source"],
  [/^Cannot update partition spec with unknown transform/, "invalid_transform_source"],
  [/^Spec does not use sequential IDs/, "non_sequential_v1"],
  [/^Cannot find source column for sort field/, "sort_source_dropped"],
  [/^Cannot sort by non-primitive source field/, "sort_invalid"],
  [/^Cannot downgrade v/, "downgrade_format"],
];

/** Null where the table does not know the message. */
export function categoryOf({ type, message, at }: JavaRefusal, operations: readonly JsonObject[]): EvolutionCategory | null {
  const found = MESSAGES.find(([pattern]) => pattern.test(message ?? ""))?.[1] ?? EXCEPTIONS[type] ?? null;
  // Terms of sort orders and of partition specs are bound by the same code.
  if (found === "invalid_transform_source" && operations[0]?.["op"] === "set_sort_order") return "sort_invalid";
  // A new name that only a void field of the present spec has is made free by renaming that one, which may fail.
  return found === "partition_conflict" && operations[at]?.["op"] === "add_partition_field" ? "partition_duplicate" : found;
}

const EXCEPTIONS: Readonly<Record<string, EvolutionCategory>> = {
  // The list of moved fields no longer has the one that is looked for: it is dropped in the same update.
  NoSuchElementException: "conflicting_changes",
  // The type of a changed field is gone: dropped in the same update.
  NullPointerException: "conflicting_changes",
  // Text that is no value of the column's type.
  NumberFormatException: "invalid_default",
  DateTimeParseException: "invalid_default",
};
