// The plan of a pull request of the repository's own: the tables that it changes, against what is live; recorded in a
// check run, shown in a comment.
import { isBadProject, targetsOf } from "../../commands/load-targets.ts";
import { makePlan, type MadePlan } from "../../commands/make-plan.ts";
import { type Diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { valueOf } from "../../forge/forge-answer.ts";
import type { ForgeEvent } from "../../forge/forge-event.ts";
import type { PullRequest } from "../../forge/forge-pull-request.ts";
import { agreementOf } from "../agreement.ts";
import { branchBehind } from "../branch-behind.ts";
import { planCheckName } from "../check-names.ts";
import { annotated, planAnnotations } from "../annotated.ts";
import { baseCommit } from "../base-commit.ts";
import { type ContextWithForge, filesUrl } from "../context.ts";
import { type OpenedProject, openChecked, underPolicy } from "../open-project.ts";
import { recordPlan } from "../plan-check.ts";
import { nextOnPullRequest } from "../plan-next.ts";
import { planOutputs, planVerdict, succeeds } from "../plan-outputs.ts";
import { projectAt } from "../project-at.ts";
import { markOutdated, writeComment } from "../pull-request-comment.ts";
import { recordOf } from "../record.ts";
import type { ActionResult } from "../result.ts";
import { type Comparison, compareProjects, policyNotes, removedNotes } from "../scope.ts";
import { telling } from "../telling.ts";
import { toldPlan } from "../told-plan.ts";
import { waitingSteps } from "../waiting-steps.ts";
import { badProject, COMMENT_UNITS } from "./bad-project.ts";

type PullRequestEvent = Extract<ForgeEvent, { readonly kind: "pull-request" }>;

export async function runPullRequestPlan(context: ContextWithForge, event: PullRequestEvent): Promise<ActionResult> {
  const { forge, inputs } = context;
  const { pullRequest } = event;
  await markOutdated(context, pullRequest);
  const opened = await openChecked(context, event.commit);
  if (isBadProject(opened)) return await badProject(context, opened, pullRequest);

  const base = baseCommit(valueOf(await forge.history.parents(event.commit)), pullRequest);
  const { environment, config, sources, here } = opened;
  const compared = compareProjects({ config, tables: opened.tables }, await projectAt(context, base, here), environment.name);
  const { plan, findings } = await planOf(context, opened, compared, event.commit);
  const waiting = await waitingSteps(context, plan, { branch: pullRequest.base.branch, upTo: base });
  const sourceUrl = filesUrl(context, pullRequest.head.commit, here.prefix);
  const verdict = planVerdict(plan, findings);
  const report = toldPlan(plan, {
    sources,
    findings,
    failed: plan.failed,
    waiting,
    next: nextOnPullRequest(plan, verdict, environment.policy),
  });
  const annotations = planAnnotations(plan, findings);
  const { check, reviewable } = await recordPlan(context, {
    name: planCheckName(context, environment.name),
    commit: pullRequest.head.commit,
    report,
    record: recordOf(plan, agreementOf(plan)),
    state: verdict.isGood ? "success" : "failure",
    annotations,
    prefix: here.prefix,
    sourceUrl,
    budget: Math.floor(COMMENT_UNITS / config.environments.length),
  });
  // Without the record nobody could have approved anything: that fails, unlike a comment that cannot be written.
  const checkRun = valueOf(check);
  const isCurrent = await telling(context, true, async () => await isNewest(context, pullRequest));
  const noteworthy = plan.tables.some(({ steps, blockers, drift }) => steps.length + blockers.length + drift.length > 0);
  const comment = isCurrent
    ? await writeComment(context, pullRequest, {
        environments: config.environments.map((one) => one.name),
        mayCreate: noteworthy || findings.length > 0,
      })
    : null;
  const errors = !verdict.isGood || !reviewable;
  return {
    succeeded: succeeds(inputs.failOn, {
      errors,
      warnings: annotations.some((one) => one.severity === "warning"),
      drift: plan.tables.some((table) => table.drift.length > 0),
    }),
    outputs: {
      ...planOutputs(plan),
      status: reviewable ? verdict.status : "blocked",
      "failure-reason": reviewable ? verdict.reason : "blocked",
      "check-run-id": String(checkRun.id),
      "comment-id": comment === null ? "" : String(comment),
    },
    report,
    diagnostics: [],
    annotations,
    sources,
    prefix: here.prefix,
    sourceUrl,
  };
}

interface Planned {
  readonly plan: MadePlan;
  /** What belongs to no table's plan. */
  readonly findings: readonly Diagnostic[];
}

async function planOf(context: ContextWithForge, opened: OpenedProject, compared: Comparison, commit: string): Promise<Planned> {
  const { environment, config, project, selected } = opened;
  const ruled = underPolicy(opened, compared.policy);
  const isChanged = new Set(compared.changed.map((spec) => spec.name));
  const specs = context.inputs.scope === "all" ? selected : selected.filter((spec) => isChanged.has(spec.name));
  const targets = await targetsOf(ruled, specs);
  const made = await makePlan(
    environment.name,
    targets,
    { preflight: false, evidence: true, earlier: compared.before, keepsGoing: true },
    context.command,
  );
  const plan = await branchBehind(context, made, commit);
  const findings = [
    ...annotated(project.diagnostics),
    ...policyNotes(environment.policy, compared.policy, config, environment.name),
    ...removedNotes(compared.removed),
  ];
  return { plan, findings: sortDiagnostics(findings) };
}

/** Somebody may have pushed while this was planned: the comment is that run's then. */
async function isNewest({ forge }: ContextWithForge, { number, head }: PullRequest): Promise<boolean> {
  return valueOf(await forge.pullRequests.get(number)).head.commit === head.commit;
}
