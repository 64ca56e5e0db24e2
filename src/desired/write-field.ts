// One field as the lines of a list item, without its dash: one line for a simple field that fits, else one key a
// line. Types take the shortest form that says everything.
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import { formatType } from "../iceberg/type-text.ts";
import type { WrittenField, WrittenPart, WrittenPin, WrittenType, WrittenUse } from "./written-table.ts";
import { flowJson, flowList, flowMap } from "./yaml/flow-text.ts";
import { doubleQuoted, scalarText, sourceScalarText, typeText } from "./yaml/quoting.ts";

/** The widest line of a field, dash and indentation included. */
export const LINE_WIDTH = 120;

/** `indent`: blanks before the dash, for the width only. */
export function writeField(field: WrittenField | WrittenUse, indent: number): readonly string[] {
  if ("use" in field) return [`use: ${scalarText(field.use)}`];
  return finish(fieldKeys(field), indent + 2);
}

/** The field in `{}` on one line, however long it gets: for lists in `[]`. */
export function writeFieldInline(field: WrittenField | WrittenUse): string {
  return "use" in field ? `{ use: ${scalarText(field.use)} }` : inline(fieldKeys(field));
}

/** A key with a value on one line, with a map below it, or with a list of maps below it. */
type Key =
  | { readonly key: string; readonly value: string }
  | { readonly key: string; readonly map: readonly Key[] }
  | { readonly key: string; readonly items: readonly (readonly Key[])[] };

function fieldKeys(field: WrittenField): readonly Key[] {
  const keys: Key[] = [{ key: "name", value: scalarText(field.name) }, ...typeKeys(field.type)];
  const add = (key: string, value: string): void => {
    keys.push({ key, value });
  };
  if (field.required) add("required", "true");
  if (field.comment !== undefined) add("comment", doubleQuoted(field.comment));
  if (field.default !== undefined) add("default", field.default === null ? "null" : sourceScalarText(field.default));
  if (field.renamedFrom !== undefined && field.renamedFrom.length > 0)
    add("renamed-from", flowList(field.renamedFrom.map(scalarText)));
  if (field.convert !== undefined) add("convert", conversionText(field.convert));
  if (field.id !== undefined) add("id", pinText(field.id));
  if (field.meta !== undefined) add("meta", flowJson(field.meta));
  return keys;
}

function finish(keys: readonly Key[], indent: number): readonly string[] {
  const line = inline(keys);
  const isSimple = keys.every((key) => !("items" in key) && (!("map" in key) || key.map.every((inner) => "value" in inner)));
  if (isSimple && indent + line.length <= LINE_WIDTH) return [line];
  return keys.flatMap((key) => keyRows(key, indent));
}

function keyRows(key: Key, indent: number): readonly string[] {
  if ("value" in key) return [`${key.key}: ${key.value}`];
  if ("map" in key) {
    const rows = finish(key.map, indent + key.key.length + 2);
    const [first = ""] = rows;
    return rows.length === 1 && first.startsWith("{")
      ? [`${key.key}: ${first}`]
      : [`${key.key}:`, ...rows.map((row) => `  ${row}`)];
  }
  if (key.items.length === 0) return [`${key.key}: []`];
  return [`${key.key}:`, ...key.items.flatMap((item) => asItem(finish(item, indent + 4))).map((row) => `  ${row}`)];
}

function inline(keys: readonly Key[]): string {
  return flowMap(
    keys.map((key) => {
      if ("value" in key) return [key.key, key.value] as const;
      return [key.key, "map" in key ? inline(key.map) : flowList(key.items.map(inline))] as const;
    }),
  );
}

interface ShortType {
  readonly text: string;
  /** Fields of the bare struct in the text, or null where there is none. */
  readonly fields: readonly WrittenField[] | null;
}

function typeKeys(type: WrittenType): readonly Key[] {
  const short = shortType(type);
  if (short !== null) {
    const key = { key: "type", value: typeText(short.text) };
    return short.fields === null ? [key] : [key, { key: "fields", items: short.fields.map(fieldKeys) }];
  }
  if (type.kind === "list") return [{ key: "type", value: "list" }, partKey("element", type.element, false)];
  if (type.kind !== "map") return [];
  return [{ key: "type", value: "map" }, partKey("key", type.key, true), partKey("value", type.value, false)];
}

function partKey(key: string, part: WrittenPart, isMapKey: boolean): Key {
  const short = shortType(part.type);
  const isRequired = part.required && !isMapKey;
  if (short !== null && short.fields === null && part.id === undefined && part.convert === undefined && !isRequired) {
    return { key, value: typeText(short.text) };
  }
  const map: Key[] = [...typeKeys(part.type)];
  if (isRequired) map.push({ key: "required", value: "true" });
  if (part.convert !== undefined) map.push({ key: "convert", value: conversionText(part.convert) });
  if (part.id !== undefined) map.push({ key: "id", value: pinText(part.id) });
  return { key, map };
}

/** Rows of a list item with its dash. */
export function asItem(rows: readonly string[]): readonly string[] {
  return rows.map((row, index) => (index === 0 ? `- ${row}` : row === "" ? "" : `  ${row}`));
}

/** The type in one text, its only struct bare; null where a part has attributes, or there are several structs. */
function shortType(type: WrittenType): ShortType | null {
  switch (type.kind) {
    case "struct":
      return { text: "struct", fields: type.fields };
    case "list": {
      const element = shortPart(type.element);
      return element === null ? null : { text: `list<${element.text}>`, fields: element.fields };
    }
    case "map": {
      const key = shortPart({ ...type.key, required: false });
      const value = shortPart(type.value);
      if (key === null || value === null || key.fields !== null) return null;
      return { text: `map<${key.text}, ${value.text}>`, fields: value.fields };
    }
    default:
      return { text: formatType(type), fields: null };
  }
}

function shortPart(part: WrittenPart): ShortType | null {
  if (part.id !== undefined || part.convert !== undefined) return null;
  const short = shortType(part.type);
  return short === null || !part.required ? short : { text: `required ${short.text}`, fields: short.fields };
}

/** `7`, `new`, or `{ dev: 5, prod: 7 }`. */
function pinText(pin: WrittenPin | "new"): string {
  return typeof pin === "object" ? flowMap([...pin].map(([name, id]) => [scalarText(name), String(id)] as const)) : String(pin);
}

/** `{ from: string, format: yyyyMMdd, on-error: set-null }`: what differs from the defaults. */
function conversionText(rule: ConversionRule): string {
  const pairs: (readonly [string, string])[] = [["from", typeText(rule.from)]];
  if (rule.format !== undefined) pairs.push(["format", scalarText(rule.format)]);
  if (rule.zone !== undefined) pairs.push(["zone", scalarText(rule.zone)]);
  if (rule.trueValues !== undefined) pairs.push(["true-values", flowList(rule.trueValues.map(doubleQuoted))]);
  if (rule.falseValues !== undefined) pairs.push(["false-values", flowList(rule.falseValues.map(doubleQuoted))]);
  if (rule.onError !== "fail") pairs.push(["on-error", rule.onError]);
  if (rule.trim) pairs.push(["trim", "true"]);
  if (rule.emptyAsNull) pairs.push(["empty-as-null", "true"]);
  if (rule.writersStopped) pairs.push(["writers-stopped", "true"]);
  if (rule.history !== undefined) pairs.push(["history", rule.history]);
  return flowMap(pairs);
}
