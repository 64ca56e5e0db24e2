// Routes of the fake GitHub that write Git: trees on top of another one, commits, branches, and pull requests from them.
// A commit is made at once when its tree is asked for, and taken up by the call that names it.
import { GithubRefusal, json, NOT_FOUND } from "./github-answers.ts";
import type { Route } from "./github-routes.ts";
import { addPull, branchMoved } from "./github-deeds.ts";
import { type GithubState, type Json, tick } from "./github-state.ts";
import { commitView, pullView } from "./github-views.ts";

const REPO = "/repos/{owner}/{repo}";
const READ = [{ permission: "contents", access: "read" }] as const;
const WRITE = [{ permission: "contents", access: "write" }] as const;

export const PROPOSAL_ROUTES: readonly Route[] = [
  {
    route: `GET ${REPO}/git/commits/{commit}`,
    needs: READ,
    answer: ({ state, at }) => {
      if (state.git.resolve(at("commit")) === null) throw NOT_FOUND();
      const commit = state.git.read(at("commit"));
      return json(200, { ...commitView(state, commit), tree: { sha: state.git.tree(commit.sha, false)?.sha } });
    },
  },
  {
    route: `POST ${REPO}/git/trees`,
    needs: WRITE,
    body: ["base_tree", "tree"],
    answer: ({ state, body }) => {
      const files: Record<string, string> = {};
      for (const entry of listOf(body["tree"])) {
        if (entry["mode"] !== "100644" || entry["type"] !== "blob") throw new Error("Only files are written here");
        files[textOf(entry["path"])] = textOf(entry["content"]);
      }
      const base = newest(state, textOf(body["base_tree"]));
      const ref = `refs/scratch/tree-${state.nextId++}`;
      const sha = state.git.commit(ref, base, files, words(state, "tree"));
      return json(201, { sha: state.git.tree(sha, false)?.sha, tree: [] });
    },
  },
  {
    route: `POST ${REPO}/git/commits`,
    needs: WRITE,
    body: ["message", "tree", "parents"],
    answer: ({ state, body }) => {
      const parents = Array.isArray(body["parents"]) ? body["parents"].map(textOf) : [];
      const sha = state.git.commitTree(newest(state, textOf(body["tree"])), parents, words(state, textOf(body["message"])));
      return json(201, commitView(state, state.git.read(sha)));
    },
  },
  {
    route: `POST ${REPO}/git/refs`,
    needs: WRITE,
    body: ["ref", "sha"],
    answer: ({ state, body }) => {
      const ref = textOf(body["ref"]);
      if (state.git.resolve(ref) !== null) throw new GithubRefusal(422, "Reference already exists");
      state.git.setRef(ref, textOf(body["sha"]));
      return json(201, { ref, object: { sha: body["sha"] } });
    },
  },
  {
    route: `PATCH ${REPO}/git/refs/{+ref}`,
    needs: WRITE,
    body: ["sha", "force"],
    answer: ({ state, at, body }) => {
      const ref = `refs/${at("ref")}`;
      if (state.git.resolve(ref) === null) throw new GithubRefusal(422, "Reference does not exist");
      if (body["force"] !== true) throw new Error("Only pushes with force are known here");
      state.git.setRef(ref, textOf(body["sha"]));
      branchMoved(state, ref, textOf(body["sha"]));
      return json(200, { ref, object: { sha: body["sha"] } });
    },
  },
  {
    route: `POST ${REPO}/pulls`,
    needs: [{ permission: "pull_requests", access: "write" }],
    body: ["title", "body", "head", "base"],
    answer: ({ state, body, token }) => {
      const [branch, base] = [textOf(body["head"]), textOf(body["base"])];
      if ([branch, base].some((name) => state.git.resolve(`refs/heads/${name}`) === null))
        throw new GithubRefusal(422, "Validation Failed");
      if (isOpen(state, branch, base))
        throw new GithubRefusal(422, `A pull request already exists for ${state.repository.split("/")[0]}:${branch}.`);
      const { issue, pull } = addPull(state, {
        author: token.account.login,
        title: textOf(body["title"]),
        body: textOf(body["body"]),
        base,
        branch,
        headRef: `refs/heads/${branch}`,
        headRepository: state.repository,
        isDraft: false,
      });
      return json(201, pullView(state, issue, pull));
    },
  },
  {
    route: `PATCH ${REPO}/pulls/{number}`,
    needs: [{ permission: "pull_requests", access: "write" }],
    body: ["title", "body"],
    answer: ({ state, at, body }) => {
      const issue = state.issues.get(Number(at("number")));
      if (issue === undefined || issue.pull === null) throw NOT_FOUND();
      issue.title = textOf(body["title"]);
      issue.body = textOf(body["body"]);
      issue.updatedAt = tick(state);
      return json(200, pullView(state, issue, issue.pull));
    },
  },
];

function isOpen(state: GithubState, branch: string, base: string): boolean {
  return [...state.issues.values()].some(
    (one) => one.isOpen && one.pull?.headRef === `refs/heads/${branch}` && one.pull.baseBranch === base,
  );
}

/** A commit with this tree: Git's own commands take a tree by it. */
function newest(state: GithubState, tree: string): string {
  const found = [...state.git.refs("refs/scratch/"), ...state.git.refs("refs/heads/")].find(
    ({ sha }) => state.git.tree(sha, false)?.sha === tree,
  );
  if (found === undefined) throw new GithubRefusal(422, "Tree SHA does not exist");
  return found.sha;
}

function words(
  state: GithubState,
  message: string,
): { readonly message: string; readonly author: string; readonly time: number } {
  return { message, author: "github-actions[bot]", time: Date.parse(tick(state)) / 1000 };
}

function listOf(value: unknown): readonly Json[] {
  if (!Array.isArray(value)) throw new GithubRefusal(422, "Not a list");
  return value as readonly Json[];
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw new GithubRefusal(422, "Not a text");
  return value;
}
