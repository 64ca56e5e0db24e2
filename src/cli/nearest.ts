// Finds what a mistyped command or option was probably meant to be. Pure text.

/** The candidate that is the fewest slips away, or null where none is near enough to be meant. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(word.replace(/^-+/, "").length / 3));
  let best: string | null = null;
  let fewest = limit + 1;
  for (const candidate of candidates) {
    const distance = slips(word.toLowerCase(), candidate.toLowerCase());
    if (distance < fewest) {
      best = candidate;
      fewest = distance;
    }
  }
  return best;
}

export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const near = nearest(word, candidates);
  return near === null ? undefined : `Did you mean "${near}"?`;
}

/** Letters more, less or other, and neighbours swapped. */
function slips(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 4 || from.length > 60) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_unused, column) => column)];
  const cell = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      let cost = Math.min(cell(row - 1, column) + 1, cell(row, column - 1) + 1, cell(row - 1, column - 1) + same);
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, cell(row - 2, column - 2) + 1);
      current.push(cost);
    }
  }
  return cell(from.length, to.length);
}
