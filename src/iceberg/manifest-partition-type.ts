// Types of partition columns in Avro files: which Iceberg type a stored column has, and how its values become those
// of the type that the table has now. Knows no values of files.
import { type ColumnPlace, failType } from "./avro-decode.ts";
import { type AvroSchema, numberAttribute, textAttribute } from "./avro-schema.ts";
import type { SingleValue } from "./bound.ts";
import type { PrimitiveType } from "./type.ts";

const UNKNOWN: PrimitiveType = { kind: "unknown" };
const UUID_BYTES = 16;
const DAY_MICROS = 86_400_000_000n;
const DAY_NANOS = DAY_MICROS * 1000n;

// The Iceberg type that the file's column has (spec Appendix A, "Avro").
export function storedType(schema: AvroSchema, place: ColumnPlace): PrimitiveType {
  if (schema.kind === "union") {
    const branches = schema.branches.filter((branch) => branch.kind !== "null");
    const [only] = branches;
    if (only === undefined) return UNKNOWN;
    return branches.length === 1 ? storedType(only, place) : failType(place, "one type beside null");
  }
  const logicalType = "attributes" in schema ? textAttribute(schema, "logicalType") : null;
  switch (schema.kind) {
    case "null":
      return UNKNOWN;
    case "boolean":
    case "float":
    case "double":
      return { kind: schema.kind };
    case "string":
    case "enum":
      return { kind: "string" };
    case "int":
      return { kind: logicalType === "date" ? "date" : "int" };
    case "long":
      return longType(logicalType, schema.attributes["adjust-to-utc"] === true, place);
    case "bytes":
      return logicalType === "decimal" ? decimalOf(schema, place) : { kind: "binary" };
    case "fixed":
      if (logicalType === "decimal") return decimalOf(schema, place);
      return logicalType === "uuid" && schema.size === UUID_BYTES ? { kind: "uuid" } : { kind: "fixed", length: schema.size };
    case "array":
    case "map":
    case "record":
      return failType(place, "a primitive");
  }
}

function longType(logicalType: string | null, adjustsToUtc: boolean, place: ColumnPlace): PrimitiveType {
  switch (logicalType) {
    case null:
      return { kind: "long" };
    case "time-micros":
      return { kind: "time" };
    case "timestamp-micros":
      return { kind: adjustsToUtc ? "timestamptz" : "timestamp" };
    case "local-timestamp-micros":
      return { kind: "timestamp" };
    case "timestamp-nanos":
      return { kind: adjustsToUtc ? "timestamptz_ns" : "timestamp_ns" };
    case "local-timestamp-nanos":
      return { kind: "timestamp_ns" };
    default:
      return failType(place, "a time in microseconds or nanoseconds");
  }
}

function decimalOf(schema: Extract<AvroSchema, { readonly attributes: unknown }>, place: ColumnPlace): PrimitiveType {
  const precision = numberAttribute(schema, "precision");
  return precision === null
    ? failType(place, "a decimal with a precision")
    : { kind: "decimal", precision, scale: numberAttribute(schema, "scale") ?? 0 };
}

type Kind = PrimitiveType["kind"];

const KEEP = (value: SingleValue): SingleValue => value;
const toLong = (value: SingleValue): SingleValue => (typeof value === "number" ? BigInt(value) : value);
const daysTimes =
  (units: bigint) =>
  (value: SingleValue): SingleValue =>
    typeof value === "number" ? BigInt(value) * units : value;

/**
 * Stored kind → kind of the table → what becomes of the value. Promotions; day numbers, which the spec calls int
 * and Java writes as dates; and logical types that some writers leave out.
 */
const ADAPTERS: Partial<Record<Kind, Partial<Record<Kind, (value: SingleValue) => SingleValue>>>> = {
  int: { long: toLong, date: KEEP },
  date: { int: KEEP, timestamp: daysTimes(DAY_MICROS), timestamp_ns: daysTimes(DAY_NANOS) },
  float: { double: KEEP },
  long: { time: KEEP, timestamp: KEEP, timestamptz: KEEP, timestamp_ns: KEEP, timestamptz_ns: KEEP },
  timestamp: { timestamptz: KEEP },
  timestamptz: { timestamp: KEEP },
  timestamp_ns: { timestamptz_ns: KEEP },
  timestamptz_ns: { timestamp_ns: KEEP },
};

/** Null when values of the one type cannot be read as the other. */
export function adapterOf(stored: PrimitiveType, wanted: PrimitiveType): ((value: SingleValue) => SingleValue) | null {
  if (stored.kind === "unknown") return KEEP;
  if (stored.kind === "decimal" && wanted.kind === "decimal") return stored.scale === wanted.scale ? KEEP : null;
  if (stored.kind === "fixed") {
    if (wanted.kind === "fixed") return stored.length === wanted.length ? KEEP : null;
    return wanted.kind === "uuid" && stored.length === UUID_BYTES ? KEEP : null;
  }
  return stored.kind === wanted.kind ? KEEP : (ADAPTERS[stored.kind]?.[wanted.kind] ?? null);
}
