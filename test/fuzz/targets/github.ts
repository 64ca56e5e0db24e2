// GitHub's event files and answers: every event name reads the payload, and every reading call of the forge gets it as its
// answer.
import { ToolError } from "../../../src/diagnostics/tool-error.ts";
import { done } from "../../../src/forge/forge-answer.ts";
import type { Forge } from "../../../src/forge/forge.ts";
import { githubChecks } from "../../../src/forge/github-checks.ts";
import type { GithubClient } from "../../../src/forge/github-client.ts";
import { githubComments } from "../../../src/forge/github-comments.ts";
import { readGithubEvent } from "../../../src/forge/github-event.ts";
import { githubHistory } from "../../../src/forge/github-history.ts";
import { githubIssues } from "../../../src/forge/github-issues.ts";
import { githubPeople } from "../../../src/forge/github-people.ts";
import { githubPullRequests } from "../../../src/forge/github-pull-requests.ts";
import { listOf, memberOf } from "../../../src/forge/github-read.ts";
import { githubRuns } from "../../../src/forge/github-runs.ts";
import { openGithub } from "../../../src/forge/github.ts";
import { parseJson } from "../../../src/iceberg/json-parse.ts";
import { mutateBytes } from "../mutate/bytes.ts";
import { mutateTree } from "../mutate/json.ts";
import { utf8WithSurrogates } from "../mutate/text.ts";
import { printJson, treeOf } from "../mutate/tree.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused } from "../target.ts";

const SHA = "5".repeat(40);
const USER = '{"login":"mona","id":1,"type":"User"}';
const PULL = `{"number":7,"state":"open","merged_at":null,"draft":false,"user":${USER},"head":{"sha":"${SHA}","ref":"topic","repo":{"full_name":"a/b"}},"base":{"sha":"${SHA}","ref":"main","repo":{"full_name":"a/b"}},"merge_commit_sha":"${SHA}","html_url":"https://github.test/a/b/pull/7"}`;
const CHECK = `{"id":3,"name":"floeplan","head_sha":"${SHA}","external_id":"x","status":"completed","conclusion":"success","html_url":"https://github.test/c","output":{"title":"t","summary":"s","text":"x"},"app":{"id":1,"slug":"github-actions"}}`;
const DOCUMENTS = [
  `{"action":"opened","pull_request":${PULL},"repository":{"default_branch":"main","full_name":"a/b"},"ref":"refs/heads/main","before":"${SHA}","after":"${SHA}","forced":false,"merge_group":{"head_sha":"${SHA}","base_sha":"${SHA}","head_ref":"refs/heads/gh-readonly-queue/main/pr-7","base_ref":"refs/heads/main"}}`,
  PULL,
  `[${PULL},${PULL}]`,
  `[{"filename":"a.yaml","previous_filename":"b.yaml","status":"renamed"},{"filename":"c","status":"added"}]`,
  `[{"user":${USER},"state":"APPROVED","commit_id":"${SHA}","submitted_at":"2026-01-01T00:00:00Z","author_association":"MEMBER"}]`,
  `[{"id":5,"body":"<!-- floeplan -->","user":${USER},"html_url":"https://github.test/x"}]`,
  `{"total_count":1,"check_runs":[${CHECK}]}`,
  `{"status":"ahead","total_commits":1,"commits":[{"sha":"${SHA}","commit":{"committer":{"date":"2026-01-01T00:00:00Z"}}}],"base_commit":{"commit":{"committer":{"date":"2026-01-01T00:00:00Z"}}},"merge_base_commit":{"sha":"${SHA}"}}`,
  `{"sha":"${SHA}","truncated":false,"tree":[{"path":"a","mode":"100644","sha":"${SHA}"},{"path":"d","mode":"040000","sha":"${SHA}"}],"parents":[{"sha":"${SHA}"}],"object":{"sha":"${SHA}"}}`,
  `{"permission":"write","role_name":"maintain","user":${USER},"state":"active","login":"mona","id":1,"type":"User"}`,
  `{"id":9,"name":"prod","path":"x.yml","event":"push","head_sha":"${SHA}","actor":${USER},"triggering_actor":${USER},"html_url":"https://github.test/r","run_attempt":1,"protection_rules":[{"type":"required_reviewers","reviewers":[{"type":"User","reviewer":${USER}}]}],"deployment_branch_policy":null}`,
  `[{"state":"approved","user":${USER},"environments":[{"name":"prod"}],"comment":"ok"}]`,
  `{"data":{"viewer":{"login":"mona","databaseId":1}}}`,
  `[{"number":2,"title":"Drift","state":"open","body":"x","user":${USER},"html_url":"https://github.test/i","labels":[{"name":"drift"}]}]`,
] as const;
const EVENTS = ["pull_request", "push", "merge_group", "schedule", "workflow_dispatch", "pull_request_target", "__proto__"];
const STATUSES = [200, 200, 200, 200, 204, 304, 403, 404, 422, 429];
/** Of refusals: what they say about limits. */
const LIMITS = ["0", "-1", "1e17", "x", "99999999999999999999", "4102444800"];

/** An input is a status, a line end, and the answer. */
export const github: FuzzTarget = {
  name: "github",
  about: "GitHub's event files and answers, through the forge",
  isSeed: () => false,
  open: () => {
    const trees = DOCUMENTS.map((text) => treeOf(parseJson(text)));
    return {
      make: (random) => {
        const text = utf8WithSurrogates(printJson(mutateTree(random.pick(trees), random, random.pick(trees), 4)));
        const body = random.once(15) ? mutateBytes(text, random, text) : text;
        return new Uint8Array(Buffer.concat([Buffer.from(`${random.pick(STATUSES)}\n`), body]));
      },
      use: async (input) => {
        const end = Math.max(0, input.indexOf(10));
        const status = Number(new TextDecoder().decode(input.subarray(0, end)));
        return await useAnswer(status, input.subarray(end + 1));
      },
    };
  },
};

/** Of a list of one kind, every other kind of call fails. */
const MOST_FAILURES = 18;

async function useAnswer(status: number, body: Uint8Array): Promise<Outcome> {
  const failures = readEvents(body);
  const real = globalThis.fetch;
  const limit = LIMITS[body.length % LIMITS.length] ?? "0";
  const headers = {
    "content-type": "application/json; charset=utf-8",
    ...(status < 400 ? {} : { "x-ratelimit-remaining": "0", "x-ratelimit-reset": limit }),
  };
  globalThis.fetch = async (request) => {
    const answer = new Response(status === 204 || status === 304 ? null : Buffer.from(body), { status, headers });
    return Object.defineProperty(answer, "url", { value: request instanceof Request ? request.url : request.toString() });
  };
  try {
    failures.push(...(await askForge(body)));
  } finally {
    globalThis.fetch = real;
  }
  // A document is right for few of the calls; where more are content than those that ask for nothing, it was read.
  return failures.length < MOST_FAILURES ? ACCEPTED : refused(failures[0] ?? "");
}

function readEvents(body: Uint8Array): string[] {
  let payload: unknown;
  try {
    payload = JSON.parse(new TextDecoder().decode(body));
  } catch {
    payload = null;
  }
  return EVENTS.flatMap((name) => {
    try {
      readGithubEvent({ name, commit: SHA, ref: "refs/heads/main", payload });
      return [];
    } catch (error) {
      if (error instanceof ToolError && error.kind !== "internal") return [error.kind];
      throw error;
    }
  });
}

/** The real client waits between calls, so it takes one input in so many; the others go to its readers at once. */
const REAL_CLIENT = 100;

type Parts = Pick<Forge, "pullRequests" | "comments" | "checks" | "issues" | "history" | "people" | "runs">;

function partsOn(client: GithubClient): Parts {
  const people = githubPeople(client, "ghp_x");
  return {
    people,
    pullRequests: githubPullRequests(client),
    comments: githubComments(client, people),
    checks: githubChecks(client, people),
    issues: githubIssues(client, people),
    history: githubHistory(client),
    runs: githubRuns(client),
  };
}

/** Answers every call with what was read of the body, as the real client does. */
function answering(body: Uint8Array): GithubClient {
  const text = new TextDecoder().decode(body);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    data = text;
  }
  return {
    call: async () => done(data),
    list: async () => done(listOf(Array.isArray(data) ? data : memberOf(data, "check_runs"))),
    query: async () => data,
  };
}

async function askForge(body: Uint8Array): Promise<readonly string[]> {
  const variables = { GITHUB_REPOSITORY: "a/b", GITHUB_API_URL: "https://api.github.test" };
  const isReal = body.length % REAL_CLIENT === 0;
  const forge: Parts = isReal ? openGithub(variables, { token: "ghp_x", version: "1", secondMs: 0 }) : partsOn(answering(body));
  const calls: readonly ((parts: Parts) => Promise<unknown>)[] = isReal
    ? [CALLS[(body.length / REAL_CLIENT) % CALLS.length] ?? CALLS[0]]
    : CALLS;
  const failures: string[] = [];
  for (const call of calls) {
    try {
      await call(forge);
    } catch (error) {
      if (!(error instanceof ToolError) || error.kind === "internal") throw error;
      failures.push(error.kind);
    }
  }
  return failures;
}

const RANGE = { after: SHA, upTo: SHA, branch: "main" };
const GROUP = { commit: SHA, parent: SHA, queueBranch: "q", branch: "main" };

const CALLS = [
  async ({ pullRequests }: Parts) => await pullRequests.get(7),
  async ({ pullRequests }: Parts) => await pullRequests.changedFiles(7),
  async ({ pullRequests }: Parts) => await pullRequests.reviews(7),
  async ({ pullRequests }: Parts) => await pullRequests.open("topic"),
  async ({ pullRequests }: Parts) => await pullRequests.mergedWith(SHA, "main"),
  async ({ pullRequests }: Parts) => await pullRequests.mergedBetween(RANGE),
  async ({ pullRequests }: Parts) => await pullRequests.inGroup(GROUP),
  async ({ comments }: Parts) => await comments.own(7, "<!--"),
  async ({ checks }: Parts) => await checks.latest(SHA, "floeplan"),
  async ({ history }: Parts) => await history.relation(SHA, SHA),
  async ({ history }: Parts) => await history.parents(SHA),
  async ({ history }: Parts) => await history.tip("main"),
  async ({ history }: Parts) => await history.fileText(SHA, "a.yaml"),
  async ({ history }: Parts) => await history.files(SHA),
  async ({ people }: Parts) => await people.self(),
  async ({ people }: Parts) => await people.role("mona"),
  async ({ people }: Parts) => await people.isInTeam("a/b", "mona"),
  async ({ runs }: Parts) => await runs.get(9),
  async ({ runs }: Parts) => await runs.approvals(9),
  async ({ runs }: Parts) => await runs.environment("prod"),
  async ({ issues }: Parts) => await issues.find({ label: "drift", marker: "x" }),
] as const;
