// What the fake GitHub knows: accounts, tokens and their rights, pull requests, comments, issues, checks, runs. Plain
// data that the routes read and change; commits are in github-git.ts.
import type { GitRepository } from "./github-git.ts";

export type Access = "read" | "write";
export type Json = Readonly<Record<string, unknown>>;

export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot";
}

export interface App {
  readonly id: number;
  readonly slug: string;
  readonly account: Account;
}

export interface Token {
  readonly account: Account;
  /** Null: a person's token. */
  readonly app: App | null;
  /** Of an app's token; a person has those of their role. */
  readonly permissions: Readonly<Record<string, Access>>;
  /** False: the repository is not to be seen. */
  readonly seesRepository: boolean;
  readonly seesTeams: boolean;
}

export interface StoredComment {
  readonly id: number;
  readonly number: number;
  readonly author: Account;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
}

export interface StoredIssue {
  readonly number: number;
  readonly author: Account;
  title: string;
  body: string;
  labels: string[];
  isOpen: boolean;
  stateReason: string | null;
  locked: boolean;
  readonly createdAt: string;
  updatedAt: string;
  /** Null: an issue that is no pull request. */
  readonly pull: StoredPull | null;
}

export interface StoredPull {
  readonly number: number;
  readonly baseBranch: string;
  /** When it was opened, or last retargeted. */
  baseCommit: string;
  readonly headRef: string;
  readonly headBranch: string;
  /** `owner/name`; null: the fork is gone. */
  headRepository: string | null;
  isDraft: boolean;
  mergedAt: string | null;
  mergeCommit: string | null;
  /** The tip of the base branch right before the merge. */
  mergedOnto: string | null;
  readonly reviews: StoredReview[];
  /** Of which base and head `refs/pull/NUMBER/merge` is. */
  testMergeOf: string;
}

export interface StoredReview {
  readonly id: number;
  readonly author: Account;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED" | "PENDING";
  readonly commit: string;
  readonly submittedAt: string;
}

export interface StoredCheck {
  readonly id: number;
  readonly app: App;
  readonly commit: string;
  name: string;
  externalId: string | null;
  detailsUrl: string | null;
  status: string;
  conclusion: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  readonly annotations: Json[];
  readonly startedAt: string;
  completedAt: string | null;
}

export interface StoredRun {
  readonly id: number;
  readonly workflowFile: string;
  readonly event: string;
  readonly commit: string;
  readonly approvals: { readonly login: string; readonly state: string; readonly environments: readonly string[] }[];
}

export interface StoredEnvironment {
  readonly name: string;
  readonly reviewers: readonly string[];
  readonly deploysFrom: "any" | "protected" | "listed";
}

export interface GithubState {
  /** `owner/name`. */
  readonly repository: string;
  readonly repositoryId: number;
  readonly git: GitRepository;
  readonly accounts: Map<string, Account>;
  /** Roles of people by login, as `role_name` says them. */
  readonly roles: Map<string, string>;
  /** Members by `organization/team`. */
  readonly teams: Map<string, readonly string[]>;
  readonly tokens: Map<string, Token>;
  readonly issues: Map<number, StoredIssue>;
  readonly comments: Map<number, StoredComment>;
  readonly checks: Map<number, StoredCheck>;
  readonly runs: Map<number, StoredRun>;
  readonly environments: Map<string, StoredEnvironment>;
  hasIssues: boolean;
  isArchived: boolean;
  hasGraphql: boolean;
  /** Entries that one answer about a tree holds. */
  treeLimit: number;
  /** Of the API, without a slash at the end. */
  apiUrl: string;
  serverUrl: string;
  /** The next id of anything. */
  nextId: number;
  nextNumber: number;
  /** Seconds since 1970; goes on by one with each change. */
  clock: number;
}

export function newState(repository: string, git: GitRepository): GithubState {
  return {
    repository,
    repositoryId: 724_001,
    git,
    accounts: new Map(),
    roles: new Map(),
    teams: new Map(),
    tokens: new Map(),
    issues: new Map(),
    comments: new Map(),
    checks: new Map(),
    runs: new Map(),
    environments: new Map(),
    hasIssues: true,
    isArchived: false,
    hasGraphql: true,
    treeLimit: 100_000,
    apiUrl: "",
    serverUrl: "",
    nextId: 9_000_001,
    nextNumber: 1,
    clock: Date.UTC(2026, 2, 2, 9) / 1000,
  };
}

/** The time of a change. */
export function tick(state: GithubState): string {
  state.clock += 1;
  return isoTime(state.clock);
}

export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000", "");
}

export function accountOf(state: GithubState, login: string): Account {
  const known = state.accounts.get(login);
  if (known !== undefined) return known;
  const account: Account = { id: state.nextId++, login, type: login.endsWith("[bot]") ? "Bot" : "User" };
  state.accounts.set(login, account);
  return account;
}

export function pullOf(state: GithubState, number: number): { readonly issue: StoredIssue; readonly pull: StoredPull } {
  const issue = state.issues.get(number);
  if (issue === undefined || issue.pull === null) throw new Error(`There is no pull request ${number}`);
  return { issue, pull: issue.pull };
}

/** The newest commit of a pull request's branch; kept also when the branch is gone. */
export function headOf(state: GithubState, pull: StoredPull): string {
  const head = state.git.resolve(`refs/pull/${pull.number}/head`);
  if (head === null) throw new Error(`Pull request ${pull.number} has no commit`);
  return head;
}
