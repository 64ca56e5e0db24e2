// What is thrown when the world fails: the network, a permission, a corrupt file. Everything else that is
// thrown is a bug. Carries data for the exit code and the message; knows nothing of rendering.

import { toldParts } from "./told.ts";

export type ToolErrorKind =
  | "usage" // the command line is wrong
  | "config" // the project's configuration is wrong or missing
  | "auth" // not allowed
  | "not-found" // a table, file or object is not there
  | "conflict" // somebody else committed first
  | "throttled" // asked too often
  | "unavailable" // no answer, or a server-side failure
  | "unsupported" // understood, and not possible here
  | "corrupt" // a file is not what it must be
  | "storage-full" // no room left
  | "refused" // the catalog or store said no for good
  | "interrupted" // stopped by the user
  | "internal"; // an invariant of ours does not hold: a bug

export interface ToolErrorParts {
  /** Why, one sentence. */
  readonly why?: string;
  /** How to mend it. */
  readonly mend?: string;
  /** Ordered facts: where it happened, ids, paths. Redacted when printed. */
  readonly context?: Readonly<Record<string, string | number | bigint>>;
  /** True when the same call may succeed later without a change. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** A failure of the world, with what a person needs to mend it. `message` says what could not be done. */
export class ToolError extends Error {
  readonly kind: ToolErrorKind;
  readonly why: string | undefined;
  readonly mend: string | undefined;
  readonly context: Readonly<Record<string, string | number | bigint>>;
  readonly retryable: boolean;

  constructor(kind: ToolErrorKind, what: string, parts: ToolErrorParts = {}) {
    super(what, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = "ToolError";
    this.kind = kind;
    const { why, mend } = toldParts(parts);
    this.why = why;
    this.mend = mend;
    this.context = parts.context ?? {};
    this.retryable = parts.retryable ?? (kind === "throttled" || kind === "unavailable" || kind === "conflict");
  }
}

/** For a state that the types allow and our own logic does not. */
export function bug(what: string, context: ToolErrorParts["context"] = {}): ToolError {
  return new ToolError("internal", what, { context, retryable: false });
}

/** What happened, within a sentence. */
export function clauseOf(error: ToolError): string {
  return error.why ?? error.message;
}
