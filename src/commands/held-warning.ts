// A plan of a table that a rollback holds says so before somebody approves it: apply would refuse it.
import { holdOf } from "../apply/hold.ts";
import { held } from "../apply/refusals.ts";
import type { TablePlan } from "../plan/plan.ts";
import type { PlannedTable } from "../plan/plan-table.ts";

export function withHeldWarning(plan: TablePlan, { pair }: Pick<PlannedTable, "pair">): TablePlan {
  const hold = holdOf(plan, pair.live?.metadata.properties ?? {});
  if (hold === null) return plan;
  const what = `"${plan.table}" is held since a rollback: apply refuses this plan`;
  return { ...plan, notes: [...plan.notes, { ...held(plan, hold), what, severity: "warning" }] };
}
