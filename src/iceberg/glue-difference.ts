// What differs between the column list that Glue has and the one that it should have. Letter case, spellings of one
// type and columns that are marked as old are no differences. Knows neither schemas nor the service.
import type { CatalogDifference } from "./catalog-state.ts";
import type { GlueColumn } from "./glue-entry.ts";
import { FIELD_ID, FIELD_OPTIONAL, isMarkedOld, nameKey } from "./glue-columns.ts";
import { isSameGlueType } from "./glue-type.ts";

interface Match {
  readonly wanted: GlueColumn;
  /** Places count from 1, among the columns that both lists have. */
  readonly place: number;
  readonly listed: GlueColumn;
  readonly listedAt: number;
}

/** In the order of the wanted list; what is left over comes last. */
export function columnDifferences(wanted: readonly GlueColumn[], listed: readonly GlueColumn[]): readonly CatalogDifference[] {
  const positions = positionsOf(wanted, listed);
  const found: CatalogDifference[] = [];
  const matches: Match[] = [];
  for (const column of wanted) {
    const listedAt = positions.get(column);
    const other = listedAt === undefined ? undefined : listed[listedAt];
    if (listedAt === undefined || other === undefined) {
      found.push(difference(column, "missing", null, column.Type));
      continue;
    }
    matches.push({ wanted: column, place: matches.length + 1, listed: other, listedAt });
    found.push(...memberDifferences(column, other));
  }
  const seen = new Set(positions.values());
  const leftOver = listed.filter((column, at) => !seen.has(at) && !isMarkedOld(column));
  return [...found, ...placeDifferences(matches), ...leftOver.map((one) => difference(one, "left over", one.Type, null))];
}

/** Which listed column stands for each wanted one: the same name goes before one in other letters, a current one before an old. */
function positionsOf(wanted: readonly GlueColumn[], listed: readonly GlueColumn[]): ReadonlyMap<GlueColumn, number> {
  const positions = new Map<GlueColumn, number>();
  const taken = new Set<number>();
  for (const isOld of [false, true]) {
    for (const keyOf of [nameOf, foldedName]) {
      const free = new Map<string, number>();
      for (const [at, column] of listed.entries()) {
        const key = keyOf(column);
        if (isMarkedOld(column) === isOld && !taken.has(at) && !free.has(key)) free.set(key, at);
      }
      for (const column of wanted) {
        const at = free.get(keyOf(column));
        if (at === undefined || positions.has(column) || taken.has(at)) continue;
        positions.set(column, at);
        taken.add(at);
      }
    }
  }
  return positions;
}

function nameOf(column: GlueColumn): string {
  return column.Name ?? "";
}

function foldedName(column: GlueColumn): string {
  return nameKey(nameOf(column));
}

/** Columns of older schemas, marked as such, that the wanted list does not have. */
export function oldColumns(wanted: readonly GlueColumn[], listed: readonly GlueColumn[]): readonly string[] {
  const current = new Set(wanted.map((column) => nameKey(column.Name ?? "")));
  return listed
    .filter((column) => isMarkedOld(column) && !current.has(nameKey(column.Name ?? "")))
    .map((column) => column.Name ?? "");
}

function memberDifferences(wanted: GlueColumn, listed: GlueColumn): CatalogDifference[] {
  const found: CatalogDifference[] = [];
  if (isMarkedOld(listed)) found.push(difference(wanted, "marked as old", listed.Type, wanted.Type));
  else if (!isSameGlueType(wanted.Type ?? "", listed.Type ?? ""))
    found.push(difference(wanted, "another type", listed.Type, wanted.Type));
  const [comment, other] = [wanted.Comment ?? "", listed.Comment ?? ""];
  if (comment !== other) found.push(difference(wanted, "another comment", textOrNull(other), textOrNull(comment)));
  // Writers other than Iceberg's own leave these out, and nobody misses them; wrong ones mislead.
  for (const [key, what] of [
    [FIELD_ID, "another field id"],
    [FIELD_OPTIONAL, "another optional mark"],
  ] as const) {
    const [value, present] = [wanted.Parameters?.[key], listed.Parameters?.[key]];
    if (present !== undefined && present !== value) found.push(difference(wanted, what, present, value));
  }
  return found;
}

/** The fewest columns that would have to move, each with its place before and after. */
function placeDifferences(matches: readonly Match[]): CatalogDifference[] {
  const listed = [...matches].sort((a, b) => a.listedAt - b.listedAt);
  const listedPlace = new Map(listed.map((match, index) => [match, index + 1]));
  const kept = longestRising(listed.map((match) => match.place));
  return matches
    .filter((match) => !kept.has(match.place))
    .map((match) => difference(match.wanted, "another place", String(listedPlace.get(match)), String(match.place)));
}

/** A longest rising subsequence of distinct numbers (patience sorting). */
function longestRising(numbers: readonly number[]): ReadonlySet<number> {
  const tops: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const number of numbers) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tops[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before.set(number, tops[low - 1]);
    tops[low] = number;
  }
  const kept = new Set<number>();
  for (let number = tops.at(-1); number !== undefined; number = before.get(number)) kept.add(number);
  return kept;
}

function difference(
  column: GlueColumn,
  what: string,
  before: string | null | undefined,
  after: string | null | undefined,
): CatalogDifference {
  return { subject: column.Name ?? "", what, before: before ?? null, after: after ?? null };
}

function textOrNull(text: string): string | null {
  return text === "" ? null : text;
}
