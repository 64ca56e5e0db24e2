// Partition transforms as text and data: which source types they take, what type they give, their default field
// names (spec "Partition Transforms"). Computing values is in transform-value.ts; knows no schema.
import type { PrimitiveType, Type } from "./type.ts";
import { isNested } from "./type.ts";
import { formatType } from "./type-text.ts";

export type TimeUnit = "year" | "month" | "day" | "hour";

export type Transform =
  | { readonly kind: "identity" | "void" | TimeUnit }
  | { readonly kind: "bucket"; readonly buckets: number }
  | { readonly kind: "truncate"; readonly width: number }
  /** Read and kept, never applied and never put into a new spec. */
  | { readonly kind: "unknown"; readonly text: string };

const PLAIN = ["identity", "void", "year", "month", "day", "hour"] as const;
const WITH_ARGUMENT = /^(bucket|truncate)\[(\d{1,10})\]$/;
const MAX_ARGUMENT = 2_147_483_647;

type Kind = PrimitiveType["kind"];

const TIMESTAMPS: readonly Kind[] = ["timestamp", "timestamptz", "timestamp_ns", "timestamptz_ns"];
const HASHABLE: readonly Kind[] = ["int", "long", "decimal", "date", "time", ...TIMESTAMPS, "string", "uuid", "fixed", "binary"];
const TRUNCATABLE: readonly Kind[] = ["int", "long", "decimal", "string", "binary"];
const UNORDERED: readonly Kind[] = ["geometry", "geography", "variant"];

/** Text of metadata as a transform, whatever its case. Text that no version knows gives `unknown`. */
export function parseTransform(text: string): Transform {
  const lower = text.toLowerCase();
  for (const kind of PLAIN) if (lower === kind) return { kind };
  const match = WITH_ARGUMENT.exec(lower);
  const argument = Number(match?.[2]);
  if (match === null || argument < 1 || argument > MAX_ARGUMENT) return { kind: "unknown", text };
  return match[1] === "bucket" ? { kind: "bucket", buckets: argument } : { kind: "truncate", width: argument };
}

export function formatTransform(transform: Transform): string {
  switch (transform.kind) {
    case "bucket":
      return `bucket[${transform.buckets}]`;
    case "truncate":
      return `truncate[${transform.width}]`;
    case "unknown":
      return transform.text;
    default:
      return transform.kind;
  }
}

/** One text for equal transforms, as the comparison of specs needs it. */
export function canonicalTransform(text: string): string {
  return formatTransform(parseTransform(text));
}

/** Why the transform cannot be applied to the type, as half a sentence; null when it can. */
export function transformProblem(transform: Transform, source: Type): string | null {
  if (transform.kind === "void") return null;
  if (transform.kind === "unknown") return `the transform "${transform.text}" is not known`;
  if (isNested(source)) return `a ${source.kind} is no source of a transform`;
  return takes(transform, source.kind) ? null : `${transform.kind} does not take ${formatType(source)}`;
}

function takes(transform: Exclude<Transform, { kind: "unknown" }>, source: Kind): boolean {
  switch (transform.kind) {
    case "identity":
      return !UNORDERED.includes(source);
    case "bucket":
      return HASHABLE.includes(source);
    case "truncate":
      return TRUNCATABLE.includes(source);
    case "hour":
      return TIMESTAMPS.includes(source);
    case "year":
    case "month":
    case "day":
      return source === "date" || TIMESTAMPS.includes(source);
    case "void":
      return true;
  }
}

/** The type of the transform's values. Days are dates, as the reference implementation writes them. */
export function resultType(transform: Transform, source: Type): Type {
  switch (transform.kind) {
    case "bucket":
    case "year":
    case "month":
    case "hour":
      return { kind: "int" };
    case "day":
      return { kind: "date" };
    case "unknown":
      // The reference implementation reads values of a transform that it does not know as text.
      return { kind: "string" };
    default:
      return source;
  }
}

/** a <= b implies transform(a) <= transform(b). */
export function preservesOrder(transform: Transform): boolean {
  return transform.kind === "identity" || transform.kind === "truncate" || isTimeTransform(transform);
}

export function isTimeTransform(transform: Transform): boolean {
  return transform.kind === "year" || transform.kind === "month" || transform.kind === "day" || transform.kind === "hour";
}

/** The name that the update API gives a field nobody named; `source` is the full dotted column name. */
export function defaultFieldName(transform: Transform, source: string): string {
  switch (transform.kind) {
    case "identity":
      return source;
    case "bucket":
      return `${source}_bucket_${transform.buckets}`;
    case "truncate":
      return `${source}_trunc_${transform.width}`;
    case "void":
      return `${source}_null`;
    case "unknown":
      return `${source}_${transform.text}`;
    default:
      return `${source}_${transform.kind}`;
  }
}

/** The name that the reference implementation's builder gives at table creation: without the number. */
export function defaultFieldNameAtCreation(transform: Transform, source: string): string {
  if (transform.kind === "bucket") return `${source}_bucket`;
  return transform.kind === "truncate" ? `${source}_trunc` : defaultFieldName(transform, source);
}
