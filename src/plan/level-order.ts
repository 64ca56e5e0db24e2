// The order of one struct's fields: declared fields in declared relative order, live fields that nobody
// declared directly after their live predecessor; and the smallest set of declared fields that must move.

/** Keys: live fields by id, new ones by rank. */
export type FieldKey = `id:${number}` | `new:${number}`;

export interface Placement {
  readonly key: FieldKey;
  /** Directly after this one; null: first of the struct. */
  readonly after: FieldKey | null;
}

export interface LevelOrder {
  /** All fields as they will stand. */
  readonly target: readonly FieldKey[];
  /** Live declared fields that move, in target order. */
  readonly moved: readonly FieldKey[];
  /** New fields that do not stand at the end of the struct. */
  readonly inserted: readonly FieldKey[];
  /** New fields, wherever they stand. */
  readonly added: readonly FieldKey[];
  /** What to place where, in target order: moved and new fields, and undeclared ones that follow a moved one. */
  readonly placements: readonly Placement[];
}

export interface OrderInput {
  /** Live ids in live order, without those that are dropped. */
  readonly live: readonly number[];
  /** Declared fields in declared order: live id, or null when new. */
  readonly declared: readonly (number | null)[];
  /** `append`: new fields last, nothing moves. */
  readonly columnOrder: "declared" | "append";
}

export function orderLevel({ live, declared, columnOrder }: OrderInput): LevelOrder {
  const newKeys = declared.flatMap((id, rank): FieldKey[] => (id === null ? [`new:${rank}`] : []));
  const liveKeys = live.map((id): FieldKey => `id:${id}`);
  if (columnOrder === "append")
    return { target: [...liveKeys, ...newKeys], moved: [], inserted: [], added: newKeys, placements: [] };

  const target = targetOrder(live, declared);
  const declaredLive = declared.filter((id): id is number => id !== null);
  const moved = new Set(movedIds(live, declaredLive).map((id): FieldKey => `id:${id}`));
  const appended = new Set(trailing(target, newKeys));
  const inserted = newKeys.filter((key) => !appended.has(key));
  const placed = new Set<FieldKey>([...moved, ...newKeys, ...followers(target, moved, declared)]);
  const placements = target.flatMap((key, index): Placement[] =>
    placed.has(key) ? [{ key, after: target[index - 1] ?? null }] : [],
  );
  return { target, moved: target.filter((key) => moved.has(key)), inserted, added: newKeys, placements };
}

function targetOrder(live: readonly number[], declared: readonly (number | null)[]): FieldKey[] {
  const isDeclared = new Set(declared);
  const after = new Map<number | null, FieldKey[]>();
  let anchor: number | null = null;
  for (const id of live) {
    if (isDeclared.has(id)) anchor = id;
    else getOrMake(after, anchor).push(`id:${id}`);
  }
  const target: FieldKey[] = [...(after.get(null) ?? [])];
  declared.forEach((id, rank) => {
    if (id === null) target.push(`new:${rank}`);
    else target.push(`id:${id}`, ...(after.get(id) ?? []));
  });
  return target;
}

function getOrMake(map: Map<number | null, FieldKey[]>, key: number | null): FieldKey[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made: FieldKey[] = [];
  map.set(key, made);
  return made;
}

/** The declared live fields outside the longest run that already stands in declared order. */
function movedIds(live: readonly number[], declared: readonly number[]): number[] {
  const position = new Map(live.map((id, index) => [id, index]));
  const sequence = declared.map((id) => position.get(id) ?? -1);
  const kept = longestIncreasing(sequence);
  return declared.filter((_, index) => !kept.has(index));
}

/** Indexes of one longest increasing subsequence (patience sorting, O(n log n)). */
function longestIncreasing(sequence: readonly number[]): Set<number> {
  const tails: number[] = [];
  const before: (number | undefined)[] = [];
  sequence.forEach((value, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sequence[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? tails[low - 1] : undefined;
    tails[low] = index;
  });
  const kept = new Set<number>();
  for (let at = tails.at(-1); at !== undefined; at = before[at]) kept.add(at);
  return kept;
}

/** New fields behind which nothing live stands: they are simply appended, in declared order. */
function trailing(target: readonly FieldKey[], newKeys: readonly FieldKey[]): FieldKey[] {
  const isNew = new Set(newKeys);
  const found: FieldKey[] = [];
  for (let index = target.length - 1; index >= 0; index--) {
    const key = target[index];
    if (key === undefined || !isNew.has(key)) break;
    found.push(key);
  }
  return found;
}

/** Undeclared fields directly behind a moved one go with it. */
function followers(target: readonly FieldKey[], moved: ReadonlySet<FieldKey>, declared: readonly (number | null)[]): FieldKey[] {
  const isDeclared = new Set<FieldKey>(declared.map((id, rank): FieldKey => (id === null ? `new:${rank}` : `id:${id}`)));
  const found: FieldKey[] = [];
  let anchorMoves = false;
  for (const key of target) {
    if (isDeclared.has(key)) anchorMoves = moved.has(key);
    else if (anchorMoves) found.push(key);
  }
  return found;
}
