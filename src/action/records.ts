// The records of merged pull requests, read back from their check runs: only of our own app, of a run of a workflow
// that is on the branch, on the commit that was merged. Each pull request is read once.
import { isDone, valueOf } from "../forge/forge-answer.ts";
import type { MergeGroup, PullRequest } from "../forge/forge-pull-request.ts";
import { madeBy, planCheckName } from "./check-names.ts";
import type { ContextWithForge } from "./context.ts";
import { type PlanRecord, readRecord } from "./record.ts";
import { remembered } from "./remembered.ts";

export interface Recorded {
  readonly pullRequest: PullRequest;
  readonly record: PlanRecord;
}

export interface Records {
  /** Of the pull requests that were merged after one commit and up to another. `after` null: with the commit itself. */
  readonly merged: (after: string | null, upTo: string) => Promise<readonly Recorded[]>;
  readonly ofGroup: (group: MergeGroup) => Promise<readonly Recorded[]>;
}

interface Reading {
  readonly environment: string;
  readonly branch: string;
  /** Is the workflow's file on the branch? */
  readonly isOnBranch: (file: string) => Promise<boolean>;
}

export function recordsOf(context: ContextWithForge, environment: string, branch: string): Records {
  const { history, pullRequests } = context.forge;
  const tip = remembered(async () => valueOf(await history.tip(branch)));
  const isOnBranch = remembered(async (file: string) => valueOf(await history.fileText(await tip(), file)) !== null);
  const read = remembered(
    async (pullRequest: PullRequest) => await readOne(context, { environment, branch, isOnBranch }, pullRequest),
    ({ number }) => number,
  );
  const all = async (found: readonly PullRequest[]): Promise<readonly Recorded[]> =>
    (await Promise.all(found.map(async (one) => await read(one)))).flatMap((one) => (one === null ? [] : [one]));
  return {
    merged: remembered(async (after: string | null, upTo: string) => {
      if (after === null) return await all(valueOf(await pullRequests.mergedWith(upTo, branch)));
      const between = await pullRequests.mergedBetween({ after, upTo, branch });
      // A commit that the branch no longer has says nothing of what came since.
      return await all(between.kind === "missing" ? [] : valueOf(between));
    }),
    ofGroup: async (group) => await all(valueOf(await pullRequests.inGroup(group))),
  };
}

async function readOne(context: ContextWithForge, reading: Reading, pullRequest: PullRequest): Promise<Recorded | null> {
  const { forge, log } = context;
  const { environment } = reading;
  const commit = pullRequest.head.commit;
  const check = valueOf(await forge.checks.latest(commit, planCheckName(context, environment)));
  const record = readRecord(check?.text ?? null);
  const made = madeBy(check?.externalId ?? null);
  if (check === null || record === null || made === null) return null;
  const isWhole = record.environment === environment && record.fingerprint.startsWith(made.fingerprint);
  const doubt = isWhole ? await doubtOf(context, reading, made.runId, commit) : "it is not whole";
  if (doubt === null) return { pullRequest, record };
  log.warn(`The record of pull request ${pullRequest.number} is not believed: ${doubt}`);
  return null;
}

/** Why the run that a record names cannot have made it, or null. */
async function doubtOf(
  { forge }: ContextWithForge,
  { branch, isOnBranch }: Reading,
  runId: string,
  commit: string,
): Promise<string | null> {
  const run = await forge.runs.get(Number(runId));
  if (!isDone(run)) return `run ${runId} cannot be read (${run.why})`;
  const { value } = run;
  if (value.commit !== commit) return `run ${runId} was not of that commit`;
  if (value.event !== "pull_request") return `run ${runId} was started by ${value.event}`;
  return (await isOnBranch(value.workflowFile)) ? null : `the workflow of run ${runId} is not on ${branch}`;
}
