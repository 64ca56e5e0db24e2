// The event that GitHub started the run for, from the file and the variables that the runner gives. Pure.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { ForgeEvent } from "./forge-event.ts";
import type { MergeGroup, PullRequest } from "./forge-pull-request.ts";
import { readPullRequest } from "./github-pull-request.ts";
import { flagOf, memberOf, textOf, textOrNull } from "./github-read.ts";

/** Started on the default branch and with its rights, whatever stranger caused them. */
const PRIVILEGED = new Set([
  "pull_request_target",
  "workflow_run",
  "issue_comment",
  "issues",
  "pull_request_review",
  "pull_request_review_comment",
  "discussion",
  "discussion_comment",
  "fork",
  "gollum",
  "watch",
]);
const NO_COMMIT = /^0+$/;

export interface GithubEventSource {
  /** GITHUB_EVENT_NAME. */
  readonly name: string;
  /** GITHUB_SHA. */
  readonly commit: string;
  /** GITHUB_REF, e.g. `refs/heads/main`. */
  readonly ref: string;
  /** The file at GITHUB_EVENT_PATH, parsed. */
  readonly payload: unknown;
}

export function readGithubEvent({ name, commit, ref, payload }: GithubEventSource): ForgeEvent {
  switch (name) {
    case "pull_request": {
      const pullRequest = readPullRequest(memberOf(payload, "pull_request") ?? lacking("pull_request"));
      return { kind: "pull-request", action: textOf(payload, "action"), pullRequest, commit, from: originOf(pullRequest) };
    }
    case "push": {
      const branch = branchOf(textOf(payload, "ref"));
      const before = textOf(payload, "before");
      return {
        kind: "push",
        branch,
        isDefaultBranch: branch !== null && branch === defaultBranchIn(payload),
        before: NO_COMMIT.test(before) ? null : before,
        commit: textOf(payload, "after"),
        isForced: flagOf(payload, "forced"),
      };
    }
    case "merge_group":
      return { kind: "merge-group", group: readGroup(memberOf(payload, "merge_group") ?? lacking("merge_group")) };
    case "schedule":
      return { kind: "schedule", commit, branch: branchOf(ref) };
    case "workflow_dispatch":
      return { kind: "manual", commit, branch: branchOf(ref) };
    default:
      return { kind: PRIVILEGED.has(name) ? "privileged" : "other", name };
  }
}

/** Of the repository, as every event's file tells it; null where it does not. */
export function defaultBranchIn(payload: unknown): string | null {
  return textOrNull(payload, "repository", "default_branch");
}

/** Dependabot's runs get no secrets, as those of forks. The author counts: whoever acts may be anyone. */
function originOf({ author, isFork }: PullRequest): "repository" | "fork" | "dependabot" {
  if (isFork) return "fork";
  return author?.login === "dependabot[bot]" ? "dependabot" : "repository";
}

function readGroup(value: unknown): MergeGroup {
  const queueBranch = textOf(value, "head_ref");
  const branch = textOf(value, "base_ref");
  return {
    commit: textOf(value, "head_sha"),
    parent: textOf(value, "base_sha"),
    queueBranch: branchOf(queueBranch) ?? queueBranch,
    branch: branchOf(branch) ?? branch,
  };
}

function branchOf(ref: string): string | null {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
}

function lacking(member: string): never {
  throw new ToolError("corrupt", "Cannot read the event of this run", {
    why: `It has no "${member}"`,
    mend: "Check GITHUB_EVENT_PATH and GITHUB_EVENT_NAME: the runner sets them",
  });
}
