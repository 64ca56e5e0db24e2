// How an apply ended: as outputs, and for one of the pull requests whose steps it took. Pure.
import type { Outcome, TableResult } from "../apply/result.ts";
import { applyHeadline } from "../report/apply-report.ts";
import type { Text } from "../report/text.ts";
import type { FailureReason, Outputs, Status } from "./outputs.ts";

const REASON: Readonly<Record<Outcome, FailureReason | null>> = {
  applied: null,
  "dry-run": null,
  "in-step": null,
  left: null,
  blocked: "blocked",
  "not-approved": "plan-changed",
  held: "blocked",
  conflict: "commit-conflict",
  refused: "catalog-error",
  failed: "catalog-error",
  unknown: "catalog-error",
  differs: "catalog-error",
};

export interface ApplyEnd {
  readonly outputs: Pick<Outputs, "status" | "failure-reason">;
  readonly succeeded: boolean;
}

/** `asked`: tables that were to be taken; fewer results than that: it was interrupted. */
export function applyEnd(results: readonly TableResult[], asked: number): ApplyEnd {
  const applied = results.some(({ outcome }) => outcome === "applied");
  const reasons = results.map(reasonOf).filter((reason) => reason !== null);
  const [reason] = reasons;
  const isCut = results.length < asked;
  if (reason === undefined && !isCut) {
    return { outputs: { status: applied ? "applied" : "no-changes", "failure-reason": "" }, succeeded: true };
  }
  const status: Status = applied ? "partly-applied" : reason === undefined ? "failed" : statusOf(reason);
  return { outputs: { status, "failure-reason": reason ?? "" }, succeeded: false };
}

function statusOf(reason: FailureReason): Status {
  return reason === "blocked" ? "blocked" : "failed";
}

function reasonOf({ outcome, problems, plan }: TableResult): FailureReason | null {
  const code = problems[0]?.code;
  if (outcome === "not-approved" && (code === "stale-commit" || code === "no-second-lock")) return code;
  const isRewrite = plan?.steps.some(({ effect }) => effect === "rewrite") === true;
  return isRewrite && (outcome === "failed" || outcome === "blocked") ? "rewrite-failed" : REASON[outcome];
}

export interface EndForOne {
  readonly good: boolean;
  readonly headline: Text;
}

/** `tables`: what the pull request recorded. One without a result was not reached: nobody may take it for applied. */
export function endFor(tables: ReadonlySet<string>, results: readonly TableResult[], environment: string): EndForOne {
  const own = results.filter(({ table }) => tables.has(table));
  const notReached = [...tables].filter((name) => own.every(({ table }) => table !== name));
  const good = notReached.length === 0 && own.every(({ outcome }) => GOOD.has(outcome));
  // In step by an earlier run of the commit: for the pull request it is applied.
  const ended = own.map((one): TableResult => (one.outcome === "in-step" ? { ...one, outcome: "applied" } : one));
  return { good, headline: applyHeadline(ended, { environment, notReached }) };
}

const GOOD: ReadonlySet<Outcome> = new Set(["applied", "in-step", "left"]);
