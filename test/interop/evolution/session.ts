// One random session of the core: a table and commits to it, the same operations for both sides. Tells commit by commit
// what floeplan's core makes of them, and where that differs from what Iceberg Java answered.
import { commitChange } from "../../../scripts/conformance-replay.ts";
import { baseTable } from "../../../scripts/conformance-tables.ts";
import { ToolError } from "../../../src/diagnostics/tool-error.ts";
import { isEvolutionError } from "../../../src/iceberg/evolution-error.ts";
import type { JsonObject } from "../../../src/iceberg/json.ts";
import { writeMetadata } from "../../../src/iceberg/metadata-json.ts";
import type { FormatVersion, TableMetadata } from "../../../src/iceberg/table-metadata.ts";
import { categoryOf } from "./categories.ts";
import { differences, documentOf } from "./compare.ts";
import type { JavaAnswer, OracleSession } from "./oracle.ts";

export interface Session {
  readonly formatVersion: FormatVersion;
  /** In the words of the conformance format. */
  readonly base: JsonObject;
  readonly commits: readonly (readonly JsonObject[])[];
}

/** What the core made of one commit. */
export type Outcome = { readonly after: TableMetadata } | { readonly category: string; readonly why: string };

export interface OwnCommit {
  readonly before: TableMetadata;
  readonly operations: readonly JsonObject[];
  readonly outcome: Outcome;
}

export function startOf({ base, formatVersion }: Pick<Session, "base" | "formatVersion">): TableMetadata {
  return baseTable(base, formatVersion);
}

/** A commit that is refused leaves the table as it was. */
export function commitOurs(before: TableMetadata, operations: readonly JsonObject[]): OwnCommit {
  const outcome = outcomeOf(before, operations);
  return { before, operations, outcome };
}

function outcomeOf(before: TableMetadata, operations: readonly JsonObject[]): Outcome {
  if (operations.length === 0) return { after: before };
  try {
    const after = commitChange(before, operations);
    return isEvolutionError(after) ? { category: after.category, why: after.why } : { after };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // The checks of the update modules come first and must find whatever the commit itself would refuse.
    return { category: "late", why: `${error.message}: ${error.why ?? ""}` };
  }
}

export function afterOf({ before, outcome }: OwnCommit): TableMetadata {
  return "after" in outcome ? outcome.after : before;
}

export function toOracle(session: Session): OracleSession {
  return { table: textOf(startOf(session)), commits: session.commits.map((change) => ({ change })) };
}

export function textOf(table: TableMetadata): string {
  return new TextDecoder().decode(writeMetadata(table));
}

/** What the two sides made of one commit. */
export type Agreement =
  | { readonly kind: "same" }
  | { readonly kind: "both-refused" }
  /** Both refuse, for reasons of different categories: right only if the commit has both faults. */
  | { readonly kind: "other-category"; readonly ours: string; readonly java: string; readonly words: string }
  | { readonly kind: "different"; readonly words: string };

export function compareCommit({ operations, outcome }: OwnCommit, java: JavaAnswer): Agreement {
  if (typeof java === "string") {
    if ("category" in outcome) return different(`ours ${outcome.category}: ${outcome.why}\njava allows it`);
    const ours = textOf(outcome.after);
    const found = withoutClock(ours) === withoutClock(java) ? [] : differences(documentOf(ours), documentOf(java));
    return found.length === 0 ? { kind: "same" } : different(found.join("\n"));
  }
  const category = categoryOf(java, operations);
  const words = `java ${category ?? "unknown category"} at ${java.at}: ${java.type}: ${java.message}`;
  if ("after" in outcome) return different(`ours allows it\n${words}`);
  if (category === outcome.category) return { kind: "both-refused" };
  const both = `ours ${outcome.category}: ${outcome.why}\n${words}`;
  if (category === null || outcome.category === "late") return different(both);
  return { kind: "other-category", ours: outcome.category, java: category, words: both };
}

function different(words: string): Agreement {
  return { kind: "different", words };
}

function withoutClock(text: string): string {
  return text.replace(/"last-updated-ms":\d+/, "");
}
