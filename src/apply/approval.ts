// Which steps somebody approved. Steps are approved by id, or by the strongest effect that is waved through;
// everything else stops the table.
import { EFFECTS, type Effect, type Step, type TablePlan } from "../plan/plan.ts";

export interface Approval {
  /** Full step ids. */
  readonly steps: ReadonlySet<string>;
  /** Steps up to this effect need no id; null: every step needs one. */
  readonly upTo: Effect | null;
  /** A stronger step is not approved, whatever its id: it was looked at under milder rules. Absent: any. */
  readonly atMost?: Effect;
}

export const NOTHING_APPROVED: Approval = { steps: new Set(), upTo: null };

export function unapprovedSteps(plan: TablePlan, approval: Approval): readonly Step[] {
  const { steps, upTo, atMost } = approval;
  return plan.steps.filter(({ id, effect }) => {
    const isKnown = steps.has(id) || (upTo !== null && isWithin(effect, upTo));
    return !isKnown || (atMost !== undefined && !isWithin(effect, atMost));
  });
}

export function isWithin(effect: Effect, most: Effect): boolean {
  return EFFECTS.indexOf(effect) <= EFFECTS.indexOf(most);
}
