// One update of a schema: operations gathered by field id, applied together. Pure: the base is never changed, the
// result's schema id is the metadata's to assign. Names as the format's API has them are in schema-update-by-name.ts.
import { type EvolutionError, evolutionError } from "./evolution-error.ts";
import type { JsonValue } from "./json.ts";
import { checkSchema } from "./schema-check.ts";
import { assembleFields } from "./schema-update-assemble.ts";
import { renameField, setDoc, setOptional, setRequired, setWriteDefault, updateType } from "./schema-update-attributes.ts";
import { draftOf } from "./schema-update-draft.ts";
import {
  addField,
  dropField,
  type FieldDefinition,
  parentError,
  type ReplacementDefaults,
  replaceField,
} from "./schema-update-fields.ts";
import { type MovePlace, moveField } from "./schema-update-move.ts";
import { nodeText, type SchemaUpdateOptions, type UpdateState } from "./schema-update-state.ts";
import type { PrimitiveType, Schema, Type } from "./type.ts";

/** What an update did, for those who keep other things in step: the name mapping, properties that name columns. */
export interface SchemaChanges {
  /** Fields that were added by themselves, in order; what came inside their types is not listed. */
  readonly added: readonly number[];
  /** Fields that were dropped or replaced by themselves. */
  readonly dropped: readonly number[];
  /** Fields of the base whose own name, type, requiredness, doc or default changed. */
  readonly updated: readonly number[];
  /** Retired id → the field in its place. */
  readonly replaced: ReadonlyMap<number, number>;
}

export interface SchemaUpdateResult {
  /** With the base's schema id; the very base when nothing changed. */
  readonly schema: Schema;
  readonly lastColumnId: number;
  readonly changes: SchemaChanges;
}

/** Operations may be called in any order and number; one that is refused changes nothing. */
export interface SchemaUpdate {
  readonly base: Schema;
  /** Why a field can have no fields of its own; null where it can, or is the top level. */
  readonly checkParent: (parentId: number | null) => EvolutionError | null;
  readonly addField: (parentId: number | null, definition: FieldDefinition) => number | EvolutionError;
  readonly dropField: (id: number) => EvolutionError | null;
  readonly replaceField: (id: number, type: Type, defaults?: ReplacementDefaults) => number | EvolutionError;
  readonly renameField: (id: number, name: string) => EvolutionError | null;
  readonly moveField: (id: number, place: MovePlace) => EvolutionError | null;
  readonly updateType: (id: number, type: PrimitiveType) => EvolutionError | null;
  readonly setRequired: (id: number) => EvolutionError | null;
  readonly setOptional: (id: number) => EvolutionError | null;
  readonly setDoc: (id: number, doc: string | null) => EvolutionError | null;
  readonly setWriteDefault: (id: number, value: JsonValue) => EvolutionError | null;
  readonly setIdentifierFieldIds: (ids: readonly number[]) => void;
  readonly allowIncompatible: () => void;
  readonly isDropped: (id: number) => boolean;
  /** The type as it stands; null where it is no primitive one, or there is no such field. */
  readonly primitiveType: (id: number) => PrimitiveType | null;
  /** The schema as it stands, unchecked. */
  readonly preview: () => Schema;
  readonly apply: () => SchemaUpdateResult | EvolutionError;
}

export function startSchemaUpdate(base: Schema, lastColumnId: number, options: SchemaUpdateOptions): SchemaUpdate {
  const state: UpdateState = {
    base,
    draft: draftOf(base.fields),
    formatVersion: options.formatVersion,
    promotions: options.promotions ?? "engines",
    allowIncompatible: options.allowIncompatible ?? false,
    lastColumnId,
    identifierIds: new Set(base.identifierFieldIds),
    added: [],
    dropped: new Set(),
    replaced: new Map(),
  };
  return {
    base,
    checkParent: (parentId) => parentError(state, parentId),
    addField: (parentId, definition) => addField(state, parentId, definition),
    dropField: (id) => dropField(state, id),
    replaceField: (id, type, defaults = {}) => replaceField(state, id, type, defaults),
    renameField: (id, name) => renameField(state, id, name),
    moveField: (id, place) => moveField(state, id, place),
    updateType: (id, type) => updateType(state, id, type),
    setRequired: (id) => setRequired(state, id),
    setOptional: (id) => setOptional(state, id),
    setDoc: (id, doc) => setDoc(state, id, doc),
    setWriteDefault: (id, value) => setWriteDefault(state, id, value),
    setIdentifierFieldIds: (ids) => {
      state.identifierIds = new Set(ids);
    },
    allowIncompatible: () => {
      state.allowIncompatible = true;
    },
    isDropped: (id) => state.draft.nodes.get(id)?.isDropped ?? false,
    primitiveType: (id) => state.draft.nodes.get(id)?.primitive ?? null,
    preview: () => assembleSchema(state),
    apply: () => apply(state),
  };
}

function apply(state: UpdateState): SchemaUpdateResult | EvolutionError {
  const dropped = droppedIdentifierError(state);
  if (dropped !== null) return dropped;
  const schema = assembleSchema(state);
  const [problem] = schema === state.base ? [] : checkSchema(schema);
  if (problem !== undefined) return problem;
  const updated = [...state.draft.nodes.values()].filter((node) => node.isUpdated && !node.isAdded && !node.isDropped);
  return {
    schema,
    lastColumnId: state.lastColumnId,
    changes: {
      added: [...state.added],
      dropped: [...state.dropped],
      updated: updated.map((node) => node.id),
      replaced: new Map(state.replaced),
    },
  };
}

function assembleSchema({ base, draft, identifierIds }: UpdateState): Schema {
  const identifierFieldIds = [...identifierIds].sort((a, b) => a - b);
  const keepsIdentifier =
    identifierFieldIds.length === base.identifierFieldIds.length && base.identifierFieldIds.every((id) => identifierIds.has(id));
  if (!draft.root.isDirty && keepsIdentifier) return base;
  return {
    schemaId: base.schemaId,
    identifierFieldIds: keepsIdentifier ? base.identifierFieldIds : identifierFieldIds,
    fields: draft.root.isDirty ? assembleFields(draft.root) : base.fields,
    ...(base.extra === undefined ? {} : { extra: base.extra }),
  };
}

function droppedIdentifierError(state: UpdateState): EvolutionError | null {
  for (const id of state.identifierIds) {
    const node = state.draft.nodes.get(id);
    if (node?.isDropped === true) {
      return evolutionError(
        "identifier_dropped",
        `${nodeText(node)} is an identifier field and cannot be dropped while it is one`,
        id,
      );
    }
  }
  return null;
}
