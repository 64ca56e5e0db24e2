// The records of merged pull requests, read back from their check runs: only of our own app, of a run of a workflow
// that is on the branch, on the commit that was merged. Each pull request is read once.
import { isDone, valueOf } from "../forge/forge-answer.ts";
import type { MergeGroup, PullRequest } from "../forge/forge-pull-request.ts";
import { madeBy, planCheckName } from "./check-names.ts";
import type { ContextWithForge } from "./context.ts";
import { type PlanRecord, readRecord } from "./record.ts";

export interface Recorded {
  readonly pullRequest: PullRequest;
  readonly record: PlanRecord;
  readonly checkId: number;
}

export interface Records {
  /** Of the pull requests that were merged after one commit and up to another. `after` null: with the commit itself. */
  readonly merged: (after: string | null, upTo: string) => Promise<readonly Recorded[]>;
  readonly ofGroup: (group: MergeGroup) => Promise<readonly Recorded[]>;
  readonly of: (pullRequest: PullRequest) => Promise<Recorded | null>;
}

export function recordsOf(context: ContextWithForge, environment: string, branch: string): Records {
  const { forge } = context;
  const read = new Map<number, Promise<Recorded | null>>();
  const ranges = new Map<string, Promise<readonly Recorded[]>>();
  const of = async (pullRequest: PullRequest): Promise<Recorded | null> => {
    const known = read.get(pullRequest.number);
    if (known !== undefined) return await known;
    const reading = readOne(context, environment, branch, pullRequest);
    read.set(pullRequest.number, reading);
    return await reading;
  };
  const all = async (pullRequests: readonly PullRequest[]): Promise<readonly Recorded[]> =>
    (await Promise.all(pullRequests.map(of))).flatMap((one) => (one === null ? [] : [one]));
  return {
    of,
    merged: async (after, upTo) => {
      const key = `${after ?? ""}..${upTo}`;
      const known = ranges.get(key);
      if (known !== undefined) return await known;
      const reading = (async () => {
        const { pullRequests } = forge;
        if (after === null) return await all(valueOf(await pullRequests.mergedWith(upTo, branch)));
        const between = await pullRequests.mergedBetween({ after, upTo, branch });
        // A commit that the branch no longer has says nothing of what came since.
        return await all(between.kind === "missing" ? [] : valueOf(between));
      })();
      ranges.set(key, reading);
      return await reading;
    },
    ofGroup: async (group) => await all(valueOf(await forge.pullRequests.inGroup(group))),
  };
}

async function readOne(
  context: ContextWithForge,
  environment: string,
  branch: string,
  pullRequest: PullRequest,
): Promise<Recorded | null> {
  const { forge, log } = context;
  const commit = pullRequest.head.commit;
  const check = valueOf(await forge.checks.latest(commit, planCheckName(context, environment)));
  const record = readRecord(check?.text ?? null);
  const made = madeBy(check?.externalId ?? null);
  if (check === null || record === null || made === null) return null;
  const isWhole = record.environment === environment && record.fingerprint.startsWith(made.fingerprint);
  const doubt = isWhole ? await doubtOf(context, made.runId, commit, branch) : "it is not whole";
  if (doubt === null) return { pullRequest, record, checkId: check.id };
  log.warn(`The record of pull request ${pullRequest.number} is not believed: ${doubt}`);
  return null;
}

/** Why the run that a record names cannot have made it, or null. */
async function doubtOf({ forge }: ContextWithForge, runId: string, commit: string, branch: string): Promise<string | null> {
  const run = await forge.runs.get(Number(runId));
  if (!isDone(run)) return `run ${runId} cannot be read (${run.why})`;
  const { value } = run;
  if (value.commit !== commit) return `run ${runId} was not of that commit`;
  if (value.event !== "pull_request") return `run ${runId} was started by ${value.event}`;
  const tip = valueOf(await forge.history.tip(branch));
  const workflow = valueOf(await forge.history.fileText(tip, value.workflowFile));
  return workflow === null ? `the workflow of run ${runId} is not on ${branch}` : null;
}
