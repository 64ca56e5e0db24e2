// Values as hyparquet gives them without annotations → texts by the Iceberg type: dates and times in ISO form,
// decimals exact, bytes as hex, nested values in one line. Nested fields are found by field id.
import type { SchemaTree } from "hyparquet";
import { formatDefault } from "../../iceberg/default-text.ts";
import { formatIsoDate, formatIsoTime, formatIsoTimestamp } from "../../iceberg/iso-time.ts";
import { type Field, isPrimitive, type PrimitiveType, type Type } from "../../iceberg/type.ts";

/** Null for null. A field that the file does not have reads its initial default. */
export function fieldText(value: unknown, field: Field, column: SchemaTree | undefined): string | null {
  if (column === undefined) {
    const initial = field.initialDefault ?? null;
    return initial === null || !isPrimitive(field.type) ? null : formatDefault(initial, field.type);
  }
  return valueText(value, field.type, column);
}

function valueText(value: unknown, type: Type, column: SchemaTree): string | null {
  if (value === null || value === undefined) return null;
  switch (type.kind) {
    case "struct": {
      const parts = type.fields.map((field) => {
        const child = column.children.find((one) => one.element.field_id === field.id);
        const inner =
          child === undefined || typeof value !== "object" ? undefined : (value as Record<string, unknown>)[child.element.name];
        return `${field.name}: ${fieldText(inner, field, child) ?? "null"}`;
      });
      return `{${parts.join(", ")}}`;
    }
    case "list": {
      const element = descendant(column, type.elementId);
      const items: readonly unknown[] = Array.isArray(value) ? value : [];
      return `[${items.map((item) => (element === undefined ? "null" : (valueText(item, type.element, element) ?? "null"))).join(", ")}]`;
    }
    case "map": {
      const key = descendant(column, type.keyId);
      const inner = descendant(column, type.valueId);
      const entries = mapEntries(value).map(([k, v]) => {
        const keyText = key === undefined ? "null" : (valueText(k, type.key, key) ?? "null");
        return `${keyText}: ${inner === undefined ? "null" : (valueText(v, type.value, inner) ?? "null")}`;
      });
      return `{${entries.join(", ")}}`;
    }
    default:
      return primitiveText(value, type);
  }
}

/** The node with that field id below a list or map group. */
function descendant(column: SchemaTree, id: number): SchemaTree | undefined {
  for (const child of column.children) {
    if (child.element.field_id === id) return child;
    const found = descendant(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function mapEntries(value: unknown): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(value))
    return value.map((entry: { readonly key?: unknown; readonly value?: unknown }) => [entry.key, entry.value] as const);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function primitiveText(value: unknown, type: PrimitiveType): string {
  switch (type.kind) {
    case "date":
      return formatIsoDate(Number(value));
    case "time":
      return formatIsoTime(toBigInt(value), 6);
    case "timestamp":
      return formatIsoTimestamp(toBigInt(value), 6);
    case "timestamptz":
      return `${formatIsoTimestamp(toBigInt(value), 6)}Z`;
    case "timestamp_ns":
      return formatIsoTimestamp(toBigInt(value), 9);
    case "timestamptz_ns":
      return `${formatIsoTimestamp(toBigInt(value), 9)}Z`;
    case "decimal":
      return decimalText(value instanceof Uint8Array ? signed(value) : toBigInt(value), type.scale);
    case "uuid":
      return value instanceof Uint8Array ? uuidText(value) : String(value);
    default:
      return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
  }
}

function toBigInt(value: unknown): bigint {
  return typeof value === "bigint" ? value : BigInt(Number(value));
}

function signed(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const sign = unscaled < 0n ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
