// The operation that changes the order of fields within their struct. By field id, in the order of the calls.
import { type EvolutionError, evolutionError, isEvolutionError } from "./evolution-error.ts";
import { type DraftNode, moveNode } from "./schema-update-draft.ts";
import { droppedError, findAnyNode, mapKeyError, nodeText, type UpdateState } from "./schema-update-state.ts";

/** Where a field goes: to the front, or right after or before a sibling. */
export type MovePlace = "first" | { readonly after: number } | { readonly before: number };

export function moveField(state: UpdateState, id: number, place: MovePlace): EvolutionError | null {
  const node = findAnyNode(state, id);
  if (isEvolutionError(node)) return node;
  if (node.role !== "field" || node.parent === null) {
    return evolutionError("bad_move", `${nodeText(node)} has no place of its own: only fields of a struct have an order`, id);
  }
  if (place === "first") {
    const error = droppedError(state, node) ?? mapKeyError(node);
    if (error !== null) return error;
    moveNode(node, node.parent.first);
    node.isTouched = true;
    return null;
  }
  const reference = findAnyNode(state, "after" in place ? place.after : place.before);
  if (isEvolutionError(reference)) return reference;
  const error =
    referenceError(node, reference) ?? droppedError(state, node) ?? droppedError(state, reference) ?? mapKeyError(node);
  if (error !== null) return error;
  moveNode(node, "after" in place ? reference.next : reference);
  node.isTouched = true;
  reference.isTouched = true;
  return null;
}

function referenceError(node: DraftNode, reference: DraftNode): EvolutionError | null {
  if (reference === node) {
    return evolutionError("bad_move", `${nodeText(node)} cannot be placed relative to itself`, node.id);
  }
  if (reference.parent === node.parent && reference.role === "field") return null;
  return evolutionError("bad_move", `${nodeText(reference)} is in another struct than ${nodeText(node)}`, node.id);
}
