// The one path grammar of the program: Iceberg's own `items.element.sku`, segments with a dot, a blank or another
// special character in double quotes. Text only; what a path means in a schema is in schema-index.ts.

/** Why a text is no path; `offset` counts UTF-16 units from its start. */
export interface PathError {
  readonly offset: number;
  readonly why: string;
  /** The whole path as it was probably meant. */
  readonly mend?: string;
}

/** A segment and whether it stood in quotes, where `*` is an ordinary character. */
export interface GlobSegment {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Characters that end or confuse a bare segment, so a name that holds one is written in quotes. */
const SPECIAL = /[\s".*[\]]/;
const BLANK = /\s/;

/** The names on the way from the table to the field. `*` in a bare segment is kept as it is. */
export function parsePath(text: string): string[] | PathError {
  const segments = parseGlob(text);
  return isPathError(segments) ? segments : segments.map((segment) => segment.text);
}

export function isPathError(result: readonly unknown[] | PathError): result is PathError {
  return !Array.isArray(result);
}

/** The path as it is written and printed; `parsePath` gives the segments back. */
export function formatPath(segments: readonly string[]): string {
  return segments.map(formatSegment).join(".");
}

function formatSegment(name: string): string {
  return name === "" || SPECIAL.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

/** The segments of a pattern, each with the knowledge whether its `*` are wild. */
export function parseGlob(text: string): GlobSegment[] | PathError {
  if (text === "") return { offset: 0, why: "A field path has at least one name" };
  const segments: GlobSegment[] = [];
  let at = 0;
  for (;;) {
    const segment = text[at] === '"' ? readQuoted(text, at) : readBare(text, at);
    if ("why" in segment) return segment;
    segments.push({ text: segment.text, isQuoted: segment.isQuoted });
    at = segment.end;
    if (at === text.length) return segments;
    at++;
  }
}

interface ReadSegment extends GlobSegment {
  readonly end: number;
}

function readQuoted(text: string, start: number): ReadSegment | PathError {
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { offset: start, why: "The quote that opens here is never closed" };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const end = quote + 1;
      if (end < text.length && text[end] !== ".") {
        return { offset: end, why: 'After a closing quote comes a dot or the end; a quote inside a name is written twice, ""' };
      }
      return { text: value, isQuoted: true, end };
    }
    value += '"';
    from = quote + 2;
  }
}

function readBare(text: string, start: number): ReadSegment | PathError {
  const dot = text.indexOf(".", start);
  const end = dot < 0 ? text.length : dot;
  const value = text.slice(start, end);
  if (value === "") {
    const where = start === 0 ? "starts with a dot" : start === text.length ? "ends with a dot" : "holds two dots in a row";
    return { offset: start === 0 ? 0 : start - 1, why: `The path ${where}: a name is missing` };
  }
  for (let at = start; at < end; at++) {
    const character = text.charAt(at);
    if (character === "[" || character === "]") return bracketError(text, at);
    if (character === '"' || BLANK.test(character)) {
      const kind = character === '"' ? "double quote" : "blank";
      const quoted = `${text.slice(0, start)}${formatSegment(value)}${text.slice(end)}`;
      return { offset: at, why: `A name with a ${kind} is written in double quotes`, mend: quoted };
    }
  }
  return { text: value, isQuoted: false, end };
}

function bracketError(text: string, at: number): PathError {
  const error = {
    offset: at,
    why: 'A list has no "[]" in a path: its element is named "element", or the name stands in double quotes',
  };
  return text.includes("[]")
    ? { ...error, mend: text.replaceAll(/(?<=[^.])\[\]/g, ".element").replaceAll("[]", "element") }
    : error;
}

/** Does the path match? `*` stands for any run of characters within one name; the number of names must be equal. */
export function matchesGlob(pattern: string | readonly GlobSegment[], path: readonly string[]): boolean {
  const segments = typeof pattern === "string" ? parseGlob(pattern) : pattern;
  if (isPathError(segments) || segments.length !== path.length) return false;
  return segments.every((segment, index) => matchesSegment(segment, path[index] ?? ""));
}

/** Is any `*` of the pattern wild? */
export function isGlob(segments: readonly GlobSegment[]): boolean {
  return segments.some((segment) => !segment.isQuoted && segment.text.includes("*"));
}

function matchesSegment(segment: GlobSegment, name: string): boolean {
  if (segment.isQuoted || !segment.text.includes("*")) return segment.text === name;
  const parts = segment.text.split("*");
  const first = parts[0] ?? "";
  const last = parts[parts.length - 1] ?? "";
  if (first.length + last.length > name.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  const end = name.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = indexOfWithin(name, part, at, end);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

// Knuth-Morris-Pratt: linear in the name however the pattern is made; the pattern comes from other people's files.
function indexOfWithin(text: string, part: string, start: number, end: number): number {
  if (part === "") return start;
  const fallback = [0];
  for (let at = 1, matched = 0; at < part.length; at++) {
    while (matched > 0 && part[at] !== part[matched]) matched = fallback[matched - 1] ?? 0;
    if (part[at] === part[matched]) matched++;
    fallback.push(matched);
  }
  for (let at = start, matched = 0; at < end; at++) {
    while (matched > 0 && text[at] !== part[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[at] === part[matched]) matched++;
    if (matched === part.length) return at - matched + 1;
  }
  return -1;
}
