// What must hold of a partition spec that an update makes: names against columns and each other, sources against their
// transforms. In the order of the reference implementation, since the first problem is the one that is told.
import { type EvolutionError, evolutionError } from "./evolution-error.ts";
import type { PartitionField } from "./partition-spec.ts";
import { sourceProblem } from "./schema-check.ts";
import { indexSchema } from "./schema-index.ts";
import { parseTransform, type Transform, transformProblem } from "./transform.ts";
import { isNested, type Schema } from "./type.ts";
import type { SchemaNode } from "./walk.ts";

export function impossibleSource(source: SchemaNode, problem: string): EvolutionError {
  return evolutionError("invalid_transform_source", `Cannot partition by "${source.name}": ${problem}`, source.id);
}

/** Why nothing can be made from the source by the transform; identity of a nested type is found out with the whole spec. */
export function termProblem(source: SchemaNode, transform: Transform): string | null {
  return transform.kind === "identity" && isNested(source.type) ? null : transformProblem(transform, source.type);
}

/** Types of sources and the lists and maps around them. */
export function specSourcesError(schema: Schema, added: readonly PartitionField[]): EvolutionError | null {
  const index = indexSchema(schema);
  for (const field of added) {
    const source = index.byId(field.sourceIds[0] ?? 0);
    if (source === undefined) continue;
    const problem = sourceProblem(source, transformProblem(parseTransform(field.transform), source.type));
    if (problem !== null) return impossibleSource(source, problem);
  }
  return null;
}

export function specNamesError(
  schema: Schema,
  fields: readonly PartitionField[],
  isNewName: (field: PartitionField) => boolean,
): EvolutionError | null {
  const seen = new Set<string>();
  for (const field of fields) {
    const error = otherColumnError(schema, field);
    if (error !== null) return error;
    if (field.name === "") return evolutionError("partition_name_conflict", "A partition field needs a name");
    if (seen.has(field.name))
      return evolutionError("partition_duplicate", `Two partition fields would have the name "${field.name}"`);
    seen.add(field.name);
  }
  for (const field of fields) {
    const error = isNewName(field) ? ownColumnError(schema, field) : null;
    if (error !== null) return error;
  }
  return null;
}

/** A column may share its name only with a field made from itself. */
function otherColumnError(schema: Schema, field: PartitionField): EvolutionError | null {
  const index = indexSchema(schema);
  const column = index.byName(field.name);
  if (column === undefined || field.sourceIds.every((id) => index.byId(id) === undefined)) return null;
  return field.sourceIds.includes(column.id) ? null : nameConflict(field, column);
}

/** Of any transform where it is there already; only identity and void in new ones, which is all that every engine takes. */
function ownColumnError(schema: Schema, field: PartitionField): EvolutionError | null {
  const column = indexSchema(schema).byName(field.name);
  const { kind } = parseTransform(field.transform);
  return column === undefined || !field.sourceIds.includes(column.id) || kind === "identity" || kind === "void"
    ? null
    : nameConflict(field, column);
}

function nameConflict(field: PartitionField, column: SchemaNode): EvolutionError {
  return evolutionError(
    "partition_name_conflict",
    `A column has the name "${field.name}", and it is not the source of an identity partition field of that name`,
    column.id,
  );
}
