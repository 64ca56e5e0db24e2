// Small look-ups over the order of one struct that several kinds of steps share.
import type { FieldKey, LevelOrder, Placement } from "./level-order.ts";
import { standingId } from "./match-fields.ts";
import type { LevelMatch } from "./match.ts";

/** The name that a field of the target order will have. */
export function nameOfKey(key: FieldKey, level: LevelMatch): string {
  const match = matchOfKey(key, level);
  if (match !== undefined) return match.declared.name;
  return level.live.find((node) => key === `id:${node.id}`)?.name ?? "";
}

function matchOfKey(key: FieldKey, level: LevelMatch): LevelMatch["matches"][number] | undefined {
  return level.matches.find((match, rank) => {
    const id = standingId(match);
    return id === null ? key === `new:${rank}` : key === `id:${id}`;
  });
}

/** The placement of a moved or inserted field and of the undeclared fields that follow it. */
export function placementsBehind(order: LevelOrder, key: FieldKey): readonly Placement[] {
  const start = order.placements.findIndex((placement) => placement.key === key);
  if (start < 0) return [];
  const own = new Set<FieldKey>([...order.moved, ...order.added]);
  const found: Placement[] = [];
  for (let index = start; index < order.placements.length; index++) {
    const placement = order.placements[index];
    if (placement === undefined || (index > start && own.has(placement.key))) break;
    found.push(placement);
  }
  return found;
}
