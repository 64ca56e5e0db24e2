// What a forge says to a call: the value, or why not. A denial is data, since it seldom is a reason to fail: a plan
// whose comment may not be written is still a plan. What the network or the forge itself fails at is thrown.
import { ToolError } from "../diagnostics/tool-error.ts";

export interface Done<T> {
  readonly kind: "done";
  readonly value: T;
}

interface Why {
  /** What could not be done, as a sentence of a message: `Cannot comment on pull request 7`. */
  readonly what: string;
  /** In the forge's words, or ours. Text from outside. */
  readonly why: string;
}

export type Denial =
  /** `permission` as a workflow writes it, e.g. `pull-requests: write`; null where none would help. */
  | (Why & { readonly kind: "forbidden"; readonly permission: string | null })
  | (Why & { readonly kind: "missing" })
  /** Longer than the forge takes; `limit` in its own unit. */
  | (Why & { readonly kind: "too-long"; readonly limit: number })
  /** Any other clear no: a locked conversation, issues turned off, an archived repository. */
  | (Why & { readonly kind: "refused" });

export type Answer<T> = Done<T> | Denial;

export function done<T>(value: T): Done<T> {
  return { kind: "done", value };
}

export function isDone<T>(answer: Answer<T>): answer is Done<T> {
  return answer.kind === "done";
}

/** The answer with its value changed; a denial as it is. */
export function mapAnswer<T, U>(answer: Answer<T>, change: (value: T) => U): Answer<U> {
  return isDone(answer) ? done(change(answer.value)) : answer;
}

/** For callers that cannot go on without the value. */
export function valueOf<T>(answer: Answer<T>): T {
  if (isDone(answer)) return answer.value;
  throw denialError(answer);
}

const KIND_OF = { forbidden: "auth", missing: "not-found", "too-long": "refused", refused: "refused" } as const;

function denialError(denial: Denial): ToolError {
  const mend = mendOf(denial);
  return new ToolError(KIND_OF[denial.kind], denial.what, { why: denial.why, ...(mend === null ? {} : { mend }) });
}

/** What a person does about it, or null. */
export function mendOf(denial: Denial): string | null {
  if (denial.kind !== "forbidden" || denial.permission === null) return null;
  return `Give the job \`${denial.permission}\` under \`permissions:\`, or the token of \`github-token\` the same right`;
}
