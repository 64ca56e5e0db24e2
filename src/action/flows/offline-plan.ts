// The check of a pull request that gets no credentials, from a fork or Dependabot: files, lint, and what the declarations
// would change on tables that are just as the base branch declares them. Nothing is recorded and nothing is commented.
import { isBadProject } from "../../commands/load-targets.ts";
import { withKeepAnswers } from "../../commands/drift-answers.ts";
import { sortDiagnostics, hasErrors } from "../../diagnostics/diagnostic.ts";
import { isDone } from "../../forge/forge-answer.ts";
import type { ForgeEvent } from "../../forge/forge-event.ts";
import { lintTables } from "../../lint/index.ts";
import { planFingerprint } from "../../plan/fingerprint.ts";
import type { Plan } from "../../plan/plan.ts";
import { prose } from "../../report/text.ts";
import { annotated } from "../annotated.ts";
import { baseCommit } from "../base-commit.ts";
import { type ContextWithForge, filesUrl } from "../context.ts";
import { type OpenedProject, openChecked } from "../open-project.ts";
import { projectAt } from "../project-at.ts";
import type { ActionResult } from "../result.ts";
import { type Comparison, compareProjects, removedNotes } from "../scope.ts";
import { planAgainstDeclared } from "../plan-against-declared.ts";
import { toldPlan } from "../told-plan.ts";
import { invalidFiles } from "./invalid-files.ts";

type PullRequestEvent = Extract<ForgeEvent, { readonly kind: "pull-request" }>;

export async function runOfflinePlan(context: ContextWithForge, event: PullRequestEvent): Promise<ActionResult> {
  const { log, forge } = context;
  log.say(
    `This pull request comes from ${event.from === "fork" ? "a fork" : "Dependabot"}: no credentials are used, no catalog is read.`,
  );
  const opened = await openChecked(context, event.commit);
  if (isBadProject(opened)) return invalidFiles(opened);
  const { environment, config, sources, here, tables, project } = opened;
  const parents = await forge.history.parents(event.commit);
  const base = baseCommit(isDone(parents) ? parents.value : [], event.pullRequest);
  const compared = compareProjects({ config, tables }, await projectAt(context, base, here), environment.name);
  const plan = offlinePlan(opened, compared);
  const findings = sortDiagnostics([
    ...annotated(project.diagnostics),
    ...lintTables(compared.changed, config),
    ...removedNotes(compared.removed),
  ]);
  const report = toldPlan(plan, {
    sources,
    findings,
    failed: [],
    offline: true,
    next: prose("a maintainer plans it against the live tables before it is merged"),
  });
  return {
    succeeded: !hasErrors(findings),
    outputs: { status: "offline", "failure-reason": hasErrors(findings) ? "lint" : "" },
    report,
    diagnostics: [],
    annotations: annotated(findings),
    sources,
    prefix: here.prefix,
    sourceUrl: filesUrl(context, event.commit, here.prefix),
  };
}

function offlinePlan({ environment }: OpenedProject, { changed, before, policy }: Comparison): Plan {
  const tables = changed.map((spec) =>
    withKeepAnswers(planAgainstDeclared(spec, before.get(spec.name) ?? null, policy ?? environment.policy)),
  );
  return { environment: environment.name, fingerprint: planFingerprint(tables), tables };
}
