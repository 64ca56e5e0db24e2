// Edits of table files in place: columns and fields inserted and removed, keys of a field or of the table set and
// removed, entries of the table's lists added and removed. All other lines stay byte for byte.
import type { TextEdit } from "../diagnostics/diagnostic.ts";
import { findField, findFieldList } from "./field-spot.ts";
import type { ParsedYaml } from "./parse-yaml.ts";
import { asItem, writeField, writeFieldInline } from "./write-field.ts";
import type { WrittenField, WrittenUse } from "./written-table.ts";
import type { Edit } from "./yaml/apply-edits.ts";
import { insertItem, removeItem, removeKey, setKey } from "./yaml/splice.ts";
import { endOfLine, lineEnding, startOfDash, startOfLine } from "./yaml/splice-spots.ts";
import { findValue, type ListNode, type MapNode } from "./yaml/tree.ts";

/** A file that was parsed without errors. Edits belong to this text: parse again between two that touch one spot. */
export type EditableYaml = Pick<ParsedYaml, "source" | "root">;

/** Where a new field goes: behind a sibling, behind the use of a group, or to the start or the end of its struct. */
export type FieldPosition = { readonly after: string } | { readonly afterGroup: string } | "first" | "last";

/** Null where the struct's fields, or the sibling, are not written in this file. */
export function insertField(
  file: EditableYaml,
  parent: readonly string[],
  position: FieldPosition,
  field: WrittenField | WrittenUse,
): readonly TextEdit[] | null {
  const list = file.root === null ? null : findFieldList(file.root, parent);
  if (list === null) return null;
  const index = indexAt(list, position);
  return index === null ? null : edits(file, [insertItem(file.source.text, list, index, fieldRows(file, list, field))]);
}

function indexAt(list: ListNode, position: FieldPosition): number | null {
  if (position === "first") return 0;
  if (position === "last") return list.items.length;
  const [key, text] = "after" in position ? ["name", position.after] : ["use", position.afterGroup];
  const sibling = list.items.findIndex((item) => {
    const value = item.kind === "map" ? findValue(item, key) : undefined;
    return value?.kind === "scalar" && value.text === text;
  });
  return sibling < 0 ? null : sibling + 1;
}

function fieldRows(file: EditableYaml, list: ListNode, field: WrittenField | WrittenUse): readonly string[] {
  const { text } = file.source;
  const first = list.items[0];
  if (list.flow || first === undefined) return [writeFieldInline(field)];
  const dash = startOfDash(text, first.start);
  return writeField(field, dash - startOfLine(text, dash));
}

/** Removes the field with all that is below it. Null where it is not written in this file. */
export function removeField(file: EditableYaml, path: readonly string[]): readonly TextEdit[] | null {
  const spot = file.root === null ? null : findField(file.root, path);
  const list = spot?.list ?? null;
  return spot === null || list === null ? null : edits(file, [removeItem(file.source.text, list, spot.index)]);
}

/** `value`: YAML on one line. A new key goes behind `after`, else to the end of the field. */
export function setFieldKey(
  file: EditableYaml,
  path: readonly string[],
  key: string,
  value: string,
  after?: string,
): readonly TextEdit[] | null {
  const spot = file.root === null ? null : findField(file.root, path);
  return spot === null ? null : edits(file, [setKey(file.source.text, spot.map, key, value, after)]);
}

export function removeFieldKey(file: EditableYaml, path: readonly string[], key: string): readonly TextEdit[] | null {
  const spot = file.root === null ? null : findField(file.root, path);
  return spot === null ? null : edits(file, removeKey(file.source.text, spot.map, key));
}

/** Sets a key of the table itself; null where the file is no map. */
export function setTableKey(file: EditableYaml, key: string, value: string, after?: string): readonly TextEdit[] | null {
  const map = rootMap(file);
  return map === null ? null : edits(file, [setKey(file.source.text, map, key, value, after)]);
}

export function removeTableKey(file: EditableYaml, key: string): readonly TextEdit[] | null {
  const map = rootMap(file);
  return map === null ? null : edits(file, removeKey(file.source.text, map, key));
}

/** Adds an entry to a list of the table (`dropped`, `unmanaged`, `partition-by` …), with its key where that is missing. */
export function addToTableList(file: EditableYaml, key: string, item: string): readonly TextEdit[] | null {
  const map = rootMap(file);
  if (map === null) return null;
  const { text } = file.source;
  const list = findValue(map, key);
  if (list?.kind === "list") return edits(file, [insertItem(text, list, list.items.length, [item])]);
  if (list !== undefined || map.flow) return edits(file, [setKey(text, map, key, `[ ${item} ]`)]);
  const end = setKey(text, map, key, "[]");
  return edits(file, [{ ...end, text: newBlockList(text, key, item, end) }]);
}

function newBlockList(text: string, key: string, item: string, at: Edit): string {
  const ending = lineEnding(text);
  const indent = /^(?:\r?\n)?([ ]*)/.exec(at.text)?.[1] ?? "";
  const rows = [`${indent}${key}:`, ...asItem([item]).map((row) => `${indent}  ${row}`)];
  const isAtEnd = endOfLine(text, at.start).content === at.start && !text.endsWith("\n");
  return isAtEnd ? rows.map((row) => ending + row).join("") : rows.map((row) => row + ending).join("");
}

/** Lists that say the same when they are empty and when they are not there. */
const EMPTY_IS_ABSENT: ReadonlySet<string> = new Set(["dropped", "unmanaged"]);

/**
 * Removes an entry of a list of the table. The last one leaves `[]`, which asks for none where an absent key would
 * keep what is live. Null where there is no such entry.
 */
export function removeFromTableList(file: EditableYaml, key: string, index: number): readonly TextEdit[] | null {
  const map = rootMap(file);
  const list = map === null ? undefined : findValue(map, key);
  if (map === null || list?.kind !== "list" || list.items[index] === undefined) return null;
  if (list.items.length === 1 && EMPTY_IS_ABSENT.has(key)) return edits(file, removeKey(file.source.text, map, key));
  return edits(file, [removeItem(file.source.text, list, index)]);
}

function rootMap(file: EditableYaml): MapNode | null {
  return file.root?.kind === "map" ? file.root : null;
}

function edits(file: EditableYaml, found: readonly Edit[]): readonly TextEdit[] {
  return found.map((edit) => ({ file: file.source.file, ...edit }));
}
