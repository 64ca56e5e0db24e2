// The contract of a value conversion: one kind (from → to) is one file and one line in index.ts. A conversion
// has one meaning on every engine; the accepted text is in docs/conversions.md. Pure.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../iceberg/type.ts";

/**
 * Values as the program holds them: boolean → boolean; int, date (days) → number; float, double → number;
 * long, time, timestamp(tz) (microseconds), timestamp(tz)_ns (nanoseconds), decimal (unscaled) → bigint;
 * string → string; binary, fixed, uuid → Uint8Array.
 */
export type Value = boolean | number | bigint | string | Uint8Array;

/** Why a value does not convert. Each reason's words are in FAILURE_TEXT; values themselves are never told. */
export type FailureReason =
  | "empty"
  | "blanks-around"
  | "not-a-number"
  | "not-in-format"
  | "impossible-date"
  | "impossible-time"
  | "out-of-range"
  | "too-many-digits"
  | "not-a-boolean"
  | "no-offset"
  | "not-text";

/** What a value loses although it converts. */
export type Loss =
  | "leading-zeros"
  | "plus-sign"
  | "trailing-zeros"
  | "precision"
  | "negative-zero"
  | "offset"
  | "letter-case"
  | "blanks";

export type Converted =
  | { readonly value: Value; readonly loss?: Loss }
  /** `empty-as-null`: a null that the rule asks for, not a failure. */
  | { readonly value: null; readonly loss?: undefined }
  | { readonly failure: FailureReason };

/** A rule bound to its two types. */
export interface Converter {
  readonly from: PrimitiveType;
  readonly to: PrimitiveType;
  convert(value: Value): Converted;
  /**
   * The same answer for the UTF-8 bytes of a text, without decoding them; `start` and `end` cut out a part. Only
   * converters of strings have it.
   */
  convertBytes?(bytes: Uint8Array, start?: number, end?: number): Converted;
  /** a < b in the old order implies convert(a) <= convert(b) in the new one, for all values that convert. */
  readonly keepsOrder: boolean;
  /** Can a non-null value become null by the rule (`empty-as-null`, `on-error: set-null`)? */
  readonly mayBecomeNull: boolean;
}

/** SQL that gives the same answer as `convert` on an engine, or why none exists. `column` is already quoted. */
export interface ConversionSql {
  readonly spark: string | null;
  readonly athena: string | null;
  readonly trino: string | null;
}

export type RuleArgument = "format" | "zone" | "true-values" | "false-values" | "trim" | "empty-as-null";

export interface Conversion {
  /** E.g. `string-to-date`. */
  readonly name: string;
  readonly from: PrimitiveType["kind"];
  readonly to: PrimitiveType["kind"];
  readonly arguments: readonly RuleArgument[];
  /** One sentence for the plan: what values may lose. */
  readonly losses: string;
  /** The bound converter, or what is wrong with the arguments. */
  bind(rule: ConversionRule, from: PrimitiveType, to: PrimitiveType): Converter | Diagnostic;
  sql(rule: ConversionRule, from: PrimitiveType, to: PrimitiveType, column: string): ConversionSql;
}
