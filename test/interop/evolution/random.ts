// Random numbers that come out the same for the same seed, so that a failing case can be made again.

export interface Random {
  /** At least 0 and below the bound. */
  readonly below: (bound: number) => number;
  readonly between: (low: number, high: number) => number;
  /** True in so many of a hundred cases. */
  readonly percent: (share: number) => boolean;
  readonly pick: <T>(list: readonly [T, ...T[]]) => T;
  /** Undefined of an empty list. */
  readonly any: <T>(list: readonly T[]) => T | undefined;
  /** One of the values by their weights. */
  readonly weighted: <T>(choices: readonly [readonly [number, T], ...(readonly [number, T])[]]) => T;
  /** A new order. */
  readonly shuffled: <T>(list: readonly T[]) => T[];
}

/** `stream` tells apart the cases of one seed. */
export function random(seed: number, stream: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) >>> 0;
  // Mulberry32: small, fast, good enough to choose with.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    percent: (share) => next() * 100 < share,
    pick: (list) => list[below(list.length)] ?? list[0],
    any: (list) => list[below(list.length)],
    weighted: (choices) => {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of choices) {
        left -= weight;
        if (left < 0) return value;
      }
      return choices[0][1];
    },
    shuffled: (list) => {
      const order = [...list];
      for (let index = order.length - 1; index > 0; index--) {
        const other = below(index + 1);
        const [a, b] = [order[index], order[other]];
        if (a !== undefined && b !== undefined) [order[index], order[other]] = [b, a];
      }
      return order;
    },
  };
}
