// GitHub's limits and failures: waiting where it asks for it, up to a bound, and a clear word when that is not enough.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import { githubError, primaryRateLimit, secondaryRateLimit } from "../fakes/github-answers.ts";
import { failureOf, forgeOn, valueIn } from "./support.ts";

const POST = "POST /issues/{number}/comments";
const TIP = "GET /git/ref/{+ref}";

let github: FakeGithub;

beforeEach(async () => {
  github = await startGitHub();
});
afterEach(async () => await github.stop());

const comment = async (): Promise<unknown> => {
  const { number } = github.openPullRequest({ files: { "a.yaml": "a" } });
  return await forgeOn(github).comments.create(number, "text");
};

describe("a secondary rate limit", () => {
  it.each([403, 429] as const)(
    "of status %i is waited for, also by what makes something new: nothing was made",
    async (status) => {
      github.fault({ on: POST, answer: secondaryRateLimit(3, status) });
      expect(await comment()).toMatchObject({ kind: "done" });
      expect(github.counts()[POST]).toBe(2);
    },
  );

  it("is waited for without a word on when to come back", async () => {
    github.fault({ on: POST, answer: secondaryRateLimit(null) });
    expect(await comment()).toMatchObject({ kind: "done" });
  });

  it("is not waited for when it lasts longer than a job should hang", async () => {
    github.fault({ on: POST, answer: secondaryRateLimit(600), times: 9 });
    expect(await failureOf(comment())).toMatchObject({
      kind: "throttled",
      message: expect.stringContaining("Cannot comment on pull request"),
    });
    expect(github.counts()[POST]).toBe(1);
  });

  it("ends after a bound of waiting in all, whatever call it is for", async () => {
    const { history } = forgeOn(github);
    github.fault({ on: TIP, answer: secondaryRateLimit(40), times: 99 });
    expect(await failureOf(history.tip("main"))).toMatchObject({ kind: "throttled" });
    const asked = github.counts()[TIP] ?? 0;
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(6);
    github.clearCalls();
    expect(await failureOf(history.tip("main"))).toMatchObject({ kind: "throttled" });
    expect(github.counts()[TIP]).toBeLessThan(asked);
  });
});

describe("a used-up limit", () => {
  it("says until when", async () => {
    github.fault({ on: TIP, answer: primaryRateLimit(Date.UTC(2030, 0, 2, 3, 4, 5) / 1000), times: 9 });
    expect(await failureOf(forgeOn(github).history.tip("main"))).toMatchObject({
      kind: "throttled",
      message: expect.stringContaining("Cannot find branch"),
      why: expect.stringContaining("2030-01-02T03:04:05Z"),
    });
    expect(github.counts()[TIP]).toBe(1);
  });

  it("is told also where it says a time that no calendar has", async () => {
    github.fault({ on: TIP, answer: primaryRateLimit(1e17), times: 9 });
    expect(await failureOf(forgeOn(github).history.tip("main"))).toMatchObject({ kind: "throttled" });
  });
});

describe("a server out of order", () => {
  it("is asked again for a read, after an error and after a lost answer", async () => {
    github.fault({ on: TIP, answer: githubError(502, "Server Error") });
    github.fault({ on: TIP, answer: "drop" });
    expect(valueIn(await forgeOn(github).history.tip("main"))).toBe(github.tip());
    expect(github.counts()[TIP]).toBe(3);
  });

  it("is given up on after a few times, with GitHub's status", async () => {
    github.fault({ on: TIP, answer: githubError(503, "Service Unavailable"), times: 9 });
    expect(await failureOf(forgeOn(github).history.tip("main"))).toMatchObject({
      kind: "unavailable",
      why: "GitHub answers 503",
    });
    expect(github.counts()[TIP]).toBe(4);
  });

  it("is sent what makes something new only once, after an error too", async () => {
    github.fault({ on: POST, answer: githubError(502, "Server Error"), effect: "after" });
    expect(await failureOf(comment())).toMatchObject({ kind: "unavailable" });
    expect(github.counts()[POST]).toBe(1);
  });

  it("is not believed where its answer is no JSON of GitHub", async () => {
    github.fault({ on: TIP, answer: { status: 200, headers: { "content-type": "text/html" }, body: "<html>login</html>" } });
    expect(await failureOf(forgeOn(github).history.tip("main"))).toMatchObject({ kind: "corrupt" });
  });

  const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const COMPARED = '{"status":"ahead","total_commits":1,"commits":[]}';

  it.each([
    ["text", "true"],
    ["a number", "7"],
    ["cut off", '[{"id":1,"user":'],
    ["an answer to another call", COMPARED],
    ["nested without end", nested],
  ])("is not believed where a page of a list is %s", async (_, body) => {
    const { number } = github.openPullRequest({ files: { "a.yaml": "a" } });
    const headers = { "content-type": "application/json; charset=utf-8" };
    github.fault({ on: "GET /pulls/{number}/files", answer: { status: 200, headers, body } });
    expect(await failureOf(forgeOn(github).pullRequests.changedFiles(number))).toMatchObject({ kind: "corrupt" });
  });

  it("is not believed where its refusal is nested without end", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    github.fault({ on: TIP, answer: { status: 404, headers, body: nested } });
    expect(await failureOf(forgeOn(github).history.tip("main"))).toMatchObject({ kind: "corrupt" });
  });
});
