// Finds a field of a table file by its path, in whatever form its types are written. Fields that come from a shared
// group are not in the file and not found.
import { parseTypeText } from "../iceberg/type-text-parse.ts";
import { pathOfHole } from "./declaration/type-hole.ts";
import { findTypeAlias } from "./declaration/type-aliases.ts";
import { findValue, type ListNode, type MapNode, type YamlNode } from "./yaml/tree.ts";

export interface FieldSpot {
  /** The field's own map; for `items.element` in long form, the element's map. */
  readonly map: MapNode;
  /** The list that holds it, or null for an element, key or value. */
  readonly list: ListNode | null;
  readonly index: number;
}

/** `path`: names and the words element, key, value, as in `items.element.sku`. */
export function findField(root: YamlNode, path: readonly string[]): FieldSpot | null {
  const columns = root.kind === "map" ? findValue(root, "columns") : undefined;
  return columns?.kind === "list" ? findInList(columns, path) : null;
}

/** The list that holds the fields of the struct at the path; the columns for the empty path. */
export function findFieldList(root: YamlNode, path: readonly string[]): ListNode | null {
  if (path.length === 0) {
    const columns = root.kind === "map" ? findValue(root, "columns") : undefined;
    return columns?.kind === "list" ? columns : null;
  }
  for (let length = path.length; length > 0; length--) {
    const spot = findField(root, path.slice(0, length));
    if (spot === null) continue;
    const hole = holeOf(spot.map);
    const fields = findValue(spot.map, "fields");
    return hole !== null && sameWords(hole, path.slice(length)) && fields?.kind === "list" ? fields : null;
  }
  return null;
}

function findInList(list: ListNode, path: readonly string[]): FieldSpot | null {
  const [name, ...rest] = path;
  const index = list.items.findIndex((item) => item.kind === "map" && isNamed(item, name));
  const map = list.items[index];
  if (map?.kind !== "map") return null;
  return rest.length === 0 ? { map, list, index } : findBelow(map, rest);
}

function isNamed(map: MapNode, name: string | undefined): boolean {
  const node = findValue(map, "name");
  return node?.kind === "scalar" && node.text === name;
}

function findBelow(map: MapNode, path: readonly string[]): FieldSpot | null {
  const [part = "", ...rest] = path;
  const longForm = part === "element" || part === "key" || part === "value" ? findValue(map, part) : undefined;
  if (longForm?.kind === "map") return rest.length === 0 ? { map: longForm, list: null, index: 0 } : findBelow(longForm, rest);
  const hole = holeOf(map);
  const fields = findValue(map, "fields");
  if (hole === null || fields?.kind !== "list" || !sameWords(hole, path.slice(0, hole.length))) return null;
  return findInList(fields, path.slice(hole.length));
}

/** The words between a field and the fields below it: `element` for `list<struct>`; null where its type has no bare struct. */
function holeOf(map: MapNode): readonly string[] | null {
  const type = findValue(map, "type");
  if (type?.kind !== "scalar") return null;
  const result = parseTypeText(type.text, { alias: (name) => findTypeAlias(name)?.type ?? null });
  return "error" in result ? null : pathOfHole(result.type);
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
