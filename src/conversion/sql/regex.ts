// Pieces of regular expressions that Java (Spark), Joni and RE2J (Trino, Athena) read alike: no look-around, no
// named classes (their digits and blanks differ), no quote and no comment mark of SQL.

/** The blanks of grammar/blank.ts. */
export const BLANKS = String.raw`[\t-\r ]*`;

/** A regular expression for exactly this text. */
export function regexText(text: string): string {
  return Array.from(text, exactly).join("");
}

/** A regular expression for this text, with ASCII letters in either case; other letters must match exactly. */
export function regexTextAnyCase(text: string): string {
  return Array.from(text, (character) =>
    /^[A-Za-z]$/.test(character) ? `[${character.toLowerCase()}${character.toUpperCase()}]` : exactly(character),
  ).join("");
}

// Letters and digits of any script stand for themselves, and so does what common formats are made of.
const PLAIN = /^[\p{L}\p{N} _:,/]$/u;

function exactly(character: string): string {
  if (PLAIN.test(character)) return character;
  if (character === ".") return "[.]";
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\x{${code}}`;
}
