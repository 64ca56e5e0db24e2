// The rule under `convert:` with its defaults, checked against the closed list of conversions. What a rule does to
// values is in conversion/.
import { bindConversion, isConverter } from "../../conversion/index.ts";
import type { ConversionRule } from "../../iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../../iceberg/type.ts";
import { formatPath } from "../../iceberg/field-path.ts";
import { formatType } from "../../iceberg/type-text.ts";
import { flagOf, isMisread, itemsOf, placeIn, textOf } from "../reading.ts";
import type { Placed } from "../table-spec.ts";
import { findValue, type MapEntry, type MapNode } from "../yaml/tree.ts";
import type { PinnedType } from "./declaration.ts";
import { type FieldReading, reportField } from "./field-reading.ts";
import { readTypeText } from "./type-text.ts";

export function readConversion(
  reading: FieldReading,
  entry: MapEntry | undefined,
  target: PinnedType | undefined,
): Placed<ConversionRule> | null {
  if (entry?.value.kind !== "map") return null;
  const map = entry.value;
  const from = readFrom(reading, map);
  if (target !== undefined && isNestedTarget(target)) {
    reportField(reading, "convert-needs-primitive", entry.key, {
      what: `Cannot convert to a ${target.kind} as a whole`,
      why: "A conversion turns one value into another",
      mend: "Put `convert:` on the fields, elements or values inside that change",
    });
    return null;
  }
  if (from === undefined) return null;
  const rule = toRule(map, formatType(from));
  if (target !== undefined) checkRule(reading, map, rule, from, target);
  return { value: rule, place: placeIn(reading, entry.key) };
}

function isNestedTarget(type: PinnedType): type is Extract<PinnedType, { kind: "struct" | "list" | "map" }> {
  return type.kind === "struct" || type.kind === "list" || type.kind === "map";
}

function readFrom(reading: FieldReading, map: MapNode): PrimitiveType | undefined {
  const node = findValue(map, "from");
  if (node?.kind !== "scalar" || node.value === null) return undefined;
  const shape = readTypeText(reading, node);
  if (shape === undefined) return undefined;
  if (shape.kind !== "struct" && shape.kind !== "list" && shape.kind !== "map") return shape;
  reportField(reading, "convert-needs-primitive", node, {
    what: `Cannot convert from a ${shape.kind}`,
    why: "A conversion turns one value into another",
    mend: "Put `convert:` on the fields, elements or values inside that change",
  });
  return undefined;
}

function toRule(map: MapNode, from: string): ConversionRule {
  const format = textOf(findValue(map, "format"));
  const zone = textOf(findValue(map, "zone"));
  const trueValues = texts(map, "true-values");
  const falseValues = texts(map, "false-values");
  const history = textOf(findValue(map, "history"));
  return {
    from,
    ...(format === undefined ? {} : { format }),
    ...(zone === undefined ? {} : { zone }),
    ...(trueValues === undefined ? {} : { trueValues }),
    ...(falseValues === undefined ? {} : { falseValues }),
    onError: textOf(findValue(map, "on-error")) === "set-null" ? "set-null" : "fail",
    trim: flagOf(findValue(map, "trim")) === true,
    emptyAsNull: flagOf(findValue(map, "empty-as-null")) === true,
    writersStopped: flagOf(findValue(map, "writers-stopped")) === true,
    ...(history === "move-aside" || history === "give-up" ? { history } : {}),
  };
}

function texts(map: MapNode, key: string): readonly string[] | undefined {
  return itemsOf(findValue(map, key))?.flatMap((item) => textOf(item) ?? []);
}

function checkRule(reading: FieldReading, map: MapNode, rule: ConversionRule, from: PrimitiveType, target: PinnedType): void {
  if (isNestedTarget(target)) return;
  const bound = bindConversion(rule, from, target);
  if (isConverter(bound) || isMisread(reading, map)) return;
  const table = reading.table === undefined ? {} : { table: reading.table };
  reading.found.push({ ...bound, ...table, field: formatPath(reading.path), place: placeIn(reading, map) });
}
