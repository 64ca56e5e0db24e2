// A list of columns or fields: fields of the file itself and uses of shared groups, in order, each name once.
import { formatPlace } from "../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../diagnostics/near-spelling.ts";
import { textOf } from "../reading.ts";
import { quoted } from "../words.ts";
import { findEntry, findValue, type YamlNode } from "../yaml/tree.ts";
import type { Span } from "../yaml/source-text.ts";
import type { PinnedField } from "./declaration.ts";
import { type FieldReading, reportField } from "./field-reading.ts";
import { readField } from "./read-field.ts";

/** The fields that can be read. Undefined where one cannot: a list with a gap would look like a drop. */
export function readFields(reading: FieldReading, items: readonly YamlNode[]): readonly PinnedField[] | undefined {
  const fields: PinnedField[] = [];
  const names = new Map<string, PinnedField>();
  let isWhole = true;
  const add = (field: PinnedField, span: Span): void => {
    const before = names.get(field.name);
    if (before === undefined) {
      names.set(field.name, field);
      fields.push(field);
      return;
    }
    isWhole = false;
    reportField({ ...reading, path: [...reading.path, field.name] }, "field-declared-twice", span, {
      what: `Cannot declare field ${quoted(field.name)} twice`,
      why: `It stands at ${formatPlace(before.places.name ?? before.place)} already${from(before)}`,
      mend:
        field.group === reading.group
          ? "Remove one of them, or give one another name"
          : `Remove it here or from group ${quoted(field.group ?? "")}`,
    });
  };
  for (const item of items) {
    if (item.kind !== "map") {
      isWhole = false;
      continue;
    }
    const use = findEntry(item, "use");
    if (use !== undefined && findEntry(item, "name") === undefined) {
      const group = readUse(reading, use.value);
      if (group === undefined) isWhole = false;
      else for (const field of group) add(field, use.value);
      continue;
    }
    const field = readField(reading, item);
    if (field === undefined) isWhole = false;
    else add(field, findValue(item, "name") ?? item);
  }
  return isWhole ? fields : undefined;
}

function from(field: PinnedField): string {
  return field.group === null ? "" : `, from group ${quoted(field.group)}`;
}

function readUse(reading: FieldReading, node: YamlNode): readonly PinnedField[] | undefined {
  const name = textOf(node);
  if (name === undefined) return undefined;
  if (reading.group !== null) {
    reportField(reading, "group-in-group", node, {
      what: `Cannot use group ${quoted(name)} inside group ${quoted(reading.group)}`,
      why: "Groups have one level, so that a column is found with one look",
      mend: "Use both groups in the table, or write the columns out",
    });
    return undefined;
  }
  reading.usedGroups.add(name);
  const group = reading.groups.get(name);
  if (group !== undefined) return group.fields ?? undefined;
  const mend = didYouMean(name, reading.groups.keys());
  reportField(reading, "group-unknown", node, {
    what: `Cannot find the group ${quoted(name)}`,
    why: reading.groups.size === 0 ? "No shared file declares a group" : "No shared file has `columns-of:` with this name",
    mend: mend ?? "Declare it in a file that `shared:` of the project names, with `columns-of:` and `columns:`",
  });
  return undefined;
}
