// Operations that change what a field is, not where it is: name, type, requiredness, doc, write default. By field id.
import { isSameDefault, promoteDefault, readDefault } from "./default-value.ts";
import { type EvolutionError, evolutionError, isEvolutionError } from "./evolution-error.ts";
import type { JsonValue } from "./json.ts";
import { isSamePrimitive, promotionProblem } from "./promotion.ts";
import { type DraftNode, markDirty } from "./schema-update-draft.ts";
import { findNode, mapKeyError, nodeText, type UpdateState } from "./schema-update-state.ts";
import type { PrimitiveType, Type } from "./type.ts";
import { formatType } from "./type-text.ts";

/** A new name of its own, not a path. Whether it is free is checked when the update is applied. */
export function renameField(state: UpdateState, id: number, name: string): EvolutionError | null {
  const node = findNode(state, id);
  if (isEvolutionError(node)) return node;
  if (name === node.name) return askedFor(node);
  const error = mapKeyError(node) ?? namelessError(node, "a name");
  if (error !== null) return error;
  node.name = name;
  touch(node);
  return null;
}

/** Widens a primitive type; only what the format allows without touching data. */
export function updateType(state: UpdateState, id: number, type: PrimitiveType): EvolutionError | null {
  const node = findNode(state, id);
  if (isEvolutionError(node)) return node;
  const before = node.primitive;
  if (before !== null && isSamePrimitive(before, type)) return null;
  if (before === null) return typeError(node, `a ${node.kind} cannot become ${formatType(type)}`);
  const problem = promotionProblem(before, type, state.formatVersion, state.promotions);
  if (problem !== null) return typeError(node, problem);
  const error = mapKeyError(node);
  if (error !== null) return error;
  node.primitive = type;
  if (node.initialDefault !== undefined) node.initialDefault = promoteDefault(node.initialDefault, before, type);
  if (node.writeDefault !== undefined) node.writeDefault = promoteDefault(node.writeDefault, before, type);
  touch(node);
  return null;
}

/** Refused where old rows may hold nulls, unless the update allows incompatible changes. */
export function setRequired(state: UpdateState, id: number): EvolutionError | null {
  const node = findNode(state, id);
  if (isEvolutionError(node)) return node;
  if (node.required) return null;
  const hasDefault = node.isAdded && node.initialDefault !== undefined;
  if (!hasDefault && !state.allowIncompatible) {
    return evolutionError("incompatible_nullability", `${nodeText(node)} is optional: existing rows may hold nulls`, id);
  }
  const error = unknownError(node) ?? mapKeyError(node);
  if (error !== null) return error;
  node.required = true;
  touch(node);
  return null;
}

export function setOptional(state: UpdateState, id: number): EvolutionError | null {
  const node = findNode(state, id);
  if (isEvolutionError(node)) return node;
  if (!node.required) return null;
  const error = mapKeyError(node);
  if (error !== null) return error;
  node.required = false;
  touch(node);
  return null;
}

/** Null removes the doc. */
export function setDoc(state: UpdateState, id: number, doc: string | null): EvolutionError | null {
  const node = findNode(state, id);
  if (isEvolutionError(node)) return node;
  if ((node.doc ?? null) === doc) return null;
  const error = mapKeyError(node) ?? namelessError(node, "a doc");
  if (error !== null) return error;
  node.doc = doc ?? undefined;
  touch(node);
  return null;
}

/** What writers put where no value is given; null removes it. The initial default of an existing field never changes. */
export function setWriteDefault(state: UpdateState, id: number, value: JsonValue): EvolutionError | null {
  const node = findNode(state, id);
  if (isEvolutionError(node)) return node;
  const read = readDefault(value, nodeType(node));
  if ("why" in read) return evolutionError("invalid_default", `${nodeText(node)}: ${read.why}`, id);
  if (isSameDefault(node.writeDefault, read.value, nodeType(node))) return read.value === null ? askedFor(node) : null;
  const error = mapKeyError(node) ?? namelessError(node, "a default");
  if (error !== null) return error;
  node.writeDefault = read.value ?? undefined;
  touch(node);
  return null;
}

// A name or an empty default that is there already: no change, but the reference implementation counts it as one, which
// a drop would contradict.
function askedFor(node: DraftNode): EvolutionError | null {
  const error = mapKeyError(node);
  if (error === null) node.isTouched = true;
  return error;
}

// Nested types take no default whatever is inside them, so an empty one tells as much as the real one.
function nodeType(node: DraftNode): Type {
  return node.primitive ?? { kind: "struct", fields: [] };
}

function touch(node: DraftNode): void {
  node.isTouched = true;
  node.isUpdated = true;
  markDirty(node);
}

function typeError(node: DraftNode, why: string): EvolutionError {
  return evolutionError("illegal_type_change", `${nodeText(node)} cannot change its type: ${why}`, node.id);
}

function unknownError(node: DraftNode): EvolutionError | null {
  if (node.primitive?.kind !== "unknown") return null;
  return evolutionError("unknown_must_be_optional", `${nodeText(node)} has type unknown, which is always null`, node.id);
}

function namelessError(node: DraftNode, what: string): EvolutionError | null {
  if (node.role === "field") return null;
  const part = node.role === "element" ? "list element" : `map ${node.role}`;
  return evolutionError("not_a_struct", `${nodeText(node)} is a ${part}, which has no place for ${what}`, node.id);
}
