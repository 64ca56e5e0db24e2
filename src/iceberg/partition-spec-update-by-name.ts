// The same spec update addressed by names: sources as dotted column names, partition fields by their names or by
// source and transform.
import { type EvolutionError, evolutionError, isEvolutionError } from "./evolution-error.ts";
import { termProblem } from "./partition-spec-checks.ts";
import { isFieldOf, type PartitionSpecUpdate } from "./partition-spec-update.ts";
import { indexSchema } from "./schema-index.ts";
import { findByName } from "./schema-update-by-name.ts";
import { formatTransform, type Transform } from "./transform.ts";
import type { SchemaNode } from "./walk.ts";

export interface NamedPartitionSpecUpdate {
  readonly ids: PartitionSpecUpdate;
  readonly ignoreCase: () => void;
  readonly addField: (source: string, transform: Transform, name?: string) => number | EvolutionError;
  readonly removeField: (name: string) => EvolutionError | null;
  readonly removeFieldOf: (source: string, transform: Transform) => EvolutionError | null;
  readonly renameField: (name: string, newName: string) => EvolutionError | null;
}

export function updateSpecByName(ids: PartitionSpecUpdate): NamedPartitionSpecUpdate {
  let ignoresCase = false;
  const findSource = (source: string): SchemaNode | EvolutionError =>
    findByName(indexSchema(ids.base.schema), source, ignoresCase) ??
    evolutionError("missing_column", `There is no field "${source}"`);
  const byName = (name: string, change: (fieldId: number) => EvolutionError | null): EvolutionError | null => {
    const field = ids.find((one) => one.name === name);
    return field === undefined
      ? evolutionError("partition_missing", `There is no partition field "${name}"`)
      : change(field.fieldId);
  };
  return {
    ids,
    ignoreCase: () => {
      ignoresCase = true;
    },
    addField: (source, transform, name) => {
      const taken = name === undefined ? null : ids.checkNewName(name);
      if (taken !== null) return taken;
      const node = findSource(source);
      if (isEvolutionError(node)) return node;
      return ids.addField({ sourceId: node.id, transform, ...(name === undefined ? {} : { name }) });
    },
    removeField: (name) => byName(name, ids.removeField),
    removeFieldOf: (source, transform) => {
      const node = findSource(source);
      if (isEvolutionError(node)) return node;
      const problem = termProblem(node, transform);
      if (problem !== null)
        return evolutionError("invalid_transform_source", `No field is made from "${source}": ${problem}`, node.id);
      const field = ids.find((one) => isFieldOf(one, node.id, transform));
      if (field !== undefined) return ids.removeField(field.fieldId);
      return evolutionError("partition_missing", `There is no partition field ${formatTransform(transform)} of "${source}"`);
    },
    renameField: (name, newName) => byName(name, (fieldId) => ids.renameField(fieldId, newName)),
  };
}
