// A plan without a pull request: of a push, a schedule or a person's click. All tables, nothing recorded, no comment;
// its outputs may choose what the next job does.
import { isBadProject, targetsOf } from "../../commands/load-targets.ts";
import { makePlan } from "../../commands/make-plan.ts";
import { annotated, planAnnotations } from "../annotated.ts";
import { type ActionContext, filesUrl, hasForge } from "../context.ts";
import { openChecked } from "../open-project.ts";
import { planOutputs, planVerdict, succeeds } from "../plan-outputs.ts";
import type { ActionResult } from "../result.ts";
import { toldPlan } from "../told-plan.ts";
import { invalidFiles } from "./invalid-files.ts";

export async function runBranchPlan(context: ActionContext, commit: string): Promise<ActionResult> {
  const opened = await openChecked(context, commit);
  if (isBadProject(opened)) return invalidFiles(opened);
  const { environment, sources, here, project } = opened;
  const targets = await targetsOf(opened, opened.selected);
  const plan = await makePlan(environment.name, targets, { preflight: false, evidence: true, keepsGoing: true }, context.command);
  const findings = annotated(project.diagnostics);
  const verdict = planVerdict(plan, findings);
  const annotations = planAnnotations(plan, findings);
  const report = toldPlan(plan, { sources, findings, failed: plan.failed, next: null });
  return {
    succeeded: succeeds(context.inputs.failOn, {
      errors: !verdict.isGood,
      warnings: annotations.some((one) => one.severity === "warning"),
      drift: plan.tables.some((table) => table.drift.length > 0),
    }),
    outputs: { ...planOutputs(plan), status: verdict.status, "failure-reason": verdict.reason },
    report,
    diagnostics: [],
    annotations,
    sources,
    prefix: here.prefix,
    sourceUrl: hasForge(context) ? filesUrl(context, commit, here.prefix) : null,
  };
}
