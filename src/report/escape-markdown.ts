// Makes text from outside harmless in Markdown and in the HTML that Markdown allows: nothing of it can form
// markup, a link, a mention, a reference to an issue or a commit, an emoji or a table cell. Pure.
import { visible } from "./escape.ts";

/** One name or value, set as code. Right in paragraphs, lists, headings, link texts and table cells alike. */
export function markdownCode(text: string): string {
  // A pipe would end a table cell even inside code, and its escape is read differently by different parsers.
  const shown = visible(text).replaceAll("|", "\\u{7C}");
  if (shown === "") return '`""`';
  const fence = "`".repeat(longestBacktickRun([shown]) + 1);
  const padding = /^`|`$|^ .* $/.test(shown) ? " " : "";
  return `${fence}${padding}${shown}${padding}${fence}`;
}

/** The same for places where only HTML is read, such as a `<summary>`. */
export function htmlCode(text: string): string {
  return `<code>${htmlCharacters(visible(text))}</code>`;
}

/**
 * A sentence that may quote data. What stands in double quotes, backticks or braces becomes code; elsewhere only plain
 * words and small numbers stay as they are, and every other word becomes code.
 */
export function markdownProse(sentence: string): string {
  // `1.` or `1)` as the first word would start a list.
  return proseWith(sentence, markdownCode, (word) => word).replace(/^(\s*\d+)([.)])(?=\s|$)/, "$1\\$2");
}

export function htmlProse(sentence: string): string {
  return proseWith(sentence, htmlCode, htmlCharacters);
}

/** Lines in a fence that none of them can close. */
export function markdownFence(lines: readonly string[], language: string): string {
  const fence = "`".repeat(Math.max(3, longestBacktickRun(lines) + 1));
  return [`${fence}${language}`, ...lines, fence].join("\n");
}

/** A line of a file below a trusted base address; every part of the path is encoded. */
export function sourceLink(base: string, file: string, line: number): string {
  const path = file
    .split("/")
    .map((part) => encodeURIComponent(part.replace(/\p{Cs}/gu, "\uFFFD")).replace(/[!'()*~]/g, percent))
    .join("/");
  return `${base}${path}#L${line}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function longestBacktickRun(lines: readonly string[]): number {
  let longest = 0;
  for (const line of lines) for (const [run] of line.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function htmlCharacters(shown: string): string {
  return shown.replace(/[&<>"']/g, (character) => HTML[character] ?? character);
}

/** What is to be written into a file, `convert: { from: string }`, is one piece of code too. */
const QUOTED = /"([^"]*)"|`([^`]*)`|((?:[a-z-]+: )?\{ [^{}"`]* \})/g;
const BEFORE = /^["'“‘(]/;
const AFTER = new Set(",.:;!?)\"'”’…");
const PLAIN_CORE = /^(?:\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*|\d{1,6}(?:[.,]\d{1,3})*%?|[–—→·])$/u;
/** A commit's digits are linked where such a commit exists; `www.` starts a link. */
const NEVER_PLAIN = /[0-9a-f]{7}|www/i;

function proseWith(sentence: string, code: (text: string) => string, plain: (word: string) => string): string {
  const shown = visible(sentence);
  const parts: string[] = [];
  let from = 0;
  for (const match of shown.matchAll(QUOTED)) {
    parts.push(proseWords(shown.slice(from, match.index), code, plain), code(match[1] ?? match[2] ?? match[3] ?? ""));
    from = match.index + match[0].length;
  }
  parts.push(proseWords(shown.slice(from), code, plain));
  return joinApart(parts);
}

function proseWords(words: string, code: (text: string) => string, plain: (word: string) => string): string {
  const parts = words.split(/(\s+)/).map((word) => {
    if (word.trim() === "") return word === "" ? "" : " ";
    const { before, core, after } = wordParts(word);
    if (core === "") return /^[(,.:;)…]+$/.test(word) ? word : code(word);
    if (PLAIN_CORE.test(core) && !NEVER_PLAIN.test(core)) return plain(`${before}${core}${after}`);
    return `${plain(before)}${code(core)}${plain(after)}`;
  });
  return joinApart(parts);
}

function wordParts(word: string): { readonly before: string; readonly core: string; readonly after: string } {
  const start = BEFORE.test(word) ? 1 : 0;
  let end = word.length;
  let open = count(word, "(") - start * count(word.charAt(0), "(") - count(word, ")");
  while (end > start && AFTER.has(word.charAt(end - 1))) {
    // `decimal(9,2)` keeps its parenthesis.
    if (word.charAt(end - 1) === ")" && open >= 0) break;
    if (word.charAt(end - 1) === ")") open += 1;
    end -= 1;
  }
  return { before: word.slice(0, start), core: word.slice(start, end), after: word.slice(end) };
}

function count(word: string, character: string): number {
  return word.split(character).length - 1;
}

/** Two code spans that touch would be read as one, so a blank goes between them. */
export function joinApart(parts: readonly string[]): string {
  return parts.reduce((all, part) => (all.endsWith("`") && part.startsWith("`") ? `${all} ${part}` : all + part), "");
}
