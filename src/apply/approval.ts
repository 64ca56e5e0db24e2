// Which steps somebody approved. Steps are approved by id, or by the strongest effect that is waved through;
// everything else stops the table.
import { EFFECTS, type Effect, type Step, type TablePlan } from "../plan/plan.ts";

export interface Approval {
  /** Full step ids. */
  readonly steps: ReadonlySet<string>;
  /** Steps up to this effect need no id; null: every step needs one. */
  readonly upTo: Effect | null;
}

export const NOTHING_APPROVED: Approval = { steps: new Set(), upTo: null };

export function unapprovedSteps(plan: TablePlan, approval: Approval): readonly Step[] {
  return plan.steps.filter((step) => !approval.steps.has(step.id) && !isWavedThrough(step.effect, approval.upTo));
}

function isWavedThrough(effect: Effect, upTo: Effect | null): boolean {
  return upTo !== null && EFFECTS.indexOf(effect) <= EFFECTS.indexOf(upTo);
}
