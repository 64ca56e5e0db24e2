// The same update addressed by dotted names, with the meaning that the format's API gives them: a name is looked up
// in the schema as it was before the update; fields added in it can be moved and described by their new name.
import { type EvolutionError, evolutionError, isEvolutionError } from "./evolution-error.ts";
import type { JsonValue } from "./json.ts";
import { indexSchema, type SchemaIndex } from "./schema-index.ts";
import type { SchemaUpdate, SchemaUpdateResult } from "./schema-update.ts";
import type { PrimitiveType, Type } from "./type.ts";
import type { SchemaNode } from "./walk.ts";

interface ColumnDefinition {
  readonly name: string;
  readonly type: Type;
  /** Name of the struct, list or map that gets it; null: the top level; absent: the top level, and the name must have no dot. */
  readonly parent?: string | null;
  readonly required?: boolean;
  readonly doc?: string;
  readonly default?: JsonValue;
}

type NamedPlace = "first" | { readonly after: string } | { readonly before: string };

export interface NamedSchemaUpdate {
  readonly ids: SchemaUpdate;
  readonly ignoreCase: () => void;
  readonly addColumn: (column: ColumnDefinition) => number | EvolutionError;
  readonly dropColumn: (name: string) => EvolutionError | null;
  readonly renameColumn: (name: string, newName: string) => EvolutionError | null;
  readonly moveColumn: (name: string, place: NamedPlace) => EvolutionError | null;
  readonly updateColumnType: (name: string, type: PrimitiveType) => EvolutionError | null;
  readonly requireColumn: (name: string) => EvolutionError | null;
  readonly makeColumnOptional: (name: string) => EvolutionError | null;
  readonly updateColumnDoc: (name: string, doc: string | null) => EvolutionError | null;
  readonly updateColumnDefault: (name: string, value: JsonValue) => EvolutionError | null;
  /** Looked up in the resulting schema: new names and added columns count. */
  readonly setIdentifierFields: (names: readonly string[]) => void;
  readonly apply: () => SchemaUpdateResult | EvolutionError;
}

interface NameState {
  readonly ids: SchemaUpdate;
  readonly index: SchemaIndex;
  readonly added: Map<string, number>;
  ignoresCase: boolean;
  /** Names to be looked up at the end, and ids of names that were renamed since; null: not set. */
  identifier: (string | number)[] | null;
}

export function updateByName(ids: SchemaUpdate): NamedSchemaUpdate {
  const state: NameState = { ids, index: indexSchema(ids.base), added: new Map(), ignoresCase: false, identifier: null };
  const existing = <T>(name: string, change: (id: number) => T): T | EvolutionError => {
    const found = findInBase(state, name) ?? missing(name);
    return isEvolutionError(found) ? found : change(found.id);
  };
  const changeable = (name: string, change: (id: number) => EvolutionError | null): EvolutionError | null => {
    const found = findInBase(state, name) ?? findAdded(state, name) ?? missing(name);
    return isEvolutionError(found) ? found : change(found.id);
  };
  return {
    ids,
    ignoreCase: () => {
      state.ignoresCase = true;
    },
    addColumn: (column) => addColumn(state, column),
    dropColumn: (name) => existing(name, ids.dropField),
    renameColumn: (name, newName) =>
      existing(name, (id) => {
        const error = ids.renameField(id, newName);
        if (error === null && state.identifier !== null) {
          state.identifier = state.identifier.map((one) => (one === name ? id : one));
        }
        return error;
      }),
    moveColumn: (name, place) => moveColumn(state, name, place),
    updateColumnType: (name, type) => changeable(name, (id) => ids.updateType(id, type)),
    requireColumn: (name) => changeable(name, ids.setRequired),
    makeColumnOptional: (name) => changeable(name, ids.setOptional),
    updateColumnDoc: (name, doc) => changeable(name, (id) => ids.setDoc(id, doc)),
    updateColumnDefault: (name, value) => changeable(name, (id) => ids.setWriteDefault(id, value)),
    setIdentifierFields: (names) => {
      state.identifier = [...names];
    },
    apply: () => resolveIdentifier(state) ?? ids.apply(),
  };
}

function addColumn(state: NameState, column: ColumnDefinition): number | EvolutionError {
  const { parent = null, name, ...rest } = column;
  if (column.parent === undefined && name.includes(".")) {
    return evolutionError("ambiguous_name", `"${name}" has a dot: name the parent apart, or say that there is none`);
  }
  const holder = parent === null ? null : (findInBase(state, parent) ?? missing(parent, "missing_parent"));
  if (isEvolutionError(holder)) return holder;
  const unfit = state.ids.checkParent(holder?.id ?? null);
  if (unfit !== null) return unfit;
  const taken = findInBase(state, parent === null ? name : `${parent}.${name}`);
  if (isEvolutionError(taken)) return taken;
  if (taken !== null && !state.ids.isDropped(taken.id)) {
    return evolutionError("name_exists", `There is already a field "${parent === null ? name : `${parent}.${name}`}"`, taken.id);
  }
  const id = state.ids.addField(holder?.id ?? null, { name, ...rest });
  if (isEvolutionError(id)) return id;
  state.added.set(keyOf(state, nameOfAdded(state, holder, name)), id);
  return id;
}

/** Full, with the parts of lists and maps that a parent's short name leaves out. */
function nameOfAdded({ index }: NameState, holder: SchemaNode | null, name: string): string {
  if (holder === null) return name;
  const part = holder.type.kind === "list" ? ".element" : holder.type.kind === "map" ? ".value" : "";
  return `${index.fullName(holder.id) ?? holder.name}${part}.${name}`;
}

function moveColumn(state: NameState, name: string, place: NamedPlace): EvolutionError | null {
  const moved = findForMove(state, name);
  if (isEvolutionError(moved)) return moved;
  if (place === "first") return state.ids.moveField(moved.id, place);
  const reference = findForMove(state, "after" in place ? place.after : place.before);
  if (isEvolutionError(reference)) return reference;
  return state.ids.moveField(moved.id, "after" in place ? { after: reference.id } : { before: reference.id });
}

function findForMove(state: NameState, name: string): { readonly id: number } | EvolutionError {
  return findAdded(state, name) ?? findInBase(state, name) ?? missing(name);
}

function findAdded(state: NameState, name: string): { readonly id: number } | null {
  const id = state.added.get(keyOf(state, name));
  return id === undefined ? null : { id };
}

function keyOf(state: NameState, name: string): string {
  return state.ignoresCase ? name.toLowerCase() : name;
}

function findInBase(state: NameState, name: string): SchemaNode | EvolutionError | null {
  return findByName(state.index, name, state.ignoresCase);
}

/** A node by dotted name; an error only where case is ignored and two names differ in nothing else. */
export function findByName(index: SchemaIndex, name: string, ignoresCase: boolean): SchemaNode | EvolutionError | null {
  if (!ignoresCase) return index.byName(name) ?? null;
  return collisionError(index) ?? index.byNameIgnoringCase(name).found;
}

function collisionError(index: SchemaIndex): EvolutionError | null {
  const { collision } = index.byNameIgnoringCase("");
  if (collision === undefined) return null;
  return evolutionError("ambiguous_name", `"${collision[0]}" and "${collision[1]}" differ only in case`);
}

function missing(name: string, category: "missing_column" | "missing_parent" = "missing_column"): EvolutionError {
  return evolutionError(category, `There is no field "${name}"`);
}

function resolveIdentifier(state: NameState): EvolutionError | null {
  if (state.identifier === null && !state.ignoresCase) return null;
  const result = indexSchema(state.ids.preview());
  const collision = state.ignoresCase ? collisionError(result) : null;
  if (collision !== null || state.identifier === null) return collision;
  const ids: number[] = [];
  for (const one of state.identifier) {
    const found = typeof one === "number" ? { id: one } : findIdentifier(state, result, one);
    if (isEvolutionError(found)) return found;
    ids.push(found.id);
  }
  state.ids.setIdentifierFieldIds(ids);
  return null;
}

function findIdentifier(state: NameState, result: SchemaIndex, name: string): { readonly id: number } | EvolutionError {
  const found = findByName(result, name, state.ignoresCase);
  if (found !== null) return found;
  // A dropped field is no such column either, but applying the update can say why.
  const before = findInBase(state, name);
  if (before !== null && !isEvolutionError(before) && state.ids.isDropped(before.id)) return before;
  return evolutionError("invalid_identifier", `There is no field "${name}" in the changed schema`);
}
