// Reads the `format` of a rule: letters of fixed width and literals. Says what a pattern is made of and what is wrong
// with its spelling; which fields a type needs is the conversions' matter (pattern-check.ts).

export type PatternField = "year" | "month" | "day" | "hour" | "minute" | "second" | "fraction" | "offset";

export type PatternPart =
  | { readonly field: PatternField; readonly letters: string }
  /** One printable ASCII character. */
  | { readonly literal: string };

export interface PatternFault {
  readonly why: string;
}

interface Letter {
  readonly field: PatternField;
  readonly min: number;
  readonly max: number;
  readonly wanted: string;
}

const LETTERS: Readonly<Record<string, Letter>> = {
  y: { field: "year", min: 4, max: 4, wanted: '"yyyy"' },
  M: { field: "month", min: 2, max: 2, wanted: '"MM"' },
  d: { field: "day", min: 2, max: 2, wanted: '"dd"' },
  H: { field: "hour", min: 2, max: 2, wanted: '"HH"' },
  m: { field: "minute", min: 2, max: 2, wanted: '"mm"' },
  s: { field: "second", min: 2, max: 2, wanted: '"ss"' },
  S: { field: "fraction", min: 1, max: 9, wanted: 'one to nine "S"' },
  X: { field: "offset", min: 3, max: 3, wanted: '"XXX"' },
};

/** The parts in order, or the first fault. */
export function readTimePattern(format: string): readonly PatternPart[] | PatternFault {
  if (format === "") return { why: "The format is empty" };
  const parts: PatternPart[] = [];
  for (let index = 0; index < format.length; ) {
    const character = format.charAt(index);
    if (!/^[ -~]$/.test(character)) return { why: "A format consists of printable ASCII characters" };
    if (character === "'") {
      const quoted = readQuoted(format, index);
      if (quoted === null) return { why: `The quote at character ${index + 1} is not closed` };
      if (!/^[ -~]*$/.test(quoted.text)) return { why: "A format consists of printable ASCII characters" };
      for (const literal of quoted.text) parts.push({ literal });
      index = quoted.end;
    } else if (/[A-Za-z]/.test(character)) {
      const letters = lettersAt(format, index);
      const read = readLetters(letters, parts);
      if ("why" in read) return read;
      parts.push(read);
      index += letters.length;
    } else if (/[[\]{}#]/.test(character)) {
      return { why: `"${character}" must be quoted: other tools use it for optional parts, which do not exist here` };
    } else {
      parts.push({ literal: character });
      index++;
    }
  }
  return parts;
}

export function isPatternFault(read: readonly PatternPart[] | PatternFault): read is PatternFault {
  return "why" in read;
}

/** Text between quotes, where `''` is one quote; `''` outside of quotes is one quote as well. */
function readQuoted(format: string, start: number): { readonly text: string; readonly end: number } | null {
  if (format.startsWith("''", start)) return { text: "'", end: start + 2 };
  let text = "";
  for (let index = start + 1; index < format.length; index++) {
    if (format[index] !== "'") {
      text += format.charAt(index);
    } else if (format[index + 1] === "'") {
      text += "'";
      index++;
    } else {
      return { text, end: index + 1 };
    }
  }
  return null;
}

function lettersAt(format: string, start: number): string {
  const letter = format.charAt(start);
  let end = start + 1;
  while (format[end] === letter) end++;
  return format.slice(start, end);
}

function readLetters(letters: string, before: readonly PatternPart[]): PatternPart | PatternFault {
  const known = Object.hasOwn(LETTERS, letters.charAt(0)) ? LETTERS[letters.charAt(0)] : undefined;
  if (known === undefined) {
    return { why: `"${letters}" is no letter of a format. The letters are yyyy, MM, dd, HH, mm, ss, S and XXX; quote others` };
  }
  if (letters.length < known.min || letters.length > known.max) return { why: `"${letters}" must be ${known.wanted}` };
  if (before.some((part) => "field" in part && part.field === known.field)) {
    return { why: `"${letters}" stands for the ${known.field}, which the format already has` };
  }
  return { field: known.field, letters };
}
