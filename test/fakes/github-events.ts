// The events that start a workflow, as GitHub writes them into the runner's event file: the members that are documented
// and that a program may use.
import { makeTestMerge, type Pushed, type QueuedGroup } from "./github-deeds.ts";
import { accountOf, type GithubState, type Json, pullOf } from "./github-state.ts";
import { commitView, pullView, userView } from "./github-views.ts";

export interface GithubEvent {
  /** GITHUB_EVENT_NAME. */
  readonly name: string;
  readonly payload: Json;
  /** GITHUB_SHA. */
  readonly commit: string;
  /** The commit that the run is listed under: of a pull request its head, not the test merge. */
  readonly head: string;
  /** GITHUB_REF. */
  readonly ref: string;
  /** GITHUB_HEAD_REF and GITHUB_BASE_REF; empty but for pull requests. */
  readonly headRef: string;
  readonly baseRef: string;
  readonly actor: string;
}

export interface GithubEvents {
  /** As it stands now. `name`: `pull_request_target` for a workflow that runs with the base's rights. */
  readonly eventOf: (
    number: number,
    action: string,
    options?: { readonly name?: string; readonly actor?: string },
  ) => GithubEvent;
  readonly pushEvent: (pushed: Pushed) => GithubEvent;
  readonly tagEvent: (tag: string, commit: string) => GithubEvent;
  readonly mergeGroupEvent: (group: QueuedGroup) => GithubEvent;
  readonly scheduleEvent: () => GithubEvent;
  readonly manualEvent: (inputs?: Json, branch?: string, actor?: string) => GithubEvent;
  /** Any other, e.g. `issue_comment`. */
  readonly otherEvent: (name: string, payload?: Json) => GithubEvent;
}

const NOTHING = "0".repeat(40);

export function githubEvents(state: GithubState): GithubEvents {
  const tip = (ref: string): string => {
    const sha = state.git.resolve(ref);
    if (sha === null) throw new Error(`There is no ${ref}: GitHub starts no workflow`);
    return sha;
  };
  const payload = (actor: string, members: Json): Json => {
    const [owner = ""] = state.repository.split("/");
    const repository = {
      id: state.repositoryId,
      name: state.repository.split("/")[1],
      full_name: state.repository,
      private: true,
      fork: false,
      owner: { login: owner },
      default_branch: "main",
      html_url: `${state.serverUrl}/${state.repository}`,
    };
    return { ...members, repository, sender: userView(accountOf(state, actor)) };
  };
  const onBranch = (name: string, branch: string, actor: string, members: Json): GithubEvent => ({
    name,
    payload: payload(actor, members),
    commit: tip(`refs/heads/${branch}`),
    head: tip(`refs/heads/${branch}`),
    ref: `refs/heads/${branch}`,
    headRef: "",
    baseRef: "",
    actor,
  });
  const push = (ref: string, { before, after, isForced, by }: Omit<Pushed, "branch">): GithubEvent => ({
    name: "push",
    payload: payload(by, {
      ref,
      before: before ?? NOTHING,
      after,
      created: before === null,
      deleted: false,
      forced: isForced,
      base_ref: null,
      head_commit: commitView(state, state.git.read(after)),
      pusher: { name: by },
    }),
    commit: after,
    head: after,
    ref,
    headRef: "",
    baseRef: "",
    actor: by,
  });
  return {
    eventOf: (number, action, { name = "pull_request", actor } = {}) => {
      const { issue, pull } = pullOf(state, number);
      const who = actor ?? issue.author.login;
      makeTestMerge(state, number);
      const isOnBase = name === "pull_request_target" || pull.mergedAt !== null;
      const ref = isOnBase ? `refs/heads/${pull.baseBranch}` : `refs/pull/${number}/merge`;
      return {
        name,
        payload: payload(who, { action, number, pull_request: pullView(state, issue, pull) }),
        commit: tip(ref),
        head: name === "pull_request" ? tip(`refs/pull/${number}/head`) : tip(ref),
        ref,
        headRef: pull.headBranch,
        baseRef: pull.baseBranch,
        actor: who,
      };
    },
    pushEvent: (pushed) => push(`refs/heads/${pushed.branch}`, pushed),
    tagEvent: (tag, commit) => push(`refs/tags/${tag}`, { before: null, after: commit, isForced: false, by: "alice" }),
    mergeGroupEvent: ({ commit, parent, queueBranch, branch }) => ({
      name: "merge_group",
      payload: payload("github-merge-queue[bot]", {
        action: "checks_requested",
        merge_group: {
          head_sha: commit,
          head_ref: `refs/heads/${queueBranch}`,
          base_sha: parent,
          base_ref: `refs/heads/${branch}`,
          head_commit: commitView(state, state.git.read(commit)),
        },
      }),
      commit,
      head: commit,
      ref: `refs/heads/${queueBranch}`,
      headRef: "",
      baseRef: "",
      actor: "github-merge-queue[bot]",
    }),
    scheduleEvent: () =>
      onBranch("schedule", "main", "alice", { schedule: "17 5 * * *", workflow: ".github/workflows/drift.yml" }),
    manualEvent: (inputs = {}, branch = "main", actor = "alice") =>
      onBranch("workflow_dispatch", branch, actor, {
        inputs,
        ref: `refs/heads/${branch}`,
        workflow: ".github/workflows/drift.yml",
      }),
    otherEvent: (name, members = {}) => onBranch(name, "main", "alice", members),
  };
}
