// A strict GitHub in this process, over real HTTP: the REST routes that the product uses, with pages, limits, rights by
// token and authors by token, on commits of a real Git repository. What it does not know (route, parameter, member)
// fails the test at `stop`. `const github = await startGitHub({ files: { "tables/a.yaml": "…" } })`
import { ACCOUNT_ROUTES } from "./github-accounts.ts";
import { addCheck, CHECK_ROUTES } from "./github-checks.ts";
import { COMMIT_ROUTES } from "./github-commits.ts";
import { type GithubDeeds, githubDeeds } from "./github-deeds.ts";
import { type GithubEvents, githubEvents } from "./github-events.ts";
import { checkOut, type FileChanges, makeGitRepository } from "./github-git.ts";
import { addComment, addIssue, ISSUE_ROUTES, type NewIssue } from "./github-issues.ts";
import { PROPOSAL_ROUTES } from "./github-proposals.ts";
import { PULL_ROUTES } from "./github-pulls.ts";
import { routeTable } from "./github-routes.ts";
import { type GithubRuns, githubRuns } from "./github-runs.ts";
import {
  type Access,
  accountOf,
  type App,
  type GithubState,
  newState,
  type StoredCheck,
  type StoredComment,
  type StoredEnvironment,
  type StoredIssue,
} from "./github-state.ts";
import { type HttpFake, startHttpFake } from "./http-fake.ts";

export interface GithubOptions {
  /** `owner/name`. Without: `acme/lake`. */
  readonly repository?: string;
  /** The first commit of `main`. */
  readonly files?: FileChanges;
  /** Of the workflow's own token. Without: what the documented workflows give all together. */
  readonly permissions?: Readonly<Record<string, Access>>;
  /** `/api/v3`: as GitHub Enterprise Server. Without: none. */
  readonly apiPath?: string;
  readonly hasIssues?: boolean;
  readonly hasGraphql?: boolean;
  readonly isArchived?: boolean;
  /** Entries that one answer about a tree holds. */
  readonly treeLimit?: number;
}

export interface NewToken {
  /** A person's token. */
  readonly login?: string;
  /** Or that of an app, by its slug. Neither: the workflow's own app. */
  readonly app?: string;
  /** Of an app. Without: all that the workflow's token has by default. */
  readonly permissions?: Readonly<Record<string, Access>>;
  readonly seesRepository?: boolean;
  readonly seesTeams?: boolean;
}

export interface FakeGithub
  extends Pick<HttpFake, "url" | "calls" | "counts" | "clearCalls" | "fault" | "setLatency" | "stop">,
    GithubDeeds,
    GithubEvents,
    Pick<GithubRuns, "startRun" | "approveRun" | "idTokenKey"> {
  /** `owner/name`. */
  readonly repo: string;
  /** The workflow's own token. */
  readonly token: string;
  readonly apiUrl: string;
  /** For a program that is to talk to this fake: addresses and repository. */
  readonly variables: Readonly<Record<string, string>>;
  /** The bare repository, for `git clone`. */
  readonly folder: string;
  readonly newToken: (token: NewToken) => string;
  /** What it knows, to look at, and to change where no helper does. */
  readonly state: GithubState;
  /** Checks a commit out, as `actions/checkout` does; `depth` without: all. */
  readonly checkout: (folder: string, commit: string, depth?: 1) => void;
  readonly setRole: (login: string, role: string) => void;
  /** `organization/team`. */
  readonly setTeam: (team: string, logins: readonly string[]) => void;
  readonly setEnvironment: (environment: { readonly name: string } & Partial<StoredEnvironment>) => void;
  /** Of a pull request or issue, oldest first. */
  readonly comments: (number: number) => readonly Readonly<StoredComment>[];
  /** Somebody else's comment. */
  readonly addComment: (number: number, comment: { readonly by: string; readonly body: string }) => number;
  /** Somebody with the right to write edits a text. */
  readonly editComment: (id: number, body: string) => void;
  readonly removeComment: (id: number) => void;
  readonly lock: (number: number) => void;
  /** Those that are no pull requests, in order of number. */
  readonly issues: () => readonly Readonly<StoredIssue>[];
  readonly addIssue: (issue: NewIssue) => number;
  readonly patchIssue: (number: number, change: Partial<Pick<StoredIssue, "title" | "body" | "labels" | "isOpen">>) => void;
  /** Of a commit, oldest first. */
  readonly checks: (commit: string, name?: string) => readonly Readonly<StoredCheck>[];
  /** One that another app made, or that another workflow made with the workflow's own app. */
  readonly forgeCheck: (
    commit: string,
    name: string,
    members: Partial<Omit<StoredCheck, "id" | "app" | "commit" | "name">> & { readonly app?: string },
  ) => number;
}

const WORKFLOW_PERMISSIONS: Readonly<Record<string, Access>> = {
  actions: "read",
  checks: "write",
  contents: "read",
  issues: "write",
  metadata: "read",
  pull_requests: "write",
};
/** As on github.com. */
const ACTIONS_APP_ID = 15_368;
const ACTIONS_BOT_ID = 41_898_282;

export async function startGitHub(options: GithubOptions = {}): Promise<FakeGithub> {
  const { repository = "acme/lake", apiPath = "", permissions = WORKFLOW_PERMISSIONS } = options;
  const git = makeGitRepository();
  const state = newState(repository, git);
  state.hasIssues = options.hasIssues ?? true;
  state.hasGraphql = options.hasGraphql ?? true;
  state.isArchived = options.isArchived ?? false;
  state.treeLimit = options.treeLimit ?? state.treeLimit;
  state.accounts.set("github-actions[bot]", { id: ACTIONS_BOT_ID, login: "github-actions[bot]", type: "Bot" });
  state.roles.set("alice", "write");
  git.commit("refs/heads/main", null, options.files ?? { "README.md": "lake\n" }, {
    message: "Begin",
    author: "alice",
    time: state.clock,
  });

  const routes = [...ACCOUNT_ROUTES, ...CHECK_ROUTES, ...COMMIT_ROUTES, ...ISSUE_ROUTES, ...PULL_ROUTES, ...PROPOSAL_ROUTES];
  const table = routeTable(state, apiPath, routes);
  const runs = githubRuns(state, () => http.url);
  const http = await startHttpFake("The fake GitHub", {
    name: (request) => runs.name(request) ?? table.name(request),
    answer: (request, { operation }) => (operation === "GET id-token" ? runs.answer(request) : table.answer(request)),
  });
  state.serverUrl = http.url;
  state.apiUrl = `${http.url}${apiPath}`;
  const deeds = githubDeeds(state);
  const newToken = (token: NewToken): string => addToken(state, token, permissions);
  const token = newToken({});
  return {
    ...http,
    ...deeds,
    ...githubEvents(state),
    ...stored(state),
    startRun: runs.startRun,
    approveRun: runs.approveRun,
    idTokenKey: runs.idTokenKey,
    repo: repository,
    token,
    apiUrl: state.apiUrl,
    variables: { GITHUB_API_URL: state.apiUrl, GITHUB_SERVER_URL: state.serverUrl, GITHUB_REPOSITORY: repository },
    folder: git.folder,
    newToken,
    state,
    checkout: (folder, commit, depth) => checkOut(git.folder, folder, commit, depth),
    stop: async () => {
      git.remove();
      runs.remove();
      await http.stop();
    },
  };
}

/** App tokens begin with `ghs_`, a person's with `ghp_`: programs look at it. */
function addToken(state: GithubState, token: NewToken, permissions: Readonly<Record<string, Access>>): string {
  const { login, seesRepository = true } = token;
  const slug = token.app ?? "github-actions";
  const text = `${login === undefined ? "ghs" : "ghp"}_${String(state.nextId++).padStart(36, "x")}`;
  const app = login === undefined ? appOf(state, slug) : null;
  state.tokens.set(text, {
    account: app?.account ?? accountOf(state, login ?? ""),
    app,
    permissions: token.permissions ?? permissions,
    seesRepository,
    seesTeams: token.seesTeams ?? false,
  });
  return text;
}

function appOf(state: GithubState, slug: string): App {
  const account = accountOf(state, `${slug}[bot]`);
  return { id: slug === "github-actions" ? ACTIONS_APP_ID : account.id + 1_000_000, slug, account };
}

type Stored = Pick<
  FakeGithub,
  | "setRole"
  | "setTeam"
  | "setEnvironment"
  | "comments"
  | "addComment"
  | "editComment"
  | "removeComment"
  | "lock"
  | "issues"
  | "addIssue"
  | "patchIssue"
  | "checks"
  | "forgeCheck"
>;

/** Looked at and changed past HTTP and its checks. */
function stored(state: GithubState): Stored {
  const one = <T>(map: ReadonlyMap<number, T>, id: number): T => {
    const found = map.get(id);
    if (found === undefined) throw new Error(`There is no ${id}`);
    return found;
  };
  return {
    setRole: (login, role) => {
      accountOf(state, login);
      state.roles.set(login, role);
    },
    setTeam: (team, logins) => void state.teams.set(team, logins),
    setEnvironment: ({ name, reviewers = [], deploysFrom = "any" }) =>
      void state.environments.set(name, { name, reviewers, deploysFrom }),
    comments: (number) => [...state.comments.values()].filter((comment) => comment.number === number),
    addComment: (number, { by, body }) => {
      accountOf(state, by);
      return addComment(state, number, by, body).id;
    },
    editComment: (id, body) => {
      one(state.comments, id).body = body;
    },
    removeComment: (id) => void state.comments.delete(id),
    lock: (number) => {
      one(state.issues, number).locked = true;
    },
    issues: () => [...state.issues.values()].filter(({ pull }) => pull === null),
    addIssue: (issue) => {
      accountOf(state, issue.author);
      return addIssue(state, issue).number;
    },
    patchIssue: (number, change) => void Object.assign(one(state.issues, number), change),
    checks: (commit, name) =>
      [...state.checks.values()].filter((check) => check.commit === commit && (name === undefined || check.name === name)),
    forgeCheck: (commit, name, { app = "github-actions", ...members }) => {
      const check = addCheck(state, { app: appOf(state, app), commit, name });
      Object.assign(check, { status: "completed", conclusion: "success" }, members);
      return check.id;
    },
  };
}
