// Tells an apply to the pull requests whose steps it takes: a check on their head and their comment, before and after; and
// sets the checks of open pull requests on the same tables to failed, since they were planned on what is no more.
import type { TableResult } from "../apply/result.ts";
import { runMany } from "../catalog/evidence-jobs.ts";
import { isDone } from "../forge/forge-answer.ts";
import type { Check, CheckState } from "../forge/forge-check.ts";
import type { PullRequest } from "../forge/forge-pull-request.ts";
import { COMMENT_BUDGET } from "../report/formats/markdown.ts";
import type { TablePlan } from "../plan/plan.ts";
import { textMarkdown } from "../report/formats/markdown-text.ts";
import type { Report } from "../report/report.ts";
import { counted, prose, text, type Text } from "../report/text.ts";
import type { Judgement } from "./approvals.ts";
import { endFor } from "./apply-outputs.ts";
import { applyCheckName, planCheckName } from "./check-names.ts";
import type { ContextWithForge } from "./context.ts";
import type { OpenedProject } from "./open-project.ts";
import { checkTitle, fitBytes } from "./plan-check.ts";
import { sayDenied, writeComment } from "./pull-request-comment.ts";
import { readRecord } from "./record.ts";
import type { Records } from "./records.ts";
import { telling } from "./telling.ts";

/** A pull request with the check that tells of its apply; null where that could not be made. */
export interface Told {
  readonly pullRequest: PullRequest;
  /** Tables that it recorded and that this run judged. */
  readonly tables: ReadonlySet<string>;
  readonly check: Check | null;
}

export interface Ending {
  readonly told: readonly Told[];
  readonly results: readonly TableResult[];
  readonly report: Report;
  readonly branch: string;
  readonly dryRun: boolean;
  /** Base address for links to lines of the commit that was applied. */
  readonly sourceUrl: string;
}

export async function tellApplying(
  context: ContextWithForge,
  opened: OpenedProject,
  judgements: ReadonlyMap<string, Judgement>,
): Promise<readonly Told[]> {
  if (context.inputs.dryRun) return [];
  const byNumber = new Map<number, { readonly pullRequest: PullRequest; readonly tables: Set<string> }>();
  for (const [table, { kind, records }] of judgements) {
    if (kind === "leave") continue;
    for (const { pullRequest } of records) {
      const found = byNumber.get(pullRequest.number) ?? { pullRequest, tables: new Set<string>() };
      found.tables.add(table);
      byNumber.set(pullRequest.number, found);
    }
  }
  const told: Told[] = [];
  for (const { pullRequest, tables } of byNumber.values()) {
    const { name } = opened.environment;
    const headline = text`Applying to ${name}: ${prose(counted(tables.size, "table"))}`;
    const check = await telling(context, null, async () => await makeCheck(context, pullRequest, name, headline));
    told.push({ pullRequest, tables, check });
    if (check !== null) await comment(context, opened, pullRequest);
  }
  return told;
}

export interface CutShort {
  /** In step by this very commit: an earlier run applied them, or this is that run again. */
  readonly tables: readonly TablePlan[];
  readonly records: Records;
  readonly started: readonly Told[];
  readonly before: string | null;
  readonly commit: string;
}

/** Checks of an earlier run of this commit that ended before it could say so: this run says how it stands. */
export async function leftRunning(
  context: ContextWithForge,
  opened: OpenedProject,
  { tables, records, started, before, commit }: CutShort,
): Promise<readonly Told[]> {
  if (context.inputs.dryRun || tables.length === 0) return [];
  return await telling(context, [], async () => {
    const name = applyCheckName(context, opened.environment.name);
    const found: Told[] = [];
    for (const { pullRequest, record } of await records.merged(before, commit)) {
      const own = new Set(tables.map(({ table }) => table).filter((table) => record.tables.has(table)));
      if (own.size === 0 || started.some((one) => one.pullRequest.number === pullRequest.number)) continue;
      const check = await context.forge.checks.latest(pullRequest.head.commit, name);
      if (!isDone(check) || check.value === null) continue;
      if (check.value.state === "running") found.push({ pullRequest, tables: own, check: check.value });
      else await comment(context, opened, pullRequest);
    }
    return found;
  });
}

async function makeCheck(
  context: ContextWithForge,
  pullRequest: PullRequest,
  environment: string,
  headline: Text,
): Promise<Check | null> {
  const { forge, runner } = context;
  const title = checkTitle({ headline });
  const made = await forge.checks.create({
    name: applyCheckName(context, environment),
    commit: pullRequest.head.commit,
    externalId: `${runner.runId}.${runner.attempt}:00000000`,
    state: "running",
    output: { title, summary: `### 🔵 ${textMarkdown(headline)}\n`, text: null, annotations: [] },
    detailsUrl: forge.links.run(runner.runId),
  });
  if (isDone(made)) return made.value;
  sayDenied(context, made);
  return null;
}

export async function tellApplied(context: ContextWithForge, opened: OpenedProject, ending: Ending): Promise<void> {
  if (ending.dryRun) return;
  const { forge } = context;
  for (const { pullRequest, tables, check } of ending.told) {
    if (check === null) continue;
    const { good, headline } = endFor(tables, ending.results, opened.environment.name);
    const report: Report = { ...ending.report, headline };
    const drawn = fitBytes(report, COMMENT_BUDGET / opened.config.environments.length, forge.limits.checkText, ending.sourceUrl);
    const state: CheckState = good ? "success" : "failure";
    const output = { title: checkTitle(report), summary: drawn.text, text: null, annotations: [] };
    await telling(context, undefined, async () => {
      const updated = await forge.checks.update(check.id, { state, output });
      if (!isDone(updated)) sayDenied(context, updated);
    });
    await comment(context, opened, pullRequest);
  }
  await telling(context, undefined, async () => {
    await failOvertaken(context, opened, ending);
  });
}

async function comment(context: ContextWithForge, { config }: OpenedProject, pullRequest: PullRequest): Promise<void> {
  const environments = config.environments.map((one) => one.name);
  await writeComment(context, pullRequest, { environments, mayCreate: false });
}

/** Calls that wait at once. */
const AT_ONCE = 4;

async function failOvertaken(context: ContextWithForge, opened: OpenedProject, { results, branch }: Ending): Promise<void> {
  const applied = new Set(results.filter(({ outcome }) => outcome === "applied").map(({ table }) => table));
  if (applied.size === 0) return;
  const { forge } = context;
  const open = await forge.pullRequests.open(branch);
  if (!isDone(open)) {
    sayDenied(context, open);
    return;
  }
  const one = async (pullRequest: PullRequest): Promise<void> => {
    const found = await forge.checks.latest(pullRequest.head.commit, planCheckName(context, opened.environment.name));
    const check = isDone(found) ? found.value : null;
    const record = readRecord(check?.text ?? null);
    if (check === null || record === null || ![...record.tables.keys()].some((table) => applied.has(table))) return;
    const headline = text`Branch ${branch} moved and touches the same tables: push, or run again, to plan again`;
    const title = checkTitle({ headline });
    const output = {
      title,
      summary: `### ⚪ ${textMarkdown(headline)}\n\n${check.summary ?? ""}`,
      text: check.text,
      annotations: [],
    };
    const updated = await forge.checks.update(check.id, { state: "failure", output });
    if (isDone(updated)) await comment(context, opened, pullRequest);
    else sayDenied(context, updated);
  };
  await runMany(open.value, AT_ONCE, one);
}
