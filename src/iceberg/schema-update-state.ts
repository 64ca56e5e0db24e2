// What one schema update has gathered so far, and the look-up that every operation starts with. The operations are
// in the other schema-update files; each changes nothing when it is refused.
import { type EvolutionError, evolutionError, isEvolutionError } from "./evolution-error.ts";
import { formatPath } from "./field-path.ts";
import type { PromotionRule } from "./promotion.ts";
import { type Draft, type DraftNode, ROOT_ID } from "./schema-update-draft.ts";
import type { FormatVersion } from "./table-metadata.ts";
import type { Schema } from "./type.ts";

export interface SchemaUpdateOptions {
  readonly formatVersion: FormatVersion;
  /** Required columns without default and optional to required are refused unless this is set or asked for later. */
  readonly allowIncompatible?: boolean;
  /** Which promotions are allowed; `engines` unless said. */
  readonly promotions?: PromotionRule;
}

export interface UpdateState {
  readonly base: Schema;
  readonly draft: Draft;
  readonly formatVersion: FormatVersion;
  readonly promotions: PromotionRule;
  allowIncompatible: boolean;
  lastColumnId: number;
  identifierIds: ReadonlySet<number>;
  /** Ids that were added by themselves, not as part of an added type; in order. */
  readonly added: number[];
  /** Ids that were dropped by themselves; in order. */
  readonly dropped: Set<number>;
  /** Retired id → id of the field in its place. */
  readonly replaced: Map<number, number>;
}

/** The node of that id if it is there and not dropped in this update. */
export function findNode(state: UpdateState, id: number): DraftNode | EvolutionError {
  const node = findAnyNode(state, id);
  return isEvolutionError(node) ? node : (droppedError(state, node) ?? node);
}

/** The node of that id, dropped in this update or not. */
export function findAnyNode(state: UpdateState, id: number): DraftNode | EvolutionError {
  const node = id === ROOT_ID ? undefined : state.draft.nodes.get(id);
  return node ?? evolutionError("missing_column", `The schema has no field with id ${id}`, id);
}

export function droppedError({ replaced }: UpdateState, node: DraftNode): EvolutionError | null {
  if (!node.isDropped) return null;
  const successor = replaced.get(node.id);
  const why =
    successor === undefined ? "is dropped in the same update" : `is replaced by field id ${successor} in the same update`;
  return evolutionError("conflicting_changes", `${nodeText(node)} ${why}`, node.id);
}

/** Refuses what is inside a map key: keys are compared by their whole value and never change. */
export function mapKeyError(node: DraftNode): EvolutionError | null {
  if (!node.isInMapKey) return null;
  return evolutionError("map_key_change", `${nodeText(node)} belongs to a map key, and map keys cannot be changed`, node.id);
}

/** The path of the node in quotes, by the names that it has now; a path with quotes of its own gets none around. */
export function nodeText(node: DraftNode): string {
  const segments: string[] = [];
  for (let one: DraftNode | null = node; one !== null && one.id !== ROOT_ID; one = one.parent) segments.push(one.name);
  const path = formatPath(segments.reverse());
  return path.includes('"') ? path : `"${path}"`;
}
