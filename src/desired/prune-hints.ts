// `fmt --prune`: takes hints out of a file that have done their work. Which are done is the caller's knowledge: it
// needs the live tables of every environment.
import type { TextEdit } from "../diagnostics/diagnostic.ts";
import { isPathError, parsePath } from "../iceberg/field-path.ts";
import { type EditableYaml, removeFieldKey, removeFromTableList } from "./edit-yaml.ts";
import { findField } from "./field-spot.ts";
import { textOf } from "./reading.ts";
import { applyEdits } from "./yaml/apply-edits.ts";
import { removeItem } from "./yaml/splice.ts";
import { type SourceText, sourceText } from "./yaml/source-text.ts";
import { findValue, type YamlNode } from "./yaml/tree.ts";
import { parseYaml } from "./parse-yaml.ts";

/** `field`: a path. An old name, a conversion, or the acknowledgement of a drop that every environment is past. */
export type DoneHint =
  | { readonly kind: "renamed-from"; readonly field: string; readonly name: string }
  | { readonly kind: "convert"; readonly field: string }
  | { readonly kind: "dropped"; readonly field: string };

/** The text without these hints; hints that are not in it are passed over. */
export function pruneHints(source: SourceText, hints: readonly DoneHint[]): string {
  let { text } = source;
  for (const hint of hints) {
    const current = sourceText(source.file, text);
    const { root } = parseYaml(current);
    if (root === null) return text;
    text = applyEdits(text, removeHint({ source: current, root }, root, hint) ?? []);
  }
  return text;
}

function removeHint(file: EditableYaml, root: YamlNode, hint: DoneHint): readonly TextEdit[] | null {
  if (hint.kind === "dropped") return removeAcknowledgement(file, root, hint.field);
  const path = parsePath(hint.field);
  if (isPathError(path)) return null;
  return hint.kind === "convert" ? removeFieldKey(file, path, "convert") : removeOldName(file, root, path, hint.name);
}

function removeOldName(file: EditableYaml, root: YamlNode, path: readonly string[], name: string): readonly TextEdit[] | null {
  const spot = findField(root, path);
  const node = spot === null ? undefined : findValue(spot.map, "renamed-from");
  if (node?.kind !== "list") return textOf(node) === name ? removeFieldKey(file, path, "renamed-from") : null;
  const index = node.items.findIndex((item) => textOf(item) === name);
  if (index < 0) return null;
  if (node.items.length === 1) return removeFieldKey(file, path, "renamed-from");
  return [{ file: file.source.file, ...removeItem(file.source.text, node, index) }];
}

function removeAcknowledgement(file: EditableYaml, root: YamlNode, field: string): readonly TextEdit[] | null {
  const list = root.kind === "map" ? findValue(root, "dropped") : undefined;
  if (list?.kind !== "list") return null;
  const index = list.items.findIndex((item) => item.kind === "map" && isSamePath(textOf(findValue(item, "field")), field));
  return index < 0 ? null : removeFromTableList(file, "dropped", index);
}

function isSamePath(written: string | undefined, wanted: string): boolean {
  if (written === undefined) return false;
  return JSON.stringify(parsePath(written)) === JSON.stringify(parsePath(wanted));
}
