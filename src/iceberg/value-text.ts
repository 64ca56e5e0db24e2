// Single values as texts for people, in the forms of the spec's JSON single-value serialization (Appendix D). Pure.
import type { SingleValue } from "./bound.ts";
import { formatIsoDate, formatIsoTime, formatIsoTimestamp } from "./iso-time.ts";
import type { PrimitiveType } from "./type.ts";

export function singleValueText(type: PrimitiveType, value: SingleValue): string {
  if (value instanceof Uint8Array) return bytesText(type, value);
  switch (type.kind) {
    case "date":
      return typeof value === "number" ? formatIsoDate(value) : String(value);
    case "decimal":
      return typeof value === "bigint" ? decimalText(value, type.scale) : String(value);
    case "time":
      return typeof value === "bigint" ? formatIsoTime(value, 6) : String(value);
    case "timestamp":
    case "timestamp_ns":
      return typeof value === "bigint" ? formatIsoTimestamp(value, digitsOf(type)) : String(value);
    case "timestamptz":
    case "timestamptz_ns":
      return typeof value === "bigint" ? `${formatIsoTimestamp(value, digitsOf(type))}+00:00` : String(value);
    default:
      return Object.is(value, -0) ? "-0" : String(value);
  }
}

function digitsOf(type: PrimitiveType): 6 | 9 {
  return type.kind === "timestamp_ns" || type.kind === "timestamptz_ns" ? 9 : 6;
}

function decimalText(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? "-" : "";
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function bytesText(type: PrimitiveType, bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  if (type.kind !== "uuid") return hex;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
