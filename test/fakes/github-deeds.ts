// What people do on the fake GitHub with Git: commits, pushes, pull requests, merges, reviews, the merge queue. Past
// HTTP and its checks; Git's own refusals (a conflict) are thrown.
import { addIssue, type NewIssue } from "./github-issues.ts";
import type { FileChanges } from "./github-git.ts";
import {
  accountOf,
  type GithubState,
  headOf,
  pullOf,
  type StoredIssue,
  type StoredPull,
  type StoredReview,
  tick,
} from "./github-state.ts";

export interface CommitOptions {
  readonly message?: string;
  /** Login. Without: `alice`. */
  readonly author?: string;
}

export interface NewPullRequest extends CommitOptions {
  /** What the pull request changes; without, its branch must be there. */
  readonly files?: FileChanges;
  /** Without: `change-NUMBER`. */
  readonly branch?: string;
  /** Without: `main`. */
  readonly base?: string;
  /** The commit that a new branch starts from. Without: the tip of the base branch. */
  readonly from?: string;
  /** `owner/name` of the fork that it comes from. */
  readonly fork?: string;
  readonly title?: string;
  readonly body?: string;
  readonly isDraft?: boolean;
}

export interface OpenedPullRequest {
  readonly number: number;
  readonly branch: string;
  /** The head commit. */
  readonly head: string;
}

/** What a push event tells. */
export interface Pushed {
  readonly branch: string;
  /** Null: the branch is new. */
  readonly before: string | null;
  readonly after: string;
  readonly isForced: boolean;
  readonly by: string;
}

/** As `MergeGroup` of the contract. */
export interface QueuedGroup {
  readonly commit: string;
  readonly parent: string;
  readonly queueBranch: string;
  readonly branch: string;
}

export type MergeMethod = "merge" | "squash" | "rebase";

export interface GithubDeeds {
  /** The newest commit of a branch, of a pull request (`refs/pull/7/head`, `refs/pull/7/merge`) or of any revision. */
  readonly tip: (revision?: string) => string;
  /** A commit on no branch. Without parents: on the tip of `main`. */
  readonly commit: (files: FileChanges, parents?: readonly string[], options?: CommitOptions) => string;
  /** To a branch by name, or to that of a pull request by number. A list makes a commit each. */
  readonly pushTo: (target: string | number, files: FileChanges | readonly FileChanges[], options?: CommitOptions) => Pushed;
  /** Sets a branch to any commit, as a push with force. */
  readonly forcePush: (target: string | number, commit: string, by?: string) => Pushed;
  readonly openPullRequest: (pull: NewPullRequest) => OpenedPullRequest;
  readonly merge: (number: number, options?: { readonly method?: MergeMethod; readonly by?: string }) => Pushed;
  readonly close: (number: number) => void;
  readonly reopen: (number: number) => void;
  /** Of the head commit, unless one is given. */
  readonly review: (
    number: number,
    review: { readonly by: string; readonly state?: StoredReview["state"]; readonly commit?: string },
  ) => void;
  /** Puts pull requests into the merge queue, one on top of the other: a group each. */
  readonly queue: (numbers: readonly number[], base?: string) => readonly QueuedGroup[];
  /** The queue brings a group, and those that it stands on, to the branch. */
  readonly mergeGroup: (group: QueuedGroup) => Pushed;
}

const QUEUE = "gh-readonly-queue";

export function githubDeeds(state: GithubState): GithubDeeds {
  const { git } = state;
  const words = (message: string, author = "alice"): { message: string; author: string; time: number } => {
    accountOf(state, author);
    return { message, author, time: Date.parse(tick(state)) / 1000 };
  };
  const tip = (revision = "main"): string => {
    const [, number] = /^refs\/pull\/(\d+)\/merge$/.exec(revision) ?? [];
    if (number !== undefined) makeTestMerge(state, Number(number));
    const sha = git.resolve(revision.startsWith("refs/") ? revision : `refs/heads/${revision}`) ?? git.resolve(revision);
    if (sha === null) throw new Error(`There is no ${revision}`);
    return sha;
  };
  const mergedTree = (a: string, b: string): string => {
    const tree = git.mergeTree(a, b);
    if (tree === null) throw new Error(`${a} and ${b} conflict`);
    return tree;
  };
  const refOf = (target: string | number): string =>
    typeof target === "number" ? pullOf(state, target).pull.headRef : `refs/heads/${target}`;
  const pushed = (ref: string, before: string | null, after: string, by: string, isForced = false): Pushed => {
    branchMoved(state, ref, after);
    return { branch: ref.replace(/^refs\/(?:forks\/[^/]+\/[^/]+\/)?heads\//, ""), before, after, isForced, by };
  };
  const setMerged = (number: number, onto: string, commit: string): void => {
    const { issue, pull } = pullOf(state, number);
    const at = tick(state);
    issue.isOpen = false;
    issue.updatedAt = at;
    pull.mergedAt = at;
    pull.mergedOnto = onto;
    pull.mergeCommit = commit;
  };
  return {
    tip,
    commit: (files, parents = [tip()], { message = "Change", author } = {}) => {
      const ref = "refs/scratch/commit";
      if (git.resolve(ref) !== null) git.setRef(ref, null);
      const [first = null, ...merged] = parents;
      const sha = git.commit(ref, first, files, words(message, author), merged);
      git.setRef(ref, null);
      return sha;
    },
    pushTo: (target, files, { message = "Change", author = "alice" } = {}) => {
      const ref = refOf(target);
      const before = git.resolve(ref);
      return pushed(ref, before, git.commit(ref, before ?? tip(), files, words(message, author)), author);
    },
    forcePush: (target, commit, by = "alice") => {
      const ref = refOf(target);
      const before = git.resolve(ref);
      git.setRef(ref, commit);
      return pushed(ref, before, commit, by, true);
    },
    openPullRequest: ({ files, base = "main", author = "alice", ...more }) => {
      const {
        branch = `change-${state.nextNumber}`,
        title = "A change",
        body = "",
        message = title,
        fork,
        isDraft = false,
      } = more;
      const headRef = fork === undefined ? `refs/heads/${branch}` : `refs/forks/${fork}/heads/${branch}`;
      if (files !== undefined) git.commit(headRef, git.resolve(headRef) ?? more.from ?? tip(base), files, words(message, author));
      const head = tip(headRef);
      accountOf(state, author);
      const { number } = addPull(state, {
        author,
        title,
        body,
        base,
        branch,
        headRef,
        headRepository: fork ?? state.repository,
        isDraft,
      }).pull;
      return { number, branch, head };
    },
    merge: (number, { method = "merge", by = "alice" } = {}) => {
      const { pull, issue } = pullOf(state, number);
      const head = headOf(state, pull);
      const before = tip(pull.baseBranch);
      const tree = mergedTree(before, head);
      const title = `${issue.title} (#${number})`;
      let after = before;
      if (method === "rebase") {
        for (const one of git.between(before, head)) {
          after = git.commitTree(mergedTree(before, one.sha), [after], words(one.message, one.author));
        }
      } else {
        const parents = method === "merge" ? [before, head] : [before];
        after = git.commitTree(tree, parents, words(method === "merge" ? `Merge pull request #${number}` : title, by));
      }
      const ref = `refs/heads/${pull.baseBranch}`;
      git.setRef(ref, after);
      setMerged(number, before, after);
      return pushed(ref, before, after, by);
    },
    close: (number) => {
      const { issue } = pullOf(state, number);
      issue.isOpen = false;
      issue.updatedAt = tick(state);
    },
    reopen: (number) => {
      const { issue } = pullOf(state, number);
      issue.isOpen = true;
      issue.updatedAt = tick(state);
    },
    review: (number, { by, state: word = "APPROVED", commit }) => {
      const { pull } = pullOf(state, number);
      pull.reviews.push({
        id: state.nextId++,
        author: accountOf(state, by),
        state: word,
        commit: commit ?? headOf(state, pull),
        submittedAt: tick(state),
      });
    },
    queue: (numbers, base = "main") => {
      let parent = tip(base);
      return numbers.map((number) => {
        const head = headOf(state, pullOf(state, number).pull);
        const onto = parent;
        const commit = git.commitTree(mergedTree(onto, head), [onto, head], words(`Merge pull request #${number}`, "web-flow"));
        const queueBranch = `${QUEUE}/${base}/pr-${number}-${onto}`;
        git.setRef(`refs/heads/${queueBranch}`, commit);
        parent = commit;
        return { commit, parent: onto, queueBranch, branch: base };
      });
    },
    mergeGroup: ({ commit, branch }) => {
      const ref = `refs/heads/${branch}`;
      const before = tip(branch);
      const above = `refs/heads/${QUEUE}/${branch}/`;
      const brought = new Set(git.between(before, commit).map(({ sha }) => sha));
      git.setRef(ref, commit);
      for (const entry of git.refs(above).filter(({ sha }) => brought.has(sha))) {
        const [, number = "", onto = ""] = /^pr-(\d+)-([0-9a-f]+)$/.exec(entry.ref.slice(above.length)) ?? [];
        setMerged(Number(number), onto, entry.sha);
        git.setRef(entry.ref, null);
      }
      return pushed(ref, before, commit, "github-merge-queue[bot]");
    },
  };
}

/**
 * The test merge that GitHub keeps of an open pull request, made when somebody asks for it; gone while there is a
 * conflict.
 */
export function makeTestMerge(state: GithubState, number: number): void {
  const { git } = state;
  const { issue, pull } = pullOf(state, number);
  const base = git.resolve(`refs/heads/${pull.baseBranch}`);
  const head = headOf(state, pull);
  if (!issue.isOpen || base === null || pull.testMergeOf === `${base} ${head}`) return;
  pull.testMergeOf = `${base} ${head}`;
  const tree = git.mergeTree(base, head);
  const words = { message: `Merge ${head} into ${base}`, author: "web-flow", time: Date.parse(tick(state)) / 1000 };
  git.setRef(`refs/pull/${number}/merge`, tree === null ? null : git.commitTree(tree, [base, head], words));
}

export interface NewPull extends NewIssue {
  readonly base: string;
  readonly branch: string;
  readonly headRef: string;
  readonly headRepository: string;
  readonly isDraft: boolean;
}

/** Both branches must be there. */
export function addPull(state: GithubState, wanted: NewPull): { readonly issue: StoredIssue; readonly pull: StoredPull } {
  const { base, branch, headRef, headRepository, isDraft } = wanted;
  const [head, baseCommit] = [state.git.resolve(headRef), state.git.resolve(`refs/heads/${base}`)];
  if (head === null || baseCommit === null) throw new Error(`There is no ${head === null ? headRef : base}`);
  const plain = addIssue(state, wanted);
  const pull: StoredPull = {
    number: plain.number,
    baseBranch: base,
    baseCommit,
    headRef,
    headBranch: branch,
    headRepository,
    isDraft,
    mergedAt: null,
    mergeCommit: null,
    mergedOnto: null,
    reviews: [],
    testMergeOf: "",
  };
  const issue = { ...plain, pull };
  state.issues.set(issue.number, issue);
  state.git.setRef(`refs/pull/${issue.number}/head`, head);
  return { issue, pull };
}

/** What follows for open pull requests from a branch having moved. */
export function branchMoved(state: GithubState, ref: string, after: string): void {
  for (const issue of state.issues.values()) {
    if (!issue.isOpen || issue.pull?.headRef !== ref) continue;
    state.git.setRef(`refs/pull/${issue.number}/head`, after);
    issue.updatedAt = tick(state);
  }
}
