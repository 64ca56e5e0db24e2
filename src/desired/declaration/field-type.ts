// The type of a field or part: its text together with `fields:`, `element:`, `key:` and `value:`, which must fit
// each other. One branch a family of types, chosen by the text.
import type { PartShape, TypeShape } from "../../iceberg/type-text-parse.ts";
import { itemsOf, placeIn } from "../reading.ts";
import { joined, quoted } from "../words.ts";
import { findEntry, findValue, type MapNode, type ScalarNode } from "../yaml/tree.ts";
import type { PinnedField, PinnedPart, PinnedType } from "./declaration.ts";
import { below, type FieldReading, reportField } from "./field-reading.ts";
import { findTypeAlias } from "./type-aliases.ts";
import { countHoles, pathOfHole } from "./type-hole.ts";
import { noteAliases, readTypeText } from "./type-text.ts";

/** Keys that stand beside a type, and the types that they go with. */
const GOES_WITH: Readonly<Record<string, string>> = {
  fields: '"struct", "list<struct>" or "map<string, struct>"',
  element: '"list" without brackets',
  key: '"map" without brackets',
  value: '"map" without brackets',
};

/** The type that the map declares, or undefined after a finding. */
export function readFieldType(reading: FieldReading, holder: MapNode): PinnedType | undefined {
  const node = findValue(holder, "type");
  if (node?.kind !== "scalar" || node.value === null) return undefined;
  const bare = bareCollection(reading, node);
  if (bare === "list") return readList(reading, holder, node);
  if (bare === "map") return readMap(reading, holder, node);
  const shape = readTypeText(reading, node);
  if (shape === undefined) {
    // What is written below is read all the same, so that its findings are told.
    readHole(reading, holder);
    return undefined;
  }
  const holes = countHoles(shape);
  refuseOthers(reading, holder, node, holes > 0 ? ["fields"] : []);
  if (holes > 1) {
    reportField(reading, "type-parts-mismatch", node, {
      what: `Cannot tell which struct of ${quoted(node.text)} the fields belong to`,
      mend: "Write the type as `list` with `element:`, or `map` with `key:` and `value:`, each part with its own `fields:`",
    });
    return undefined;
  }
  if (holes === 0) return toPinned(reading, node, shape, []);
  const fields = readHole(reading, holder, [...reading.path, ...(pathOfHole(shape) ?? [])]);
  if (fields === undefined && findEntry(holder, "fields") === undefined) missing(reading, node, "fields");
  return fields === undefined ? undefined : toPinned(reading, node, shape, fields);
}

/** A type given by its text alone, as for `element: string`. */
export function readBareType(reading: FieldReading, node: ScalarNode): PinnedType | undefined {
  const holder: MapNode = {
    kind: "map",
    flow: true,
    start: node.start,
    end: node.end,
    entries: [{ key: { ...node, value: "type", text: "type", style: "plain" }, value: node }],
  };
  return readFieldType(reading, holder);
}

function bareCollection(reading: FieldReading, node: ScalarNode): "list" | "map" | null {
  const name = node.text.trim().toLowerCase();
  if (name === "list" || name === "map") return name;
  const alias = findTypeAlias(name);
  if (alias?.type !== "list") return null;
  noteAliases(reading, node, [[name, alias]], "list");
  return "list";
}

function readList(reading: FieldReading, holder: MapNode, node: ScalarNode): PinnedType | undefined {
  refuseOthers(reading, holder, node, ["element"]);
  const element = reading.nested.part(below(reading, "element"), findValue(holder, "element"), false);
  if (findEntry(holder, "element") === undefined) missing(reading, node, "element");
  return element === undefined ? undefined : { kind: "list", element };
}

function readMap(reading: FieldReading, holder: MapNode, node: ScalarNode): PinnedType | undefined {
  refuseOthers(reading, holder, node, ["key", "value"]);
  const key = reading.nested.part(below(reading, "key"), findValue(holder, "key"), true);
  const value = reading.nested.part(below(reading, "value"), findValue(holder, "value"), false);
  for (const part of ["key", "value"]) if (findEntry(holder, part) === undefined) missing(reading, node, part);
  return key === undefined || value === undefined ? undefined : { kind: "map", key, value };
}

function readHole(
  reading: FieldReading,
  holder: MapNode,
  path: readonly string[] = reading.path,
): readonly PinnedField[] | undefined {
  const items = itemsOf(findValue(holder, "fields"));
  return items === undefined ? undefined : reading.nested.fields({ ...reading, path }, items);
}

function missing(reading: FieldReading, node: ScalarNode, key: string): void {
  const others: Readonly<Record<string, string>> = {
    fields: 'Write the struct\'s fields under `fields:`, or in the type: "struct<a: int>"',
    element: "Write `element:`, or the element in the type: list<string>",
    key: 'Write `key:` and `value:`, or both in the type: "map<string, int>"',
    value: 'Write `key:` and `value:`, or both in the type: "map<string, int>"',
  };
  reportField(reading, "missing-key", node, {
    what: `Missing key "${key}" beside the type ${quoted(node.text)}`,
    mend: others[key] ?? `Add "${key}:"`,
  });
}

/** Keys beside the type that it has no use for would be ignored in silence. */
function refuseOthers(reading: FieldReading, holder: MapNode, node: ScalarNode, taken: readonly string[]): void {
  for (const key of Object.keys(GOES_WITH)) {
    const entry = findEntry(holder, key);
    if (entry === undefined || taken.includes(key)) continue;
    reportField(reading, "type-parts-mismatch", entry.key, {
      what: `Cannot use "${key}" beside the type ${quoted(node.text)}`,
      why: `It goes with ${GOES_WITH[key] ?? ""}`,
      mend:
        taken.length === 0
          ? `Remove "${key}", or change the type`
          : `Use ${joined(taken.map(quoted), "and")}, or change the type`,
    });
  }
}

function toPinned(reading: FieldReading, node: ScalarNode, type: TypeShape, hole: readonly PinnedField[]): PinnedType {
  const place = placeIn(reading, node);
  const part = (shape: PartShape): PinnedPart => ({
    type: pinned(shape.type),
    required: shape.required,
    id: null,
    convert: null,
    place,
  });
  const pinned = (shape: TypeShape): PinnedType => {
    switch (shape.kind) {
      case "struct":
        if (shape.fields === null) return { kind: "struct", fields: hole };
        return {
          kind: "struct",
          fields: shape.fields.map((field) => ({
            ...part(field),
            name: field.name,
            comment: undefined,
            default: undefined,
            renamedFrom: [],
            meta: null,
            group: reading.group,
            places: {},
          })),
        };
      case "list":
        return { kind: "list", element: part(shape.element) };
      case "map":
        return { kind: "map", key: part(shape.key), value: part(shape.value) };
      default:
        return shape;
    }
  };
  return pinned(type);
}
