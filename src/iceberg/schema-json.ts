// Schemas and fields in their JSON form, both ways (spec Appendix C "Schemas"), keys in Java's order, unknown
// keys kept. Checks what makes a schema readable at all; what a table may do with it is checked elsewhere.
import { ToolError } from "../diagnostics/tool-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import {
  arrayMember,
  booleanMember,
  corrupt,
  intAt,
  intMember,
  isAbsent,
  join,
  member,
  objectAt,
  optionalInt,
  optionalString,
  stringMember,
  unknownMembers,
} from "./json-fields.ts";
import { floatNumber } from "./json-write.ts";
import { type Field, isPrimitive, type Schema, type StructType, type Type } from "./type.ts";
import { formatTypeJson, parseType } from "./type-text.ts";

const SCHEMA_KEYS: ReadonlySet<string> = new Set(["type", "schema-id", "identifier-field-ids", "fields"]);
const FIELD_KEYS: ReadonlySet<string> = new Set(["id", "name", "required", "type", "doc", "initial-default", "write-default"]);

/** Throws `corrupt` for ids or sibling names that stand twice, missing ids and types that are not known. A missing schema id is 0. */
export function readSchema(value: JsonValue | undefined, path = "schema"): Schema {
  const object = objectAt(value, path);
  if (object["type"] !== "struct") throw corrupt(join(path, "type"), 'A schema must have the type "struct"');
  const ids = new Set<number>();
  const fields = readFields(object, path, ids);
  const identifiers = isAbsent(object, "identifier-field-ids") ? [] : arrayMember(object, "identifier-field-ids", path);
  const extra = unknownMembers(object, SCHEMA_KEYS);
  return {
    schemaId: optionalInt(object, "schema-id", path) ?? 0,
    identifierFieldIds: readIdentifiers(identifiers, join(path, "identifier-field-ids")),
    fields,
    ...(extra === undefined ? {} : { extra }),
  };
}

function readIdentifiers(values: readonly JsonValue[], path: string): readonly number[] {
  return [...new Set(values.map((value, index) => intAt(value, `${path}[${index}]`)))].sort((a, b) => a - b);
}

/** One field with its nested ones, checked like a schema's. */
export function readField(value: JsonValue | undefined, path = "field"): Field {
  return readFieldWithin(value, path, new Set());
}

/** A type in its JSON form: a name, or an object for a nested type. */
export function readType(value: JsonValue | undefined, path = "type"): Type {
  return readTypeWithin(value, path, new Set());
}

function readFields(object: JsonObject, path: string, ids: Set<number>): readonly Field[] {
  const names = new Set<string>();
  return arrayMember(object, "fields", path).map((value, index) => {
    const fieldPath = `${join(path, "fields")}[${index}]`;
    const field = readFieldWithin(value, fieldPath, ids);
    if (names.has(field.name)) throw corrupt(join(fieldPath, "name"), `The struct has two fields named "${field.name}"`);
    names.add(field.name);
    return field;
  });
}

function readFieldWithin(value: JsonValue | undefined, path: string, ids: Set<number>): Field {
  const object = objectAt(value, path);
  const id = readId(object, "id", path, ids);
  const name = stringMember(object, "name", path);
  const doc = optionalString(object, "doc", path);
  const initialDefault = readDefault(object, "initial-default");
  const writeDefault = readDefault(object, "write-default");
  const extra = unknownMembers(object, FIELD_KEYS);
  return {
    id,
    name,
    required: booleanMember(object, "required", path),
    type: readTypeWithin(member(object, "type"), join(path, "type"), ids),
    ...(doc === null ? {} : { doc }),
    ...(initialDefault === undefined ? {} : { initialDefault }),
    ...(writeDefault === undefined ? {} : { writeDefault }),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** A null default says the same as none. */
function readDefault(object: JsonObject, key: string): JsonValue | undefined {
  return member(object, key) ?? undefined;
}

function readId(object: JsonObject, key: string, path: string, ids: Set<number>): number {
  const id = intMember(object, key, path);
  if (ids.has(id)) throw corrupt(join(path, key), `Field id ${id} stands twice in the schema`);
  ids.add(id);
  return id;
}

function readTypeWithin(value: JsonValue | undefined, path: string, ids: Set<number>): Type {
  if (typeof value === "string") {
    const type = parseType(value, { anyScale: true });
    if (type !== null) return type;
    throw new ToolError("unsupported", `Cannot read "${path}"`, {
      why: `The type "${value}" is not known`,
      context: { at: path },
    });
  }
  const object = objectAt(value, path);
  switch (object["type"]) {
    case "struct":
      return { kind: "struct", fields: readFields(object, path, ids) };
    case "list":
      return {
        kind: "list",
        elementId: readId(object, "element-id", path, ids),
        element: readTypeWithin(member(object, "element"), join(path, "element"), ids),
        elementRequired: booleanMember(object, "element-required", path),
      };
    case "map":
      return {
        kind: "map",
        keyId: readId(object, "key-id", path, ids),
        key: readTypeWithin(member(object, "key"), join(path, "key"), ids),
        valueId: readId(object, "value-id", path, ids),
        value: readTypeWithin(member(object, "value"), join(path, "value"), ids),
        valueRequired: booleanMember(object, "value-required", path),
      };
    default:
      throw corrupt(join(path, "type"), 'A nested type must be "struct", "list" or "map"');
  }
}

export function writeSchema(schema: Schema): JsonObject {
  return {
    type: "struct",
    "schema-id": schema.schemaId,
    ...(schema.identifierFieldIds.length === 0 ? {} : { "identifier-field-ids": schema.identifierFieldIds }),
    fields: schema.fields.map(writeField),
    ...schema.extra,
  };
}

export function writeField(field: Field): JsonObject {
  return {
    id: field.id,
    name: field.name,
    required: field.required,
    type: writeType(field.type),
    ...(field.doc === undefined ? {} : { doc: field.doc }),
    ...writeDefault("initial-default", field.type, field.initialDefault),
    ...writeDefault("write-default", field.type, field.writeDefault),
    ...field.extra,
  };
}

function writeDefault(key: string, type: Type, value: JsonValue | undefined): JsonObject {
  return value === undefined || value === null ? {} : { [key]: writeSingleValue(type, value) };
}

/** Java takes no whole number for a float or double (SingleValueParser), wherever in the value it stands. */
function writeSingleValue(type: Type, value: JsonValue): JsonValue {
  switch (type.kind) {
    case "float":
    case "double":
      return typeof value === "number" || typeof value === "bigint" ? floatNumber(Number(value)) : value;
    case "list":
      return isList(value) ? value.map((element) => writeSingleValue(type.element, element)) : value;
    case "map":
      return isJsonObject(value)
        ? {
            ...value,
            ...writeAll("keys", type.key, value),
            ...writeAll("values", type.value, value),
          }
        : value;
    case "struct":
      return isJsonObject(value) ? writeStructValue(type, value) : value;
    default:
      return value;
  }
}

function writeAll(key: string, type: Type, map: JsonObject): JsonObject {
  const values = map[key];
  return isList(values) ? { [key]: values.map((value) => writeSingleValue(type, value)) } : {};
}

function writeStructValue(type: StructType, value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([id, inner]): [string, JsonValue] => {
    const field = type.fields.find((one) => String(one.id) === id);
    return [id, field === undefined ? inner : writeSingleValue(field.type, inner)];
  });
  return Object.fromEntries(entries);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function writeType(type: Type): JsonValue {
  if (isPrimitive(type)) return formatTypeJson(type);
  switch (type.kind) {
    case "struct":
      return { type: "struct", fields: type.fields.map(writeField) };
    case "list":
      return {
        type: "list",
        "element-id": type.elementId,
        element: writeType(type.element),
        "element-required": type.elementRequired,
      };
    case "map":
      return {
        type: "map",
        "key-id": type.keyId,
        key: writeType(type.key),
        "value-id": type.valueId,
        value: writeType(type.value),
        "value-required": type.valueRequired,
      };
  }
}
