// After a commit: read the table again and plan again. The plan must be empty, and no file may hold a converted
// column under its retired id only; anything else is told, whatever the catalog answered.
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { typedCommand } from "../diagnostics/typed-command.ts";
import { planTable } from "../plan/plan-table.ts";
import { planInput, readTableState, type Target } from "./table-state.ts";

export async function verify(target: Target, differences: readonly string[]): Promise<readonly Diagnostic[]> {
  const { plan } = planTable(planInput(target, await readTableState(target, { evidence: true }), null));
  const left = plan.steps.map((step) => `${step.kind} ${step.field?.path ?? step.text.subject}`);
  const kept = differences.length === 0 ? [] : [notKept(target, differences)];
  if (left.length === 0) return [...plan.blockers, ...kept];
  return [
    ...plan.blockers,
    ...kept,
    diagnostic("verify-differs", {
      what: `The commit of "${target.spec.name}" landed, and the table is not what was planned`,
      why: `Read back, the plan would still hold: ${left.join(", ")}`,
      mend: "Another writer may have committed in between: plan again. If nobody did, report it: the catalog did not keep what it was sent",
      table: target.spec.name,
    }),
  ];
}

/** What the catalog itself said: also what nobody declared may be lost. */
function notKept({ spec }: Target, differences: readonly string[]): Diagnostic {
  return diagnostic("verify-differs", {
    what: `The commit of "${spec.name}" landed, and the catalog kept something else than it was sent`,
    why: differences.join("; "),
    mend: `Look at the table with ${typedCommand("show", spec.name, spec.environment)}; report it to those who run the catalog`,
    table: spec.name,
  });
}
