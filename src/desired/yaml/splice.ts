// Edits of a parsed file as text splices: set and remove keys, insert and remove items. Everything else stays byte
// for byte: remarks, blank lines, quotes, line ends. New text comes in as YAML on one line, or as lines for an item.
import { bug } from "../../diagnostics/tool-error.ts";
import type { Edit } from "./apply-edits.ts";
import { endOfLine, entryEnd, lineEnding, startOfDash, startOfLine } from "./splice-spots.ts";
import { findEntry, isEmpty, type ListNode, type MapEntry, type MapNode } from "./tree.ts";

/** Sets the key's value; a new key goes behind `after` where that is there, else to the end of the map. */
export function setKey(text: string, map: MapNode, key: string, value: string, after?: string): Edit {
  const entry = findEntry(map, key);
  if (entry !== undefined) return replaceValue(text, entry, value);
  const last = map.entries.at(-1);
  const before = (after === undefined ? undefined : findEntry(map, after)) ?? last;
  if (map.flow) {
    if (before === undefined) return { start: map.start, end: map.end, text: `{ ${key}: ${value} }` };
    const at = entryEnd(text, before);
    return { start: at, end: at, text: `, ${key}: ${value}` };
  }
  if (before === undefined) throw bug("A map in block style has an entry");
  const indent = " ".repeat(before.key.start - startOfLine(text, before.key.start));
  return insertLines(text, entryEnd(text, before), [`${indent}${key}: ${value}`]);
}

function replaceValue(text: string, entry: MapEntry, value: string): Edit {
  const colon = text.indexOf(":", entry.key.end);
  if (isEmpty(entry.value)) {
    return colon < 0 || colon >= entryEnd(text, entry)
      ? { start: entry.key.end, end: entry.key.end, text: `: ${value}` }
      : { start: colon + 1, end: colon + 1, text: ` ${value}` };
  }
  // A block collection starts below its key; its replacement stands on the key's line.
  const isBelow = text.slice(colon, entry.value.start).includes("\n");
  const end = entry.value.end;
  return isBelow ? { start: colon + 1, end, text: ` ${value}` } : { start: entry.value.start, end, text: value };
}

/** Removes the key with its value, or nothing where it is not there. */
export function removeKey(text: string, map: MapNode, key: string): Edit[] {
  const index = map.entries.findIndex((entry) => entry.key.text === key);
  const entry = map.entries[index];
  if (entry === undefined) return [];
  const [before, next] = [map.entries[index - 1], map.entries[index + 1]];
  if (before === undefined && next === undefined) return [{ start: map.start, end: map.end, text: "{}" }];
  if (map.flow)
    return [removeFromFlow(entry.key.start, entryEnd(text, entry), before && entryEnd(text, before), next?.key.start)];
  // The first key of a list item shares its line with the dash.
  if (
    before === undefined &&
    next !== undefined &&
    text.slice(startOfLine(text, entry.key.start), entry.key.start).trim() !== ""
  ) {
    return [{ start: entry.key.start, end: next.key.start, text: "" }];
  }
  return [removeLines(text, entry.key.start, entryEnd(text, entry))];
}

/** Inserts an item so that it has the index. `lines`: the item without its dash; a list in `[]` takes one line only. */
export function insertItem(text: string, list: ListNode, index: number, lines: readonly string[]): Edit {
  const [first = "", ...more] = lines;
  const [before, next] = [list.items[index - 1], list.items[index]];
  if (list.flow) {
    if (before !== undefined) {
      const at = before.end;
      return { start: at, end: at, text: `, ${first}` };
    }
    if (next !== undefined) return { start: next.start, end: next.start, text: `${first}, ` };
    return { start: list.start, end: list.end, text: `[ ${first} ]` };
  }
  const sibling = before ?? next;
  if (sibling === undefined) throw bug("A list in block style has an item");
  const dash = startOfDash(text, sibling.start);
  const indent = " ".repeat(dash - startOfLine(text, dash));
  const inside = " ".repeat(
    sibling.start - dash > 4 || text.slice(dash, sibling.start).includes("\n") ? 2 : sibling.start - dash,
  );
  const item = [`${indent}-${inside.slice(1)}${first}`, ...more.map((line) => (line === "" ? "" : `${indent}${inside}${line}`))];
  if (before !== undefined) return insertLines(text, before.end, item);
  const at = startOfLine(text, dash);
  const ending = lineEnding(text);
  return { start: at, end: at, text: item.map((line) => line + ending).join("") };
}

/** Removes the item of that index. The last one leaves `[]`, which asks for none. */
export function removeItem(text: string, list: ListNode, index: number): Edit {
  const item = list.items[index];
  if (item === undefined) throw bug("The list has no such item", { index });
  const [before, next] = [list.items[index - 1], list.items[index + 1]];
  if (before === undefined && next === undefined) {
    const end = list.end;
    if (list.flow) return { start: list.start, end, text: "[]" };
    const dash = startOfDash(text, item.start);
    const key = text.slice(0, dash).trimEnd().length;
    return text[key - 1] === ":" ? { start: key, end, text: " []" } : { start: dash, end, text: "[]" };
  }
  const end = item.end;
  if (list.flow) return removeFromFlow(item.start, end, before?.end, next?.start);
  const dash = startOfDash(text, item.start);
  if (before === undefined && next !== undefined && text.slice(startOfLine(text, dash), dash).trim() !== "") {
    return { start: dash, end: startOfDash(text, next.start), text: "" };
  }
  return removeLines(text, dash, end);
}

/** With the comma before it, or for the first one the comma behind it. */
function removeFromFlow(start: number, end: number, endBefore: number | undefined, startNext: number | undefined): Edit {
  if (endBefore !== undefined) return { start: endBefore, end, text: "" };
  return { start, end: startNext ?? end, text: "" };
}

/** New lines below the line that holds the offset. */
function insertLines(text: string, at: number, lines: readonly string[]): Edit {
  const ending = lineEnding(text);
  const end = endOfLine(text, at);
  if (end.next === text.length && end.content === end.next) {
    return { start: end.next, end: end.next, text: lines.map((line) => ending + line).join("") };
  }
  return { start: end.next, end: end.next, text: lines.map((line) => line + ending).join("") };
}

/** Whole lines, with what else stands on the last one (a remark). */
function removeLines(text: string, start: number, end: number): Edit {
  const from = startOfLine(text, start);
  const { content, next } = endOfLine(text, end);
  // The last line of a file without a final line end takes the line end before it along.
  if (content === next && from > 0) {
    const before = text[from - 2] === "\r" ? from - 2 : from - 1;
    return { start: before, end: next, text: "" };
  }
  return { start: from, end: next, text: "" };
}
