// A plan as data: ordered steps, blockers, drift and notes a table. Made by plan-table.ts; shown by report/,
// taken by apply/, written as plan JSON (schemas/plan.schema.json).
import type { Diagnostic, Place } from "../diagnostics/diagnostic.ts";
import type { JsonObject, JsonValue } from "../iceberg/json.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";

/** How much a step can hurt, mildest first. Blocked is not an effect: a blocked table has no plan to take. */
export const EFFECTS = ["metadata", "behaviour", "rewrite", "destructive"] as const;
export type Effect = (typeof EFFECTS)[number];

/** The SQL a person would have typed, or null where none exists. */
export interface StepSql {
  readonly spark: string | null;
  readonly athena: string | null;
  readonly trino: string | null;
}

/** The words of a step without any markup. */
export interface StepText {
  /** `+` added, `>` renamed, `^` moved, `~` changed, `!` rewritten, `-` lost. */
  readonly symbol: "+" | ">" | "^" | "~" | "!" | "-";
  /** What it is about, e.g. a column's name. */
  readonly subject: string;
  /** E.g. `string → date`. */
  readonly change: string;
  /** Facts and consequences, e.g. `readers by name must change`. */
  readonly detail: string;
}

export interface Step {
  /** sha256 hex over what is meant, not over what will be assigned (DESIGN "Step id"). */
  readonly id: string;
  readonly kind: string;
  /** `id` is the existing field id, null for what is new. */
  readonly field: { readonly path: string; readonly id: number | null } | null;
  readonly effect: Effect;
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** The line that asks for it; null for what no line asks for. */
  readonly place: Place | null;
  /** Facts from the manifests; numbers of 64 bits as text. */
  readonly evidence: JsonObject;
  readonly sql: StepSql;
  /** What writers send in place of the old value from now on; null by engine where none exists. Of conversions only. */
  readonly expression?: StepSql;
  /** A query for the values that do not convert, with their number; null by engine where none exists. Of conversions only. */
  readonly failing?: StepSql;
  readonly text: StepText;
}

/** Something live that Git did not ask for: left alone, reported, with three answers. */
export interface Drift {
  readonly kind: "field" | "property" | "glue-parameter" | "glue-columns";
  readonly subject: string;
  readonly field: { readonly path: string; readonly id: number } | null;
  readonly what: string;
  /** What is known of where it came from, e.g. `first written by spark, app local-17, 2026-08-20`; null when nothing is. */
  readonly origin: string | null;
  readonly answers: { readonly keep: string | null; readonly drop: string | null; readonly leave: string | null };
}

/** What a live table is, for whoever judges a step. */
export interface TableFacts {
  /** Of the live files of all branches; null: the manifests were not read. */
  readonly size: {
    readonly rows: bigint;
    readonly bytes: bigint;
    readonly dataFiles: number;
    readonly deleteFiles: number;
  } | null;
  /** Spec id → live files written with it; null: the manifests were not read. */
  readonly filesBySpec: ReadonlyMap<number, number> | null;
  /** The current snapshot; null: nothing was ever written. */
  readonly lastWrite: { readonly atMs: number; readonly operation: string | null; readonly writer: string } | null;
  /** The commit of Git that floeplan last applied; null: never, or from a tree that was no commit. */
  readonly appliedCommit: string | null;
}

/** Does what a column holds matter for such a step? */
export function touchesValues(effect: Effect): boolean {
  return effect === "rewrite" || effect === "destructive";
}

export interface TablePlan {
  /** Declared name. */
  readonly table: string;
  readonly environment: string;
  readonly catalog: string;
  readonly identifier: TableIdentifier;
  readonly file: string;
  readonly uuid: string | null;
  /** sha256 hex over the ordered step ids. */
  readonly fingerprint: string;
  readonly owner: string | null;
  readonly meta: JsonObject | null;
  /** Null for a table that is to be made. */
  readonly facts: TableFacts | null;
  readonly steps: readonly Step[];
  readonly blockers: readonly Diagnostic[];
  readonly drift: readonly Drift[];
  readonly notes: readonly Diagnostic[];
}

export interface Plan {
  readonly environment: string;
  /** sha256 hex over sorted (table, table fingerprint). */
  readonly fingerprint: string;
  readonly tables: readonly TablePlan[];
}
