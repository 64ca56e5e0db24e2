// Writes an Avro schema tree as JSON, in the key order of Java's Avro library. A named type is defined where it
// stands first and referred to by its name afterwards; two different types of one name get two names.
import type { AvroField, AvroFixed, AvroEnum, AvroRecord, AvroSchema } from "./avro-schema.ts";
import { isPrimitiveSchema } from "./avro-schema.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { canonicalJson } from "./json-write.ts";

type Named = AvroRecord | AvroFixed | AvroEnum;

export function avroSchemaToJson(schema: AvroSchema): JsonValue {
  const defined = new Map<string, string>();

  const write = (one: AvroSchema): JsonValue => {
    if (one.kind === "union") return one.branches.map(write);
    if (isPrimitiveSchema(one)) {
      return Object.keys(one.attributes).length === 0 ? one.kind : { type: one.kind, ...one.attributes };
    }
    if (one.kind === "array") return { type: "array", items: write(one.items), ...one.attributes };
    if (one.kind === "map") return { type: "map", values: write(one.values), ...one.attributes };
    return writeNamed(one);
  };

  const writeNamed = (one: Named): JsonValue => {
    const form = canonicalJson(formOf(one));
    const name = freeName(one.name, form);
    if (defined.get(name) === form) return name;
    defined.set(name, form);
    if (one.kind === "fixed") return { type: "fixed", name, size: one.size, ...one.attributes };
    if (one.kind === "enum") return { type: "enum", name, symbols: one.symbols, ...one.attributes };
    return { type: "record", name, fields: one.fields.map(writeField), ...one.attributes };
  };

  const writeField = (field: AvroField): JsonObject => {
    // Java's order: name, type, doc, default, then the rest.
    const { doc, default: preset, ...others } = field.attributes;
    return {
      name: field.name,
      type: write(field.schema),
      ...(doc === undefined ? {} : { doc }),
      ...(preset === undefined ? {} : { default: preset }),
      ...others,
    };
  };

  const freeName = (wanted: string, form: string): string => {
    let name = wanted;
    for (let count = 2; defined.has(name) && defined.get(name) !== form; count++) name = `${wanted}_${count}`;
    return name;
  };

  return write(schema);
}

// The whole type without references: equal forms are one type.
function formOf(schema: AvroSchema): JsonValue {
  switch (schema.kind) {
    case "union":
      return schema.branches.map(formOf);
    case "array":
      return { kind: schema.kind, items: formOf(schema.items), attributes: schema.attributes };
    case "map":
      return { kind: schema.kind, values: formOf(schema.values), attributes: schema.attributes };
    case "record":
      return {
        kind: schema.kind,
        fields: schema.fields.map((field) => [field.name, formOf(field.schema), field.attributes]),
        attributes: schema.attributes,
      };
    case "fixed":
      return { kind: schema.kind, size: schema.size, attributes: schema.attributes };
    case "enum":
      return { kind: schema.kind, symbols: schema.symbols, attributes: schema.attributes };
    default:
      return { kind: schema.kind, attributes: schema.attributes };
  }
}
