// add-spec, set-default-spec and remove-partition-specs, by the rules of Java's TableMetadata.Builder.
import { NO_PARTITION_FIELD_ID, type PartitionField, type PartitionSpec } from "../partition-spec.ts";
import { checkPartitionSpecs } from "../schema-check.ts";
import { indexSchema } from "../schema-index.ts";
import { schemaById } from "../table-metadata.ts";
import { LAST_ADDED } from "../table-update.ts";
import { parseTransform } from "../transform.ts";
import type { Schema } from "../type.ts";
import type { UpdateByAction } from "../update-json.ts";
import { assignSpecId } from "./assign-id.ts";
import { change, type Draft, isUnordered, lastAddedAfterKnown, refused } from "./draft.ts";

/** The spec is bound to the schema that is current at this point of the commit. */
export function addSpec(draft: Draft, { spec }: UpdateByAction["add-spec"]): Draft {
  const { metadata, lastAdded } = draft;
  const schema = schemaById(metadata, metadata.currentSchemaId);
  if (schema === undefined) throw refused("Cannot add the partition spec", "The table has no current schema yet");
  const reason = specProblems(schema, spec)[0] ?? nameProblem(spec.fields) ?? sequenceProblem(draft, spec);
  if (reason !== null) throw refused("Cannot add the partition spec", reason);
  const { id, isKnown } = assignSpecId(metadata, spec);
  if (isKnown) {
    return { ...draft, lastAdded: { ...lastAdded, specId: lastAddedAfterKnown(id, lastAdded.specId, draft.addedSpecIds) } };
  }
  const lastPartitionId = spec.fields.reduce((highest, field) => Math.max(highest, field.fieldId), metadata.lastPartitionId);
  return {
    ...change(draft, { partitionSpecs: [...metadata.partitionSpecs, { ...spec, specId: id }], lastPartitionId }),
    lastAdded: { ...lastAdded, specId: id },
    addedSpecIds: new Set([...draft.addedSpecIds, id]),
  };
}

/** Why the spec cannot be the default one under that schema: names, and sources that are not there or not of a right type. */
export function specProblems(schema: Schema, spec: PartitionSpec): readonly string[] {
  const found = checkPartitionSpecs(schema, [spec], spec.specId).map(({ why }) => why);
  const unknown = spec.fields.filter((field) => parseTransform(field.transform).kind === "unknown");
  const nested = unknown.flatMap((field) =>
    field.sourceIds
      .map((id) => indexSchema(schema).byId(id))
      .filter((source) => source !== undefined && isUnordered(source.type))
      .map((source) => `Partition field "${field.name}": a ${source?.type.kind ?? ""} is no source of a transform`),
  );
  return [...found, ...nested];
}

function nameProblem(fields: readonly PartitionField[]): string | null {
  const names = fields.map((field) => field.name);
  if (names.includes("")) return "A partition field has no name";
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  return twin === undefined ? null : `Two partition fields have the name "${twin}"`;
}

/** Readers of v1 number the fields of a spec by position. */
function sequenceProblem(draft: Draft, spec: PartitionSpec): string | null {
  const isSequential = spec.fields.every((field, index) => field.fieldId === NO_PARTITION_FIELD_ID + 1 + index);
  if (draft.metadata.formatVersion > 1 || isSequential) return null;
  return `Format version 1 needs partition field ids in sequence from ${NO_PARTITION_FIELD_ID + 1}`;
}

export function setDefaultSpec(draft: Draft, update: UpdateByAction["set-default-spec"]): Draft {
  const specId = update.specId === LAST_ADDED ? draft.lastAdded.specId : update.specId;
  if (specId === null) {
    throw refused(
      "Cannot set the default partition spec",
      "It should be the one added last, and this commit has added none that is new",
    );
  }
  if (!draft.metadata.partitionSpecs.some((spec) => spec.specId === specId)) {
    throw refused("Cannot set the default partition spec", `The table has no partition spec ${specId}`);
  }
  return specId === draft.metadata.defaultSpecId ? draft : change(draft, { defaultSpecId: specId });
}

export function removePartitionSpecs(draft: Draft, { specIds }: UpdateByAction["remove-partition-specs"]): Draft {
  const { partitionSpecs, defaultSpecId } = draft.metadata;
  if (specIds.includes(defaultSpecId)) throw refused(`Cannot remove partition spec ${defaultSpecId}`, "It is the default spec");
  const kept = partitionSpecs.filter((spec) => !specIds.includes(spec.specId));
  return kept.length === partitionSpecs.length ? draft : change(draft, { partitionSpecs: kept });
}
