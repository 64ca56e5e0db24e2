// The long form of the hermetic tests: with FLOEPLAN_LONG=1 those that look at a sample look at all of it. Knows no test.

export const IS_LONG = process.env["FLOEPLAN_LONG"] === "1";

/** Each `n`th of them, from the first; in the long form all of them. */
export function oneIn<T>(n: number, all: readonly T[]): readonly T[] {
  return IS_LONG ? all : all.filter((_, index) => index % n === 0);
}

/** One of them, another at each turn, so that some turns look at all; in the long form all of them. */
export function inTurn<T>(all: readonly T[], turn: number): readonly T[] {
  return IS_LONG ? all : all.slice(turn % all.length, (turn % all.length) + 1);
}
