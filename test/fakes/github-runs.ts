// Runs of workflows on the fake GitHub: the variables and the event file that a runner gives a step, and the address
// where a job asks for a token that says who it is (OIDC).
import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { githubError, json } from "./github-answers.ts";
import type { GithubEvent } from "./github-events.ts";
import type { GithubState, Json, StoredRun } from "./github-state.ts";
import type { CallName, FakeAnswer, FakeRequest } from "./http-fake.ts";

export interface RunOptions {
  /** Without: `.github/workflows/plan.yml`, `apply.yml` or `drift.yml`, by the event. */
  readonly workflowFile?: string;
  /** Another job of that run, or, with `attempt`, the run again. Without: a new run. */
  readonly run?: number;
  readonly attempt?: number;
  readonly job?: string;
  /** The protected environment that the job runs in; a claim of its token. */
  readonly environment?: string;
  /** Claims of the job's token that differ, null for one that is not there; false: the job may ask for none. */
  readonly idToken?: Json | false;
}

export interface StartedRun {
  readonly id: number;
  readonly attempt: number;
  readonly eventFile: string;
  /** For the step's environment. Tokens of the API, the workspace and the command files are the test's. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface GithubRuns {
  readonly startRun: (event: GithubEvent, options?: RunOptions) => StartedRun;
  /** Somebody lets a waiting run through, or not. */
  readonly approveRun: (
    id: number,
    approval: {
      readonly by: string;
      readonly environments: readonly string[];
      readonly state?: "approved" | "rejected" | "pending";
    },
  ) => void;
  /** The public key of the jobs' tokens, as PEM. */
  readonly idTokenKey: () => string;
  readonly name: (request: FakeRequest) => CallName | null;
  readonly answer: (request: FakeRequest) => FakeAnswer;
  readonly remove: () => void;
}

const FILES: Readonly<Record<string, string>> = { pull_request: "plan", merge_group: "plan", push: "apply" };
const ISSUER = "https://token.actions.githubusercontent.com";

/** One for all fakes: making it takes longer than a job. */
let key: KeyObject | null = null;

function signingKey(): KeyObject {
  key ??= generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  return key;
}

export function githubRuns(state: GithubState, url: () => string): GithubRuns {
  const folder = mkdtempSync(join(tmpdir(), "floeplan-fake-runs-"));
  const claims = new Map<string, Json>();
  const signed = (payload: Json): string => {
    const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const text = `${part({ typ: "JWT", alg: "RS256", kid: "fake" })}.${part(payload)}`;
    return `${text}.${sign("sha256", Buffer.from(text), signingKey()).toString("base64url")}`;
  };
  return {
    startRun: (event, options = {}) => {
      const { attempt = 1, job = "floeplan" } = options;
      const workflowFile = options.workflowFile ?? `.github/workflows/${FILES[event.name] ?? "drift"}.yml`;
      const run = storedRun(state, options.run) ?? {
        id: state.nextId++,
        workflowFile,
        event: event.name,
        commit: event.head,
        approvals: [],
      };
      state.runs.set(run.id, run);
      const eventFile = join(folder, `event-${run.id}.json`);
      writeFileSync(eventFile, JSON.stringify(event.payload));
      const variables = runVariables(state, event, { ...run, attempt, job, eventFile });
      if (options.idToken === false) return { id: run.id, attempt, eventFile, variables };
      const secret = `runner-${run.id}-${claims.size}`;
      claims.set(secret, { ...jobClaims(state, event, variables, options.environment), ...options.idToken });
      const ask = {
        ACTIONS_ID_TOKEN_REQUEST_URL: `${url()}/_runner/id-token?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret,
      };
      return { id: run.id, attempt, eventFile, variables: { ...variables, ...ask } };
    },
    approveRun: (id, { by, environments, state: word = "approved" }) => {
      storedRun(state, id)?.approvals.push({ login: by, state: word, environments });
    },
    idTokenKey: () => createPublicKey(signingKey()).export({ type: "spki", format: "pem" }).toString(),
    name: ({ method, path }) =>
      method === "GET" && path === "/_runner/id-token" ? { operation: "GET id-token", target: path } : null,
    answer: ({ headers, query }) => {
      const [, secret = ""] = /^bearer (\S+)$/i.exec(headers["authorization"] ?? "") ?? [];
      const own = claims.get(secret);
      if (own === undefined) return githubError(401, "The request token is not known");
      const given = new Map(query);
      if (given.get("api-version") !== "2.0") return githubError(400, "No such version");
      const [owner = ""] = state.repository.split("/");
      const now = Math.floor(Date.now() / 1000);
      const times = { iat: now, nbf: now - 300, exp: now + 300 };
      const whole = { jti: randomUUID(), aud: given.get("audience") ?? `https://github.com/${owner}`, ...times, ...own };
      const value = signed(Object.fromEntries(Object.entries(whole).filter(([, claim]) => claim !== null)));
      return json(200, { count: value.length, value });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function storedRun(state: GithubState, id: number | undefined): StoredRun | null {
  if (id === undefined) return null;
  const run = state.runs.get(id);
  if (run === undefined) throw new Error(`There is no run ${id}`);
  return run;
}

type Variables = Readonly<Record<string, string>>;

function runVariables(
  state: GithubState,
  event: GithubEvent,
  run: StoredRun & { readonly attempt: number; readonly job: string; readonly eventFile: string },
): Variables {
  const { apiUrl, serverUrl, repository } = state;
  const [owner = ""] = repository.split("/");
  return {
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: apiUrl,
    GITHUB_SERVER_URL: serverUrl,
    GITHUB_GRAPHQL_URL: apiUrl.endsWith("/api/v3") ? apiUrl.replace(/v3$/, "graphql") : `${apiUrl}/graphql`,
    GITHUB_REPOSITORY: repository,
    GITHUB_REPOSITORY_ID: String(state.repositoryId),
    GITHUB_REPOSITORY_OWNER: owner,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: run.eventFile,
    GITHUB_SHA: event.commit,
    GITHUB_REF: event.ref,
    GITHUB_REF_NAME: event.ref.replace(/^refs\/(?:heads|tags|pull)\//, ""),
    GITHUB_REF_TYPE: event.ref.startsWith("refs/tags/") ? "tag" : "branch",
    GITHUB_HEAD_REF: event.headRef,
    GITHUB_BASE_REF: event.baseRef,
    GITHUB_ACTOR: event.actor,
    GITHUB_TRIGGERING_ACTOR: event.actor,
    GITHUB_RUN_ID: String(run.id),
    GITHUB_RUN_NUMBER: String([...state.runs.keys()].indexOf(run.id) + 1),
    GITHUB_RUN_ATTEMPT: String(run.attempt),
    GITHUB_JOB: run.job,
    GITHUB_WORKFLOW: run.workflowFile,
    GITHUB_WORKFLOW_REF: `${repository}/${run.workflowFile}@${event.ref}`,
    GITHUB_WORKFLOW_SHA: event.commit,
    RUNNER_OS: "Linux",
    RUNNER_ENVIRONMENT: "github-hosted",
  };
}

/** The subject is the environment's, the pull request's or the ref's, in this order. */
function jobClaims(state: GithubState, event: GithubEvent, variables: Variables, environment: string | undefined): Json {
  const of = (name: string): string => variables[name] ?? "";
  const about =
    environment !== undefined ? `environment:${environment}` : event.headRef !== "" ? "pull_request" : `ref:${event.ref}`;
  return {
    iss: ISSUER,
    sub: `repo:${state.repository}:${about}`,
    repository: state.repository,
    repository_id: String(state.repositoryId),
    repository_owner: of("GITHUB_REPOSITORY_OWNER"),
    repository_visibility: "private",
    ref: event.ref,
    ref_type: of("GITHUB_REF_TYPE"),
    ref_protected: event.ref === "refs/heads/main" ? "true" : "false",
    sha: event.commit,
    head_ref: event.headRef,
    base_ref: event.baseRef,
    event_name: event.name,
    actor: event.actor,
    run_id: of("GITHUB_RUN_ID"),
    run_number: of("GITHUB_RUN_NUMBER"),
    run_attempt: of("GITHUB_RUN_ATTEMPT"),
    runner_environment: "github-hosted",
    workflow: of("GITHUB_WORKFLOW"),
    workflow_ref: of("GITHUB_WORKFLOW_REF"),
    workflow_sha: event.commit,
    job_workflow_ref: of("GITHUB_WORKFLOW_REF"),
    job_workflow_sha: event.commit,
    ...(environment === undefined ? {} : { environment }),
  };
}
