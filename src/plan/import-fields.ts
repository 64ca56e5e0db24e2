// Live fields as fields of a table file: names, types, comments, write defaults, pins. What a file cannot say is left
// out and told with its path. Pure; how the text looks is desired/'s business.
import type { WrittenField, WrittenPart, WrittenPin, WrittenType } from "../desired/written-table.ts";
import { formatDefault, parseDefault } from "../iceberg/default-text.ts";
import { isSameDefault } from "../iceberg/default-value.ts";
import { formatPath } from "../iceberg/field-path.ts";
import { type Field, isNested, isPrimitive, type Type } from "../iceberg/type.ts";
import { formatType, parseType } from "../iceberg/type-text.ts";

/** No pins, the same pin for all environments, or a pin for the one that was read. */
export type Pins = "none" | "all" | { readonly environment: string };

export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/** Fills up while fields are read. */
export interface FieldsReading {
  readonly pins: Pins;
  /** Fields that no file can declare; what holds them is declared without them. */
  readonly fields: LeftOut[];
  /** Fields that are declared without their default. */
  readonly defaults: LeftOut[];
}

export function fieldsReading(pins: Pins): FieldsReading {
  return { pins, fields: [], defaults: [] };
}

export function importFields(fields: readonly Field[], parent: readonly string[], reading: FieldsReading): WrittenField[] {
  return fields.flatMap((field) => importField(field, parent, reading) ?? []);
}

/** Null for a field that no file can declare: it is told under its own path, or under those inside that are to blame. */
export function importField(field: Field, parent: readonly string[], reading: FieldsReading): WrittenField | null {
  const segments = [...parent, field.name];
  const path = formatPath(segments);
  const leave = (why: string): null => {
    reading.fields.push({ path, why });
    return null;
  };
  if (field.name === "") return leave("its name is empty");
  const problem = typeProblem(field.type);
  if (problem !== null) return leave(problem);
  const { name, required, doc } = field;
  const value = importDefault(field, path, reading);
  return {
    name,
    type: importType(field.type, segments, reading),
    required,
    ...(doc === undefined || doc === "" ? {} : { comment: doc }),
    ...(value === null ? {} : { default: value }),
    ...pinned(field.id, reading.pins),
  };
}

/** Of the type itself and of the parts of lists and maps; fields of structs have places of their own. */
function typeProblem(type: Type): string | null {
  switch (type.kind) {
    case "struct":
      return null;
    case "list":
      return typeProblem(type.element);
    case "map":
      return typeProblem(type.key) ?? typeProblem(type.value);
    default:
      return parseType(formatType(type)) === null ? `type ${formatType(type)} is no type that an engine stores` : null;
  }
}

function importType(type: Type, segments: readonly string[], reading: FieldsReading): WrittenType {
  switch (type.kind) {
    case "struct":
      return { kind: "struct", fields: importFields(type.fields, segments, reading) };
    case "list":
      return {
        kind: "list",
        element: importPart("element", type.elementId, type.element, type.elementRequired, segments, reading),
      };
    case "map":
      return {
        kind: "map",
        key: importPart("key", type.keyId, type.key, true, segments, reading),
        value: importPart("value", type.valueId, type.value, type.valueRequired, segments, reading),
      };
    default:
      return type;
  }
}

function importPart(
  name: string,
  id: number,
  type: Type,
  required: boolean,
  parent: readonly string[],
  reading: FieldsReading,
): WrittenPart {
  return { type: importType(type, [...parent, name], reading), required, ...pinned(id, reading.pins) };
}

function pinned(id: number, pins: Pins): { readonly id?: WrittenPin } {
  if (pins === "none") return {};
  return { id: pins === "all" ? id : new Map([[pins.environment, id]]) };
}

/** The write default; the initial default is history. Null where there is none, or none that a file can say. */
function importDefault({ type, writeDefault }: Field, path: string, reading: FieldsReading): string | null {
  if (writeDefault === undefined || writeDefault === null) return null;
  if (isNested(type) || !isPrimitive(type)) {
    reading.defaults.push({ path, why: `a ${type.kind} takes no default in a file` });
    return null;
  }
  const text = formatDefault(writeDefault, type);
  const read = parseDefault(text, type);
  if ("value" in read && isSameDefault(read.value, writeDefault, type)) return text;
  reading.defaults.push({ path, why: "why" in read ? read.why : `"${text}" is read as another value` });
  return null;
}
