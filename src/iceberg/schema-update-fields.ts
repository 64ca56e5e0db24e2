// Operations that make fields come and go: add, restore, drop, replace by another type. By field id; names are
// checked when the whole update is applied, so that they may be exchanged within one update.
import { readDefault } from "./default-value.ts";
import { type EvolutionError, evolutionError, isEvolutionError } from "./evolution-error.ts";
import type { JsonValue } from "./json.ts";
import { appendNode, type DraftNode, dropNode, liveChildren, liveNodes, moveNode, type NextId } from "./schema-update-draft.ts";
import { droppedError, findAnyNode, findNode, mapKeyError, nodeText, type UpdateState } from "./schema-update-state.ts";
import type { Field, Type } from "./type.ts";
import { walkFields } from "./walk.ts";

/** A field to be added. Ids inside `type` mean nothing unless `id` is given. */
export interface FieldDefinition {
  readonly name: string;
  readonly type: Type;
  /** Absent: optional. */
  readonly required?: boolean;
  readonly doc?: string;
  /** JSON single-value form; becomes the initial and the write default. */
  readonly default?: JsonValue;
  /** Where the two defaults differ, as those of a restored field do; each goes before `default`. */
  readonly initialDefault?: JsonValue;
  readonly writeDefault?: JsonValue;
  /**
   * The old id of a restored field. The ids inside `type` are then kept as well, so that its old values come back;
   * an id of 0 or less is assigned anew.
   */
  readonly id?: number;
}

/** Defaults of the field that takes a place; those of the old type do not fit the new one. */
export interface ReplacementDefaults {
  readonly initialDefault?: JsonValue;
  readonly writeDefault?: JsonValue;
}

/** Appends a field to a struct, or to the element or value struct of a list or map; null is the top level. Gives its id. */
export function addField(state: UpdateState, parentId: number | null, definition: FieldDefinition): number | EvolutionError {
  const parent = findParent(state, parentId);
  if (isEvolutionError(parent)) return parent;
  const field = toField(definition);
  const error = requiredError(state, field) ?? fieldError(field) ?? restoredError(state, definition) ?? mapKeyError(parent);
  if (error !== null) return error;
  const id = definition.id ?? assignId(state);
  const { name, required, type } = field;
  const made = { role: "field" as const, name, required, type, field: canonicalDefaults(field) };
  appendNode(state.draft, parent, id, made, nextIdOf(state, definition.id !== undefined));
  state.added.push(id);
  return id;
}

/** Drops a field of a struct with everything inside it. */
export function dropField(state: UpdateState, id: number): EvolutionError | null {
  const isGone = state.draft.nodes.get(id)?.isDropped === true && !state.replaced.has(id);
  if (isGone) {
    state.dropped.add(id);
    return null;
  }
  const node = findNode(state, id);
  if (isEvolutionError(node)) return node;
  const error = mapKeyError(node) ?? partError(node) ?? touchedError(node);
  if (error !== null) return error;
  dropNode(node);
  state.dropped.add(id);
  return null;
}

/**
 * Another field in the same place under the same name, doc and requiredness: what a conversion of the type leaves.
 * The old id is retired for good. Identifier fields follow. Also for list elements and map values. Gives the new id.
 */
export function replaceField(state: UpdateState, id: number, type: Type, defaults: ReplacementDefaults): number | EvolutionError {
  const node = findNode(state, id);
  if (isEvolutionError(node)) return node;
  if (node.parent === null) return evolutionError("missing_column", "The schema itself cannot be replaced");
  const field = toField({
    name: node.name,
    type,
    required: node.required,
    ...(node.doc === undefined ? {} : { doc: node.doc }),
    ...defaults,
  });
  const error = mapKeyError(node) ?? fieldError(field);
  if (error !== null) return error;
  const newId = assignId(state);
  const made = { ...canonicalDefaults(field), ...(node.extra === undefined ? {} : { extra: node.extra }) };
  const { name, required } = node;
  const newNode = appendNode(
    state.draft,
    node.parent,
    newId,
    { role: node.role, name, required, type, field: made },
    nextIdOf(state, false),
  );
  moveNode(newNode, node);
  dropNode(node);
  if (state.identifierIds.has(id)) {
    state.identifierIds = new Set(Array.from(state.identifierIds, (one) => (one === id ? newId : one)));
  }
  state.added.push(newId);
  state.dropped.add(id);
  state.replaced.set(id, newId);
  return newId;
}

export function parentError(state: UpdateState, parentId: number | null): EvolutionError | null {
  const parent = findParent(state, parentId);
  return isEvolutionError(parent) ? parent : null;
}

function findParent(state: UpdateState, parentId: number | null): DraftNode | EvolutionError {
  if (parentId === null) return state.draft.root;
  const node = findAnyNode(state, parentId);
  if (isEvolutionError(node)) return { ...node, category: "missing_parent" };
  const struct = node.kind === "list" || node.kind === "map" ? (lastChild(node) ?? node) : node;
  if (struct.kind === "struct") return droppedError(state, node) ?? struct;
  return evolutionError("not_a_struct", `${nodeText(node)} is no struct, and no list or map of structs`, parentId);
}

/** The element or value as it stands; of a dropped one, as it stood. */
function lastChild(node: DraftNode): DraftNode | null {
  return [...liveChildren(node)].at(-1) ?? node.last;
}

function toField(definition: FieldDefinition): Field {
  const initialDefault = definition.initialDefault ?? definition.default ?? null;
  const writeDefault = definition.writeDefault ?? definition.default ?? null;
  return {
    id: definition.id ?? 0,
    name: definition.name,
    required: definition.required ?? false,
    type: definition.type,
    ...(definition.doc === undefined ? {} : { doc: definition.doc }),
    ...(initialDefault === null ? {} : { initialDefault }),
    ...(writeDefault === null ? {} : { writeDefault }),
  };
}

function canonicalDefaults(field: Field): Field {
  const { initialDefault, writeDefault, ...rest } = field;
  return {
    ...rest,
    ...(initialDefault === undefined ? {} : { initialDefault: canonical(initialDefault, field.type) }),
    ...(writeDefault === undefined ? {} : { writeDefault: canonical(writeDefault, field.type) }),
  };
}

function canonical(value: JsonValue, type: Type): JsonValue {
  const read = readDefault(value, type);
  return "value" in read ? read.value : value;
}

function requiredError(state: UpdateState, field: Field): EvolutionError | null {
  if (!field.required || field.initialDefault !== undefined || state.allowIncompatible) return null;
  return evolutionError(
    "incompatible_required",
    `"${field.name}" is required and has no default: existing rows hold no value for it`,
  );
}

function fieldError(field: Field): EvolutionError | null {
  for (const node of walkFields([field])) {
    if (node.required && node.type.kind === "unknown") {
      return evolutionError("unknown_must_be_optional", `"${node.name}" has type unknown, which is always null`);
    }
    for (const value of [node.field?.initialDefault, node.field?.writeDefault]) {
      const read = readDefault(value ?? null, node.type);
      if ("why" in read) return evolutionError("invalid_default", `"${node.name}": ${read.why}`);
    }
  }
  return null;
}

function restoredError(state: UpdateState, definition: FieldDefinition): EvolutionError | null {
  if (definition.id === undefined) return null;
  const seen = new Set<number>();
  for (const node of walkFields([toField(definition)])) {
    if (node.id <= 0 && node.id !== definition.id) continue;
    if (node.id <= 0 || node.id > state.lastColumnId) {
      return evolutionError("conflicting_changes", `Field id ${node.id} was never given to a field of this table`, node.id);
    }
    if (seen.has(node.id) || state.draft.nodes.has(node.id)) {
      return evolutionError("conflicting_changes", `Field id ${node.id} belongs to another field of the schema`, node.id);
    }
    seen.add(node.id);
  }
  return null;
}

function partError(node: DraftNode): EvolutionError | null {
  if (node.role === "field") return null;
  const container = node.role === "element" ? "list needs its element" : "map needs its value";
  return evolutionError("container_part_dropped", `${nodeText(node)} cannot be dropped: a ${container}`, node.id);
}

function touchedError(node: DraftNode): EvolutionError | null {
  if (node.isTouched || node.isAdded) {
    return evolutionError(
      "conflicting_changes",
      `${nodeText(node)} is changed in the same update and cannot be dropped`,
      node.id,
    );
  }
  for (const inner of liveNodes(node)) {
    if (inner.isTouched || inner.isAdded) {
      return evolutionError(
        "conflicting_changes",
        `${nodeText(inner)} is changed in the same update, so ${nodeText(node)} cannot be dropped`,
        node.id,
      );
    }
  }
  return null;
}

function assignId(state: UpdateState): number {
  state.lastColumnId += 1;
  return state.lastColumnId;
}

function nextIdOf(state: UpdateState, keepsGiven: boolean): NextId {
  return (given) => (keepsGiven && given > 0 ? given : assignId(state));
}
