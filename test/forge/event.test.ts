// What started the run, read from the file and the variables that the runner gives.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ForgeEvent } from "../../src/forge/forge-event.ts";
import { readGithubEvent } from "../../src/forge/github-event.ts";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import type { GithubEvent } from "../fakes/github-events.ts";

let github: FakeGithub;

beforeEach(async () => {
  github = await startGitHub();
});
afterEach(async () => await github.stop());

/** As the Action does: from what the runner gives. */
function read(event: GithubEvent): ForgeEvent {
  const { variables, eventFile } = github.startRun(event);
  return readGithubEvent({
    name: variables["GITHUB_EVENT_NAME"] ?? "",
    commit: variables["GITHUB_SHA"] ?? "",
    ref: variables["GITHUB_REF"] ?? "",
    payload: JSON.parse(readFileSync(eventFile, "utf8")),
  });
}

describe("readGithubEvent", () => {
  it("reads a pull request of the repository: its commits and the test merge that is checked out", () => {
    const base = github.tip();
    const { number, head } = github.openPullRequest({ files: { "a.yaml": "a" } });
    expect(read(github.eventOf(number, "synchronize"))).toMatchObject({
      kind: "pull-request",
      action: "synchronize",
      from: "repository",
      commit: github.tip(`refs/pull/${number}/merge`),
      pullRequest: { number, state: "open", head: { commit: head }, base: { commit: base, branch: "main" }, mergeCommit: null },
    });
    const { after } = github.merge(number);
    expect(read(github.eventOf(number, "closed"))).toMatchObject({
      action: "closed",
      pullRequest: { state: "merged", mergeCommit: after },
    });
  });

  it("tells a fork's and Dependabot's, whoever acts", () => {
    const { number: fork } = github.openPullRequest({ files: { "a.yaml": "a" }, fork: "mallory/lake", author: "mallory" });
    expect(read(github.eventOf(fork, "opened"))).toMatchObject({ from: "fork" });
    const { number: bot } = github.openPullRequest({ files: { "b.yaml": "b" }, author: "dependabot[bot]" });
    expect(read(github.eventOf(bot, "synchronize", { actor: "alice" }))).toMatchObject({ from: "dependabot" });
    const { number: own } = github.openPullRequest({ files: { "c.yaml": "c" } });
    expect(read(github.eventOf(own, "synchronize", { actor: "dependabot[bot]" }))).toMatchObject({ from: "repository" });
  });

  it("reads a push: to the default branch, to a new branch, with force, of a tag", () => {
    const before = github.tip();
    const pushed = github.pushTo("main", { "a.yaml": "a" });
    expect(read(github.pushEvent(pushed))).toEqual({
      kind: "push",
      branch: "main",
      isDefaultBranch: true,
      before,
      commit: pushed.after,
      isForced: false,
    });
    expect(read(github.pushEvent(github.pushTo("feature/x", { "b.yaml": "b" })))).toMatchObject({
      branch: "feature/x",
      isDefaultBranch: false,
      before: null,
    });
    expect(read(github.pushEvent(github.forcePush("main", before)))).toMatchObject({ isForced: true, commit: before });
    expect(read(github.tagEvent("v1", before))).toMatchObject({ branch: null, isDefaultBranch: false });
  });

  it("reads a group of the merge queue", () => {
    const { number } = github.openPullRequest({ files: { "a.yaml": "a" } });
    const [group] = github.queue([number]);
    if (group === undefined) throw new Error("One was queued");
    expect(read(github.mergeGroupEvent(group))).toEqual({ kind: "merge-group", group });
  });

  it("reads a schedule and a start by hand", () => {
    expect(read(github.scheduleEvent())).toEqual({ kind: "schedule", commit: github.tip(), branch: "main" });
    github.pushTo("other", { "a.yaml": "a" });
    expect(read(github.manualEvent({}, "other"))).toEqual({ kind: "manual", commit: github.tip("other"), branch: "other" });
  });

  it.each([
    "pull_request_target",
    "workflow_run",
    "issue_comment",
    "issues",
    "pull_request_review",
    "discussion_comment",
    "fork",
  ])("takes %s for one that runs with the repository's rights on a stranger's text", (name) => {
    expect(read(github.otherEvent(name))).toEqual({ kind: "privileged", name });
  });

  it("names any other", () => {
    expect(read(github.otherEvent("release"))).toEqual({ kind: "other", name: "release" });
  });

  it.each(["pull_request", "merge_group"])("fails where a %s event lacks what it is about", (name) => {
    expect(() => readGithubEvent({ name, commit: "", ref: "", payload: { action: "opened" } })).toThrowError(
      expect.objectContaining({ kind: "corrupt" }),
    );
  });
});
