// Reads files of ordinary table YAML several times faster than the library: block maps and lists, {} and [] on one
// line, plain and simply quoted scalars. Anything else, and anything that could be a trap or a mistake, gives null:
// then the library reads the file. Where a tree comes back it is the library's own, which a property test holds.
import { type FlowCursor, isAtFlow, readFlow } from "./quick-flow.ts";
import { readPlain } from "./scalar-value.ts";
import type { ListNode, MapEntry, MapNode, ScalarNode, YamlNode } from "./tree.ts";

/** Printable characters that no reader of YAML treats in a way of its own. */
const ORDINARY = /^[\n\x20-\x7e\u00a1-\u00ac\u00ae-\u1fff\u3001-\ud7ff]*$/;

const MAX_INDENT = 60;

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

/** Thrown inside this file and quick-flow.ts only: the library shall read it. */
export class NotOrdinary extends Error {}

export function readQuickly(text: string): YamlNode | null {
  if (!ORDINARY.test(text)) return null;
  try {
    const lines = contentLines(text);
    const cursor: Cursor = { text, lines, at: 0 };
    const first = lines[0];
    if (first === undefined || first.indent !== 0) return null;
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
  for (let lineStart = 0; lineStart <= text.length; ) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline < 0 ? text.length : newline;
    let start = lineStart;
    while (start < lineEnd && text[start] === " ") start++;
    const sign = text[start];
    if (start < lineEnd && sign !== "#") {
      const indent = start - lineStart;
      if (indent > MAX_INDENT || sign === "%" || text.startsWith("---", start) || text.startsWith("...", start)) throw new NotOrdinary();
      lines.push({ start, end: lineEnd, indent });
    }
    lineStart = lineEnd + 1;
  }
  return lines;
}

function readBlock(cursor: Cursor, indent: number): YamlNode {
  const line = cursor.lines[cursor.at];
  if (line === undefined) throw new NotOrdinary();
  return isItem(cursor.text, line.start) ? readList(cursor, indent) : readMap(cursor, line.start, indent);
}

function isItem(text: string, start: number): boolean {
  return text[start] === "-" && text[start + 1] === " ";
}

function readList(cursor: Cursor, indent: number): ListNode {
  const items: YamlNode[] = [];
  const first = cursor.lines[cursor.at];
  for (let line = first; line !== undefined && line.indent === indent && isItem(cursor.text, line.start); line = cursor.lines[cursor.at]) {
    let start = line.start + 2;
    while (cursor.text[start] === " ") start++;
    if (start >= line.end || isItem(cursor.text, start)) throw new NotOrdinary();
    items.push(keyLength(cursor.text, start, line.end) > 0 ? readMap(cursor, start, indent + start - line.start) : readInline(cursor, start, line, ""));
  }
  requireDedent(cursor, indent);
  return { kind: "list", items, flow: false, start: first?.start ?? 0, end: items.at(-1)?.end ?? 0 };
}

/** A map whose first key starts at the offset, behind a dash or at its line's start; its other keys start at `indent`. */
function readMap(cursor: Cursor, firstStart: number, indent: number): MapNode {
  const entries: MapEntry[] = [];
  const seen = new Set<string>();
  let start = firstStart;
  for (;;) {
    const line = cursor.lines[cursor.at];
    if (line === undefined) break;
    if (entries.length > 0) {
      if (line.indent !== indent || isItem(cursor.text, line.start)) break;
      start = line.start;
    }
    const length = keyLength(cursor.text, start, line.end);
    if (length === 0) throw new NotOrdinary();
    const key = plain(cursor.text, start, start + length);
    if (seen.has(key.text)) throw new NotOrdinary();
    seen.add(key.text);
    entries.push({ key, value: readValue(cursor, start + length + 1, line, indent, key.text) });
  }
  requireDedent(cursor, indent);
  return { kind: "map", entries, flow: false, start: firstStart, end: entries.at(-1)?.value.end ?? firstStart };
}

/** What comes next must belong further out. */
function requireDedent(cursor: Cursor, indent: number): void {
  const next = cursor.lines[cursor.at];
  if (next !== undefined && next.indent >= indent && !(next.indent === indent && isItem(cursor.text, next.start))) throw new NotOrdinary();
}

/** The value behind a colon, on its line or below. */
function readValue(cursor: Cursor, afterColon: number, line: Line, indent: number, key: string): YamlNode {
  let start = afterColon;
  while (cursor.text[start] === " ") start++;
  if (start < line.end && cursor.text[start] !== "#") return readInline(cursor, start, line, key);
  if (start < line.end) requireRemark(cursor.text, start, key);
  cursor.at++;
  const next = cursor.lines[cursor.at];
  if (next === undefined) throw new NotOrdinary();
  if (next.indent > indent) {
    // A scalar on a line of its own is rare, and its remarks are a trap of their own.
    if (!isItem(cursor.text, next.start) && keyLength(cursor.text, next.start, next.end) === 0) throw new NotOrdinary();
    return readBlock(cursor, next.indent);
  }
  if (next.indent === indent && isItem(cursor.text, next.start)) return readList(cursor, indent);
  throw new NotOrdinary();
}

/** A value on one line, which it ends but for a remark. */
function readInline(cursor: Cursor, start: number, line: Line, key: string): YamlNode {
  const { text } = cursor;
  const node = isAtFlow(text, start) ? flowNode(text, start, line.end) : (quotedScalar(text, start, line.end) ?? plainInBlock(text, start, line.end));
  let end = node.end;
  while (end < line.end && text[end] === " ") end++;
  if (end < line.end) {
    if (end === node.end || text[end] !== "#") throw new NotOrdinary();
    requireRemark(text, end, key);
  }
  cursor.at++;
  const next = cursor.lines[cursor.at];
  // A line further in would go on with a plain value, or be a mistake.
  if (next !== undefined && next.indent > line.indent && next.indent > indentOf(text, start, line, key)) throw new NotOrdinary();
  return node;
}

/** The column that a following key of the same map has: of an item's first key, its own. */
function indentOf(text: string, start: number, line: Line, key: string): number {
  if (key === "") return line.indent;
  const at = text.lastIndexOf(`${key}:`, start);
  return line.indent + (at - line.start);
}

/** `# words`: with a blank behind the sign it is no cut text. */
function requireRemark(text: string, hash: number, key: string): void {
  const next = text[hash + 1];
  if ((key === "comment" || key === "reason" || key === "") && next !== " " && next !== "\n" && next !== undefined) throw new NotOrdinary();
}

function flowNode(text: string, start: number, end: number): YamlNode {
  const cursor: FlowCursor = { text, end, at: start, depth: 0 };
  return readFlow(cursor);
}

/** The length of a plain key with its colon behind it, or 0. */
function keyLength(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isKeySign(text.charCodeAt(at), at === start)) at++;
  if (at === start || text[at] !== ":") return 0;
  return at + 1 === end || text[at + 1] === " " ? at - start : 0;
}

/** Letters and `_`, and behind the first sign digits, `.` and `-`. */
export function isKeySign(code: number, isFirst: boolean): boolean {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95) return true;
  return !isFirst && ((code >= 48 && code <= 57) || code === 45 || code === 46);
}

export function plain(text: string, start: number, end: number): ScalarNode {
  const written = text.slice(start, end);
  return { kind: "scalar", value: readPlain(written), text: written, style: "plain", start, end };
}

/** A scalar in quotes without escapes, or null where the text does not start with a quote. */
export function quotedScalar(text: string, start: number, lineEnd: number): ScalarNode | null {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return null;
  const close = text.indexOf(quote, start + 1);
  if (close < 0 || close >= lineEnd || text[close + 1] === quote) throw new NotOrdinary();
  const written = text.slice(start + 1, close);
  if (quote === '"' && written.includes("\\")) throw new NotOrdinary();
  return { kind: "scalar", value: written, text: written, style: quote === '"' ? "double" : "single", start, end: close + 1 };
}

/** Signs with which no ordinary plain value starts. */
const FIRST = /[A-Za-z0-9_./$+~\u00a1-\uffff]|-(?=[\d.])/y;

function plainInBlock(text: string, start: number, lineEnd: number): ScalarNode {
  FIRST.lastIndex = start;
  if (!FIRST.test(text)) throw new NotOrdinary();
  let end = lineEnd;
  for (let at = start; at < lineEnd; at++) {
    const sign = text[at];
    if (sign === ":" && (at + 1 === lineEnd || text[at + 1] === " ")) throw new NotOrdinary();
    if (sign === "#" && text[at - 1] === " ") {
      end = at;
      break;
    }
  }
  while (text[end - 1] === " ") end--;
  return plain(text, start, end);
}
