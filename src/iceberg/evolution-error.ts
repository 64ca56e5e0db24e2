// Why a change of a schema, partition spec or sort order is not allowed, as data: a category that is stable
// and a sentence for people. Made by the update modules; the planner turns it into diagnostics.

export type EvolutionCategory =
  | "missing_column"
  | "missing_parent"
  | "not_a_struct"
  | "name_exists"
  | "ambiguous_name"
  | "conflicting_changes"
  | "illegal_type_change"
  | "map_key_change"
  | "container_part_dropped"
  | "incompatible_required"
  | "incompatible_nullability"
  | "unknown_must_be_optional"
  | "invalid_default"
  | "bad_move"
  | "invalid_identifier"
  | "identifier_dropped"
  | "partition_conflict"
  | "partition_duplicate"
  | "partition_redundant_time"
  | "partition_missing"
  | "partition_source_dropped"
  | "partition_name_conflict"
  | "invalid_transform_source"
  | "non_sequential_v1"
  | "sort_source_dropped"
  | "sort_invalid"
  | "type_needs_version"
  | "default_needs_version"
  | "downgrade_format";

export interface EvolutionError {
  readonly category: EvolutionCategory;
  /** One sentence with the names in quotes, without a full stop. */
  readonly why: string;
  /** The field that it is about, where there is one. */
  readonly fieldId?: number;
}

export function evolutionError(category: EvolutionCategory, why: string, fieldId?: number): EvolutionError {
  return fieldId === undefined ? { category, why } : { category, why, fieldId };
}

export function isEvolutionError<T>(result: T | EvolutionError): result is EvolutionError {
  return typeof result === "object" && result !== null && "category" in result && "why" in result;
}
