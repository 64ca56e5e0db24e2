// {} and [] on one line for quick-tree.ts, as narrow as it: plain words, simple quotes, brackets that match. Whatever
// a trap finder might look at is left to the library.
import { isKeySign, NotOrdinary, plain, quotedScalar } from "./quick-tree.ts";
import type { MapEntry, ScalarNode, YamlNode } from "./tree.ts";

export interface FlowCursor {
  readonly text: string;
  /** End of the line. */
  readonly end: number;
  at: number;
  depth: number;
}

const MAX_DEPTH = 20;

export function isAtFlow(text: string, start: number): boolean {
  return text[start] === "{" || text[start] === "[";
}

/** Reads from the opening to the closing bracket; the cursor is behind it then. */
export function readFlow(cursor: FlowCursor): YamlNode {
  if (++cursor.depth > MAX_DEPTH) throw new NotOrdinary();
  const start = cursor.at;
  const isMap = cursor.text[start] === "{";
  const close = isMap ? "}" : "]";
  const entries: MapEntry[] = [];
  const items: YamlNode[] = [];
  const seen = new Set<string>();
  cursor.at++;
  skipBlanks(cursor);
  if (cursor.text[cursor.at] !== close) {
    for (;;) {
      if (isMap) {
        const entry = readEntry(cursor);
        if (seen.has(entry.key.text)) throw new NotOrdinary();
        seen.add(entry.key.text);
        entries.push(entry);
      } else {
        items.push(readItem(cursor));
      }
      skipBlanks(cursor);
      const sign = cursor.text[cursor.at];
      if (sign === close) break;
      if (sign !== "," || cursor.at >= cursor.end) throw new NotOrdinary();
      cursor.at++;
      skipBlanks(cursor);
    }
  }
  if (cursor.at >= cursor.end) throw new NotOrdinary();
  cursor.at++;
  cursor.depth--;
  const span = { flow: true, start, end: cursor.at };
  return isMap ? { kind: "map", entries, ...span } : { kind: "list", items, ...span };
}

function skipBlanks(cursor: FlowCursor): void {
  while (cursor.text[cursor.at] === " ") cursor.at++;
}

function readEntry(cursor: FlowCursor): MapEntry {
  const start = cursor.at;
  while (cursor.at < cursor.end && isKeySign(cursor.text.charCodeAt(cursor.at), cursor.at === start)) cursor.at++;
  const key = plain(cursor.text, start, cursor.at);
  if (key.text === "" || cursor.text[cursor.at] !== ":" || cursor.text[cursor.at + 1] !== " ") throw new NotOrdinary();
  cursor.at++;
  skipBlanks(cursor);
  const value = readItem(cursor);
  // `{namespace}` in a value of its own is a placeholder without quotes; the key alone is no entry here anyway.
  return { key, value };
}

function readItem(cursor: FlowCursor): YamlNode {
  if (isAtFlow(cursor.text, cursor.at)) return readFlow(cursor);
  const node = quotedScalar(cursor.text, cursor.at, cursor.end) ?? plainInFlow(cursor);
  cursor.at = node.end;
  return node;
}

/** Words of letters, digits and a few signs; single blanks between. */
const PLAIN = /(?:[A-Za-z0-9_/$+~]|-(?=\d)|\.(?=\d))[A-Za-z0-9_./$+~@<>()*-]*(?: [A-Za-z0-9_./$+~<>()-]+)*/y;

function plainInFlow(cursor: FlowCursor): ScalarNode {
  PLAIN.lastIndex = cursor.at;
  const match = PLAIN.exec(cursor.text);
  if (match === null) throw new NotOrdinary();
  const end = cursor.at + match[0].length;
  if (end >= cursor.end || !isBalanced(match[0])) throw new NotOrdinary();
  return plain(cursor.text, cursor.at, end);
}

/** A bracket that stays open may be text that a comma cuts. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === "(" || sign === "<") open++;
    else if ((sign === ")" || sign === ">") && --open < 0) return false;
  }
  return open === 0;
}
