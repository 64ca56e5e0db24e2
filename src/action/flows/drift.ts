// The command drift: all tables of an environment against what is live; keeps one issue with what is found, and proposes
// its adoption where that is asked for.
import { isBadProject } from "../../commands/load-targets.ts";
import { readDrift } from "../../commands/drift.ts";
import { type ActionContext, filesUrl, hasForge, needForge } from "../context.ts";
import { proposeAdoption } from "../adopt.ts";
import { type FoundDrift, keepDriftIssue } from "../drift-issue.ts";
import { type OpenedProject, openChecked } from "../open-project.ts";
import { succeeds } from "../plan-outputs.ts";
import type { ActionResult } from "../result.ts";
import { refuseStrangers } from "../strangers.ts";
import { telling } from "../telling.ts";
import { invalidFiles } from "./invalid-files.ts";

export async function run(context: ActionContext): Promise<ActionResult> {
  const { inputs, command, runner } = context;
  refuseStrangers(context);
  const opened = await openChecked(context, runner.commit);
  if (isBadProject(opened)) return invalidFiles(opened);
  const { sources, here } = opened;
  const found = await readDrift(command, opened, { unmanagedTables: false });
  const isDrift = found.plans.some((plan) => plan.drift.length > 0);
  const isBlocked = found.plans.some((plan) => plan.blockers.length > 0);
  const proposal = inputs.adopt === "pull-request" && isDrift ? await adoption(context, opened) : null;
  const issue = inputs.driftIssue ? await issueOf(context, opened, { ...found, proposal }) : null;
  const failed = found.notRead.length > 0;
  return {
    succeeded: !failed && succeeds(inputs.failOn, { errors: isBlocked, warnings: false, drift: isDrift }),
    outputs: {
      status: failed ? "failed" : isBlocked ? "blocked" : isDrift ? "changes" : "no-changes",
      "failure-reason": failed ? "catalog-error" : isDrift || isBlocked ? "drift" : "",
      "issue-number": issue === null ? "" : String(issue),
    },
    report: found.report,
    diagnostics: [],
    annotations: found.plans.flatMap((plan) => plan.blockers),
    sources,
    prefix: here.prefix,
    sourceUrl: hasForge(context) ? filesUrl(context, runner.commit, here.prefix) : null,
  };
}

async function adoption(context: ActionContext, opened: OpenedProject): Promise<string | null> {
  const withForge = needForge(context);
  return await telling(context, null, async () => await proposeAdoption(withForge, opened));
}

async function issueOf(context: ActionContext, opened: OpenedProject, found: FoundDrift): Promise<number | null> {
  if (!hasForge(context)) return null;
  return await telling(context, null, async () => await keepDriftIssue(context, opened, found));
}
