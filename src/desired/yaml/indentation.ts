// Indentation that YAML takes for something else than its author meant: a tab, or a dash that stands too far left and
// makes a list of its own. Looked at only where the file cannot be read anyway.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Lexeme } from "./lexemes.ts";
import { placeAt, type SourceText, type Span } from "./source-text.ts";

interface Words {
  readonly why: string;
  readonly mend: string;
}

export const INDENTATION: Words = {
  why: "The indentation does not fit the lines above",
  mend: "Start the keys of one map in one column, and the dashes of one list; indent with two blanks a level",
};
export const TAB: Words = { why: "YAML does not allow tabs for indentation", mend: "Replace each tab by two blanks" };

/** What is wrong before all else, or null. `badKeys` are the lists and maps that stand where a key is expected. */
export function indentationFinding(source: SourceText, lexemes: readonly Lexeme[], badKeys: readonly Span[]): Diagnostic | null {
  const tab = indentingTab(source, lexemes);
  if (tab !== null) return finding(source, tab, TAB);
  const dash = badKeys.find(({ start }) => /^-\s/.test(source.text.slice(start, start + 2)));
  return dash === undefined ? null : finding(source, dash.start, INDENTATION);
}

function finding(source: SourceText, at: number, words: Words): Diagnostic {
  return diagnostic("yaml-syntax", { what: "Cannot read this as YAML", ...words, place: placeAt(source, at, at + 1) });
}

/** The first tab before the first word of a line; inside a text it is text. */
function indentingTab(source: SourceText, lexemes: readonly Lexeme[]): number | null {
  for (const [index, lexeme] of lexemes.entries()) {
    const next = lexemes[index + 1]?.kind;
    if (lexeme.kind !== "space" || next === undefined || next === "newline" || next === "comment") continue;
    const tab = lexeme.text.indexOf("\t");
    if (tab >= 0 && isLineStart(source.text, lexeme.start)) return lexeme.start + tab;
  }
  return null;
}

/** Blanks alone stand before it; looked for backwards, since a line may be the whole file. */
function isLineStart(text: string, offset: number): boolean {
  let at = offset;
  while (at > 0 && text[at - 1]?.trim() === "" && text[at - 1] !== "\n") at -= 1;
  return at === 0 || text[at - 1] === "\n";
}
