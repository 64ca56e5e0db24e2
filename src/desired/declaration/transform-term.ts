// The text of a partition or sort field up to its source: `day(ts)`, `bucket(16, customer)`, or a plain path. Text in,
// parts out; what follows (`as name`, `desc nulls last`) is for the two readers.
import { formatPath, isPathError, parsePath } from "../../iceberg/field-path.ts";
import type { TransformText } from "../../iceberg/partition-spec.ts";
import { nearest } from "../../diagnostics/near-spelling.ts";
import { quoted } from "../words.ts";

export interface TransformTerm {
  readonly source: string;
  readonly transform: TransformText;
  /** What follows in the text, without blanks around. */
  readonly rest: string;
  /** The name as written, where it is another system's name of the transform. */
  readonly alias: { readonly written: string; readonly transform: string } | null;
}

export interface TermError {
  /** `malformed`: this text; `path`: the path inside it. */
  readonly kind: "malformed" | "path";
  readonly offset: number;
  readonly why: string;
  readonly mend?: string;
}

const WITHOUT_NUMBER: ReadonlySet<string> = new Set(["identity", "void", "year", "month", "day", "hour"]);
const WITH_NUMBER: ReadonlySet<string> = new Set(["bucket", "truncate"]);
/** What Spark calls them. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["years", "year"],
  ["months", "month"],
  ["days", "day"],
  ["hours", "hour"],
]);
const NAMES: readonly string[] = [...WITHOUT_NUMBER, ...WITH_NUMBER];
const MAX_NUMBER = 2_147_483_647;

export function parseTerm(text: string): TransformTerm | TermError {
  const start = text.length - text.trimStart().length;
  const call = /^([A-Za-z_]\w*)\s*\(/.exec(text.slice(start));
  if (call !== null) return parseCall(text, start, call[1] ?? "", start + call[0].length);
  const end = endOfPath(text, start);
  const source = readPath(text, start, end);
  return typeof source === "string" ? { source, transform: "identity", rest: text.slice(end).trim(), alias: null } : source;
}

function parseCall(text: string, start: number, written: string, open: number): TransformTerm | TermError {
  const close = indexOutsideQuotes(text, ")", open);
  if (close < 0) return { kind: "malformed", offset: open - 1, why: "The bracket that opens here is never closed" };
  const lower = written.toLowerCase();
  const name = ALIASES.get(lower) ?? lower;
  if (!WITHOUT_NUMBER.has(name) && !WITH_NUMBER.has(name)) {
    const near = nearest(written, NAMES);
    return {
      kind: "malformed",
      offset: start,
      why: `There is no transform ${quoted(written)}`,
      mend:
        near === null
          ? `Transforms are ${NAMES.join(", ")}; a name with brackets of its own stands in double quotes`
          : `Did you mean "${near}"?`,
    };
  }
  const rest = text.slice(close + 1).trim();
  const alias = name === lower ? null : { written, transform: name };
  const comma = indexOutsideQuotes(text.slice(0, close), ",", open);
  if (WITHOUT_NUMBER.has(name)) {
    if (comma >= 0)
      return {
        kind: "malformed",
        offset: comma,
        why: `"${name}" takes one field and nothing else`,
        mend: `Write ${name}(${text.slice(open, comma).trim()})`,
      };
    const source = readPath(text, open, close);
    return typeof source === "string" ? { source, transform: name, rest, alias } : source;
  }
  const [first, second] =
    comma < 0 ? [text.slice(open, close).trim(), ""] : [text.slice(open, comma).trim(), text.slice(comma + 1, close).trim()];
  if (comma < 0 || !isCount(first)) {
    const mend = isCount(second)
      ? `Write ${name}(${second}, ${first})`
      : `Write ${name}(16, ${isCount(first) || first === "" ? "field" : first})`;
    return { kind: "malformed", offset: open, why: `"${name}" takes a number of 1 or more first, then a field`, mend };
  }
  const source = readPath(text, comma + 1, close);
  return typeof source === "string" ? { source, transform: `${name}[${Number(first)}]`, rest, alias } : source;
}

function isCount(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_NUMBER;
}

function readPath(text: string, from: number, to: number): string | TermError {
  const written = text.slice(from, to);
  const offset = from + written.length - written.trimStart().length;
  const path = parsePath(written.trim());
  if (!isPathError(path)) return formatPath(path);
  const { mend } = path;
  return { kind: "path", offset: offset + path.offset, why: path.why, ...(mend === undefined ? {} : { mend: `Write ${mend}` }) };
}

/** The first blank outside of quotes, or the end. */
function endOfPath(text: string, start: number): number {
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /\s/.test(sign)) return at;
  }
  return text.length;
}

function indexOutsideQuotes(text: string, wanted: string, start: number): number {
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === wanted && !isQuoted) return at;
  }
  return -1;
}

/** The text of a transform as people write it in a file: `bucket(16, customer)`, `day(ts)`, `ts`. */
export function formatTerm(transform: TransformText, source: string): string {
  const path = withoutBareBrackets(source);
  if (transform === "identity") return path;
  const numbered = /^(\w+)\[(\d+)\]$/.exec(transform);
  return numbered === null ? `${transform}(${path})` : `${numbered[1] ?? ""}(${numbered[2] ?? ""}, ${path})`;
}

/** Names with the signs of a transform stand in quotes here, where a path alone does not need them. */
function withoutBareBrackets(source: string): string {
  const path = parsePath(source);
  if (isPathError(path)) return source;
  return path.map((name) => (/[(),]/.test(name) ? `"${name.replaceAll('"', '""')}"` : formatPath([name]))).join(".");
}
