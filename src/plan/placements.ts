// Look-ups over one struct and its order that several kinds of steps share. Indexes are made once a struct, so that a
// step costs the same in a wide table as in a narrow one.
import type { FieldKey, LevelOrder, Placement } from "./level-order.ts";
import { standingId } from "./match-fields.ts";
import type { LevelMatch } from "./match.ts";
import type { LiveNode } from "./node.ts";

interface LevelIndex {
  readonly matches: ReadonlyMap<FieldKey, LevelMatch["matches"][number]>;
  readonly live: ReadonlyMap<FieldKey, { readonly node: LiveNode; readonly position: number }>;
}

interface OrderIndex {
  /** Positions in `placements`. */
  readonly positions: ReadonlyMap<FieldKey, number>;
  /** Fields that are placed by steps of their own. */
  readonly own: ReadonlySet<FieldKey>;
  readonly inserted: ReadonlySet<FieldKey>;
}

const LEVELS = new WeakMap<LevelMatch, LevelIndex>();
const ORDERS = new WeakMap<LevelOrder, OrderIndex>();

/** The name that a field of the target order will have. */
export function nameOfKey(key: FieldKey, level: LevelMatch): string {
  return matchOfKey(key, level)?.declared.name ?? indexLevel(level).live.get(key)?.node.name ?? "";
}

/** The declared field of the key; not one that comes back, which has no place of its own yet. */
export function matchOfKey(key: FieldKey, level: LevelMatch): LevelMatch["matches"][number] | undefined {
  return indexLevel(level).matches.get(key);
}

/** Where a live field stands in its struct; -1 where it does not. */
export function livePosition(key: FieldKey, level: LevelMatch): number {
  return indexLevel(level).live.get(key)?.position ?? -1;
}

export function placementOf(order: LevelOrder, key: FieldKey): Placement | undefined {
  const position = indexOrder(order).positions.get(key);
  return position === undefined ? undefined : order.placements[position];
}

export function isInsertedKey(order: LevelOrder, key: FieldKey): boolean {
  return indexOrder(order).inserted.has(key);
}

/** The placement of a moved or inserted field and of the undeclared fields that follow it. */
export function placementsBehind(order: LevelOrder, key: FieldKey): readonly Placement[] {
  const { positions, own } = indexOrder(order);
  const start = positions.get(key);
  if (start === undefined) return [];
  let end = start + 1;
  for (let next = order.placements[end]; next !== undefined && !own.has(next.key); next = order.placements[end]) end += 1;
  return order.placements.slice(start, end);
}

function indexLevel(level: LevelMatch): LevelIndex {
  const known = LEVELS.get(level);
  if (known !== undefined) return known;
  const made: LevelIndex = {
    matches: new Map(
      level.matches.map((match, rank): [FieldKey, typeof match] => {
        const id = standingId(match);
        return [id === null ? `new:${rank}` : `id:${id}`, match];
      }),
    ),
    live: new Map(level.live.map((node, position) => [`id:${node.id}`, { node, position }])),
  };
  LEVELS.set(level, made);
  return made;
}

function indexOrder(order: LevelOrder): OrderIndex {
  const known = ORDERS.get(order);
  if (known !== undefined) return known;
  const made: OrderIndex = {
    positions: new Map(order.placements.map(({ key }, position) => [key, position])),
    own: new Set([...order.moved, ...order.added]),
    inserted: new Set(order.inserted),
  };
  ORDERS.set(order, made);
  return made;
}
