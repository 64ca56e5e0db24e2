// One field with all its attributes. Knows what each key means alone; what fields mean together is checked in
// check-declaration.ts.
import type { Place } from "../../diagnostics/diagnostic.ts";
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
  const meta = findValue(map, "meta");
  const comment = readComment(reading, findValue(map, "comment"));
  const value = readDefault(reading, findValue(map, "default"), type);
  const renamedFrom = name === undefined ? NONE : readRenamedFrom(reading, findValue(map, "renamed-from"), name);
  const convert = readConversion(reading, findEntry(map, "convert"), type);
  const id = readPin(reading, findValue(map, "id"), true);
  if (name === undefined || !isName(parent, nameNode, name) || type === undefined) return undefined;
  // Written out, not spread: there are many fields, and spread objects take far more room.
  return {
    name,
    type,
    required: flagOf(requiredNode) === true,
    comment,
    default: value,
    renamedFrom,
    convert,
    id,
    meta: meta?.kind === "map" ? toJsonObject(meta) : null,
    group: reading.group,
    place: placeIn(reading, map),
    places: placesOf(reading, nameNode, typeNode, requiredNode),
  };
}

const NONE: readonly Placed<string>[] = [];

function placesOf(
  reading: FieldReading,
  name: YamlNode | undefined,
  type: YamlNode | undefined,
  required: YamlNode | undefined,
): PinnedField["places"] {
  const places: { name?: Place; type?: Place; required?: Place } = {};
  if (name !== undefined) places.name = placeIn(reading, name);
  if (type !== undefined) places.type = placeIn(reading, type);
  if (required !== undefined) places.required = placeIn(reading, required);
  return places;
}

function readComment(reading: FieldReading, node: YamlNode | undefined): Placed<string> | undefined {
  const text = textOf(node);
  return node === undefined || text === undefined ? undefined : { value: text, place: placeIn(reading, node) };
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
  if (node === undefined) return NONE;
  const nodes = node.kind === "list" ? node.items : [node];
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
    why: result.why,
    mend: "Write a value of the type, in quotes where YAML would change it, or remove the key",
  });
}
