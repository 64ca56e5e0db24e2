// Finds text that a `#` cuts off: `comment: order #12`. Inside `{}` the `#` also swallows the closing bracket, and
// the parser complains about the next line only.
import { quoted } from "../words.ts";
import type { Lexeme } from "../yaml/lexemes.ts";
import { doubleQuoted, wrapInQuotes } from "../yaml/quoting.ts";
import type { Group, Part, Segment } from "./segments.ts";
import { saidParts, SENTENCE_KEYS, type Trap, type TrapContext, type TrapFinder } from "./trap.ts";

export const findHashCutComments: TrapFinder = (groups, context) =>
  groups.flatMap((group, index) =>
    group.segments.flatMap((segment) =>
      group.style === "block" ? findInBlock(segment, groups[index - 1], context) : findInFlow(segment, group, context),
    ),
  );

function findInBlock(segment: Segment, above: Group | undefined, context: TrapContext): Trap[] {
  const { comment } = segment;
  const { key, value } = saidParts(segment);
  if (comment === null || !/^#\S/.test(comment.text)) return [];
  const first = value[0];
  if (first !== undefined && (first.kind !== "plain" || first.start > comment.start)) return [];
  if (!(key === null ? continuesSentence(above) : SENTENCE_KEYS.has(key))) return [];
  const end = comment.start + comment.text.trimEnd().length;
  return [toTrap(comment, first?.start ?? comment.start, end, key, first === undefined ? "error" : "warning", context)];
}

/** Does the line above hold a sentence key alone, so that its text stands on this line? */
function continuesSentence(above: Group | undefined): boolean {
  const segment = above?.style === "block" ? above.segments[0] : undefined;
  const said = segment === undefined ? null : saidParts(segment);
  return said !== null && said.key !== null && SENTENCE_KEYS.has(said.key) && said.value.length === 0;
}

function findInFlow(segment: Segment, group: Group, context: TrapContext): Trap[] {
  const { comment } = segment;
  if (comment === null) return [];
  // What goes on below the remark was not cut off by it.
  const isBefore = (part: Part): boolean => part.end <= comment.start;
  const before = segment.parts.findLast(isBefore);
  if (before === undefined) return [];
  if (context.text.slice(before.end, comment.start).includes("\n")) return [];
  const { key, value } = saidParts(segment);
  const first = value.find(isBefore);
  if (first !== undefined && first.kind !== "plain" && first.kind !== "alias") return [];
  const closer = unmatchedCloser(comment.text);
  const nextKey = startOfNextKey(comment.text, context);
  const isSentence = key !== null && SENTENCE_KEYS.has(key) && /^#\S/.test(comment.text);
  const isBroken = context.isBroken || !group.isClosed;
  // A comma that the # swallows is missed on the next line.
  const isCut = closer !== null || (/^#\S/.test(comment.text) && /,\s*$/.test(comment.text));
  if (!isSentence && !(isBroken && isCut)) return [];
  const length = Math.min(closer ?? comment.text.length, nextKey ?? comment.text.length);
  const taken = comment.text.slice(0, length).replace(/(?<![\s,])[\s,]+$/, "");
  const severity = isBroken || first === undefined ? "error" : "warning";
  const trap = toTrap(comment, first?.start ?? comment.start, comment.start + taken.length, key, severity, context);
  const last = segment.parts.at(-1);
  // A bracket that was swallowed lets the lines below look as if they went on here.
  return [last === undefined || isBefore(last) ? trap : { ...trap, misreadTo: last.end }];
}

function toTrap(
  comment: Lexeme,
  start: number,
  end: number,
  key: string | null,
  severity: Trap["severity"],
  context: TrapContext,
): Trap {
  const written = context.text.slice(start, end);
  const replacement = written.includes("\n") ? wrapInQuotes(written) : doubleQuoted(written);
  return {
    code: "hash-cut-comment",
    severity,
    at: comment.start,
    start,
    end,
    replacement,
    what: `Cannot keep ${quoted(written)} whole: everything from the "#" is lost`,
    why: "A # with a blank before it starts a remark in YAML",
    mend: key === null ? `Write ${replacement}` : `Write ${key}: ${replacement}`,
  };
}

/** The first closing bracket of the text that none in it opens. */
function unmatchedCloser(text: string): number | null {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "{" || sign === "[") open++;
    else if (sign === "}" || sign === "]") {
      if (open === 0) return at;
      open--;
    }
  }
  return null;
}

/** Where `, key: …` with a key of ours starts, if it does. */
function startOfNextKey(text: string, context: TrapContext): number | null {
  for (const match of text.matchAll(/,\s*([A-Za-z][\w-]*)\s*:(?=\s|$)/g)) {
    if (context.keys.has(match[1] ?? "")) return match.index;
  }
  return null;
}
