// One update of a table's partition spec: fields added, removed and renamed, with the id and name rules of the format
// (spec "Partition Evolution"; reference implementation, BaseUpdatePartitionSpec). Pure. Sources are field ids here;
// names are resolved by partition-spec-update-by-name.ts.
import { type EvolutionError, evolutionError } from "./evolution-error.ts";
import { NO_PARTITION_FIELD_ID, type PartitionField, type PartitionSpec } from "./partition-spec.ts";
import { impossibleSource, specNamesError, specSourcesError, termProblem } from "./partition-spec-checks.ts";
import { indexSchema } from "./schema-index.ts";
import type { FormatVersion } from "./table-metadata.ts";
import {
  canonicalTransform,
  defaultFieldName,
  formatTransform,
  isTimeTransform,
  parseTransform,
  type Transform,
} from "./transform.ts";
import type { Schema } from "./type.ts";

/** The table that a spec update starts from. */
export interface PartitionBase {
  readonly formatVersion: FormatVersion;
  /** The schema that the new spec is for. */
  readonly schema: Schema;
  /** The default spec. */
  readonly spec: PartitionSpec;
  /** All specs of the table. */
  readonly specs: readonly PartitionSpec[];
  readonly lastPartitionId: number;
}

interface NewPartitionField {
  readonly sourceId: number;
  readonly transform: Transform;
  /** Absent: the name that such a field had before, else the default name. */
  readonly name?: string;
}

interface PartitionSpecUpdateResult {
  /** The equal spec that the table has already, or one with the next spec id. */
  readonly spec: PartitionSpec;
  readonly lastPartitionId: number;
}

export interface PartitionSpecUpdate {
  readonly base: PartitionBase;
  /** Why a field that is to be added cannot have the name, whatever it is made from. */
  readonly checkNewName: (name: string) => EvolutionError | null;
  /** Gives the partition field id: a new one, or the one that such a field had before. */
  readonly addField: (field: NewPartitionField) => number | EvolutionError;
  readonly removeField: (fieldId: number) => EvolutionError | null;
  readonly renameField: (fieldId: number, name: string) => EvolutionError | null;
  /** Fields added in this update go before those of the base; of void twins that v1 keeps the last one counts. */
  readonly find: (test: (field: PartitionField) => boolean) => PartitionField | undefined;
  readonly apply: () => PartitionSpecUpdateResult | EvolutionError;
}

interface SpecState {
  readonly base: PartitionBase;
  lastPartitionId: number;
  readonly removed: Set<number>;
  /** Partition field id → new name. */
  readonly renamed: Map<number, string>;
  readonly added: PartitionField[];
}

export function startPartitionSpecUpdate(base: PartitionBase): PartitionSpecUpdate | EvolutionError {
  const strange = base.spec.fields.find(
    (field) => field.sourceIds.length !== 1 || parseTransform(field.transform).kind === "unknown",
  );
  if (strange !== undefined) {
    const why = `The spec cannot be changed: its field "${strange.name}" has the transform "${strange.transform}", which is not known`;
    return evolutionError("invalid_transform_source", why);
  }
  const state: SpecState = { base, lastPartitionId: base.lastPartitionId, removed: new Set(), renamed: new Map(), added: [] };
  return {
    base,
    checkNewName: (name) => (state.added.some((field) => field.name === name) ? duplicateName(name) : null),
    addField: (field) => addField(state, field),
    removeField: (fieldId) => removeField(state, fieldId),
    renameField: (fieldId, name) => renameField(state, fieldId, name),
    find: (test) => state.added.find(test) ?? base.spec.fields.findLast(test),
    apply: () => apply(state),
  };
}

/** The same source and transform, whatever the name and id. */
export function isFieldOf(field: PartitionField, sourceId: number, transform: Transform): boolean {
  if (field.sourceIds.length !== 1 || field.sourceIds[0] !== sourceId) return false;
  return canonicalTransform(field.transform) === formatTransform(transform);
}

/** The spec of the table with the same sources, transforms and names in the same order; field ids do not count. */
export function findEqualSpec(specs: readonly PartitionSpec[], fields: readonly PartitionField[]): PartitionSpec | undefined {
  const key = (list: readonly PartitionField[]): string =>
    JSON.stringify(list.map((field) => [field.sourceIds, canonicalTransform(field.transform), field.name]));
  const wanted = key(fields);
  return specs.find((spec) => key(spec.fields) === wanted);
}

function addField(state: SpecState, wanted: NewPartitionField): number | EvolutionError {
  const { sourceId, transform } = wanted;
  const source = indexSchema(state.base.schema).byId(sourceId);
  if (source === undefined) return evolutionError("missing_column", `The schema has no field with id ${sourceId}`, sourceId);
  const problem = termProblem(source, transform);
  if (problem !== null) return impossibleSource(source, problem);

  const isSame = (field: PartitionField): boolean => isFieldOf(field, sourceId, transform);
  const present = state.base.spec.fields.findLast(isSame);
  if (present !== undefined && state.removed.has(present.fieldId)) return takeBack(state, present, wanted.name);
  const twin = present ?? state.added.find(isSame);
  if (twin !== undefined) {
    return evolutionError(
      "partition_duplicate",
      `Partition field "${twin.name}" has that source and transform already`,
      sourceId,
    );
  }

  const recycled = findHistorical(state, wanted);
  const defaultName = defaultFieldName(transform, indexSchema(state.base.schema).fullName(sourceId) ?? source.name);
  const name = wanted.name ?? recycled?.name ?? defaultName;
  const field: PartitionField = {
    sourceIds: [sourceId],
    fieldId: recycled?.fieldId ?? state.lastPartitionId + 1,
    transform: formatTransform(transform),
    name,
  };
  const error = timeError(state, field, transform) ?? addedNameError(state, name);
  if (error !== null) return error;
  const namesake = state.base.spec.fields.find((one) => one.name === name && makesRoom(state, one));
  if (namesake !== undefined) state.renamed.set(namesake.fieldId, asideName(namesake));
  if (recycled === undefined) state.lastPartitionId += 1;
  state.added.push(field);
  return field.fieldId;
}

// A field that comes back in the update that removed it was never gone.
function takeBack(state: SpecState, present: PartitionField, name: string | undefined): number | EvolutionError {
  state.removed.delete(present.fieldId);
  if (name === undefined || name === present.name) return present.fieldId;
  const error = renameField(state, present.fieldId, name);
  if (error !== null) state.removed.add(present.fieldId);
  return error ?? present.fieldId;
}

// In v2 and later a field keeps its id over all specs of the table. The newest spec is asked first: where a field had
// several names, the last one counts. v1 knows fields by position and gives new ids; a table that was once v1 may
// therefore have an old id that a field of the present spec holds too.
function findHistorical({ base, added }: SpecState, wanted: NewPartitionField): PartitionField | undefined {
  if (base.formatVersion < 2) return undefined;
  const taken = new Set([...base.spec.fields, ...added].map((field) => field.fieldId));
  const fits = (field: PartitionField): boolean =>
    !taken.has(field.fieldId) &&
    isFieldOf(field, wanted.sourceId, wanted.transform) &&
    (wanted.name ?? field.name) === field.name;
  for (const spec of [...base.specs].sort((a, b) => b.specId - a.specId)) {
    const field = spec.fields.find(fits);
    if (field !== undefined) return field;
  }
  return undefined;
}

function timeError(state: SpecState, field: PartitionField, transform: Transform): EvolutionError | null {
  if (!isTimeTransform(transform)) return null;
  const other = state.added.find(
    (one) => one.sourceIds[0] === field.sourceIds[0] && isTimeTransform(parseTransform(one.transform)),
  );
  if (other === undefined) return null;
  return evolutionError(
    "partition_redundant_time",
    `"${field.name}" and "${other.name}" are both time transforms of one source`,
    field.sourceIds[0],
  );
}

function addedNameError(state: SpecState, name: string): EvolutionError | null {
  const holder =
    state.added.find((field) => field.name === name) ?? state.base.spec.fields.find((field) => blocksName(state, field, name));
  return holder === undefined ? null : duplicateName(name);
}

function duplicateName(name: string): EvolutionError {
  return evolutionError("partition_duplicate", `There is already a partition field "${name}"`);
}

// Removed fields and void ones make room: they are renamed aside. So does one that has another name by now; a name that
// is given to one by now is seen when the spec is made, since it may be taken from it again.
function blocksName(state: SpecState, field: PartitionField, name: string): boolean {
  return field.name === name && !makesRoom(state, field) && (state.renamed.get(field.fieldId) ?? name) === name;
}

function makesRoom({ removed }: SpecState, field: PartitionField): boolean {
  return removed.has(field.fieldId) || isVoid(field);
}

function removeField(state: SpecState, fieldId: number): EvolutionError | null {
  const added = state.added.find((field) => field.fieldId === fieldId);
  if (added !== undefined) return evolutionError("partition_conflict", `"${added.name}" is added in the same update`);
  const field = state.base.spec.fields.find((one) => one.fieldId === fieldId);
  if (field === undefined) return missingField(fieldId);
  if (state.renamed.has(fieldId)) return evolutionError("partition_conflict", `"${field.name}" is renamed in the same update`);
  state.removed.add(fieldId);
  return null;
}

function renameField(state: SpecState, fieldId: number, name: string): EvolutionError | null {
  const added = state.added.find((field) => field.fieldId === fieldId);
  if (added !== undefined) return evolutionError("partition_conflict", `"${added.name}" is added in the same update`);
  const field = state.base.spec.fields.find((one) => one.fieldId === fieldId);
  if (field === undefined) return missingField(fieldId);
  if (state.removed.has(fieldId)) return evolutionError("partition_conflict", `"${field.name}" is removed in the same update`);
  for (const other of state.base.spec.fields) {
    if (other.name === name && other.fieldId !== fieldId && isVoid(other)) {
      state.renamed.set(other.fieldId, asideName(other));
    }
  }
  state.renamed.set(fieldId, name);
  return null;
}

function missingField(fieldId: number): EvolutionError {
  return evolutionError("partition_missing", `The default partition spec has no field with id ${fieldId}`);
}

function isVoid(field: PartitionField): boolean {
  return parseTransform(field.transform).kind === "void";
}

function asideName(field: PartitionField): string {
  return `${field.name}_${field.fieldId}`;
}

function apply(state: SpecState): PartitionSpecUpdateResult | EvolutionError {
  const { base } = state;
  const kept = base.spec.fields.flatMap((field): PartitionField[] => {
    const name = state.renamed.get(field.fieldId) ?? field.name;
    if (!state.removed.has(field.fieldId)) return [{ ...field, name }];
    // v1 files know partition fields by position, so a removed one stays and is always null.
    return base.formatVersion < 2 ? [{ ...field, name, transform: "void" }] : [];
  });
  const fields = [...kept, ...state.added];
  const isNewName = (field: PartitionField): boolean => state.added.includes(field) || state.renamed.has(field.fieldId);
  const error = specNamesError(base.schema, fields, isNewName) ?? specSourcesError(base.schema, state.added);
  if (error !== null) return error;
  const equal = findEqualSpec(base.specs, fields);
  if (equal !== undefined) return { spec: equal, lastPartitionId: base.lastPartitionId };
  const gap = fields.findIndex((field, index) => field.fieldId !== NO_PARTITION_FIELD_ID + 1 + index);
  if (base.formatVersion < 2 && gap >= 0) {
    return evolutionError(
      "non_sequential_v1",
      "Field ids of a partition spec in format version 1 run 1000, 1001 and so on; these would not",
    );
  }
  const specId = Math.max(-1, ...base.specs.map((spec) => spec.specId)) + 1;
  return { spec: { specId, fields }, lastPartitionId: Math.max(base.lastPartitionId, ...fields.map((field) => field.fieldId)) };
}
