// Shortens what matters least until everything fits a budget. Knows importance and levels; what a level shows
// is the format's. Whatever must never be cut is not given to it: the caller takes it off the budget first.

/** A part that can be drawn shorter and shorter. */
export interface FitPart {
  readonly importance: number;
  /** The level at which nothing is left. Level 0 is in full. */
  readonly gone: number;
  /** Asked once a level at most. */
  readonly draw: (level: number) => string;
}

export interface Fitted {
  /** Of the same length as the parts; empty text for a part that is gone. */
  readonly texts: readonly string[];
  readonly levels: readonly number[];
  /** False when even nothing at all is too much. */
  readonly fits: boolean;
}

/**
 * Lowers the level of the least important parts, the last ones first, all of them by one level before any by the
 * next. `between` is what stands between two parts. Lengths count UTF-16 units, as the budget does.
 */
export function fitParts(parts: readonly FitPart[], budget: number, between: number): Fitted {
  const texts = parts.map((part) => part.draw(0));
  const levels = parts.map(() => 0);
  const cost = (text: string): number => (text === "" ? 0 : text.length + between);
  let total = texts.reduce((sum, text) => sum + cost(text), 0);
  for (const { index, level } of moves(parts)) {
    if (total <= budget) break;
    const part = parts[index];
    if (part === undefined) continue;
    const shorter = level >= part.gone ? "" : part.draw(level);
    total += cost(shorter) - cost(texts[index] ?? "");
    texts[index] = shorter;
    levels[index] = level;
  }
  return { texts, levels, fits: total <= budget };
}

function* moves(parts: readonly FitPart[]): Generator<{ readonly index: number; readonly level: number }> {
  const importances = [...new Set(parts.map((part) => part.importance))].sort((a, b) => a - b);
  for (const importance of importances) {
    const indexes = parts.flatMap((part, index) => (part.importance === importance ? [index] : [])).reverse();
    const lowest = indexes.reduce((most, index) => Math.max(most, parts[index]?.gone ?? 0), 0);
    for (let level = 1; level <= lowest; level += 1) {
      for (const index of indexes) if (level <= (parts[index]?.gone ?? 0)) yield { index, level };
    }
  }
}
