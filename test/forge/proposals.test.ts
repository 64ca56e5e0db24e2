// Changes that the product proposes on GitHub: its own branch on the base's newest commit, one open pull request.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "../../src/forge/forge-answer.ts";
import type { Proposal, Proposed } from "../../src/forge/forge-proposal.ts";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import { githubError } from "../fakes/github-answers.ts";
import { forgeOn, valueIn } from "./support.ts";

const RIGHTS = { contents: "write", metadata: "read", pull_requests: "write" } as const;
const BRANCH = "floeplan/adopt-prod";

let github: FakeGithub;

beforeEach(async () => {
  github = await startGitHub({ permissions: RIGHTS, files: { "tables/a.yaml": "a\n", "tables/b.yaml": "b\n" } });
});
afterEach(async () => await github.stop());

async function propose(text: string, more: Partial<Proposal> = {}, token = github.token): Promise<Answer<Proposed>> {
  return await forgeOn(github, { token }).proposals.propose({
    branch: BRANCH,
    base: { branch: "main", commit: github.tip() },
    files: new Map([["tables/a.yaml", text]]),
    title: "Adopt what has drifted in prod",
    body: "2 columns",
    ...more,
  });
}

const fileAt = (commit: string, path: string): string | undefined => github.state.git.entry(commit, path)?.text.toString("utf8");

describe("propose", () => {
  it("opens a pull request with one commit on the base, and leaves other files alone", async () => {
    const { number } = valueIn(await propose("adopted\n"));
    const pull = valueIn(await forgeOn(github).pullRequests.get(number));
    expect(pull).toMatchObject({
      state: "open",
      isFork: false,
      head: { branch: BRANCH },
      base: { branch: "main", commit: github.tip() },
    });
    expect(valueIn(await forgeOn(github).history.parents(pull.head.commit))).toEqual([github.tip()]);
    expect(fileAt(pull.head.commit, "tables/a.yaml")).toBe("adopted\n");
    expect(fileAt(pull.head.commit, "tables/b.yaml")).toBe("b\n");
    expect(github.state.issues.get(number)).toMatchObject({ title: "Adopt what has drifted in prod", body: "2 columns" });
  });

  it("moves its branch onto the newest base and keeps the pull request that is open", async () => {
    const first = valueIn(await propose("one\n"));
    github.pushTo("main", { "tables/b.yaml": "newer\n" });
    const second = valueIn(await propose("two\n", { body: "3 columns" }));
    expect(second).toEqual(first);
    const { head } = valueIn(await forgeOn(github).pullRequests.get(first.number));
    expect(head.commit).toBe(github.tip(BRANCH));
    expect([fileAt(head.commit, "tables/a.yaml"), fileAt(head.commit, "tables/b.yaml")]).toEqual(["two\n", "newer\n"]);
    expect(valueIn(await forgeOn(github).history.parents(head.commit))).toEqual([github.tip()]);
    expect(github.state.issues.get(first.number)?.body).toBe("3 columns");
  });

  it("opens another one when the first was closed", async () => {
    const first = valueIn(await propose("one\n"));
    github.close(first.number);
    expect(valueIn(await propose("two\n")).number).not.toBe(first.number);
  });

  it("takes no stranger's pull request from a branch of the same name for its own", async () => {
    const { number } = github.openPullRequest({
      branch: BRANCH,
      fork: "mallory/lake",
      author: "mallory",
      files: { "tables/a.yaml": "evil" },
    });
    expect(valueIn(await propose("one\n")).number).not.toBe(number);
  });

  it("is a denial that names the right that is missing", async () => {
    const reader = github.newToken({ permissions: { ...RIGHTS, contents: "read" } });
    expect(await propose("one\n", {}, reader)).toMatchObject({ kind: "forbidden", permission: "contents: write" });
    const writer = github.newToken({ permissions: { contents: "write", pull_requests: "read" } });
    expect(await propose("one\n", {}, writer)).toMatchObject({ kind: "forbidden", permission: "pull-requests: write" });
  });

  it("is refused, with GitHub's words, where a setting keeps workflows from opening pull requests", async () => {
    const says = "GitHub Actions is not permitted to create or approve pull requests.";
    github.fault({ on: "POST /pulls", answer: githubError(403, says) });
    expect(await propose("one\n")).toMatchObject({ kind: "refused", why: `GitHub says "${says}"` });
  });
});
