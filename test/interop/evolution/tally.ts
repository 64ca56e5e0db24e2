// Counts by name, printed most frequent first.

export interface Tally {
  readonly add: (name: string, count?: number) => void;
  readonly total: () => number;
  readonly lines: () => readonly string[];
}

export function tally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (name, count = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + count);
    },
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    lines: () =>
      [...counts].sort(([a, few], [b, many]) => many - few || (a < b ? -1 : 1)).map(([name, count]) => `${count}  ${name}`),
  };
}
