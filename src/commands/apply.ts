// `apply`: plan again, ask who approves, take the steps table by table, tell how each ended.
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { cleanCommit } from "../forge/git.ts";
import { applyReport } from "../report/apply-report.ts";
import type { Sources } from "../report/excerpt.ts";
import { prose } from "../report/text.ts";
import { observedOnly } from "../apply/refusals.ts";
import { readApproval } from "./approve.ts";
import type { ApplyArguments } from "./arguments.ts";
import { exitOfResults } from "./apply-exit.ts";
import { applyTargets } from "./apply-targets.ts";
import { isBadProject, type OpenEnvironment, openEnvironment, targetsOf } from "./load-targets.ts";
import { makePlan } from "./make-plan.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, exitOfDiagnostics } from "./result.ts";

export async function run(context: CommandContext, args: ApplyArguments): Promise<CommandResult> {
  const opened = await openEnvironment(context, args);
  if (isBadProject(opened)) {
    const { diagnostics, sources, projectFile } = opened;
    return { exit: exitOfDiagnostics(diagnostics, projectFile), output: null, diagnostics, sources };
  }
  const { sources, config } = opened;
  const refused = refusedByPolicy(opened);
  if (refused !== null) return { exit: "refused", output: null, diagnostics: [refused], sources };

  const targets = await targetsOf(opened, opened.selected);
  const plan = await makePlan(
    opened.environment.name,
    targets,
    { preflight: false, evidence: true, keepsGoing: targets.length > 1 },
    context,
  );
  const approval = await readApproval(context, args, plan, sources);
  if (approval === null) return notAgreed(opened.environment.name, sources);
  if ("code" in approval) return { exit: "refused", output: null, diagnostics: [approval], sources };

  const commit = await cleanCommit(config.root);
  const results = await applyTargets(context, targets, {
    approvalOf: () => approval,
    dryRun: args.dryRun,
    reason: args.reason,
    commit,
  });
  const report = applyReport(results, {
    environment: opened.environment.name,
    sources,
    notReached: targets.slice(results.length).map((target) => target.spec.name),
  });
  return { exit: exitOfResults(results, targets.length), output: { kind: "report", report }, diagnostics: [], sources };
}

/** The plan was on the screen just before: a no is an answer, and no failure of every table. */
function notAgreed(environment: string, sources: Sources): CommandResult {
  const summary = prose("Nothing was applied: the plan was not agreed to.");
  const report = { ...applyReport([], { environment, sources, notReached: [] }), headline: summary, summary };
  return { exit: "refused", output: { kind: "report", report }, diagnostics: [] };
}

function refusedByPolicy({ environment }: OpenEnvironment): Diagnostic | null {
  const { policy, name } = environment;
  if (policy.mode === "observe") {
    return observedOnly(name);
  }
  if (policy.apply === "action-only") {
    return diagnostic("environment-action-only", {
      what: `Cannot apply to environment "${name}" from the command line`,
      why: "`policy.apply` is action-only: only the GitHub Action applies there",
      mend: "Merge the change; the Action applies it",
    });
  }
  return null;
}
