// Routes of the fake GitHub for pull requests, their files and reviews, and those that a commit came with.
import { GithubRefusal, json, NOT_FOUND, paged } from "./github-answers.ts";
import type { Route } from "./github-routes.ts";
import { type GithubState, headOf, type StoredIssue, type StoredPull } from "./github-state.ts";
import { pullView, reviewView } from "./github-views.ts";

const REPO = "/repos/{owner}/{repo}";
const READ = [{ permission: "pull_requests", access: "read" }] as const;
/** GitHub lists no more. */
const MOST_FILES = 3000;

export const PULL_ROUTES: readonly Route[] = [
  {
    route: `GET ${REPO}/pulls`,
    needs: READ,
    query: ["state", "head", "base", "sort", "direction"],
    answer: ({ state, query, path }) => {
      const wanted = query.get("state") ?? "open";
      const base = query.get("base");
      const head = query.get("head");
      const sort = query.get("sort") ?? "created";
      const isDescending = (query.get("direction") ?? (sort === "created" ? "desc" : "asc")) === "desc";
      const key = (one: StoredIssue): string => (sort === "updated" ? one.updatedAt : one.createdAt);
      const found = pullsOf(state)
        .filter(({ issue }) => wanted === "all" || issue.isOpen === (wanted === "open"))
        .filter(({ pull }) => base === undefined || pull.baseBranch === base)
        .filter(({ pull }) => head === undefined || head === `${pull.headRepository?.split("/")[0] ?? ""}:${pull.headBranch}`)
        .sort((a, b) => (key(a.issue) < key(b.issue) ? -1 : 1) * (isDescending ? -1 : 1));
      return paged(
        state,
        path,
        query,
        found.map(({ issue, pull }) => pullView(state, issue, pull)),
      );
    },
  },
  {
    route: `GET ${REPO}/pulls/{number}`,
    needs: READ,
    answer: ({ state, at }) => {
      const { issue, pull } = pullAt(state, at("number"));
      return json(200, pullView(state, issue, pull));
    },
  },
  {
    route: `GET ${REPO}/pulls/{number}/files`,
    needs: READ,
    answer: ({ state, at, path, query }) => {
      const { pull } = pullAt(state, at("number"));
      const head = headOf(state, pull);
      const base = state.git.mergeBase(pull.mergedOnto ?? pull.baseCommit, head) ?? pull.baseCommit;
      const files = state.git.changes(base, head).slice(0, MOST_FILES);
      const items = files.map((one) => ({
        filename: one.path,
        status: one.status,
        ...(one.before === null ? {} : { previous_filename: one.before }),
      }));
      return paged(state, path, query, items);
    },
  },
  {
    route: `GET ${REPO}/pulls/{number}/reviews`,
    needs: READ,
    answer: ({ state, at, path, query }) => {
      const { pull } = pullAt(state, at("number"));
      return paged(
        state,
        path,
        query,
        pull.reviews.map((one) => reviewView(state, pull, one)),
      );
    },
  },
  {
    route: `GET ${REPO}/commits/{commit}/pulls`,
    needs: READ,
    answer: ({ state, at, path, query }) => {
      const commit = state.git.resolve(at("commit"));
      if (commit === null) throw new GithubRefusal(422, `No commit found for SHA: ${at("commit")}`);
      const found = pullsOf(state).filter(({ issue, pull }) => holds(state, issue, pull, commit));
      return paged(
        state,
        path,
        query,
        found.map(({ issue, pull }) => pullView(state, issue, pull)),
      );
    },
  },
];

function pullsOf(state: GithubState): { readonly issue: StoredIssue; readonly pull: StoredPull }[] {
  return [...state.issues.values()].flatMap((issue) => (issue.pull === null ? [] : [{ issue, pull: issue.pull }]));
}

function pullAt(state: GithubState, number: string): { readonly issue: StoredIssue; readonly pull: StoredPull } {
  const issue = state.issues.get(Number(number));
  if (issue === undefined || issue.pull === null) throw NOT_FOUND();
  return { issue, pull: issue.pull };
}

/** Merged: what it brought to its base branch. Not merged: what its branch holds. */
function holds(state: GithubState, issue: StoredIssue, pull: StoredPull, commit: string): boolean {
  if (pull.mergeCommit !== null && pull.mergedOnto !== null) {
    return (
      state.git.between(pull.mergedOnto, pull.mergeCommit).some(({ sha }) => sha === commit) || headOf(state, pull) === commit
    );
  }
  return issue.isOpen && state.git.between(pull.baseCommit, headOf(state, pull)).some(({ sha }) => sha === commit);
}
