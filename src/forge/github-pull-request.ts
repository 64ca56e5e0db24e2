// One pull request in GitHub's words: how it is asked for and how it is read, in an answer and in an event alike.
import type { PullRequest } from "./forge-pull-request.ts";
import type { GithubCall } from "./github-client.ts";
import { readPerson } from "./github-people.ts";
import { flagOf, memberOf, numberOf, textOf, textOrNull } from "./github-read.ts";

export function aboutPullRequest(number: number, part: "" | "/files" | "/reviews"): GithubCall {
  return {
    route: `GET /repos/{owner}/{repo}/pulls/{number}${part}`,
    values: { number },
    what: `Cannot read pull request ${number}`,
    permission: "pull-requests: read",
    missing: "missing",
  };
}

export function readPullRequest(value: unknown): PullRequest {
  const base = textOrNull(value, "base", "repo", "full_name");
  const repository = textOrNull(value, "head", "repo", "full_name");
  const mergedAt = textOrNull(value, "merged_at");
  return {
    number: numberOf(value, "number"),
    state: mergedAt !== null ? "merged" : textOf(value, "state") === "open" ? "open" : "closed",
    author: readPerson(memberOf(value, "user")),
    head: { commit: textOf(value, "head", "sha"), branch: textOf(value, "head", "ref"), repository },
    base: { commit: textOf(value, "base", "sha"), branch: textOf(value, "base", "ref") },
    isFork: repository === null || repository !== base,
    isDraft: flagOf(value, "draft"),
    // Of one that is open it is the commit of a test merge.
    mergeCommit: mergedAt === null ? null : textOrNull(value, "merge_commit_sha"),
    mergedAt,
    url: textOf(value, "html_url"),
  };
}
