// Finds values that start with a sign YAML keeps for itself (`owner: @acme/data`) or hold brackets that start a map
// or a list (`namespace: {namespace}_dev`).
import { quoted } from "../words.ts";
import { wrapInQuotes } from "../yaml/quoting.ts";
import type { Part, Segment } from "./segments.ts";
import { saidParts, spanOf, type Trap, type TrapContext, type TrapFinder } from "./trap.ts";

export const findUnquotedSigns: TrapFinder = (groups, context) =>
  groups.flatMap((group) => group.segments.flatMap((segment) => findInSegment(segment, context)));

const RESERVED = /^[@`%]/;
const PLACEHOLDER = /^\{\s*(?:namespace|table)\s*\}$/;

function findInSegment(segment: Segment, context: TrapContext): Trap[] {
  const { key, value } = saidParts(segment);
  const span = spanOf(value);
  const first = value[0];
  if (span === null || first === undefined || value.some((part) => part.kind === "colon")) return [];
  if (key !== null && context.keys.has(key) && !context.textKeys.has(key)) return [];
  const written = context.text.slice(span.start, span.end);
  if (written.includes("\n")) return [];
  const isReserved = first.kind === "plain" && RESERVED.test(first.text);
  if (!isReserved && !PLACEHOLDER.test(written) && !mixesGroups(value)) return [];
  const replacement = wrapInQuotes(written);
  return [
    {
      code: "unquoted-sign",
      severity: "error",
      at: span.start,
      ...span,
      replacement,
      what: `Cannot read ${quoted(written)} without quotes`,
      why: isReserved ? `No value of YAML may start with "${first.text.charAt(0)}"` : "Brackets start a map or a list in YAML",
      mend: `Write ${replacement}`,
    },
  ];
}

/** Text and brackets in one value: `{namespace}_dev`, `s3://lake/{table}`. */
function mixesGroups(value: readonly Part[]): boolean {
  return value.some((part) => part.kind === "group") && value.some((part) => part.kind === "plain");
}
