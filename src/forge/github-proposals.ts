// Proposals on GitHub: a tree on top of a commit, a commit, a branch that points to it, and a pull request.
import { type Answer, isDone, mapAnswer } from "./forge-answer.ts";
import type { Proposal, Proposals, Proposed } from "./forge-proposal.ts";
import type { GithubCall, GithubClient } from "./github-client.ts";
import { encodedPath } from "./github-history.ts";
import { numberOf, textOf } from "./github-read.ts";

const CONTENTS = { permission: "contents: write", missing: "forbidden" } as const;
const PULLS = { permission: "pull-requests: write", missing: "forbidden" } as const;

export function githubProposals(client: GithubClient, repository: string): Proposals {
  return {
    propose: async (proposal) => {
      const commit = await commitFiles(client, proposal);
      if (!isDone(commit)) return commit;
      const moved = await moveBranch(client, proposal.branch, commit.value);
      if (!isDone(moved)) return moved;
      return await pullRequestOf(client, repository, proposal);
    },
  };
}

async function commitFiles(client: GithubClient, { base, files, title }: Proposal): Promise<Answer<string>> {
  const what = "Cannot write the proposed files";
  const parent = await client.call({
    route: "GET /repos/{owner}/{repo}/git/commits/{commit}",
    values: { commit: base.commit },
    what,
    permission: "contents: read",
    missing: "missing",
  });
  if (!isDone(parent)) return parent;
  const tree = await client.call({
    route: "POST /repos/{owner}/{repo}/git/trees",
    values: {
      base_tree: textOf(parent.value, "tree", "sha"),
      tree: [...files].map(([path, content]) => ({ path, mode: "100644", type: "blob", content })),
    },
    what,
    ...CONTENTS,
  });
  if (!isDone(tree)) return tree;
  const made = await client.call({
    route: "POST /repos/{owner}/{repo}/git/commits",
    values: { message: title, tree: textOf(tree.value, "sha"), parents: [base.commit] },
    what,
    ...CONTENTS,
  });
  return mapAnswer(made, (value) => textOf(value, "sha"));
}

async function moveBranch(client: GithubClient, branch: string, sha: string): Promise<Answer<unknown>> {
  const what = `Cannot write branch "${branch}"`;
  const found = await client.call({
    route: "GET /repos/{owner}/{repo}/git/ref/{+ref}",
    values: { ref: encodedPath(`heads/${branch}`) },
    what,
    permission: "contents: read",
    missing: "missing",
  });
  const call: GithubCall =
    found.kind === "missing"
      ? { route: "POST /repos/{owner}/{repo}/git/refs", values: { ref: `refs/heads/${branch}`, sha }, what, ...CONTENTS }
      : {
          route: "PATCH /repos/{owner}/{repo}/git/refs/{+ref}",
          values: { ref: encodedPath(`heads/${branch}`), sha, force: true },
          what,
          ...CONTENTS,
        };
  return isDone(found) || found.kind === "missing" ? await client.call(call) : found;
}

async function pullRequestOf(client: GithubClient, repository: string, proposal: Proposal): Promise<Answer<Proposed>> {
  const { branch, base, title, body } = proposal;
  const [owner = ""] = repository.split("/");
  const open = await client.list({
    route: "GET /repos/{owner}/{repo}/pulls",
    values: { state: "open", head: `${owner}:${branch}`, base: base.branch },
    what: "Cannot read the open pull requests",
    permission: "pull-requests: read",
    missing: "forbidden",
  });
  if (!isDone(open)) return open;
  const [first] = open.value;
  const what = "Cannot open the proposed pull request";
  const answer =
    first === undefined
      ? await client.call({
          route: "POST /repos/{owner}/{repo}/pulls",
          values: { title, body, head: branch, base: base.branch },
          makesNew: true,
          what,
          ...PULLS,
        })
      : await client.call({
          route: "PATCH /repos/{owner}/{repo}/pulls/{number}",
          values: { number: numberOf(first, "number"), title, body },
          what,
          ...PULLS,
        });
  return mapAnswer(answer, (value) => ({ number: numberOf(value, "number") }));
}
