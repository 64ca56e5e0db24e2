// Which pull requests a commit, a range of commits or a group of the merge queue came from. GitHub's own fields decide
// (merge commit, base branch, the queue's branches), never the text of a commit message.
import { type Answer, done, isDone, mapAnswer } from "./forge-answer.ts";
import type { CommitRange, MergeGroup, PullRequest } from "./forge-pull-request.ts";
import type { GithubClient } from "./github-client.ts";
import { comparison, encodedPath } from "./github-history.ts";
import { aboutPullRequest, readPullRequest } from "./github-pull-request.ts";
import { textOf, textOrNull } from "./github-read.ts";

/** Clocks of committers and of GitHub differ; a merge is never listed as older than its commit by more. */
const CLOCK_SLACK_MS = 60 * 60 * 1000;

export async function mergedWith(client: GithubClient, commit: string, branch: string): Promise<Answer<readonly PullRequest[]>> {
  const answer = await client.list({
    route: "GET /repos/{owner}/{repo}/commits/{commit}/pulls",
    values: { commit },
    what: `Cannot read the pull requests of commit ${commit.slice(0, 8)}`,
    permission: "pull-requests: read",
    missing: "missing",
  });
  return mapAnswer(answer, (items) => mergedInto(items, branch));
}

/** One comparison and a few pages of the newest closed ones, instead of one call a commit. */
export async function mergedBetween(client: GithubClient, range: CommitRange): Promise<Answer<readonly PullRequest[]>> {
  const compared = await comparison(client, range.after, range.upTo);
  if (!isDone(compared)) return compared;
  const { commits, oldest } = compared.value;
  if (commits.size === 0) return done([]);
  const since = oldest - CLOCK_SLACK_MS;
  const answer = await client.list(
    {
      route: "GET /repos/{owner}/{repo}/pulls",
      values: { state: "closed", base: range.branch, sort: "updated", direction: "desc" },
      what: "Cannot read the merged pull requests",
      permission: "pull-requests: read",
      missing: "forbidden",
    },
    // Whatever was merged after the range's start was changed after it.
    (items) => items.some((item) => Date.parse(textOf(item, "updated_at")) < since),
  );
  return mapAnswer(answer, (items) =>
    mergedInto(items, range.branch).filter(({ mergeCommit }) => mergeCommit !== null && commits.has(mergeCommit)),
  );
}

/**
 * A pull request into another branch, merged there without a review, must not vouch for commits that reached this one
 * in another way.
 */
function mergedInto(items: readonly unknown[], branch: string): readonly PullRequest[] {
  const merged = items.map(readPullRequest).filter((one) => one.state === "merged" && one.base.branch === branch);
  // Paging by what was changed last may show one twice.
  const byNumber = new Map(merged.map((one) => [one.number, one]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

/**
 * The queue's branches are made by GitHub alone and named `gh-readonly-queue/BRANCH/pr-NUMBER-PARENT`. A group stands
 * on the tip of its branch, or on the commit of the group before.
 */
export async function inGroup(client: GithubClient, group: MergeGroup): Promise<Answer<readonly PullRequest[]>> {
  const above = `gh-readonly-queue/${group.branch}/`;
  const answer = await client.list({
    route: "GET /repos/{owner}/{repo}/git/matching-refs/{+ref}",
    values: { ref: encodedPath(`heads/${above}`) },
    what: "Cannot read the merge queue",
    permission: "contents: read",
    missing: "missing",
  });
  if (!isDone(answer)) return answer;
  const entries = new Map<string, QueueEntry>();
  for (const item of answer.value) {
    const entry = readEntry(textOf(item, "ref"), above);
    const commit = textOrNull(item, "object", "sha");
    if (entry !== null && commit !== null) entries.set(commit, entry);
  }
  const numbers = new Set<number>();
  const own = readEntry(`refs/heads/${group.queueBranch}`, above);
  if (own !== null) numbers.add(own.number);
  for (
    let entry = entries.get(group.parent);
    entry !== undefined && !numbers.has(entry.number);
    entry = entries.get(entry.parent)
  )
    numbers.add(entry.number);
  const found: PullRequest[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const one = await client.call(aboutPullRequest(number, ""));
    if (!isDone(one)) return one;
    found.push(readPullRequest(one.value));
  }
  return done(found);
}

interface QueueEntry {
  readonly number: number;
  readonly parent: string;
}

function readEntry(ref: string, above: string): QueueEntry | null {
  const prefix = `refs/heads/${above}`;
  if (!ref.startsWith(prefix)) return null;
  const [, number, parent] = /^pr-(\d+)-([0-9a-f]+)$/.exec(ref.slice(prefix.length)) ?? [];
  return number === undefined || parent === undefined ? null : { number: Number(number), parent };
}
