// Routes of the fake GitHub for comments and issues, which it holds to GitHub's limits: the length of a text, who may
// change whose, locked conversations, issues turned off.
import { GithubRefusal, invalid, json, NOT_FOUND, paged } from "./github-answers.ts";
import type { Needs } from "./github-access.ts";
import { type Route, type RouteCall, textIn, textOrUndefined } from "./github-routes.ts";
import { type GithubState, type StoredComment, type StoredIssue, tick, type Token } from "./github-state.ts";
import { commentView, issueView } from "./github-views.ts";
import type { FakeAnswer } from "./http-fake.ts";

/** In UTF-16 units; GitHub counts at most as many. */
const LONGEST_BODY = 65_536;
const REPO = "/repos/{owner}/{repo}";

const either = (access: "read" | "write"): Needs => [
  { permission: "issues", access },
  { permission: "pull_requests", access },
];

export const ISSUE_ROUTES: readonly Route[] = [
  {
    route: `GET ${REPO}/issues/{number}/comments`,
    needs: either("read"),
    query: ["since"],
    answer: ({ state, at, path, query }) => {
      const { number } = issueAt(state, at("number"));
      const found = [...state.comments.values()].filter((one) => one.number === number);
      return paged(
        state,
        path,
        query,
        found.map((one) => commentView(state, one)),
      );
    },
  },
  {
    route: `POST ${REPO}/issues/{number}/comments`,
    needs: either("write"),
    body: ["body"],
    answer: ({ state, token, at, body }) => {
      const issue = issueAt(state, at("number"));
      requireRight(token, issue);
      if (issue.locked && !mayPastLock(state, token))
        throw new GithubRefusal(403, "Unable to create comment because issue is locked.");
      const text = checkedBody(textIn(body, "body"), "IssueComment");
      const comment = addComment(state, issue.number, token.account.login, text);
      return json(201, commentView(state, comment));
    },
  },
  {
    route: `PATCH ${REPO}/issues/comments/{id}`,
    needs: either("write"),
    body: ["body"],
    answer: ({ state, token, at, body }) => {
      const comment = ownComment(state, token, at("id"));
      comment.body = checkedBody(textIn(body, "body"), "IssueComment");
      comment.updatedAt = tick(state);
      return json(200, commentView(state, comment));
    },
  },
  {
    route: `DELETE ${REPO}/issues/comments/{id}`,
    needs: either("write"),
    answer: ({ state, token, at }) => {
      state.comments.delete(ownComment(state, token, at("id")).id);
      return { status: 204 };
    },
  },
  {
    route: `GET ${REPO}/issues`,
    needs: [{ permission: "issues", access: "read" }],
    query: ["labels", "state", "creator", "sort", "direction", "since"],
    answer: listIssues,
  },
  {
    route: `POST ${REPO}/issues`,
    needs: [{ permission: "issues", access: "write" }],
    body: ["title", "body", "labels"],
    answer: ({ state, token, body }) => {
      requireIssues(state);
      const title = textIn(body, "title");
      if (title === "" || title.length > 256) throw invalid("Issue", "title", "title is too long (maximum is 256 characters)");
      const issue = addIssue(state, {
        author: token.account.login,
        title,
        body: checkedBody(textOrUndefined(body, "body") ?? "", "Issue", true),
        labels: labelsIn(body["labels"]),
      });
      return json(201, issueView(state, issue));
    },
  },
  {
    route: `PATCH ${REPO}/issues/{number}`,
    needs: either("write"),
    body: ["title", "body", "state", "state_reason", "labels"],
    answer: ({ state, token, at, body }) => {
      requireIssues(state);
      const issue = issueAt(state, at("number"));
      requireRight(token, issue);
      issue.title = textOrUndefined(body, "title") ?? issue.title;
      issue.body = checkedBody(textOrUndefined(body, "body") ?? issue.body, "Issue", true);
      if (body["labels"] !== undefined) issue.labels = labelsIn(body["labels"]);
      const wanted = textOrUndefined(body, "state");
      if (wanted !== undefined && wanted !== "open" && wanted !== "closed")
        throw invalid("Issue", "state", `${wanted} is no state`, "invalid");
      const reason = textOrUndefined(body, "state_reason");
      if (reason !== undefined && !["completed", "not_planned", "reopened"].includes(reason)) {
        throw invalid("Issue", "state_reason", `${reason} is no reason`, "invalid");
      }
      if (wanted !== undefined) {
        issue.isOpen = wanted === "open";
        issue.stateReason = reason ?? null;
      }
      issue.updatedAt = tick(state);
      return json(200, issueView(state, issue));
    },
  },
];

export function addComment(state: GithubState, number: number, login: string, body: string): StoredComment {
  const at = tick(state);
  const author = state.accounts.get(login);
  if (author === undefined) throw new Error(`There is no account ${login}`);
  const comment: StoredComment = { id: state.nextId++, number, author, body, createdAt: at, updatedAt: at };
  state.comments.set(comment.id, comment);
  const issue = state.issues.get(number);
  if (issue !== undefined) issue.updatedAt = at;
  return comment;
}

export interface NewIssue {
  readonly author: string;
  readonly title: string;
  readonly body: string;
  readonly labels?: readonly string[];
}

export function addIssue(state: GithubState, { author, title, body, labels = [] }: NewIssue): StoredIssue {
  const account = state.accounts.get(author);
  if (account === undefined) throw new Error(`There is no account ${author}`);
  const at = tick(state);
  const issue: StoredIssue = {
    number: state.nextNumber++,
    author: account,
    title,
    body,
    labels: [...labels],
    isOpen: true,
    stateReason: null,
    locked: false,
    createdAt: at,
    updatedAt: at,
    pull: null,
  };
  state.issues.set(issue.number, issue);
  return issue;
}

function listIssues({ state, path, query }: RouteCall): FakeAnswer {
  requireIssues(state);
  const labels = (query.get("labels") ?? "").split(",").filter((one) => one !== "");
  const wanted = query.get("state") ?? "open";
  const creator = query.get("creator");
  const found = [...state.issues.values()]
    .filter((one) => wanted === "all" || one.isOpen === (wanted === "open"))
    .filter((one) => labels.every((label) => one.labels.includes(label)))
    .filter((one) => creator === undefined || one.author.login === creator)
    .sort((a, b) => b.number - a.number);
  return paged(
    state,
    path,
    query,
    found.map((one) => issueView(state, one)),
  );
}

function issueAt(state: GithubState, number: string): StoredIssue {
  const issue = state.issues.get(Number(number));
  if (issue === undefined) throw NOT_FOUND();
  return issue;
}

/** An app changes its own comments; a person with the right to write changes those of all. */
function ownComment(state: GithubState, token: Token, id: string): StoredComment {
  const comment = state.comments.get(Number(id));
  if (comment === undefined) throw NOT_FOUND();
  const isWriter = ["write", "maintain", "admin"].includes(state.roles.get(token.account.login) ?? "none");
  if (token.account.id === comment.author.id || (token.app === null && isWriter)) return comment;
  throw new GithubRefusal(403, "You cannot modify this comment.");
}

/** The kind of right counts for an app: that of issues does not reach pull requests alone, and neither the other way. */
function requireRight(token: Token, issue: StoredIssue): void {
  if (token.app === null || token.permissions["issues"] === "write") return;
  if (issue.pull !== null && token.permissions["pull_requests"] === "write") return;
  throw new GithubRefusal(403, "Resource not accessible by integration", {}, { "x-accepted-github-permissions": "issues=write" });
}

function mayPastLock(state: GithubState, token: Token): boolean {
  return token.app === null && ["write", "maintain", "admin"].includes(state.roles.get(token.account.login) ?? "none");
}

function requireIssues({ hasIssues }: GithubState): void {
  if (!hasIssues) throw new GithubRefusal(410, "Issues has been disabled in this repository.");
}

function checkedBody(text: string, resource: string, mayBeEmpty = false): string {
  if (text.trim() === "" && !mayBeEmpty) throw invalid(resource, "body", "Body cannot be blank", "unprocessable");
  if (text.length > LONGEST_BODY) {
    throw invalid(resource, "body", `body is too long (maximum is ${LONGEST_BODY} characters)`, "unprocessable");
  }
  return text;
}

function labelsIn(value: unknown): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
    throw invalid("Label", "name", "is no list of names", "invalid");
  return value;
}
