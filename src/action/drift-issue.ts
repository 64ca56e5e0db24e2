// One issue for each environment with what has drifted: opened, kept up to date, closed when clean, opened again rather
// than made twice. A comment only when the set of what drifted changes.
import { createHash } from "node:crypto";
import { type Answer, isDone } from "../forge/forge-answer.ts";
import type { Issue, IssueMark } from "../forge/forge-issue.ts";
import type { NotRead } from "../report/not-read.ts";
import type { TablePlan } from "../plan/plan.ts";
import { renderMarkdown, COMMENT_BUDGET } from "../report/formats/markdown.ts";
import { visible } from "../report/escape.ts";
import type { Report } from "../report/report.ts";
import { type ContextWithForge, filesUrl, projectSuffix } from "./context.ts";
import type { OpenedProject } from "./open-project.ts";
import { sayDenied } from "./pull-request-comment.ts";

export interface FoundDrift {
  readonly plans: readonly TablePlan[];
  readonly report: Report;
  readonly notRead: readonly NotRead[];
  /** Address of a pull request that adopts it; null: there is none. */
  readonly proposal: string | null;
}

const LABEL = "iceberg-drift";

/** The issue's number, or null where there is none. */
export async function keepDriftIssue(
  context: ContextWithForge,
  opened: OpenedProject,
  found: FoundDrift,
): Promise<number | null> {
  const { forge, runner } = context;
  const environment = opened.environment.name;
  const word = `${environment}${projectSuffix(context)}`.replace(/[^A-Za-z0-9._-]/g, "_");
  const mark: IssueMark = { marker: `<!-- floeplan:drift v1 env=${word} `, label: LABEL };
  const before = await forge.issues.find(mark);
  if (!isDone(before)) return said(context, before);
  const issue = before.value;
  const drifted = found.plans.filter((plan) => plan.drift.length + plan.blockers.length > 0);
  const run = `[run ${runner.runId}](${forge.links.run(runner.runId)})`;
  if (drifted.length === 0) {
    // What could not be read may have drifted still.
    if (issue === null || !issue.isOpen || found.notRead.length > 0) return issue?.isOpen === true ? issue.number : null;
    const told = await forge.issues.comment(issue.number, `✅ In step again, by ${run}.\n`);
    if (!isDone(told)) sayDenied(context, told);
    return numberOf(context, await forge.issues.update(issue.number, { isOpen: false }));
  }
  const set = setOf(drifted);
  const sourceUrl = filesUrl(context, runner.commit, opened.here.prefix);
  const proposal = found.proposal === null ? "" : `\n**Proposed:** [a pull request that declares it](${found.proposal}).\n`;
  const body = `${mark.marker}set=${set} -->\n${renderMarkdown(found.report, { budget: COMMENT_BUDGET, sourceUrl })}${proposal}\n<sub>By ${run}.</sub>\n`;
  const title = `Iceberg drift in ${visible(environment)}`;
  if (issue === null) return numberOf(context, await forge.issues.create({ title, body, mark }));
  const isSame = issue.body.startsWith(`${mark.marker}set=${set} `);
  const updated = await forge.issues.update(issue.number, { body, ...(issue.isOpen ? {} : { isOpen: true }) });
  if (isDone(updated) && (!isSame || !issue.isOpen)) {
    const what = issue.isOpen ? "What has drifted changed" : "Drifted again";
    const told = await forge.issues.comment(issue.number, `${what}, by ${run}. The text above is of now.\n`);
    if (!isDone(told)) sayDenied(context, told);
  }
  return numberOf(context, updated);
}

/** What drifted, as 8 digits: not since when, and not how much of it. */
function setOf(plans: readonly TablePlan[]): string {
  const told = plans.map(({ table, drift, blockers }) => [
    table,
    drift.map(({ kind, subject, what }) => [kind, subject, what]),
    blockers.map(({ code, what }) => [code, what]),
  ]);
  return createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 8);
}

function numberOf(context: ContextWithForge, answer: Answer<Issue>): number | null {
  return isDone(answer) ? answer.value.number : said(context, answer);
}

function said(context: ContextWithForge, answer: Exclude<Answer<unknown>, { readonly kind: "done" }>): null {
  sayDenied(context, answer);
  return null;
}
