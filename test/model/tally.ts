// How often each invariant was really put to the test, and the error that a broken one ends in.

export const INVARIANTS = ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10"] as const;
export type Invariant = (typeof INVARIANTS)[number];

export class Violation extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, why: string) {
    super(`${invariant} is broken: ${why}`);
    this.name = "Violation";
    this.invariant = invariant;
  }
}

export function ensure(holds: boolean, invariant: Invariant, why: () => string): void {
  if (!holds) throw new Violation(invariant, why());
}

export interface Tally {
  readonly counts: ReadonlyMap<string, number>;
  /** Labels of invariants start with their number: `I1 renames that kept the id`. */
  add(label: string, count?: number): void;
}

export function newTally(): Tally {
  const counts = new Map<string, number>();
  return {
    counts,
    add: (label, count = 1) => {
      if (count > 0) counts.set(label, (counts.get(label) ?? 0) + count);
    },
  };
}

/** Sorted lines, those of the invariants first and in their order. */
export function tallyLines({ counts }: Tally): string[] {
  const rank = (label: string): number => {
    const found = INVARIANTS.findIndex((one) => label.startsWith(`${one} `));
    return found < 0 ? INVARIANTS.length : found;
  };
  return [...counts]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([label, count]) => `${String(count).padStart(9)}  ${label}`);
}
