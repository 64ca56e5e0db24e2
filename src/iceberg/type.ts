// The types of the table format (spec "Schemas and Data Types"). Plain immutable data; knows nothing of
// text or JSON forms (type-text.ts, schema-json.ts) nor of which change is allowed (promotion.ts).
import type { JsonObject, JsonValue } from "./json.ts";

/** Primitive types without parameters, by their name in metadata. `variant` counts here: it has no children. */
export const PLAIN_TYPE_NAMES = [
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "date",
  "time",
  "timestamp",
  "timestamptz",
  "timestamp_ns",
  "timestamptz_ns",
  "string",
  "uuid",
  "binary",
  "unknown",
  "variant",
] as const;

export type PlainTypeName = (typeof PLAIN_TYPE_NAMES)[number];

export const GEOGRAPHY_ALGORITHMS = ["spherical", "vincenty", "thomas", "andoyer", "karney"] as const;
export type GeographyAlgorithm = (typeof GEOGRAPHY_ALGORITHMS)[number];

export type PrimitiveType =
  | { readonly kind: PlainTypeName }
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }
  | { readonly kind: "fixed"; readonly length: number }
  | { readonly kind: "geometry"; readonly crs: string }
  | { readonly kind: "geography"; readonly crs: string; readonly algorithm: GeographyAlgorithm };

export interface StructType {
  readonly kind: "struct";
  readonly fields: readonly Field[];
}

export interface ListType {
  readonly kind: "list";
  readonly elementId: number;
  readonly element: Type;
  readonly elementRequired: boolean;
}

/** A map key is always required; there is no flag for it. */
export interface MapType {
  readonly kind: "map";
  readonly keyId: number;
  readonly key: Type;
  readonly valueId: number;
  readonly value: Type;
  readonly valueRequired: boolean;
}

export type NestedType = StructType | ListType | MapType;
export type Type = PrimitiveType | NestedType;

/** A field of a struct or of the schema itself. Defaults are in the JSON single-value form (spec Appendix D). */
export interface Field {
  readonly id: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: Type;
  readonly doc?: string;
  readonly initialDefault?: JsonValue;
  readonly writeDefault?: JsonValue;
  /** Keys that this version does not know; kept when the schema is written again. */
  readonly extra?: JsonObject;
}

/** One schema of a table (spec "Table Metadata Fields", `schemas`). */
export interface Schema {
  readonly schemaId: number;
  /** Ascending; empty when the table has no identifier. */
  readonly identifierFieldIds: readonly number[];
  readonly fields: readonly Field[];
  readonly extra?: JsonObject;
}

export function isNested(type: Type): type is NestedType {
  return type.kind === "struct" || type.kind === "list" || type.kind === "map";
}

export function isPrimitive(type: Type): type is PrimitiveType {
  return !isNested(type);
}
