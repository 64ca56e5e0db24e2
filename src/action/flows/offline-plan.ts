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
import { withFindings } from "../../report/diagnostics-report.ts";
import { planReport } from "../../report/plan-report.ts";
import { prose } from "../../report/text.ts";
import type { ContextWithForge } from "../context.ts";
import { type OpenedProject, openChecked } from "../open-project.ts";
import { projectAt } from "../project-at.ts";
import type { ActionResult } from "../result.ts";
import { type Comparison, compareProjects, removedNotes } from "../scope.ts";
import { planAgainstDeclared } from "../plan-against-declared.ts";
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
  const base = (isDone(parents) && parents.value.length > 1 ? parents.value[0] : undefined) ?? event.pullRequest.base.commit;
  const compared = compareProjects({ config, tables }, await projectAt(context, base, here), environment.name);
  const plan = offlinePlan(opened, compared);
  const findings = sortDiagnostics([
    ...project.diagnostics.filter((one) => one.severity !== "note"),
    ...lintTables(compared.changed, config),
    ...removedNotes(compared.removed),
  ]);
  const ofTables = planReport(plan, {
    asked: { environmentNamed: true, selectors: [], excluded: [], changedSince: null },
    sources,
    verbose: false,
    next: prose("a maintainer plans it against the live tables before it is merged"),
  });
  const report = withFindings(ofTables, findings, sources);
  return {
    succeeded: !hasErrors(findings),
    outputs: { status: "offline", "failure-reason": hasErrors(findings) ? "lint" : "" },
    report,
    diagnostics: [],
    annotations: findings.filter((one) => one.severity !== "note"),
    sources,
    prefix: here.prefix,
    sourceUrl: `${forge.links.files(event.commit)}${here.prefix}`,
  };
}

function offlinePlan({ environment }: OpenedProject, { changed, before, policy }: Comparison): Plan {
  const tables = changed.map((spec) =>
    withKeepAnswers(planAgainstDeclared(spec, before.get(spec.name) ?? null, policy ?? environment.policy)),
  );
  return { environment: environment.name, fingerprint: planFingerprint(tables), tables };
}
