// The style rules of `fmt`: comments inside {} in double quotes; a field in {} that is wider than a line becomes one
// key a line. Looks at the tree, edits the text.
import { LINE_WIDTH } from "./write-field.ts";
import type { Edit } from "./yaml/apply-edits.ts";
import { doubleQuoted } from "./yaml/quoting.ts";
import { endOfLine, lineEnding, startOfDash, startOfLine } from "./yaml/splice-spots.ts";
import { findValue, isEmpty, type MapNode, type YamlNode } from "./yaml/tree.ts";

/** Keys whose list holds fields. */
const FIELD_LISTS: ReadonlySet<string> = new Set(["columns", "fields"]);

export function styleEdits(text: string, root: YamlNode): Edit[] {
  const edits: Edit[] = [];
  const visit = (node: YamlNode, isField: boolean): void => {
    if (node.kind === "list") {
      for (const item of node.items) visit(item, false);
      return;
    }
    if (node.kind !== "map") return;
    const spread = isField ? spreadField(text, node) : null;
    if (spread !== null) {
      edits.push(spread);
      return;
    }
    if (node.flow) edits.push(...quoteComment(text, node));
    for (const { key, value } of node.entries) {
      // A free place: its layout is its author's.
      if (key.text === "meta") continue;
      const holdsFields = FIELD_LISTS.has(key.text) && value.kind === "list" && !value.flow;
      if (holdsFields && value.kind === "list") for (const item of value.items) visit(item, true);
      else visit(value, false);
    }
  };
  visit(root, false);
  return edits;
}

/** A plain or single-quoted comment inside `{}` as a double-quoted one: the next comma or colon then does no harm. */
function quoteComment(text: string, map: MapNode): Edit[] {
  const comment = findValue(map, "comment");
  const isField = findValue(map, "name") !== undefined && findValue(map, "type") !== undefined;
  if (!isField || comment?.kind !== "scalar" || comment.style === "double" || isEmpty(comment) || comment.value === null)
    return [];
  if (text.slice(comment.start, comment.end).includes("\n")) return [];
  return [{ start: comment.start, end: comment.end, text: doubleQuoted(comment.text) }];
}

/** A field in `{}` on one line that is too wide, as one key a line. Null where it fits, or is written otherwise. */
function spreadField(text: string, map: MapNode): Edit | null {
  const { flow, entries, start, end } = map;
  const line = startOfLine(text, start);
  const content = endOfLine(text, start).content;
  if (!flow || end > content || entries.length < 2 || end - line <= LINE_WIDTH) return null;
  const dash = startOfDash(text, start);
  // Something else before the dash, or the field on a line of its own, is somebody's own layout.
  if (dash < line || text.slice(line, dash).trim() !== "" || entries.some(({ value }) => isEmpty(value))) return null;
  const rows = entries.map(({ key, value }) => {
    const isComment = key.text === "comment" && value.kind === "scalar" && value.style !== "double" && value.value !== null;
    const written = isComment && value.kind === "scalar" ? doubleQuoted(value.text) : text.slice(value.start, value.end);
    return `${text.slice(key.start, key.end)}: ${written}`;
  });
  const indent = " ".repeat(start - line);
  return { start, end, text: rows.join(lineEnding(text) + indent) };
}
