// Iceberg's types as Parquet stores them, and values between the two forms (spec "Parquet" data type mappings).
import type { Value } from "../conversion/conversion.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import { formatType } from "../iceberg/type-text.ts";
import type { ColumnValue, PhysicalTarget } from "../parquet/physical.ts";

/** Bytes of a fixed that holds every unscaled value of a precision. */
function decimalBytes(precision: number): number {
  let bytes = 1;
  while (2n ** BigInt(8 * bytes - 1) - 1n < 10n ** BigInt(precision) - 1n) bytes++;
  return bytes;
}

const PLAIN: Readonly<Partial<Record<PrimitiveType["kind"], PhysicalTarget>>> = {
  boolean: { type: "BOOLEAN" },
  int: { type: "INT32" },
  long: { type: "INT64" },
  float: { type: "FLOAT" },
  double: { type: "DOUBLE" },
  date: { type: "INT32", logical: { kind: "date" } },
  time: { type: "INT64", logical: { kind: "time", isAdjustedToUtc: false, unit: "micros" } },
  timestamp: { type: "INT64", logical: { kind: "timestamp", isAdjustedToUtc: false, unit: "micros" } },
  timestamptz: { type: "INT64", logical: { kind: "timestamp", isAdjustedToUtc: true, unit: "micros" } },
  timestamp_ns: { type: "INT64", logical: { kind: "timestamp", isAdjustedToUtc: false, unit: "nanos" } },
  timestamptz_ns: { type: "INT64", logical: { kind: "timestamp", isAdjustedToUtc: true, unit: "nanos" } },
  string: { type: "BYTE_ARRAY", logical: { kind: "string" } },
  binary: { type: "BYTE_ARRAY" },
  uuid: { type: "FIXED_LEN_BYTE_ARRAY", typeLength: 16, logical: { kind: "uuid" } },
};

/** How a column of that type is stored. */
export function physicalTarget(type: PrimitiveType): PhysicalTarget {
  if (type.kind === "fixed") return { type: "FIXED_LEN_BYTE_ARRAY", typeLength: type.length };
  if (type.kind === "decimal") {
    const logical = { kind: "decimal" as const, precision: type.precision, scale: type.scale };
    if (type.precision <= 9) return { type: "INT32", logical };
    if (type.precision <= 18) return { type: "INT64", logical };
    return { type: "FIXED_LEN_BYTE_ARRAY", typeLength: decimalBytes(type.precision), logical };
  }
  const target = PLAIN[type.kind];
  if (target === undefined) throw new ToolError("unsupported", `Cannot store ${formatType(type)} in a Parquet column`);
  return target;
}

/** A stored value of a column whose type is not string as the conversions take it; undefined when it is no value of the type. */
export function fromPhysical(type: PrimitiveType): (stored: ColumnValue) => Value | undefined {
  switch (type.kind) {
    case "decimal":
      return (stored) =>
        stored instanceof Uint8Array ? signedBigInt(stored) : typeof stored === "boolean" ? undefined : BigInt(stored);
    case "long":
    case "time":
    case "timestamp":
    case "timestamptz":
    case "timestamp_ns":
    case "timestamptz_ns":
      return (stored) => (typeof stored === "number" ? BigInt(stored) : typeof stored === "bigint" ? stored : undefined);
    default:
      return (stored) => stored;
  }
}

/** A converted value as it is stored. */
export function toPhysical(type: PrimitiveType): (value: Value) => ColumnValue {
  const target = physicalTarget(type);
  switch (target.type) {
    case "INT32":
      return (value) => (typeof value === "bigint" ? Number(value) : typeof value === "string" ? Number(value) : value);
    case "FIXED_LEN_BYTE_ARRAY":
      return (value) =>
        typeof value === "bigint" ? bigEndian(value, target.typeLength ?? 16) : typeof value === "string" ? utf8(value) : value;
    case "BYTE_ARRAY":
      return (value) => (typeof value === "string" ? utf8(value) : value);
    default:
      return (value) => (typeof value === "string" ? utf8(value) : value);
  }
}

const encoder = new TextEncoder();

function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

function signedBigInt(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

function bigEndian(value: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let rest = BigInt.asUintN(length * 8, value);
  for (let index = length - 1; index >= 0; index--) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}
