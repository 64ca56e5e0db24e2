// The token goes to GitHub's API at its own address and nowhere else: not behind a redirect, not to a link.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openGithub } from "../../src/forge/github.ts";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import { type FakeAnswer, type HttpFake, startHttpFake } from "../fakes/http-fake.ts";
import { failureOf, forgeOn, valueIn } from "./support.ts";

const TIP = "GET /git/ref/{+ref}";
const POST = "POST /issues/{number}/comments";

let github: FakeGithub;
let other: HttpFake;

beforeEach(async () => {
  github = await startGitHub();
  other = await startHttpFake("Another host", {
    name: ({ path }) => ({ operation: "any", target: path }),
    answer: () => ({ status: 200, headers: { "content-type": "application/json" }, body: '{"object":{"sha":"evil"}}' }),
  });
});
afterEach(async () => {
  await other.stop();
  await github.stop();
});

const redirect = (status: number, location: string): FakeAnswer => ({ status, headers: { location }, body: "moved" });

describe("the token", () => {
  it.each([301, 302, 307, 308])("does not follow a redirect of status %i to another host", async (status) => {
    github.fault({ on: TIP, answer: redirect(status, `${other.url}/repos/acme/lake/git/ref/heads/main`), times: 9 });
    expect(await failureOf(forgeOn(github).history.tip("main"))).toMatchObject({
      kind: "refused",
      why: expect.stringContaining(other.url),
    });
    expect(other.calls).toEqual([]);
  });

  it("does not follow a link to the next page on another host", async () => {
    const { number } = github.openPullRequest({ files: { "a.yaml": "a" } });
    const headers = { "content-type": "application/json", link: `<${other.url}/page2>; rel="next"` };
    github.fault({ on: "GET /pulls/{number}/reviews", answer: { status: 200, headers, body: "[]" }, times: 9 });
    expect(await failureOf(forgeOn(github).pullRequests.reviews(number))).toMatchObject({ kind: "refused" });
    expect(other.calls).toEqual([]);
  });

  it("follows a renamed repository on the same host, for reads and for writes that stay what they are", async () => {
    const { number } = github.openPullRequest({ files: { "a.yaml": "a" } });
    const moved = `/repositories/${github.state.repositoryId}`;
    github.fault({ on: TIP, answer: redirect(301, `${moved}/git/ref/heads/main`) });
    expect(valueIn(await forgeOn(github).history.tip("main"))).toBe(github.tip());
    github.fault({ on: POST, answer: redirect(307, `${github.url}${moved}/issues/${number}/comments`) });
    expect(await forgeOn(github).comments.create(number, "text")).toMatchObject({ kind: "done" });
    expect(github.comments(number)).toHaveLength(1);
  });

  it("does not follow a redirect that would make a read of a write, nor one that never ends", async () => {
    const { number } = github.openPullRequest({ files: { "a.yaml": "a" } });
    github.fault({ on: POST, answer: redirect(301, `/repositories/1/issues/${number}/comments`), times: 9 });
    expect(await failureOf(forgeOn(github).comments.create(number, "text"))).toMatchObject({ kind: "refused" });
    github.fault({ on: TIP, answer: redirect(302, "/repos/acme/lake/git/ref/heads/main"), times: 99 });
    expect(await failureOf(forgeOn(github).history.tip("main"))).toMatchObject({ kind: "refused" });
  });

  it("is in no message", async () => {
    github.fault({ on: TIP, answer: "drop", times: 9 });
    const error = await failureOf(forgeOn(github).history.tip("main"));
    const { message, why, mend, context } = error as Record<string, unknown>;
    expect(JSON.stringify({ message, why, mend, context })).not.toContain(github.token);
  });
});

describe("openGithub", () => {
  const open = (variables: Readonly<Record<string, string>>, token = "ghs_x"): unknown =>
    openGithub({ GITHUB_REPOSITORY: "acme/lake", ...variables }, { token, version: "1.2.3" }).links.pullRequest(7);

  it("makes addresses of the server's own", () => {
    expect(open({})).toBe("https://github.com/acme/lake/pull/7");
    expect(open({ GITHUB_SERVER_URL: "https://ghe.acme.example/" })).toBe("https://ghe.acme.example/acme/lake/pull/7");
    const { links } = forgeOn(github);
    expect(links.files("a b")).toBe(`${github.url}/acme/lake/blob/a%20b/`);
    expect(links.run("12")).toBe(`${github.url}/acme/lake/actions/runs/12`);
  });

  it.each([
    [{ GITHUB_REPOSITORY: "lake" }, "GITHUB_REPOSITORY"],
    [{ GITHUB_REPOSITORY: "acme/lake/../../user" }, "GITHUB_REPOSITORY"],
    [{ GITHUB_API_URL: "file:///etc/passwd" }, "GITHUB_API_URL"],
    [{ GITHUB_API_URL: "https://user:secret@api.github.com" }, "GITHUB_API_URL"],
    [{ GITHUB_SERVER_URL: "https://github.com/?x=" }, "GITHUB_SERVER_URL"],
  ])("refuses %o", (variables, name) => {
    expect(() => open(variables)).toThrowError(expect.objectContaining({ kind: "config", message: `Cannot use ${name}` }));
  });

  it.each(["", " ", "a\nb", "a b", "tökën"])("refuses the token %j", (token) => {
    expect(() => open({}, token)).toThrowError(expect.objectContaining({ kind: "config" }));
  });

  it("speaks to GitHub Enterprise Server below its own path, GraphQL included", async () => {
    const server = await startGitHub({ apiPath: "/api/v3" });
    const forge = forgeOn(server);
    expect(valueIn(await forge.history.tip("main"))).toBe(server.tip());
    expect(await forge.people.self()).toMatchObject({ login: "github-actions[bot]" });
    expect(server.calls.map(({ request }) => request.path)).toEqual([
      "/api/v3/repos/acme/lake/git/ref/heads/main",
      "/api/graphql",
    ]);
    await server.stop();
  });
});
