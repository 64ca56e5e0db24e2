// Sets of field ids as the texts that stand in table properties, and back. Pure.
import { MAX_FIELD_ID } from "./schema-check.ts";

/** `1-57,60` for the ids 1 to 57 and 60. */
export function formatIdRanges(ids: Iterable<number>): string {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++;
    ranges.push(start === end ? String(sorted[start]) : `${sorted[start]}-${sorted[end]}`);
    start = end + 1;
  }
  return ranges.join(",");
}

/** A range in a property must not make us allocate without bound. */
const MAX_RANGE_IDS = 1_000_000;

/** Null when the text is not of the form `1-57,60`. */
export function parseIdRanges(text: string): Set<number> | null {
  const ids = new Set<number>();
  if (text === "") return ids;
  for (const part of text.split(",")) {
    const match = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part);
    if (match === null) return null;
    const from = Number(match[1]);
    const to = match[2] === undefined ? from : Number(match[2]);
    if (to < from || to > MAX_FIELD_ID || ids.size + (to - from) > MAX_RANGE_IDS) return null;
    for (let id = from; id <= to; id++) ids.add(id);
  }
  return ids;
}
