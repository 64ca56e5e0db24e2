// The Avro schema for fields of Iceberg types (spec Appendix A, "Avro"), as the reference implementation makes it:
// record names from field ids, field-id and element-id attributes, decimals and uuids as fixed.
import { bug } from "../diagnostics/tool-error.ts";
import type { AvroField, AvroPrimitiveKind, AvroRecord, AvroSchema } from "./avro-schema.ts";
import type { JsonObject } from "./json.ts";
import { writeJson } from "./json-write.ts";
import { writeSchema } from "./schema-json.ts";
import type { Field, PrimitiveType, Type } from "./type.ts";
import { isPrimitive } from "./type.ts";

const NONE: JsonObject = {};
const UUID_BYTES = 16;

export function avroRecordOf(fields: readonly Field[], name: string): AvroRecord {
  return { kind: "record", name, fields: fields.map(avroFieldOf), attributes: NONE };
}

/** What the reference implementation's Avro writer puts into a header beside Avro's own schema. */
export function icebergSchemaText(fields: readonly Field[]): string {
  return writeJson(writeSchema({ schemaId: 0, identifierFieldIds: [], fields }));
}

/** A union with null, which stands first. Null itself stays as it is. */
export function optionalAvro(schema: AvroSchema): AvroSchema {
  return schema.kind === "null" ? schema : { kind: "union", branches: [{ kind: "null", attributes: NONE }, schema] };
}

function primitiveAvroOf(type: PrimitiveType): AvroSchema {
  switch (type.kind) {
    case "unknown":
      return { kind: "null", attributes: NONE };
    case "boolean":
    case "int":
    case "long":
    case "float":
    case "double":
    case "string":
      return { kind: type.kind, attributes: NONE };
    case "binary":
    case "geometry":
    case "geography":
      return { kind: "bytes", attributes: NONE };
    case "date":
      return logical("int", { logicalType: "date" });
    case "time":
      return logical("long", { logicalType: "time-micros" });
    case "timestamp":
      return logical("long", { logicalType: "timestamp-micros", "adjust-to-utc": false });
    case "timestamptz":
      return logical("long", { logicalType: "timestamp-micros", "adjust-to-utc": true });
    case "timestamp_ns":
      return logical("long", { logicalType: "timestamp-nanos", "adjust-to-utc": false });
    case "timestamptz_ns":
      return logical("long", { logicalType: "timestamp-nanos", "adjust-to-utc": true });
    case "uuid":
      return { kind: "fixed", name: "uuid_fixed", size: UUID_BYTES, attributes: { logicalType: "uuid" } };
    case "fixed":
      return { kind: "fixed", name: `fixed_${type.length}`, size: type.length, attributes: NONE };
    case "decimal": {
      const { precision, scale } = type;
      const attributes = { logicalType: "decimal", precision, scale };
      return { kind: "fixed", name: `decimal_${precision}_${scale}`, size: decimalBytes(precision), attributes };
    }
    case "variant":
      throw bug("A variant has no place in a manifest");
  }
}

/** Fewest bytes in two's complement that hold every number of so many digits. */
export function decimalBytes(precision: number): number {
  const largest = 10n ** BigInt(precision) - 1n;
  let size = 1;
  while (BigInt.asIntN(8 * size, largest) !== largest) size++;
  return size;
}

/** A column's name where Avro allows letters, digits and underscores only. */
export function sanitizeAvroName(name: string): string {
  let sanitized = "";
  for (let index = 0; index < name.length; index++) {
    const unit = name.charAt(index);
    if (/[\p{L}_]/u.test(unit) || (index > 0 && /\p{Nd}/u.test(unit))) sanitized += unit;
    else if (/\p{Nd}/u.test(unit)) sanitized += `_${unit}`;
    else sanitized += `_x${unit.charCodeAt(0).toString(16).toUpperCase()}`;
  }
  return sanitized;
}

function avroFieldOf(field: Field): AvroField {
  const schema = avroOf(field.type, field.id);
  const name = sanitizeAvroName(field.name);
  return {
    name,
    schema: field.required ? schema : optionalAvro(schema),
    attributes: {
      ...(field.doc === undefined ? {} : { doc: field.doc }),
      ...(field.required ? {} : { default: null }),
      ...(name === field.name ? {} : { "iceberg-field-name": field.name }),
      "field-id": field.id,
    },
  };
}

// `id` names the record of a struct: that of the field, element or value that holds it.
function avroOf(type: Type, id: number): AvroSchema {
  if (isPrimitive(type)) return primitiveAvroOf(type);
  if (type.kind === "struct") return avroRecordOf(type.fields, `r${id}`);
  if (type.kind === "list") {
    const element = avroOf(type.element, type.elementId);
    const items = type.elementRequired ? element : optionalAvro(element);
    return { kind: "array", items, attributes: { "element-id": type.elementId } };
  }
  // Avro's own maps have text keys; others are lists of pairs.
  const key: Field = { id: type.keyId, name: "key", required: true, type: type.key };
  const value: Field = { id: type.valueId, name: "value", required: type.valueRequired, type: type.value };
  const items = avroRecordOf([key, value], `k${type.keyId}_v${type.valueId}`);
  return { kind: "array", items, attributes: { logicalType: "map" } };
}

function logical(kind: AvroPrimitiveKind, attributes: JsonObject): AvroSchema {
  return { kind, attributes };
}
