// Finds globs and names that start with `*`, which YAML takes for an alias: `[ *_tmp ]`.
import { quoted } from "../words.ts";
import { wrapInQuotes } from "../yaml/quoting.ts";
import { saidParts, spanOf, type Trap, type TrapContext, type TrapFinder } from "./trap.ts";
import type { Segment } from "./segments.ts";

export const findUnquotedStars: TrapFinder = (groups, context) =>
  groups.flatMap((group) => group.segments.flatMap((segment) => findInSegment(segment, context)));

function findInSegment(segment: Segment, context: TrapContext): Trap[] {
  const { value } = saidParts(segment);
  const span = spanOf(value);
  const first = value[0];
  if (span === null || first?.kind !== "alias" || context.anchors.has(first.text.slice(1))) return [];
  if (value.some((part) => part.kind === "colon")) return [];
  const written = context.text.slice(span.start, span.end);
  const replacement = wrapInQuotes(written);
  return [
    {
      code: "unquoted-star",
      severity: "error",
      at: span.start,
      ...span,
      replacement,
      what: `Cannot read ${quoted(written)} without quotes`,
      why: "A star at the start of a value is an alias in YAML",
      mend: `Write ${replacement}`,
    },
  ];
}
