// The YAML library's first fault in words for people who write table files, and the place where to mend it, which
// is not always where the library gave up.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { readGroups } from "../traps/segments.ts";
import type { YamlFault } from "./compose-tree.ts";
import { INDENTATION, TAB } from "./indentation.ts";
import type { Lexeme } from "./lexemes.ts";
import { placeOf, type SourceText, type Span } from "./source-text.ts";

interface Words {
  readonly why: string;
  readonly mend: string;
}

const AFTER_END: Words = {
  why: "The value before it has ended already",
  mend: "Put the whole value in quotes, or separate entries inside {} and [] by commas",
};
const OPEN_QUOTE: Words = { why: "The quote that opens here is never closed", mend: "Close it" };
const OPEN_BRACKET: Words = {
  why: "The bracket that opens here is never closed",
  mend: "Close it; a # with a blank before it hides the rest of its line",
};
const SECOND_KEY: Words = {
  why: "A second key starts on the same line",
  mend: "Write each key on a line of its own, or put the value in quotes if it holds a colon",
};

const WORDS: Readonly<Record<YamlFault["code"], Words>> = {
  ALIAS_PROPS: { why: "An alias carries a tag or an anchor", mend: "Write the value out" },
  BAD_ALIAS: {
    why: "The sign stands for an alias or an anchor, and its name is missing",
    mend: "Put it in quotes if the text is meant",
  },
  BAD_COLLECTION_TYPE: { why: "The tag does not fit the value", mend: "Remove the tag" },
  BAD_DIRECTIVE: { why: "The line that starts with % is no directive", mend: "Remove the line" },
  BAD_DQ_ESCAPE: {
    why: "A backslash in double quotes starts an escape, and this one does not exist",
    mend: "Write the backslash twice, or use single quotes",
  },
  BAD_INDENT: INDENTATION,
  BAD_PROP_ORDER: { why: "A tag or an anchor stands in the wrong place", mend: "Remove it" },
  BAD_SCALAR_START: { why: "No plain value may start with this sign", mend: "Put the value in quotes" },
  BLOCK_AS_IMPLICIT_KEY: SECOND_KEY,
  BLOCK_IN_FLOW: {
    why: "Inside {} and [] there are no dashes and no second colon",
    mend: "Put the value in quotes, or write the map over several lines without {}",
  },
  DUPLICATE_KEY: { why: "The key stands twice", mend: "Remove one of them" },
  IMPOSSIBLE: { why: "The line makes no sense in YAML", mend: "Compare it with the examples in docs/table-files.md" },
  KEY_OVER_1024_CHARS: { why: "A key has more than 1024 characters", mend: "Shorten it; a colon may stand where none is meant" },
  MISSING_CHAR: AFTER_END,
  MULTILINE_IMPLICIT_KEY: {
    why: "A line without a colon stands where a key is expected",
    mend: "Write `key: value`; a colon needs a blank behind it",
  },
  MULTIPLE_ANCHORS: { why: "A value has two anchors", mend: "Remove them" },
  MULTIPLE_DOCS: { why: "The file holds a second document", mend: "Write each table in a file of its own" },
  MULTIPLE_TAGS: { why: "A value has two tags", mend: "Remove them" },
  NON_STRING_KEY: { why: "A key is no text", mend: "Write the key as text" },
  RESOURCE_EXHAUSTION: { why: "The file is nested too deeply", mend: "Flatten it" },
  TAB_AS_INDENT: TAB,
  TAG_RESOLVE_FAILED: { why: "The tag is not known", mend: "Remove the tag" },
  UNEXPECTED_TOKEN: AFTER_END,
};

/** More telling than the code alone, for the codes that stand for many things. */
const BY_MESSAGE: readonly (readonly [RegExp, Words])[] = [
  [/^Implicit map keys need to be followed by map values/, WORDS.MULTILINE_IMPLICIT_KEY],
  [/^Sequence item without - indicator|^All (?:mapping|sequence) items must start|^A block sequence may not be/, INDENTATION],
  [
    /^Unexpected block-seq-ind on same line with key/,
    { why: "A list starts on the line of its key", mend: "Start it on the next line, or write it in []" },
  ],
  [/^Unexpected flow-(?:map|seq)-end token/, { why: "A bracket is closed that was never opened", mend: "Remove it, or open it" }],
  [
    /^Block scalar header/,
    { why: "Nothing may follow | or > on its line", mend: "Start the text on the next line, or put it in quotes" },
  ],
];

export function syntaxFinding(source: SourceText, faults: readonly YamlFault[], lexemes: readonly Lexeme[]): Diagnostic | null {
  const [first, second] = faults;
  if (first === undefined) return null;
  const { span, words } = tell(source, first, second, lexemes);
  return diagnostic("yaml-syntax", { what: "Cannot read this as YAML", ...words, place: placeOf(source, span) });
}

function tell(
  source: SourceText,
  first: YamlFault,
  second: YamlFault | undefined,
  lexemes: readonly Lexeme[],
): { span: Span; words: Words } {
  if (/^Missing closing .*quote/.test(first.message)) {
    const open = lexemes.findLast((lexeme) => lexeme.kind === "quoted" && lexeme.start <= first.start);
    return { span: startOf(open ?? first), words: OPEN_QUOTE };
  }
  if (/must be sufficiently indented and end with a|expected flow/i.test(first.message)) {
    const open = readGroups(lexemes).findLast((group) => !group.isClosed && group.start < first.end);
    return { span: startOf(open ?? first), words: OPEN_BRACKET };
  }
  if (first.code === "BLOCK_AS_IMPLICIT_KEY" && second?.code === "MULTILINE_IMPLICIT_KEY") {
    // A key that is indented below a value: the line itself is to be mended, not the value.
    const line = source.text.lastIndexOf("\n", second.end - 1) + 1;
    const blanks = /^[ \t]*/.exec(source.text.slice(line, second.end))?.[0].length ?? 0;
    return { span: { start: line + blanks, end: second.end }, words: INDENTATION };
  }
  const words = BY_MESSAGE.find(([shape]) => shape.test(first.message))?.[1] ?? WORDS[first.code];
  return { span: words === INDENTATION ? afterBlanks(source, first) : first, words };
}

/** The library points at the blanks before what is wrong. */
function afterBlanks(source: SourceText, span: Span): Span {
  const blanks = /^\s*/.exec(source.text.slice(span.start))?.[0].length ?? 0;
  const start = span.start + blanks;
  return start >= source.text.length ? span : { start, end: Math.max(start + 1, span.end) };
}

function startOf(span: Span): Span {
  return { start: span.start, end: span.start + 1 };
}
