// The command drift: all tables of an environment against what is live; keeps one issue with what is found, and proposes
// its adoption where that is asked for.
import { isBadProject } from "../../commands/load-targets.ts";
import { readDrift } from "../../commands/drift.ts";
import { type ActionContext, hasForge, needForge } from "../context.ts";
import { proposeAdoption } from "../adopt.ts";
import { keepDriftIssue } from "../drift-issue.ts";
import { openChecked } from "../open-project.ts";
import { succeeds } from "../plan-outputs.ts";
import type { ActionResult } from "../result.ts";
import { invalidFiles } from "./invalid-files.ts";

export async function run(context: ActionContext): Promise<ActionResult> {
  const { inputs, command, runner } = context;
  const opened = await openChecked(context, runner.commit);
  if (isBadProject(opened)) return invalidFiles(opened);
  const { sources, here } = opened;
  const found = await readDrift(command, opened, { unmanagedTables: false });
  const isDrift = found.plans.some((plan) => plan.drift.length > 0);
  const isBlocked = found.plans.some((plan) => plan.blockers.length > 0);
  const proposal = inputs.adopt === "pull-request" && isDrift ? await proposeAdoption(needForge(context), opened) : null;
  const issue = inputs.driftIssue && hasForge(context) ? await keepDriftIssue(context, opened, { ...found, proposal }) : null;
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
    sourceUrl: hasForge(context) ? `${context.forge.links.files(runner.commit)}${here.prefix}` : null,
  };
}
