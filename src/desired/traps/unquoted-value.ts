// Finds plain values that a comma or a colon takes apart: `type: decimal(9,2)` inside `{}`, `[ bucket(16, a) ]`,
// `comment: ratio: a/b`. Which text was meant is told by brackets, by keys that are none, and by the next real key.
import { quoted } from "../words.ts";
import { doubleQuoted, wrapInQuotes } from "../yaml/quoting.ts";
import type { Group, Part, Segment } from "./segments.ts";
import { saidParts, SENTENCE_KEYS, spanOf, type Trap, type TrapContext, type TrapFinder } from "./trap.ts";

export const findUnquotedValues: TrapFinder = (groups, context) => groups.flatMap((group) => findInGroup(group, context));

function findInGroup(group: Group, context: TrapContext): Trap[] {
  const found: Trap[] = [];
  for (let index = 0; index < group.segments.length; index++) {
    const segment = group.segments[index];
    if (segment === undefined) continue;
    const { key, value } = saidParts(segment);
    const first = value[0];
    if (first === undefined || (first.kind !== "plain" && first.kind !== "quoted")) continue;
    if (key === null ? group.style !== "list" : !mayHoldText(key, context)) continue;
    const hasColon = key !== null && value.slice(1).some((part) => part.kind === "colon");
    if (hasColon && (isMissingComma(key, first, context) || isIndentedKey(key, first))) continue;
    const last = first.kind === "quoted" ? index : lastOfRun(group, index, first.start, key, context);
    if (!hasColon && last === index) continue;
    const end = spanOf(group.segments[last]?.parts ?? [])?.end ?? first.end;
    const isColon = hasColon || (key !== null && group.segments.slice(index + 1, last + 1).some(hasColonIn));
    found.push(toTrap({ start: first.start, end }, key, isColon, group.style, context));
    index = last;
  }
  return found;
}

function toTrap(
  span: { start: number; end: number },
  key: string | null,
  isColon: boolean,
  style: Group["style"],
  context: TrapContext,
): Trap {
  const written = context.text.slice(span.start, span.end);
  const replacement =
    key === "comment" && style === "map" && !written.includes("\n") ? doubleQuoted(written) : wrapInQuotes(written);
  const brackets = style === "list" ? "[]" : "{}";
  return {
    code: isColon ? "unquoted-colon" : "unquoted-comma",
    severity: "error",
    at: span.start,
    ...span,
    replacement,
    what: `Cannot read ${quoted(written)} as one value without quotes`,
    why: isColon
      ? "A colon with a blank behind it starts a new key in YAML"
      : `A comma inside ${brackets} ends the value in YAML`,
    mend: key === null ? `Write ${replacement}` : `Write ${key}: ${replacement}`,
  };
}

/** A bracket that does not close within so many commas is an ordinary character of the text. */
const MAX_SEGMENTS_IN_BRACKETS = 100;

/** The last segment that still belongs to the value that starts in segment `index`. */
function lastOfRun(group: Group, index: number, start: number, key: string | null, context: TrapContext): number {
  if (group.style === "block") return index;
  const brackets = (segment: number): BracketCount => {
    const span = spanOf(group.segments[segment]?.parts ?? []);
    return span === null
      ? { least: 0, sum: 0 }
      : countBrackets(context.text.slice(segment === index ? start : span.start, span.end));
  };
  let last = index;
  let open = Math.max(0, brackets(index).sum);
  for (;;) {
    const next = group.segments[last + 1];
    if (group.segments[last]?.comment || next === undefined || next.parts.length === 0) return last;
    const closing = open > 0 ? closingSegment(group, last, open, brackets, context) : null;
    if (closing !== null) {
      last = closing;
      open = 0;
    } else if (key !== null && isStrayWord(next, context)) {
      last++;
      open = 0;
    } else {
      return last;
    }
  }
}

/** The segment in which the open brackets close, if they do before the next real key. */
function closingSegment(
  group: Group,
  from: number,
  open: number,
  brackets: (segment: number) => BracketCount,
  context: TrapContext,
): number | null {
  let depth = open;
  const limit = Math.min(group.segments.length, from + 1 + MAX_SEGMENTS_IN_BRACKETS);
  for (let index = from + 1; index < limit; index++) {
    const segment = group.segments[index];
    if (segment === undefined || startsWithKey(segment, context)) return null;
    const { least, sum } = brackets(index);
    if (depth + least <= 0) return index;
    depth += sum;
    if (segment.comment !== null) return null;
  }
  return null;
}

interface BracketCount {
  /** The lowest level reached, counted from the level at the start. */
  readonly least: number;
  /** The level at the end. */
  readonly sum: number;
}

function countBrackets(text: string): BracketCount {
  let sum = 0;
  let least = 0;
  for (const sign of text.replace(/"[^"]*"/g, "")) {
    if (sign === "(" || sign === "<") sum++;
    else if (sign === ")" || sign === ">") sum--;
    least = Math.min(least, sum);
  }
  return { least, sum };
}

/** A part without a colon that is no key: `2)`, `unique`. `type:int` is a key that lacks its blank. */
function isStrayWord(segment: Segment, context: TrapContext): boolean {
  const [word, more] = segment.parts;
  if (word === undefined || more !== undefined || (word.kind !== "plain" && word.kind !== "quoted")) return false;
  return !context.keys.has(word.text) && !context.keys.has(word.text.slice(0, Math.max(0, word.text.indexOf(":"))));
}

function startsWithKey(segment: Segment, context: TrapContext): boolean {
  const { key } = saidParts(segment);
  return key !== null && context.keys.has(key);
}

function hasColonIn(segment: Segment): boolean {
  return segment.parts.some((part) => part.kind === "colon");
}

function mayHoldText(key: string, context: TrapContext): boolean {
  return !context.keys.has(key) || context.textKeys.has(key);
}

/** A key that is indented below a value. In a sentence the colon is a part of the text. */
function isIndentedKey(key: string, first: Part): boolean {
  return !SENTENCE_KEYS.has(key) && /\n[ \t]*\S+$/.test(first.text);
}

/** `name: a type: int`: what stands before the second colon ends in a key of ours. */
export function isMissingComma(key: string, first: Part, context: TrapContext): boolean {
  if (SENTENCE_KEYS.has(key) || first.kind !== "plain") return false;
  const word = /\s(\S+)$/.exec(first.text)?.[1];
  return word !== undefined && context.keys.has(word);
}
