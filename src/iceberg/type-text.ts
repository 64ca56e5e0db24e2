// Type names as text: the form in metadata (`decimal(9, 2)`), the form for people (`decimal(9,2)`,
// `list<required string>`), and reading a primitive. Knows no aliases of other systems and no ids; reading
// nested text is in type-text-parse.ts.
import {
  GEOGRAPHY_ALGORITHMS,
  type GeographyAlgorithm,
  isPrimitive,
  PLAIN_TYPE_NAMES,
  type PlainTypeName,
  type PrimitiveType,
  type Type,
} from "./type.ts";

const MAX_DECIMAL_PRECISION = 38;
const DEFAULT_CRS = "OGC:CRS84";
const DEFAULT_GEOGRAPHY_ALGORITHM: GeographyAlgorithm = "spherical";

const MAX_FIXED_LENGTH = 2147483647;
const PLAIN_NAMES: ReadonlySet<string> = new Set(PLAIN_TYPE_NAMES);

export interface TypeOptions {
  /** Metadata may hold a decimal with a scale above its precision: the reference implementation reads it, though no engine stores it. */
  readonly anyScale?: boolean;
}

/**
 * The primitive type of that name, or null. Names are read in any case and with blanks around and inside the
 * brackets (spec "Primitive Types"). A scale above the precision is no type unless asked for.
 */
export function parseType(text: string, options: TypeOptions = {}): PrimitiveType | null {
  const trimmed = text.trim();
  const bracket = trimmed.search(/[([]/);
  const name = (bracket < 0 ? trimmed : trimmed.slice(0, bracket)).trimEnd().toLowerCase();
  if (bracket < 0) return parseBareName(name);
  const close = trimmed[bracket] === "(" ? ")" : "]";
  if (!trimmed.endsWith(close)) return null;
  const inner = trimmed.slice(bracket + 1, -1);
  if (close === "]") return name === "fixed" ? parseFixed(inner) : null;
  if (name === "decimal") return parseDecimal(inner, options.anyScale ?? false);
  if (name === "geometry") return parseGeometry(inner);
  return name === "geography" ? parseGeography(inner) : null;
}

function parseBareName(name: string): PrimitiveType | null {
  if (isPlainName(name)) return { kind: name };
  if (name === "geometry") return { kind: "geometry", crs: DEFAULT_CRS };
  if (name === "geography") return { kind: "geography", crs: DEFAULT_CRS, algorithm: DEFAULT_GEOGRAPHY_ALGORITHM };
  return null;
}

function parseFixed(inner: string): PrimitiveType | null {
  const length = parseCount(inner);
  return length !== null && length >= 1 && length <= MAX_FIXED_LENGTH ? { kind: "fixed", length } : null;
}

function parseDecimal(inner: string, anyScale: boolean): PrimitiveType | null {
  const parts = inner.split(",");
  const precision = parseCount(parts[0]);
  const scale = parseCount(parts[1]);
  if (parts.length !== 2 || precision === null || scale === null) return null;
  return precision >= 1 && precision <= MAX_DECIMAL_PRECISION && (anyScale || scale <= precision)
    ? { kind: "decimal", precision, scale }
    : null;
}

function parseGeometry(inner: string): PrimitiveType | null {
  const crs = inner.trim();
  return crs === "" || crs.includes(")") ? null : { kind: "geometry", crs };
}

function parseGeography(inner: string): PrimitiveType | null {
  const [first = "", second, ...rest] = inner.split(",");
  const crs = first.trim();
  const algorithm = second === undefined ? DEFAULT_GEOGRAPHY_ALGORITHM : second.trim().toLowerCase();
  if (crs === "" || crs.includes(")") || rest.length > 0 || !isAlgorithm(algorithm)) return null;
  return { kind: "geography", crs, algorithm };
}

function parseCount(text: string | undefined): number | null {
  const digits = text?.trim() ?? "";
  return /^\d{1,10}$/.test(digits) ? Number(digits) : null;
}

function isPlainName(name: string): name is PlainTypeName {
  return PLAIN_NAMES.has(name);
}

function isAlgorithm(name: string): name is GeographyAlgorithm {
  return GEOGRAPHY_ALGORITHMS.some((algorithm) => algorithm === name);
}

/** The form that metadata holds, as Java writes it: `decimal(9, 2)`, and the CRS always told. */
export function formatTypeJson(type: PrimitiveType): string {
  switch (type.kind) {
    case "decimal":
      return `decimal(${type.precision}, ${type.scale})`;
    case "fixed":
      return `fixed[${type.length}]`;
    case "geometry":
      return `geometry(${type.crs})`;
    case "geography":
      return `geography(${type.crs}, ${type.algorithm})`;
    default:
      return type.kind;
  }
}

/** The form for people and YAML: `decimal(9,2)`, `struct<a: required int, "b.c": string>`; defaults are left out. */
export function formatType(type: Type): string {
  if (isPrimitive(type)) return formatPrimitive(type);
  switch (type.kind) {
    case "struct": {
      const fields = type.fields.map((field) => `${formatFieldName(field.name)}: ${formatPart(field.type, field.required)}`);
      return `struct<${fields.join(", ")}>`;
    }
    case "list":
      return `list<${formatPart(type.element, type.elementRequired)}>`;
    case "map":
      return `map<${formatType(type.key)}, ${formatPart(type.value, type.valueRequired)}>`;
  }
}

function formatPart(type: Type, required: boolean): string {
  return required ? `required ${formatType(type)}` : formatType(type);
}

function formatPrimitive(type: PrimitiveType): string {
  if (type.kind === "decimal") return `decimal(${type.precision},${type.scale})`;
  const hasDefaultCrs = "crs" in type && type.crs.toUpperCase() === DEFAULT_CRS;
  if (type.kind === "geometry" && hasDefaultCrs) return "geometry";
  if (type.kind === "geography" && type.algorithm === DEFAULT_GEOGRAPHY_ALGORITHM) {
    return hasDefaultCrs ? "geography" : `geography(${type.crs})`;
  }
  return formatTypeJson(type);
}

/** Plain where it cannot be misread, else in double quotes with `""` for a quote, as in field paths. */
export function formatFieldName(name: string): string {
  return /^[^\s,<>:"().[\]]+$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
