// The plan of a merge queue's group: it passes when nothing happens that no pull request of the group has shown. Never
// comments.
import { isBadProject, targetsOf } from "../../commands/load-targets.ts";
import { makePlan } from "../../commands/make-plan.ts";
import { diagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import { valueOf } from "../../forge/forge-answer.ts";
import type { MergeGroup } from "../../forge/forge-pull-request.ts";
import type { TablePlan } from "../../plan/plan.ts";
import { prose } from "../../report/text.ts";
import { agreementOf } from "../agreement.ts";
import { planCheckName } from "../check-names.ts";
import { planAnnotations } from "../annotated.ts";
import { type ContextWithForge, filesUrl } from "../context.ts";
import { openChecked, underPolicy } from "../open-project.ts";
import { recordPlan } from "../plan-check.ts";
import { planOutputs, planVerdict, succeeds } from "../plan-outputs.ts";
import { projectAt } from "../project-at.ts";
import { recordOf } from "../record.ts";
import { type Recorded, recordsOf } from "../records.ts";
import type { ActionResult } from "../result.ts";
import { compareProjects } from "../scope.ts";
import { toldPlan } from "../told-plan.ts";
import { COMMENT_UNITS } from "./bad-project.ts";
import { invalidFiles } from "./invalid-files.ts";

export async function runGroupPlan(context: ContextWithForge, group: MergeGroup): Promise<ActionResult> {
  const opened = await openChecked(context, group.commit);
  if (isBadProject(opened)) return invalidFiles(opened);
  const { environment, config, sources, here, tables, selected } = opened;
  const compared = compareProjects({ config, tables }, await projectAt(context, group.parent, here), environment.name);
  const changed = new Set(compared.changed.map((spec) => spec.name));
  const targets = await targetsOf(
    underPolicy(opened, compared.policy),
    selected.filter((spec) => changed.has(spec.name)),
  );
  const made = await makePlan(
    environment.name,
    targets,
    { preflight: false, evidence: true, earlier: compared.before },
    context.command,
  );
  const records = await recordsOf(context, environment.name, group.branch).ofGroup(group);
  const plan = {
    ...made,
    tables: made.tables.map((table) => ({
      ...table,
      blockers: [...table.blockers, ...unshown(table, records, made.waiting.get(table.table) ?? new Set())],
    })),
  };
  const verdict = planVerdict(plan, []);
  const annotations = planAnnotations(plan, []);
  const sourceUrl = filesUrl(context, group.commit, here.prefix);
  const report = toldPlan(plan, {
    sources,
    findings: [],
    failed: plan.failed,
    next: verdict.isGood ? null : prose("take the pull request out of the queue, update it, and read its new plan"),
  });
  const { check } = await recordPlan(context, {
    name: planCheckName(context, environment.name),
    commit: group.commit,
    report,
    record: recordOf(plan, agreementOf(plan)),
    state: verdict.isGood ? "success" : "failure",
    annotations,
    prefix: here.prefix,
    sourceUrl,
    budget: COMMENT_UNITS,
  });
  return {
    succeeded: succeeds(context.inputs.failOn, { errors: !verdict.isGood, warnings: false, drift: false }),
    outputs: {
      ...planOutputs(plan),
      status: verdict.status,
      "failure-reason": verdict.reason,
      "check-run-id": String(valueOf(check).id),
    },
    report,
    diagnostics: [],
    annotations,
    sources,
    prefix: here.prefix,
    sourceUrl,
  };
}

/** Steps that are merged already were shown by a pull request before this group. */
function unshown(table: TablePlan, records: readonly Recorded[], waiting: ReadonlySet<string>): readonly Diagnostic[] {
  const shown = new Set(records.flatMap(({ record }) => [...(record.tables.get(table.table)?.keys() ?? [])]));
  const missing = table.steps.filter(({ id, effect }) => effect !== "metadata" && !shown.has(id) && !waiting.has(id));
  if (missing.length === 0) return [];
  const names = missing.slice(0, 5).map(({ text, effect }) => `"${text.subject}" (${effect})`);
  return [
    diagnostic("plan-not-recorded", {
      what: `Cannot merge the change of "${table.table}": nobody has read all of it`,
      why: `No pull request of this group showed ${names.join(", ")}`,
      mend: "Update the pull request with the base branch, read its new plan, and queue it again",
      table: table.table,
      place: { file: table.file, line: 1, column: 1 },
    }),
  ];
}
