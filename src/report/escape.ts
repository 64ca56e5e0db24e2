// One function per sink that makes text from outside harmless there: terminal, log line, shell word. Pure.
// Knows nothing of reports. Markdown and HTML are in escape-markdown.ts; JSON is escaped by its writer.
import { redact } from "../diagnostics/redact.ts";

// Controls, bidirectional overrides, zero-width and other characters that show nothing or move what is shown.
// The variation selector after an emoji is kept: it only picks the coloured form.
const UNSEEN = /(?<=\p{Extended_Pictographic})\uFE0F|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const STACKED_MARKS = /(?<=\p{M}{4})\p{M}/gu;
const ESCAPE = String.fromCharCode(27);
const COMMAND_START = new RegExp(`^((?:[^\\S\\n]|${ESCAPE}\\[[0-9;]*m)*):(?=:)`, "gm");
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}}`;
}

/** One line in which every character can be seen: what cannot is written as `\n` or `\u{202E}`. Secrets are taken out. */
export function visible(text: string): string {
  return redact(text)
    .replace(UNSEEN, (character) => (character === "\uFE0F" ? character : (SHORT[character] ?? codePoint(character))))
    .replace(STACKED_MARKS, codePoint)
    .replaceAll("##[", "##\\u{5B}");
}

/**
 * At most `limit` characters, with a word on how many there are: a column's comment may be a book. Secrets are taken out
 * before, since half of one is not known for it.
 */
export function clip(whole: string, limit: number): string {
  const text = redact(whole);
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}

/** Text for a terminal: visible, so that no escape sequence, bell or bidirectional override is left. */
export function terminalText(text: string): string {
  return visible(text);
}

/** A name that opens a line: blanks at its ends are shown, so that it cannot move into the columns of steps. */
export function terminalName(name: string): string {
  return terminalText(name).replace(/^ +| +$/g, (blanks) => "\\u{0020}".repeat(blanks.length));
}

/** Several lines to copy: each visible, tabs as two blanks, so that the block keeps its shape. */
export function visibleLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => visible(line.replaceAll("\t", "  ")));
}

/**
 * Lines for a CI log, which reads commands from them: `::name` at the start of a line after blanks, and `##[name]`
 * anywhere. Works on finished text, colours included.
 */
export function logLines(text: string): string {
  return text.replace(COMMAND_START, "$1:\\").replaceAll("##[", "##\\[");
}

/** One operand of a shell command to copy, quoted where needed; null where it cannot be shown, or would be an option. */
export function shellWord(word: string): string | null {
  if (visible(word) !== word || word === "" || word.startsWith("-")) return null;
  if (/^[A-Za-z0-9_./:@%+,][A-Za-z0-9_./:@%+,-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
