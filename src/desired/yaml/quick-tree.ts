// Reads files of ordinary table YAML several times faster than the library: block maps and lists, {} and [] on one
// line, plain and simply quoted scalars. Anything else, and anything that could be a trap or a mistake, gives null:
// then the library reads the file. Where a tree comes back it is the library's own, which a property test holds.
import { isAtFlow, readFlowOnLine } from "./quick-flow.ts";
import { keyLength, NotOrdinary, plain, plainInBlock, quotedScalar } from "./quick-scalar.ts";
import type { ListNode, MapEntry, MapNode, YamlNode } from "./tree.ts";

/** Printable characters that no reader of YAML treats in a way of its own. */
const ORDINARY = /^[\n\x20-\x7e\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff]*$/;

/** Nesting then stays below what the library is allowed. */
const MAX_INDENT = 40;

/** So that no file is read here which the library would refuse for its length. */
const MAX_LENGTH = 1_000_000;

interface Line {
  /** Offset of the first character that is no blank. */
  readonly start: number;
  /** Offset behind the last one. */
  readonly end: number;
  readonly indent: number;
}

interface Cursor {
  readonly text: string;
  readonly lines: readonly Line[];
  at: number;
}

export function readQuickly(text: string): YamlNode | null {
  if (text.length > MAX_LENGTH || !ORDINARY.test(text)) return null;
  try {
    const lines = contentLines(text);
    const cursor: Cursor = { text, lines, at: 0 };
    if (lines[0]?.indent !== 0) return null;
    const root = readBlock(cursor, 0);
    return cursor.at === lines.length ? root : null;
  } catch (error) {
    if (error instanceof NotOrdinary) return null;
    throw error;
  }
}

/** The lines that say something. Remarks on lines of their own mean nothing between ordinary lines. */
function contentLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let lineStart = 0; lineStart < text.length; ) {
    const newline = text.indexOf("\n", lineStart);
    const end = newline < 0 ? text.length : newline;
    let start = lineStart;
    while (text[start] === " ") start++;
    const sign = text[start];
    if (start < end && sign !== "#") {
      const indent = start - lineStart;
      if (indent > MAX_INDENT || sign === "%" || text.startsWith("---", start) || text.startsWith("...", start))
        throw new NotOrdinary();
      lines.push({ start, end, indent });
    }
    lineStart = end + 1;
  }
  return lines;
}

function readBlock(cursor: Cursor, indent: number): YamlNode {
  const line = cursor.lines[cursor.at];
  if (line === undefined) throw new NotOrdinary();
  return isItem(cursor.text, line.start) ? readList(cursor, line) : readMap(cursor, line.start, indent);
}

function isItem(text: string, start: number): boolean {
  return text[start] === "-" && text[start + 1] === " ";
}

function readList(cursor: Cursor, first: Line): ListNode {
  const { text } = cursor;
  const { indent } = first;
  const items: YamlNode[] = [];
  for (let line: Line | undefined = first; line?.indent === indent && isItem(text, line.start); line = cursor.lines[cursor.at]) {
    let start = line.start + 2;
    while (text[start] === " ") start++;
    if (start >= line.end || isItem(text, start)) throw new NotOrdinary();
    const isMap = keyLength(text, start, line.end) > 0;
    items.push(isMap ? readMap(cursor, start, indent + start - line.start) : readOnLine(cursor, start, line, indent, ""));
  }
  requireNoDeeper(cursor, indent);
  return { kind: "list", items, flow: false, start: first.start, end: items.at(-1)?.end ?? first.end };
}

/** A map whose first key starts at the offset, behind a dash or at its line's start; the others start in `indent`. */
function readMap(cursor: Cursor, firstStart: number, indent: number): MapNode {
  const { text } = cursor;
  const entries: MapEntry[] = [];
  const seen = new Set<string>();
  let start = firstStart;
  for (let line = cursor.lines[cursor.at]; line !== undefined; line = cursor.lines[cursor.at]) {
    if (entries.length > 0) {
      if (line.indent !== indent || isItem(text, line.start)) break;
      start = line.start;
    }
    const length = keyLength(text, start, line.end);
    const key = plain(text, start, start + length);
    if (length === 0 || seen.has(key.text)) throw new NotOrdinary();
    seen.add(key.text);
    entries.push({ key, value: readValue(cursor, start + length + 1, line, indent, key.text) });
  }
  requireNoDeeper(cursor, indent);
  return { kind: "map", entries, flow: false, start: firstStart, end: entries.at(-1)?.value.end ?? firstStart };
}

/** A line further in would go on with a plain value, or be a mistake. */
function requireNoDeeper(cursor: Cursor, indent: number): void {
  const next = cursor.lines[cursor.at];
  if (next !== undefined && next.indent > indent) throw new NotOrdinary();
}

/** The value behind a colon, on its line or below. */
function readValue(cursor: Cursor, afterColon: number, line: Line, indent: number, key: string): YamlNode {
  const { text } = cursor;
  let start = afterColon;
  while (text[start] === " ") start++;
  if (start < line.end && text[start] !== "#") return readOnLine(cursor, start, line, indent, key);
  if (start < line.end) requireRemark(text, start, key);
  const next = cursor.lines[++cursor.at];
  if (next === undefined) throw new NotOrdinary();
  if (isItem(text, next.start) && next.indent >= indent) return readList(cursor, next);
  // A scalar on a line of its own is rare, and a remark behind it may be a trap.
  if (next.indent <= indent || keyLength(text, next.start, next.end) === 0) throw new NotOrdinary();
  return readMap(cursor, next.start, next.indent);
}

/** A value that ends with its line, but for a remark. */
function readOnLine(cursor: Cursor, start: number, line: Line, indent: number, key: string): YamlNode {
  const { text } = cursor;
  const node = isAtFlow(text, start)
    ? readFlowOnLine(text, start, line.end)
    : (quotedScalar(text, start, line.end) ?? plainInBlock(text, start, line.end));
  // An item such as `use:audit` lacks its blank.
  if (key === "" && node.kind === "scalar" && node.style === "plain" && node.text.includes(":")) throw new NotOrdinary();
  let end = node.end;
  while (end < line.end && text[end] === " ") end++;
  if (end < line.end) {
    if (end === node.end || text[end] !== "#") throw new NotOrdinary();
    requireRemark(text, end, key);
  }
  cursor.at++;
  requireNoDeeper(cursor, indent);
  return node;
}

/** `# words`: with a blank behind the sign it is no text that was cut. */
function requireRemark(text: string, hash: number, key: string): void {
  const next = text[hash + 1];
  const maySayMore = key === "comment" || key === "reason" || key === "";
  if (maySayMore && next !== " " && next !== "\n" && next !== undefined) throw new NotOrdinary();
}
