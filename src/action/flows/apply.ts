// The command apply: on the default branch, what the merged pull requests recorded, table by table. What is live is planned
// again first, and again inside each table's apply: nothing is carried over from the review but the ids of its steps.
import { observedOnly } from "../../apply/refusals.ts";
import { type TableResult, tableResult } from "../../apply/result.ts";
import { applyTargets } from "../../commands/apply-targets.ts";
import { isBadProject, targetsOf } from "../../commands/load-targets.ts";
import { makePlan } from "../../commands/make-plan.ts";
import { NOTHING_APPROVED } from "../../apply/approval.ts";
import { diagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import { ToolError } from "../../diagnostics/tool-error.ts";
import { isDone, valueOf } from "../../forge/forge-answer.ts";
import type { TablePlan } from "../../plan/plan.ts";
import { applyReport } from "../../report/apply-report.ts";
import { type Judgement, judge } from "../approvals.ts";
import { applyEnd } from "../apply-outputs.ts";
import { leftRunning, tellApplied, tellApplying } from "../apply-told.ts";
import { relations } from "../branch-behind.ts";
import { type ActionContext, type ContextWithForge, filesUrl, needForge } from "../context.ts";
import { annotated } from "../annotated.ts";
import { type OpenedProject, openChecked } from "../open-project.ts";
import { planOutputs } from "../plan-outputs.ts";
import { projectAt } from "../project-at.ts";
import { type Records, recordsOf } from "../records.ts";
import type { ActionResult } from "../result.ts";
import { compareProjects, policyIn } from "../scope.ts";
import { openSecondLock } from "../second-lock.ts";
import { telling } from "../telling.ts";
import { invalidFiles } from "./invalid-files.ts";

interface Applied {
  readonly commit: string;
  readonly branch: string;
  readonly before: string | null;
}

export async function run(anyContext: ActionContext): Promise<ActionResult> {
  const context = needForge(anyContext);
  const { inputs, command } = context;
  const about = whatToApply(context);
  const opened = await openChecked(context, about.commit);
  if (isBadProject(opened)) return invalidFiles(opened);
  const { environment, sources, here, selected } = opened;
  if (environment.policy.mode === "observe") return observed(opened);

  const plan = await makePlan(
    environment.name,
    await targetsOf(opened, selected),
    { preflight: false, evidence: true, keepsGoing: true },
    command,
  );
  const changing = plan.tables.filter((table) => table.steps.length + table.blockers.length > 0);
  const records = recordsOf(context, environment.name, about.branch);
  const judgements = await judgeAll(context, opened, about, { plans: changing, records });
  const going = [...judgements].filter(([, one]) => one.kind === "go").map(([name]) => name);
  for (const [name, one] of judgements) {
    if (one.kind === "go" && one.unrecorded.length > 0) {
      const names = one.unrecorded.map(({ text }) => `"${text.subject}"`).join(", ");
      context.log.say(`${name}: not shown by a pull request, and applied because it is metadata only: ${names}`);
    }
  }
  const started = await tellApplying(context, opened, judgements);
  const cutShort = plan.tables.filter((table) => table.steps.length === 0 && table.facts?.appliedCommit === about.commit);
  const told = [...started, ...(await leftRunning(context, opened, { ...about, records, started, tables: cutShort }))];
  const targets = await targetsOf(
    opened,
    selected.filter((spec) => going.includes(spec.name)),
  );
  const taken = await applyTargets(command, targets, {
    approvalOf: (table) => approvalOf(judgements.get(table)),
    dryRun: inputs.dryRun,
    reason: null,
    commit: about.commit,
  });
  const failed = plan.failed.map(({ table, error }) => tableResult(table, "failed", null, { error }));
  const results = [...taken, ...stopped(plan.tables, judgements), ...failed];
  const report = applyReport(results, {
    environment: environment.name,
    sources,
    notReached: targets.slice(taken.length).map((target) => target.spec.name),
  });
  const sourceUrl = filesUrl(context, about.commit, here.prefix);
  await tellApplied(context, opened, { told, results, report, branch: about.branch, dryRun: inputs.dryRun, sourceUrl });
  const problems = results.flatMap((one) => one.problems);
  const { succeeded, outputs } = applyEnd(results, going.length + results.length - taken.length);
  return {
    succeeded,
    outputs: { ...planOutputs(plan), ...outputs },
    report,
    diagnostics: [],
    annotations: [...annotated(problems), ...(await deploymentNotes(context))],
    sources,
    prefix: here.prefix,
    sourceUrl,
  };
}

function whatToApply({ event, defaultBranch }: ActionContext): Applied {
  if (event.kind === "push" && event.isDefaultBranch && event.branch !== null) {
    return { commit: event.commit, branch: event.branch, before: event.before };
  }
  if (event.kind === "manual" && event.branch !== null && event.branch === defaultBranch) {
    return { commit: event.commit, branch: event.branch, before: null };
  }
  throw new ToolError("usage", "Cannot apply on this event", {
    why:
      event.kind === "push" || event.kind === "manual"
        ? "it is not of the default branch"
        : `it is ${"name" in event ? event.name : event.kind}`,
    mend: "Apply on a push to the default branch, or on workflow_dispatch there",
  });
}

async function judgeAll(
  context: ContextWithForge,
  opened: OpenedProject,
  about: Applied,
  { plans, records }: { readonly plans: readonly TablePlan[]; readonly records: Records },
): Promise<ReadonlyMap<string, Judgement>> {
  if (plans.length === 0) return new Map();
  const { forge, inputs } = context;
  const { environment, here } = opened;
  const [parent = null] = valueOf(await forge.history.parents(about.commit));
  const ruledBy = about.before ?? parent;
  const earlier = ruledBy === null ? null : await projectAt(context, ruledBy, here);
  const policy = policyIn(earlier, environment.name) ?? environment.policy;
  const by = {
    commit: about.commit,
    environment: environment.name,
    maxEffect: inputs.maxEffect,
    records,
    lock: openSecondLock(context, policy),
    before: about.before,
    relation: relations(context),
    superseded: await supersededTables(context, opened, about),
  };
  const found = new Map<string, Judgement>();
  for (const plan of plans) found.set(plan.table, await judge(plan, by));
  return found;
}

/** Tables whose declaration at the tip of the branch is another one: the tip's own run takes them. */
async function supersededTables(
  context: ContextWithForge,
  { environment, config, here, tables }: OpenedProject,
  { commit, branch }: Applied,
): Promise<ReadonlySet<string>> {
  const tip = valueOf(await context.forge.history.tip(branch));
  if (tip === commit) return new Set();
  const there = compareProjects({ config, tables }, await projectAt(context, tip, here), environment.name);
  return new Set(there.policy === null ? [] : there.changed.map((spec) => spec.name));
}

function approvalOf(judgement: Judgement | undefined): typeof NOTHING_APPROVED {
  return judgement?.kind === "go" ? judgement.approval : NOTHING_APPROVED;
}

/** Tables that the apply did not come to: blocked, refused, or another run's. */
function stopped(plans: readonly TablePlan[], judgements: ReadonlyMap<string, Judgement>): readonly TableResult[] {
  return plans.flatMap((plan): readonly TableResult[] => {
    const judgement = judgements.get(plan.table);
    switch (judgement?.kind) {
      case undefined:
        return [tableResult(plan.table, "in-step", plan)];
      case "go":
        return [];
      case "blocked":
        return [tableResult(plan.table, "blocked", plan, { problems: plan.blockers })];
      case "leave":
        return [tableResult(plan.table, "left", plan, { problems: [judgement.why] })];
      case "stop":
        return [tableResult(plan.table, "not-approved", plan, { problems: [judgement.why] })];
    }
  });
}

function observed({ environment, sources, here }: OpenedProject): ActionResult {
  const why = observedOnly(environment.name);
  return {
    succeeded: false,
    outputs: { status: "blocked", "failure-reason": "blocked" },
    report: null,
    diagnostics: [why],
    annotations: [why],
    sources,
    prefix: here.prefix,
    sourceUrl: null,
  };
}

async function deploymentNotes(context: ContextWithForge): Promise<readonly Diagnostic[]> {
  const name = await context.jobEnvironment();
  if (name === null) return [];
  const environment = await telling(context, null, async () => await context.forge.runs.environment(name));
  if (environment === null || !isDone(environment) || environment.value.deploysFrom !== "any") return [];
  return [
    diagnostic("deployment-unrestricted", {
      what: `Environment "${name}" may be used from any branch`,
      why: "A workflow that a branch changes could use its role",
      mend: "Allow deployments from the default branch only, in the environment's settings (`floeplan init` prints the call)",
    }),
  ];
}
