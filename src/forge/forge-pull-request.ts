// Pull requests as the product needs them: which commits, whose, how they were reviewed. Titles and descriptions are
// not read: nothing is decided by them, and they are text from outside.
import type { Answer } from "./forge-answer.ts";
import type { Person } from "./forge-people.ts";

export interface PullRequest {
  readonly number: number;
  readonly state: "open" | "closed" | "merged";
  /** Null where the account is gone. */
  readonly author: Person | null;
  readonly head: {
    readonly commit: string;
    readonly branch: string;
    /** `owner/name`; null where the fork is gone. */
    readonly repository: string | null;
  };
  readonly base: { readonly commit: string; readonly branch: string };
  /** Comes from another repository, or from one that is gone. */
  readonly isFork: boolean;
  readonly isDraft: boolean;
  /** The commit on the base branch that brought it in; null unless merged. */
  readonly mergeCommit: string | null;
  readonly mergedAt: string | null;
  readonly url: string;
}

export interface ChangedFile {
  readonly path: string;
  /** Where it was before, of a renamed file. */
  readonly before: string | null;
  readonly change: "added" | "removed" | "changed";
}

export interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  /** False where the pull request has more files than the forge tells. */
  readonly isComplete: boolean;
}

export interface Review {
  readonly author: Person | null;
  readonly verdict: "approved" | "changes-requested" | "commented" | "dismissed";
  /** The head commit that was looked at; null where it is gone. */
  readonly commit: string | null;
}

/** Commits of a branch after one and up to another, which belongs to them. */
export interface CommitRange {
  readonly after: string;
  readonly upTo: string;
  readonly branch: string;
}

/** What a merge queue tests: pull requests on top of each other, on the tip of a branch. */
export interface MergeGroup {
  /** The group's commit, as it will be on the branch. */
  readonly commit: string;
  /** The commit below: the tip of the branch, or another group. */
  readonly parent: string;
  /** The queue's own branch that holds the commit. */
  readonly queueBranch: string;
  /** The branch that it is to be merged into. */
  readonly branch: string;
}

export interface PullRequests {
  readonly get: (number: number) => Promise<Answer<PullRequest>>;
  readonly changedFiles: (number: number) => Promise<Answer<ChangedFiles>>;
  /** Oldest first. */
  readonly reviews: (number: number) => Promise<Answer<readonly Review[]>>;
  /** All open ones into a branch. */
  readonly open: (branch: string) => Promise<Answer<readonly PullRequest[]>>;
  /** Those merged into the branch that the commit came with. None: it was pushed directly. */
  readonly mergedWith: (commit: string, branch: string) => Promise<Answer<readonly PullRequest[]>>;
  /** Those merged into the branch by commits of the range, in order of number. */
  readonly mergedBetween: (range: CommitRange) => Promise<Answer<readonly PullRequest[]>>;
  /** Those of a merge queue that a group holds, also through the groups that it stands on, in order of number. */
  readonly inGroup: (group: MergeGroup) => Promise<Answer<readonly PullRequest[]>>;
}

/**
 * Logins of those whose last word on exactly this commit is an approval, without the author. A comment takes nothing
 * back; a later request for changes does, also one on another commit.
 */
export function approversOf(reviews: readonly Review[], commit: string, author: Person | null): readonly string[] {
  const last = new Map<string, Review>();
  for (const review of reviews) {
    const login = review.author?.login;
    if (login === undefined || login === author?.login || review.verdict === "commented") continue;
    last.set(login, review);
  }
  return [...last].filter(([, { verdict, commit: seen }]) => verdict === "approved" && seen === commit).map(([login]) => login);
}
