// A list element, map key or map value in its long form: a type, or a map with attributes of its own. Iceberg keeps
// neither name nor doc for it.
import { flagOf, placeIn } from "../reading.ts";
import { findEntry, findValue, type YamlNode } from "../yaml/tree.ts";
import type { PinnedPart } from "./declaration.ts";
import { type FieldReading, reportField } from "./field-reading.ts";
import { readBareType, readFieldType } from "./field-type.ts";
import { readConversion } from "./read-conversion.ts";
import { readPin } from "./read-pin.ts";

export function readPart(reading: FieldReading, node: YamlNode | undefined, isKey: boolean): PinnedPart | undefined {
  if (node?.kind === "scalar") {
    const type = node.value === null ? undefined : readBareType(reading, node);
    return type === undefined ? undefined : { type, required: isKey, id: null, convert: null, place: placeIn(reading, node) };
  }
  if (node?.kind !== "map") return undefined;
  const type = readFieldType(reading, node);
  const required = findEntry(node, "required");
  if (isKey && required !== undefined && flagOf(required.value) === false) {
    reportField(reading, "map-key-optional", required.value, {
      what: "Cannot make the key of a map optional",
      why: "Iceberg keeps no rows for a null key: a map key is always required",
      mend: "Remove `required: false`",
    });
  }
  const convert = readConversion(reading, findEntry(node, "convert"), type);
  const id = readPin(reading, findValue(node, "id"), false);
  if (type === undefined) return undefined;
  return { type, required: isKey || flagOf(required?.value) === true, id, convert, place: placeIn(reading, node) };
}
