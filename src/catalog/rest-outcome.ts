// From a failure that certainly changed nothing to the outcome of a commit. Knows errors, not commits.
import { clauseOf, ToolError, type ToolErrorKind } from "../diagnostics/tool-error.ts";
import type { CommitOutcome } from "../iceberg/commit.ts";
import { RestError } from "./rest-error.ts";

const FOR_GOOD: ReadonlySet<ToolErrorKind> = new Set(["auth", "refused", "unsupported", "storage-full", "not-found", "config"]);

/** An outcome where it was said for good, or where reading and trying again is all it takes; else thrown on. */
export function failureOutcome(error: unknown): CommitOutcome {
  if (!(error instanceof ToolError)) throw error;
  if (error.kind === "conflict") return { state: "conflict", why: told(error) };
  // The catalog answered that it did nothing, and says so of no fault of ours.
  if (error instanceof RestError && error.isCertain && error.retryable && error.status !== null)
    return { state: "conflict", why: told(error) };
  if (!FOR_GOOD.has(error.kind)) throw error;
  const mend = error.mend === undefined ? "" : `. ${error.mend}`;
  return { state: "refused", why: `${told(error)}${mend}`, cause: error };
}

/** What happened, in one clause. */
export function told(error: unknown): string {
  if (error instanceof RestError) return clauseOf(error);
  if (error instanceof ToolError && error.why !== undefined) return `${error.message}: ${error.why}`;
  return error instanceof Error ? error.message : String(error);
}
