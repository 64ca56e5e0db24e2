// Commits on GitHub: how two stand to each other, the tip of a branch, a file's text and all files.
import { type Answer, done, isDone, mapAnswer } from "./forge-answer.ts";
import type { History, Relation } from "./forge-history.ts";
import type { GithubCall, GithubClient } from "./github-client.ts";
import { listOf, numberOf, textOf, textOrNull } from "./github-read.ts";
import { filesOf } from "./github-tree.ts";

const PAGE_SIZE = 100;
/** More lie between no two applies; asking for all of them would use up the limit. */
const MOST_COMMITS = 5000;

const RELATIONS: Readonly<Record<string, Relation>> = {
  identical: "same",
  ahead: "ahead",
  behind: "behind",
  diverged: "diverged",
};

export function githubHistory(client: GithubClient): History {
  return {
    relation: async (base, head) => mapAnswer(await comparePage(client, base, head, 1, 1), readRelation),
    parents: async (commit) => {
      const answer = await client.call({
        route: "GET /repos/{owner}/{repo}/git/commits/{commit}",
        values: { commit },
        what: `Cannot read commit ${commit.slice(0, 8)}`,
        permission: "contents: read",
        missing: "missing",
      });
      return mapAnswer(answer, (value) => listOf(value, "parents").map((parent) => textOf(parent, "sha")));
    },
    tip: async (branch) => {
      const answer = await client.call({
        route: "GET /repos/{owner}/{repo}/git/ref/{+ref}",
        values: { ref: encodedPath(`heads/${branch}`) },
        what: `Cannot find branch "${branch}"`,
        permission: "contents: read",
        missing: "missing",
      });
      return mapAnswer(answer, (value) => textOf(value, "object", "sha"));
    },
    fileText: async (commit, path) => await fileText(client, commit, path),
    files: async (commit) => await filesOf(client, commit),
  };
}

/** For a part of an address that spans several folders. Half a surrogate pair is in no name that GitHub has. */
export function encodedPath(path: string): string {
  return path
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}

export interface CommitSet {
  /** Commits of `head` that `base` does not have. */
  readonly commits: ReadonlySet<string>;
  /** When `base` was committed, or `head` if that is earlier, by their own clocks; milliseconds since 1970. */
  readonly oldest: number;
}

export async function comparison(client: GithubClient, base: string, head: string): Promise<Answer<CommitSet>> {
  const commits = new Set<string>();
  for (let page = 1; ; page++) {
    const answer = await comparePage(client, base, head, page, PAGE_SIZE);
    if (!isDone(answer)) return answer;
    const { value } = answer;
    const total = numberOf(value, "total_commits");
    if (total > MOST_COMMITS) {
      const why = `There are ${total} commits between them, and at most ${MOST_COMMITS} are looked at`;
      return { kind: "refused", what: compareCall(base, head).what, why };
    }
    const items = listOf(value, "commits");
    for (const item of items) commits.add(textOf(item, "sha"));
    if (items.length === PAGE_SIZE && commits.size < total) continue;
    const started = Date.parse(textOf(value, "base_commit", "commit", "committer", "date"));
    const ended = textOrNull(items.at(-1), "commit", "committer", "date");
    return done({ commits, oldest: ended === null ? started : Math.min(started, Date.parse(ended)) });
  }
}

async function comparePage(
  client: GithubClient,
  base: string,
  head: string,
  page: number,
  size: number,
): Promise<Answer<unknown>> {
  const call = compareCall(base, head);
  return await client.call({ ...call, values: { ...call.values, page, per_page: size } });
}

function compareCall(base: string, head: string): GithubCall {
  return {
    route: "GET /repos/{owner}/{repo}/compare/{range}",
    values: { range: `${base}...${head}` },
    what: `Cannot compare commit ${base.slice(0, 8)} with ${head.slice(0, 8)}`,
    permission: "contents: read",
    missing: "missing",
  };
}

function readRelation(value: unknown): Relation {
  const status = textOf(value, "status");
  return RELATIONS[status] ?? "diverged";
}

async function fileText(client: GithubClient, commit: string, path: string): Promise<Answer<string | null>> {
  const answer = await client.call({
    route: "GET /repos/{owner}/{repo}/contents/{+path}",
    values: { path: encodedPath(path), ref: commit },
    accept: "application/vnd.github.raw+json",
    what: `Cannot read "${path}" at commit ${commit.slice(0, 8)}`,
    permission: "contents: read",
    missing: "missing",
  });
  if (answer.kind === "missing") return done(null);
  return mapAnswer(answer, textOfAnswer);
}

/** A folder is answered as a list, a submodule as a map: neither is a file. */
function textOfAnswer(value: unknown): string | null {
  if (typeof value === "string") return value;
  return value instanceof ArrayBuffer ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(value) : null;
}
