// GitHub and GitHub Enterprise Server as a forge, for the repository and the server that the runner's variables name.
// The token goes to that server alone.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { Forge } from "./forge.ts";
import { CHECK_TEXT_LIMIT } from "./github-check-run.ts";
import { githubChecks } from "./github-checks.ts";
import { githubClient } from "./github-client.ts";
import { BODY_LIMIT, githubComments } from "./github-comments.ts";
import { githubHistory } from "./github-history.ts";
import { githubIssues } from "./github-issues.ts";
import { githubPeople } from "./github-people.ts";
import { githubProposals } from "./github-proposals.ts";
import { githubPullRequests } from "./github-pull-requests.ts";
import { githubRuns } from "./github-runs.ts";

export interface GithubOptions {
  readonly token: string;
  /** Of this program, for the name that it goes by. */
  readonly version: string;
  /** For one answer. Without: 30 s. */
  readonly timeoutMs?: number;
  /** How long a second of waiting takes. Without: a second. */
  readonly secondMs?: number;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Reads GITHUB_API_URL, GITHUB_SERVER_URL and GITHUB_REPOSITORY. */
export function openGithub(variables: Variables, options: GithubOptions): Forge {
  const repository = variables["GITHUB_REPOSITORY"] ?? "";
  if (!/^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/.test(repository)) throw unusable("GITHUB_REPOSITORY", repository, "owner/name");
  const apiUrl = addressOf(variables, "GITHUB_API_URL", "https://api.github.com");
  const serverUrl = addressOf(variables, "GITHUB_SERVER_URL", "https://github.com");
  const token = options.token.trim();
  // Any other character would end the header, or never be one of a token.
  if (!/^[\x21-\x7E]+$/.test(token)) {
    throw new ToolError("config", "Cannot use the GitHub token", {
      why: token === "" ? "It is empty" : "It holds characters that no token has",
      mend: "Pass `github-token`, or leave it out: the workflow's own token is taken then",
    });
  }
  const { version, ...times } = options;
  const client = githubClient({ ...times, token, apiUrl, repository, userAgent: `floeplan/${version}` });
  const people = githubPeople(client, token);
  const page = `${serverUrl}/${repository}`;
  return {
    name: "GitHub",
    repository,
    limits: { body: BODY_LIMIT, checkText: CHECK_TEXT_LIMIT },
    links: {
      files: (commit) => `${page}/blob/${encodeURIComponent(commit)}/`,
      pullRequest: (number) => `${page}/pull/${number}`,
      run: (id) => `${page}/actions/runs/${encodeURIComponent(id)}`,
    },
    people,
    pullRequests: githubPullRequests(client),
    comments: githubComments(client, people),
    checks: githubChecks(client, people),
    issues: githubIssues(client, people),
    history: githubHistory(client),
    proposals: githubProposals(client, repository),
    runs: githubRuns(client),
  };
}

function addressOf(variables: Variables, name: string, usual: string): string {
  const text = variables[name] ?? "";
  if (text === "") return usual;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!isPlain || (url.protocol !== "https:" && url.protocol !== "http:")) throw unusable(name, text, usual);
  return url.href.replace(/(?<!\/)\/+$/, "");
}

function unusable(name: string, text: string, like: string): ToolError {
  return new ToolError("config", `Cannot use ${name}`, {
    why: text === "" ? "It is not set" : `It is "${text}"`,
    mend: `The runner sets it, like ${like}`,
  });
}
