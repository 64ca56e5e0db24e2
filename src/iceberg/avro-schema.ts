// Avro schemas as trees (Avro specification, "Schema Declaration"): names are resolved, every attribute that is
// not structure (field-id, logicalType, doc, default …) is kept as it was. Knows nothing of Iceberg's types.
import { ToolError } from "../diagnostics/tool-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { parseJson } from "./json-parse.ts";

const AVRO_PRIMITIVES = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"] as const;
export type AvroPrimitiveKind = (typeof AVRO_PRIMITIVES)[number];

interface Attributed {
  /** Every member of the JSON that is not structure, in its order. */
  readonly attributes: JsonObject;
}

export interface AvroPrimitive extends Attributed {
  readonly kind: AvroPrimitiveKind;
}
export interface AvroFixed extends Attributed {
  readonly kind: "fixed";
  readonly name: string;
  readonly size: number;
}
export interface AvroEnum extends Attributed {
  readonly kind: "enum";
  readonly name: string;
  readonly symbols: readonly string[];
}
interface AvroArray extends Attributed {
  readonly kind: "array";
  readonly items: AvroSchema;
}
interface AvroMap extends Attributed {
  readonly kind: "map";
  readonly values: AvroSchema;
}
export interface AvroUnion {
  readonly kind: "union";
  readonly branches: readonly AvroSchema[];
}
export interface AvroField extends Attributed {
  readonly name: string;
  readonly schema: AvroSchema;
}
export interface AvroRecord extends Attributed {
  readonly kind: "record";
  readonly name: string;
  readonly fields: readonly AvroField[];
}

export type AvroSchema = AvroPrimitive | AvroFixed | AvroEnum | AvroArray | AvroMap | AvroUnion | AvroRecord;

/** Deeper than any schema that Iceberg writes by far; bounds the recursion of every reader. */
const MAX_NESTING = 64;
/** An Avro `fixed` is at most a value; a larger one is a lie that would be believed at every row. */
const MAX_FIXED_BYTES = 0x1000_0000;

/** Nodes with every reference written out: names that refer to names can multiply without end. */
const MAX_NODES = 10_000;

const NO_ATTRIBUTES: JsonObject = {};

interface Names {
  readonly known: Map<string, AvroSchema>;
  readonly open: Set<string>;
}

/** The schema of a file's header. `location` is for messages. */
export function parseAvroSchema(text: string | Uint8Array, location: string): AvroSchema {
  const fail = (why: string): never => {
    throw new ToolError("corrupt", `Cannot read the Avro schema of "${location}"`, { why, context: { file: location } });
  };
  const names: Names = { known: new Map(), open: new Set() };

  const parse = (json: JsonValue, namespace: string, depth: number): AvroSchema => {
    if (depth > MAX_NESTING) return fail(`It is nested deeper than ${MAX_NESTING} levels`);
    if (typeof json === "string") return byName(json, namespace);
    if (Array.isArray(json)) {
      if (json.length === 0) return fail("A union has no branches");
      const branches = json.map((branch) => parse(branch, namespace, depth + 1));
      // The specification forbids it, and nobody could say which of them a value is of.
      if (branches.some(({ kind }) => kind === "union")) return fail("A union holds another union");
      return { kind: "union", branches };
    }
    if (!isJsonObject(json)) return fail("A type is neither a name, a list nor an object");
    const { type } = json;
    if (typeof type !== "string") {
      // `{"type": {...}}`: some writers wrap a type once more; what stands beside it is an attribute of nothing.
      return type === undefined ? fail("A type has no `type`") : parse(type, namespace, depth + 1);
    }
    switch (type) {
      case "array":
        return { kind: "array", items: parse(json.items ?? null, namespace, depth + 1), attributes: rest(json, "type", "items") };
      case "map":
        return {
          kind: "map",
          values: parse(json.values ?? null, namespace, depth + 1),
          attributes: rest(json, "type", "values"),
        };
      case "record":
      case "error":
      case "fixed":
      case "enum":
        return named(json, type, namespace, depth);
      default: {
        const schema = byName(type, namespace);
        return isPrimitiveSchema(schema) ? { kind: schema.kind, attributes: rest(json, "type") } : schema;
      }
    }
  };

  const byName = (name: string, namespace: string): AvroSchema => {
    const primitive = AVRO_PRIMITIVES.find((one) => one === name);
    if (primitive !== undefined) return { kind: primitive, attributes: NO_ATTRIBUTES };
    const full = fullName(name, namespace);
    if (names.open.has(full)) return fail(`The type "${name}" contains itself`);
    return names.known.get(full) ?? names.known.get(name) ?? fail(`The type "${name}" is not defined before its use`);
  };

  const named = (json: JsonObject, type: "record" | "error" | "fixed" | "enum", outer: string, depth: number): AvroSchema => {
    const { name } = json;
    if (typeof name !== "string" || name === "") return fail(`A ${type} has no name`);
    const namespace = typeof json.namespace === "string" && !name.includes(".") ? json.namespace : outer;
    const full = fullName(name, namespace);
    const schema = type === "fixed" ? fixed(json, name) : type === "enum" ? enumeration(json, name) : null;
    if (schema !== null) {
      names.known.set(full, schema);
      return schema;
    }
    names.open.add(full);
    const inner = full.slice(0, Math.max(0, full.lastIndexOf(".")));
    const record = parseRecord(json, name, inner, depth);
    names.open.delete(full);
    names.known.set(full, record);
    return record;
  };

  const fixed = (json: JsonObject, name: string): AvroFixed => {
    const { size } = json;
    if (typeof size !== "number" || !Number.isInteger(size) || size < 0 || size > MAX_FIXED_BYTES) {
      return fail(`The fixed type "${name}" has no valid size`);
    }
    return { kind: "fixed", name, size, attributes: rest(json, "type", "name", "size") };
  };

  const enumeration = (json: JsonObject, name: string): AvroEnum => {
    const symbols = Array.isArray(json.symbols) ? json.symbols.filter((one) => typeof one === "string") : [];
    if (symbols.length === 0) return fail(`The enum "${name}" has no symbols`);
    return { kind: "enum", name, symbols, attributes: rest(json, "type", "name", "symbols") };
  };

  const parseRecord = (json: JsonObject, name: string, namespace: string, depth: number): AvroRecord => {
    if (!Array.isArray(json.fields)) return fail(`The record "${name}" has no fields`);
    const fields = json.fields.map((field: JsonValue): AvroField => {
      if (!isJsonObject(field) || typeof field.name !== "string") return fail(`A field of the record "${name}" has no name`);
      const schema = parse(field.type ?? null, namespace, depth + 1);
      return { name: field.name, schema, attributes: rest(field, "name", "type") };
    });
    if (new Set(fields.map((field) => field.name)).size < fields.length)
      return fail(`The record "${name}" has two fields of one name`);
    return { kind: "record", name, fields, attributes: rest(json, "type", "name", "fields") };
  };

  const schema = parse(parseJson(text, { maxDepth: 4 * MAX_NESTING }), "", 0);
  if (countNodes(schema, new Map()) > MAX_NODES) return fail(`It has more than ${MAX_NODES} types`);
  return schema;
}

export function isPrimitiveSchema(schema: AvroSchema): schema is AvroPrimitive {
  return AVRO_PRIMITIVES.some((kind) => kind === schema.kind);
}

/** An attribute that is a whole number, e.g. `field-id`; null when it is absent or something else. */
export function numberAttribute(holder: Attributed, name: string): number | null {
  const value = holder.attributes[name];
  return typeof value === "number" && Number.isInteger(value) ? value : null;
}

export function textAttribute(holder: Attributed, name: string): string | null {
  const value = holder.attributes[name];
  return typeof value === "string" ? value : null;
}

/** The types directly inside of this one. */
export function childSchemas(schema: AvroSchema): readonly AvroSchema[] {
  switch (schema.kind) {
    case "record":
      return schema.fields.map((field) => field.schema);
    case "union":
      return schema.branches;
    case "array":
      return [schema.items];
    case "map":
      return [schema.values];
    default:
      return [];
  }
}

function countNodes(schema: AvroSchema, counted: Map<AvroSchema, number>): number {
  const before = counted.get(schema);
  if (before !== undefined) return before;
  const count = childSchemas(schema).reduce((sum, child) => sum + countNodes(child, counted), 1);
  counted.set(schema, count);
  return count;
}

function fullName(name: string, namespace: string): string {
  return name.includes(".") || namespace === "" ? name : `${namespace}.${name}`;
}

function rest(json: JsonObject, ...structure: readonly string[]): JsonObject {
  const kept = Object.entries(json).filter(([key]) => !structure.includes(key));
  return kept.length === 0 ? NO_ATTRIBUTES : Object.fromEntries(kept);
}
