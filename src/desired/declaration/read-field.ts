// One field with all its attributes. Knows what each key means alone; what fields mean together is checked in
// check-declaration.ts.
import { parseDefault } from "../../iceberg/default-text.ts";
import { flagOf, placeIn, textOf } from "../reading.ts";
import type { Placed } from "../table-spec.ts";
import { quoted } from "../words.ts";
import { findEntry, findValue, isEmpty, type MapNode, type ScalarNode, toJsonObject, type YamlNode } from "../yaml/tree.ts";
import type { PinnedField, PinnedType } from "./declaration.ts";
import { below, type FieldReading, reportField } from "./field-reading.ts";
import { readFieldType } from "./field-type.ts";
import { readConversion } from "./read-conversion.ts";
import { readPin } from "./read-pin.ts";

export function readField(parent: FieldReading, map: MapNode): PinnedField | undefined {
  const nameNode = findValue(map, "name");
  const name = textOf(nameNode);
  const reading = below(parent, name ?? "");
  const type = readFieldType(reading, map);
  const typeNode = findValue(map, "type");
  const requiredNode = findValue(map, "required");
  const comment = findValue(map, "comment");
  const commentText = textOf(comment);
  const meta = findValue(map, "meta");
  const field = {
    required: flagOf(requiredNode) === true,
    comment:
      comment === undefined || commentText === undefined ? undefined : { value: commentText, place: placeIn(reading, comment) },
    default: readDefault(reading, findValue(map, "default"), type),
    renamedFrom: name === undefined ? [] : readRenamedFrom(reading, findValue(map, "renamed-from"), name),
    convert: readConversion(reading, findEntry(map, "convert"), type),
    id: readPin(reading, findValue(map, "id"), true),
    meta: meta?.kind === "map" ? toJsonObject(meta) : null,
    group: reading.group,
    place: placeIn(reading, map),
    places: {
      ...(nameNode === undefined ? {} : { name: placeIn(reading, nameNode) }),
      ...(typeNode === undefined ? {} : { type: placeIn(reading, typeNode) }),
      ...(requiredNode === undefined ? {} : { required: placeIn(reading, requiredNode) }),
    },
  };
  if (name === undefined || !isName(parent, nameNode, name) || type === undefined) return undefined;
  return { ...field, name, type };
}

function isName(reading: FieldReading, node: YamlNode | undefined, name: string): boolean {
  if (name !== "") return true;
  if (node !== undefined) {
    reportField(reading, "name-malformed", node, {
      what: "Cannot use an empty name for a field",
      mend: "Write the field's name",
    });
  }
  return false;
}

function readRenamedFrom(reading: FieldReading, node: YamlNode | undefined, name: string): readonly Placed<string>[] {
  const nodes = node === undefined ? [] : node.kind === "list" ? node.items : [node];
  return nodes.flatMap((one) => {
    const text = textOf(one);
    if (text === undefined) return [];
    if (text === name) {
      reportField(reading, "renamed-from-itself", one, {
        what: `Cannot rename field ${quoted(name)} from its own name`,
        mend: "Write the earlier name, or remove the entry",
      });
      return [];
    }
    if (!isName(reading, one, text)) return [];
    return [{ value: text, place: placeIn(reading, one) }];
  });
}

function readDefault(
  reading: FieldReading,
  node: YamlNode | undefined,
  type: PinnedType | undefined,
): Placed<string | null> | undefined {
  if (node?.kind !== "scalar") return undefined;
  if (isEmpty(node)) {
    reportField(reading, "empty-value", node, {
      what: 'Cannot use nothing for "default"',
      mend: 'Write a value, `null` to remove the write default, or "" for an empty text',
    });
    return undefined;
  }
  const place = placeIn(reading, node);
  if (node.value === null) return { value: null, place };
  if (type !== undefined) checkDefault(reading, node, type);
  return { value: node.text, place };
}

function checkDefault(reading: FieldReading, node: ScalarNode, type: PinnedType): void {
  const result =
    type.kind === "struct" || type.kind === "list" || type.kind === "map"
      ? { why: `a ${type.kind} takes no default` }
      : parseDefault(node.text, type);
  if (!("why" in result)) return;
  reportField(reading, "default-malformed", node, {
    what: `Cannot use ${quoted(node.text)} as the default`,
    why: result.why.replace(/^./, (first) => first.toUpperCase()),
  });
}
