// Routes of the fake GitHub for commits, refs, trees and files: answered from its Git repository.
import { GithubRefusal, json, NOT_FOUND, paged } from "./github-answers.ts";
import type { GitFileChange } from "./github-git.ts";
import type { Route, RouteCall } from "./github-routes.ts";
import type { Json } from "./github-state.ts";
import { commitView } from "./github-views.ts";
import type { FakeAnswer } from "./http-fake.ts";

const REPO = "/repos/{owner}/{repo}";
const READ = [{ permission: "contents", access: "read" }] as const;
const RAW = "application/vnd.github.raw+json";

export const COMMIT_ROUTES: readonly Route[] = [
  { route: `GET ${REPO}/compare/{range}`, needs: READ, answer: compare },
  {
    route: `GET ${REPO}/git/ref/{+ref}`,
    needs: READ,
    answer: ({ state, at }) => {
      const sha = state.git.resolve(`refs/${at("ref")}`);
      if (sha === null || !state.git.refs(`refs/${at("ref")}`).some(({ ref }) => ref === `refs/${at("ref")}`)) throw NOT_FOUND();
      return json(200, refView(`refs/${at("ref")}`, sha));
    },
  },
  {
    route: `GET ${REPO}/git/matching-refs/{+ref}`,
    needs: READ,
    answer: ({ state, at, path, query }) => {
      const found = state.git.refs(`refs/${at("ref")}`);
      return paged(
        state,
        path,
        query,
        found.map(({ ref, sha }) => refView(ref, sha)),
      );
    },
  },
  {
    route: `GET ${REPO}/git/trees/{revision}`,
    needs: READ,
    query: ["recursive"],
    answer: ({ state, at, query }) => {
      const tree = state.git.tree(at("revision"), query.has("recursive"));
      if (tree === null) throw NOT_FOUND();
      const entries = tree.entries.slice(0, state.treeLimit).map(({ size, ...one }) => (size === null ? one : { ...one, size }));
      return json(200, { sha: tree.sha, tree: entries, truncated: entries.length < tree.entries.length });
    },
  },
  {
    route: `GET ${REPO}/contents/{+path}`,
    needs: READ,
    query: ["ref"],
    answer: ({ state, at, query, headers }) => {
      if (headers["accept"] !== RAW) throw new Error("Only the raw text of files is known here");
      const commit = state.git.resolve(query.get("ref") ?? "main");
      if (commit === null) throw new GithubRefusal(404, `No commit found for the ref ${query.get("ref") ?? ""}`);
      const entry = state.git.entry(commit, at("path"));
      if (entry === null) throw NOT_FOUND();
      if (entry.kind === "folder") return json(200, []);
      if (entry.kind === "module") return json(200, { type: "submodule" });
      return { status: 200, headers: { "content-type": `${RAW}; charset=utf-8` }, body: entry.text };
    },
  },
];

function refView(ref: string, sha: string): Json {
  return { ref, node_id: `REF_${ref}`, object: { type: "commit", sha } };
}

function compare({ state, at, query, path }: RouteCall): FakeAnswer {
  const [base = "", head = ""] = at("range").split("...");
  const from = state.git.resolve(base);
  const to = state.git.resolve(head);
  if (from === null || to === null) throw NOT_FOUND();
  const common = state.git.mergeBase(from, to);
  if (common === null) throw new GithubRefusal(404, `No common ancestor between ${base} and ${head}.`);
  const ahead = state.git.between(from, to);
  const behind = state.git.between(to, from);
  const status = ahead.length === 0 ? (behind.length === 0 ? "identical" : "behind") : behind.length === 0 ? "ahead" : "diverged";
  const sized = query.has("per_page") || query.has("page") ? query : new Map([["per_page", "100"]]);
  const files = (query.get("page") ?? "1") === "1" ? state.git.changes(common, to).map(fileView) : [];
  return paged(
    state,
    path,
    sized,
    ahead.map((one) => commitView(state, one)),
    (commits) => ({
      status,
      ahead_by: ahead.length,
      behind_by: behind.length,
      total_commits: ahead.length,
      base_commit: commitView(state, state.git.read(from)),
      merge_base_commit: commitView(state, state.git.read(common)),
      commits,
      files,
    }),
  );
}

function fileView({ path, before, status }: GitFileChange): Json {
  return { filename: path, status, ...(before === null ? {} : { previous_filename: before }) };
}
