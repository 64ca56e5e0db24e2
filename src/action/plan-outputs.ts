// What a plan comes to as outputs, and whether it lets the job fail. Pure.
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import type { Plan, Step } from "../plan/plan.ts";
import type { FailureReason, Outputs, Status } from "./outputs.ts";
import type { Inputs } from "./read-inputs.ts";

export function planOutputs({ tables, fingerprint }: Plan): Partial<Outputs> {
  const steps = tables.flatMap((table) => table.steps);
  const count = (is: (step: Step) => boolean): number => steps.filter(is).length;
  return {
    changed: steps.length > 0,
    destructive: count(({ effect }) => effect === "destructive") > 0,
    rewrites: count(({ effect }) => effect === "rewrite") > 0,
    "tables-changed": tables.filter((table) => table.steps.length > 0).length,
    "steps-added": count(({ text }) => text.symbol === "+"),
    "steps-changed": count(({ text }) => text.symbol !== "+" && text.symbol !== "-"),
    "steps-dropped": count(({ text }) => text.symbol === "-"),
    "plan-fingerprint": fingerprint,
  };
}

export interface Verdict {
  readonly status: Status;
  readonly reason: FailureReason | "";
  /** What the check says. */
  readonly isGood: boolean;
}

const ACKNOWLEDGEMENT = "field-dropped-unacknowledged";

export function planVerdict(
  { tables, failed }: Plan & { readonly failed: readonly unknown[] },
  others: readonly Diagnostic[],
): Verdict {
  if (failed.length > 0) return { status: "failed", reason: "catalog-error", isGood: false };
  const blockers = tables.flatMap((table) => table.blockers);
  if (hasErrors(others)) return { status: "blocked", reason: "blocked", isGood: false };
  if (blockers.length > 0) {
    const isOnlyUnacknowledged = blockers.every(({ code }) => code === ACKNOWLEDGEMENT);
    return isOnlyUnacknowledged
      ? { status: "needs-acknowledgement", reason: "not-acknowledged", isGood: false }
      : { status: "blocked", reason: "blocked", isGood: false };
  }
  const changes = tables.some((table) => table.steps.length > 0);
  return { status: changes ? "changes" : "no-changes", reason: "", isGood: true };
}

/** Does the job end well, by `fail-on`? */
export function succeeds(
  failOn: Inputs["failOn"],
  found: { readonly errors: boolean; readonly warnings: boolean; readonly drift: boolean },
): boolean {
  switch (failOn) {
    case "never":
      return true;
    case "error":
      return !found.errors;
    case "warning":
      return !found.errors && !found.warnings;
    case "drift":
      return !found.errors && !found.warnings && !found.drift;
  }
}
