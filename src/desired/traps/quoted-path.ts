// Finds text behind a closing quote: `field: "a.b".c`. A path with a quoted name stands in single quotes as a whole.
import { quoted } from "../words.ts";
import { singleQuoted } from "../yaml/quoting.ts";
import type { Segment } from "./segments.ts";
import { saidParts, spanOf, type Trap, type TrapContext, type TrapFinder } from "./trap.ts";

export const findQuotedPaths: TrapFinder = (groups, context) =>
  groups.flatMap((group) => group.segments.flatMap((segment) => findInSegment(segment, context)));

/** What follows a name in a path, a sort order or a partition field. */
const PATH_GOES_ON = /^(?:\.|(?:as|asc|desc|nulls)\b)/i;

function findInSegment(segment: Segment, context: TrapContext): Trap[] {
  const { value } = saidParts(segment);
  const span = spanOf(value);
  const [first, second] = value;
  if (span === null || first?.kind !== "quoted" || second?.kind !== "plain") return [];
  if (value.some((part) => part.kind === "colon" || part.kind === "group")) return [];
  const written = context.text.slice(span.start, span.end);
  const replacement = singleQuoted(written);
  const isPath = PATH_GOES_ON.test(second.text);
  return [
    {
      code: isPath ? "quoted-path" : "text-after-quote",
      severity: "error",
      at: span.start,
      ...span,
      replacement,
      what: isPath
        ? `Cannot read the path ${written.replace(/\s+/g, " ")} as it stands`
        : `Cannot read ${quoted(second.text)} behind a closing quote`,
      why: "In YAML a value that starts with a quote ends at the closing quote",
      mend: `Put single quotes around the whole ${isPath ? "path" : "value"}: ${replacement}`,
    },
  ];
}
