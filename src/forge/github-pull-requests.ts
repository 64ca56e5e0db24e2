// Pull requests on GitHub: one, its files and reviews, those open into a branch. Which were merged by which commits is
// in github-merged.ts.
import { mapAnswer } from "./forge-answer.ts";
import type { ChangedFile, PullRequests, Review } from "./forge-pull-request.ts";
import type { GithubClient } from "./github-client.ts";
import { inGroup, mergedBetween, mergedWith } from "./github-merged.ts";
import { readPerson } from "./github-people.ts";
import { aboutPullRequest, readPullRequest } from "./github-pull-request.ts";
import { memberOf, textOf, textOrNull } from "./github-read.ts";

/** GitHub lists no more files of one pull request. */
const MOST_FILES = 3000;

export function githubPullRequests(client: GithubClient): PullRequests {
  return {
    get: async (number) => mapAnswer(await client.call(aboutPullRequest(number, "")), readPullRequest),
    changedFiles: async (number) =>
      mapAnswer(await client.list(aboutPullRequest(number, "/files")), (items) => ({
        files: items.map(readFile),
        isComplete: items.length < MOST_FILES,
      })),
    reviews: async (number) =>
      mapAnswer(await client.list(aboutPullRequest(number, "/reviews")), (items) => items.flatMap(readReview)),
    open: async (branch) => {
      const answer = await client.list({
        route: "GET /repos/{owner}/{repo}/pulls",
        values: { state: "open", base: branch },
        what: "Cannot read the open pull requests",
        permission: "pull-requests: read",
        missing: "forbidden",
      });
      return mapAnswer(answer, (items) => items.map(readPullRequest));
    },
    mergedWith: async (commit, branch) => await mergedWith(client, commit, branch),
    mergedBetween: async (range) => await mergedBetween(client, range),
    inGroup: async (group) => await inGroup(client, group),
  };
}

function readFile(value: unknown): ChangedFile {
  const status = textOf(value, "status");
  const before = textOrNull(value, "previous_filename");
  return {
    path: textOf(value, "filename"),
    before: status === "renamed" ? before : null,
    change: status === "added" || status === "copied" ? "added" : status === "removed" ? "removed" : "changed",
  };
}

const VERDICTS: Readonly<Record<string, Review["verdict"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  COMMENTED: "commented",
  DISMISSED: "dismissed",
};

/** One that is not yet submitted is none. */
function readReview(value: unknown): readonly Review[] {
  const verdict = VERDICTS[textOf(value, "state").toUpperCase()];
  if (verdict === undefined) return [];
  return [{ author: readPerson(memberOf(value, "user")), verdict, commit: textOrNull(value, "commit_id") }];
}
