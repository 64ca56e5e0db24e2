// Where things begin and end in the text of a file: lines, dashes, the last character of a value. Offsets only.
import { bug } from "../../diagnostics/tool-error.ts";
import type { MapEntry } from "./tree.ts";

export function lineEnding(text: string): "\r\n" | "\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

export function startOfLine(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** `content`: where the line's own text ends; `next`: where the next line starts. */
export function endOfLine(text: string, offset: number): { readonly content: number; readonly next: number } {
  const newline = text.indexOf("\n", offset);
  if (newline < 0) return { content: text.length, next: text.length };
  return { content: newline > offset && text[newline - 1] === "\r" ? newline - 1 : newline, next: newline + 1 };
}

/** Where an entry's own text ends: its value, or the colon where it has none. */
export function entryEnd(text: string, { key, value }: MapEntry): number {
  if (value.end > value.start || value.start > key.end) return Math.max(value.end, afterColon(text, key.end));
  return afterColon(text, key.end);
}

function afterColon(text: string, from: number): number {
  const colon = /^[ \t]*:/.exec(text.slice(from, from + 256));
  return colon === null ? from : from + colon[0].length;
}

/** The dash of the list item that starts at the offset. Remarks may stand between the two. */
export function startOfDash(text: string, itemStart: number): number {
  for (let at = itemStart; at > 0; ) {
    const end = text.slice(0, at).trimEnd().length;
    const start = startOfLine(text, end);
    const line = text.slice(start, end);
    const own = line.slice(0, /(?:^|\s)#/.exec(line)?.index ?? line.length).trimEnd();
    if (own.endsWith("-")) return start + own.length - 1;
    if (own !== "") break;
    at = start;
  }
  throw bug("A list item has no dash before it", { offset: itemStart });
}
