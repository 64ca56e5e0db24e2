// Choices from a seed and the number of an input: the same two give the same input on every machine, whatever inputs
// were made before. Knows nothing of what is chosen.

export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Few rather than many, from 1 to `most`. */
  few(most: number): number;
}

export function randomOf(seed: number, number: number): Random {
  let state = mixed(mixed(seed | 0) ^ Math.imul(number + 1, 0x9e37_79b1));
  const next = (): number => {
    state = (state + 0x6d2b_79f5) | 0;
    return (mixed(state) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: (list) => {
      const index = below(list.length);
      if (!(index in list)) throw new RangeError("Nothing to pick from");
      return list[index] as (typeof list)[number];
    },
    few: (most) => {
      let count = 1;
      while (count < most && below(2) === 0) count++;
      return count;
    },
  };
}

/** The finisher of murmur3: every bit of the input changes half of the output. */
function mixed(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}
