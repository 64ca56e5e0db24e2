// What the fake GitHub's answers look like: the members of its REST API that are documented and that a client may use.
import {
  type Account,
  type App,
  type GithubState,
  headOf,
  isoTime,
  type Json,
  type StoredCheck,
  type StoredComment,
  type StoredIssue,
  type StoredPull,
  type StoredReview,
  type StoredRun,
  type StoredEnvironment,
} from "./github-state.ts";
import type { GitCommit } from "./github-git.ts";

export function userView({ id, login, type }: Account): Json {
  return { login, id, node_id: `U_${id}`, type, site_admin: false };
}

export function commentView(state: GithubState, comment: StoredComment): Json {
  const kind = (state.issues.get(comment.number)?.pull ?? null) === null ? "issues" : "pull";
  return {
    id: comment.id,
    node_id: `IC_${comment.id}`,
    url: `${state.apiUrl}/repos/${state.repository}/issues/comments/${comment.id}`,
    html_url: `${state.serverUrl}/${state.repository}/${kind}/${comment.number}#issuecomment-${comment.id}`,
    issue_url: `${state.apiUrl}/repos/${state.repository}/issues/${comment.number}`,
    user: userView(comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: comment.author.type === "Bot" ? "NONE" : "MEMBER",
    body: comment.body,
  };
}

export function issueView(state: GithubState, issue: StoredIssue): Json {
  const kind = issue.pull === null ? "issues" : "pull";
  const url = `${state.serverUrl}/${state.repository}/${kind}/${issue.number}`;
  return {
    id: 5_000_000 + issue.number,
    number: issue.number,
    title: issue.title,
    user: userView(issue.author),
    labels: issue.labels.map((name) => ({ name })),
    state: issue.isOpen ? "open" : "closed",
    state_reason: issue.stateReason,
    locked: issue.locked,
    body: issue.body === "" ? null : issue.body,
    html_url: url,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    ...(issue.pull === null ? {} : { pull_request: { html_url: url } }),
  };
}

export function pullView(state: GithubState, issue: StoredIssue, pull: StoredPull): Json {
  const repo = (name: string | null): Json | null =>
    name === null ? null : { full_name: name, fork: name !== state.repository, default_branch: "main" };
  return {
    id: 6_000_000 + pull.number,
    number: pull.number,
    state: issue.isOpen ? "open" : "closed",
    locked: issue.locked,
    title: issue.title,
    body: issue.body,
    user: userView(issue.author),
    draft: pull.isDraft,
    html_url: `${state.serverUrl}/${state.repository}/pull/${pull.number}`,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.isOpen ? null : issue.updatedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommit ?? state.git.resolve(`refs/pull/${pull.number}/merge`),
    head: {
      ref: pull.headBranch,
      sha: headOf(state, pull),
      label: `${(pull.headRepository ?? "gone/gone").split("/")[0] ?? ""}:${pull.headBranch}`,
      repo: repo(pull.headRepository),
    },
    base: { ref: pull.baseBranch, sha: pull.baseCommit, repo: repo(state.repository) },
  };
}

export function reviewView(state: GithubState, pull: StoredPull, review: StoredReview): Json {
  return {
    id: review.id,
    user: userView(review.author),
    body: "",
    state: review.state,
    commit_id: review.commit,
    submitted_at: review.submittedAt,
    html_url: `${state.serverUrl}/${state.repository}/pull/${pull.number}#pullrequestreview-${review.id}`,
  };
}

function appView({ id, slug }: App): Json {
  return { id, slug, name: slug, owner: { login: "github" } };
}

export function checkView(state: GithubState, check: StoredCheck): Json {
  return {
    id: check.id,
    name: check.name,
    head_sha: check.commit,
    external_id: check.externalId ?? "",
    url: `${state.apiUrl}/repos/${state.repository}/check-runs/${check.id}`,
    html_url: `${state.serverUrl}/${state.repository}/runs/${check.id}`,
    details_url: check.detailsUrl,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.startedAt,
    completed_at: check.completedAt,
    output: { title: check.title, summary: check.summary, text: check.text, annotations_count: check.annotations.length },
    app: appView(check.app),
    pull_requests: [],
  };
}

export function commitView(state: GithubState, commit: GitCommit): Json {
  const who = { name: commit.author, email: `${commit.author}@users.example`, date: isoTime(commit.time) };
  return {
    sha: commit.sha,
    html_url: `${state.serverUrl}/${state.repository}/commit/${commit.sha}`,
    commit: { message: commit.message, author: who, committer: who },
    parents: commit.parents.map((sha) => ({ sha })),
  };
}

export function runView(state: GithubState, run: StoredRun): Json {
  return {
    id: run.id,
    name: run.workflowFile,
    path: run.workflowFile,
    event: run.event,
    head_sha: run.commit,
    run_attempt: 1,
    html_url: `${state.serverUrl}/${state.repository}/actions/runs/${run.id}`,
  };
}

export function environmentView(environment: StoredEnvironment): Json {
  const { deploysFrom, reviewers, name } = environment;
  return {
    id: 1,
    name,
    protection_rules: [
      ...(reviewers.length === 0
        ? []
        : [{ id: 2, type: "required_reviewers", reviewers: reviewers.map((login) => ({ type: "User", reviewer: { login } })) }]),
      ...(deploysFrom === "any" ? [] : [{ id: 3, type: "branch_policy" }]),
    ],
    deployment_branch_policy:
      deploysFrom === "any"
        ? null
        : { protected_branches: deploysFrom === "protected", custom_branch_policies: deploysFrom === "listed" },
  };
}
