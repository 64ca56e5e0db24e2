// {} and [] on one line for quick-tree.ts, as narrow as it. Whatever a trap finder might look at is left to the
// library.
import { keyLength, NotOrdinary, plain, plainInFlow, quotedScalar } from "./quick-scalar.ts";
import type { MapEntry, YamlNode } from "./tree.ts";

const MAX_DEPTH = 10;

interface FlowCursor {
  readonly text: string;
  /** End of the line. */
  readonly end: number;
  at: number;
  depth: number;
}

export function isAtFlow(text: string, start: number): boolean {
  return text[start] === "{" || text[start] === "[";
}

/** From the opening to the closing bracket. */
export function readFlowOnLine(text: string, start: number, end: number): YamlNode {
  return readFlow({ text, end, at: start, depth: 0 });
}

function readFlow(cursor: FlowCursor): YamlNode {
  if (++cursor.depth > MAX_DEPTH) throw new NotOrdinary();
  const start = cursor.at;
  const isMap = cursor.text[start] === "{";
  const entries = isMap ? readEntries(cursor) : [];
  const items = isMap ? [] : readItems(cursor);
  cursor.depth--;
  return isMap
    ? { kind: "map", entries, flow: true, start, end: cursor.at }
    : { kind: "list", items, flow: true, start, end: cursor.at };
}

function readEntries(cursor: FlowCursor): readonly MapEntry[] {
  const entries: MapEntry[] = [];
  const seen = new Set<string>();
  readSegments(cursor, "}", () => {
    const length = keyLength(cursor.text, cursor.at, cursor.end);
    const key = plain(cursor.text, cursor.at, cursor.at + length);
    if (length === 0 || seen.has(key.text)) throw new NotOrdinary();
    seen.add(key.text);
    cursor.at += length + 1;
    skipBlanks(cursor);
    entries.push({ key, value: readItem(cursor) });
  });
  return entries;
}

function readItems(cursor: FlowCursor): readonly YamlNode[] {
  const items: YamlNode[] = [];
  readSegments(cursor, "]", () => items.push(readItem(cursor)));
  return items;
}

function readSegments(cursor: FlowCursor, close: string, readOne: () => void): void {
  cursor.at++;
  skipBlanks(cursor);
  if (cursor.text[cursor.at] !== close) {
    for (;;) {
      readOne();
      skipBlanks(cursor);
      if (cursor.text[cursor.at] === close) break;
      if (cursor.text[cursor.at] !== ",") throw new NotOrdinary();
      cursor.at++;
      skipBlanks(cursor);
    }
  }
  if (cursor.at >= cursor.end) throw new NotOrdinary();
  cursor.at++;
}

function skipBlanks(cursor: FlowCursor): void {
  while (cursor.text[cursor.at] === " ") cursor.at++;
}

function readItem(cursor: FlowCursor): YamlNode {
  if (cursor.at >= cursor.end) throw new NotOrdinary();
  if (isAtFlow(cursor.text, cursor.at)) return readFlow(cursor);
  const node = quotedScalar(cursor.text, cursor.at, cursor.end) ?? plainInFlow(cursor.text, cursor.at, cursor.end);
  cursor.at = node.end;
  return node;
}
