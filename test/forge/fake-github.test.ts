// The fake itself: what it does not know fails the test, it refuses as GitHub does, and its commits are Git's.
import { createPublicKey, verify } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";

let github: FakeGithub;

beforeEach(async () => {
  github = await startGitHub({ files: { "floeplan.yaml": "floeplan: 1\n" } });
});
afterEach(async () => await github.stop().catch(() => {}));

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await fetch(`${github.apiUrl}${path}`, {
    method,
    headers: {
      authorization: `token ${github.token}`,
      "user-agent": "test",
      "x-github-api-version": "2022-11-28",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe("the fake GitHub", () => {
  it.each([
    ["GET", "/repos/acme/lake/branches", undefined],
    ["GET", "/repos/acme/other/pulls", undefined],
    ["PUT", "/repos/acme/lake/issues/1/comments", undefined],
    ["GET", "/repos/acme/lake/pulls?sorting=updated", undefined],
    ["POST", "/repos/acme/lake/issues", { title: "a", text: "b" }],
  ])("fails the test at its end for %s %s", async (method, path, body) => {
    await send(method, path, body).catch(() => {});
    await expect(github.stop()).rejects.toThrow(/is no call that it knows|has no/);
  });

  it("knows its token, and no other", async () => {
    expect((await send("GET", "/repos/acme/lake/pulls")).status).toBe(200);
    expect((await send("GET", "/repos/acme/lake/pulls", undefined, { authorization: "token ghs_other" })).status).toBe(401);
  });

  it("links its pages as GitHub does, by the repository's number", async () => {
    for (let at = 0; at < 5; at++) github.openPullRequest({ files: { [`${at}.yaml`]: "a" } });
    const answer = await send("GET", "/repos/acme/lake/pulls?per_page=2&page=2");
    const page = (to: number): string => `<${github.url}/repositories/724001/pulls?per_page=2&page=${to}>`;
    expect(answer.headers.get("link")).toBe(
      `${page(1)}; rel="prev", ${page(3)}; rel="next", ${page(3)}; rel="last", ${page(1)}; rel="first"`,
    );
    expect((await answer.json()) as unknown[]).toHaveLength(2);
  });

  it("refuses a comment of 65,537 characters and takes one of 65,536", async () => {
    const { number } = github.openPullRequest({ files: { "a.yaml": "a" } });
    const path = `/repos/acme/lake/issues/${number}/comments`;
    const answer = await send("POST", path, { body: "x".repeat(65_537) });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ message: "Validation Failed", errors: [{ resource: "IssueComment" }] });
    expect((await send("POST", path, { body: "x".repeat(65_536) })).status).toBe(201);
  });

  it("lets an app change its own comments and checks alone", async () => {
    const { number, head } = github.openPullRequest({ files: { "a.yaml": "a" } });
    const comment = github.addComment(number, { by: "bob", body: "text" });
    expect((await send("PATCH", `/repos/acme/lake/issues/comments/${comment}`, { body: "mine" })).status).toBe(403);
    const check = github.forgeCheck(head, "floeplan (prod)", { app: "evil" });
    expect((await send("PATCH", `/repos/acme/lake/check-runs/${check}`, { conclusion: "success" })).status).toBe(403);
  });

  it("refuses a check of more than fifty annotations, or with columns over lines", async () => {
    const { head } = github.openPullRequest({ files: { "a.yaml": "a" } });
    const one = { path: "a.yaml", start_line: 1, end_line: 1, annotation_level: "notice", message: "m" };
    const post = async (annotations: readonly unknown[]): Promise<number> =>
      (
        await send("POST", "/repos/acme/lake/check-runs", {
          name: "c",
          head_sha: head,
          output: { title: "t", summary: "s", annotations },
        })
      ).status;
    expect(await post(Array.from({ length: 51 }, () => one))).toBe(422);
    expect(await post([{ ...one, end_line: 2, start_column: 1, end_column: 1 }])).toBe(422);
    expect(github.checks(head)).toEqual([]);
    expect(await post([one])).toBe(201);
  });

  it("makes the same commits in every run, with the parents that they should have", async () => {
    const again = await startGitHub({ files: { "floeplan.yaml": "floeplan: 1\n" } });
    expect(again.tip()).toBe(github.tip());
    await again.stop();
    const base = github.tip();
    const { number, head } = github.openPullRequest({ files: { "a.yaml": "a" } });
    const { after } = github.merge(number, { method: "merge" });
    expect(github.state.git.read(after).parents).toEqual([base, head]);
    expect(github.state.git.read(github.commit({ "z.yaml": "z" }, [base, head])).parents).toEqual([base, head]);
  });

  it("checks a commit out as a job sees it", () => {
    const { number } = github.openPullRequest({ files: { "tables/a.yaml": "a" } });
    github.pushTo("main", { "tables/b.yaml": "b" });
    const folder = mkdtempSync(join(tmpdir(), "floeplan-checkout-"));
    try {
      github.checkout(folder, github.eventOf(number, "opened").commit, 1);
      expect(readFileSync(join(folder, "tables/a.yaml"), "utf8")).toBe("a");
      expect(existsSync(join(folder, "tables/b.yaml"))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("has no test merge, and so starts no workflow, while there is a conflict", () => {
    const { number } = github.openPullRequest({ files: { "floeplan.yaml": "mine\n" } });
    github.pushTo("main", { "floeplan.yaml": "theirs\n" });
    expect(() => github.eventOf(number, "synchronize")).toThrow(/starts no workflow/);
  });
});

describe("a job's own token (OIDC)", () => {
  async function idToken(variables: Readonly<Record<string, string>>, audience = ""): Promise<Response> {
    const url = `${variables["ACTIONS_ID_TOKEN_REQUEST_URL"] ?? ""}${audience === "" ? "" : `&audience=${audience}`}`;
    return await fetch(url, { headers: { authorization: `Bearer ${variables["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] ?? ""}` } });
  }
  const claimsOf = async (answer: Response): Promise<Record<string, unknown>> => {
    const { value } = (await answer.json()) as { readonly value: string };
    return JSON.parse(Buffer.from(value.split(".")[1] ?? "", "base64url").toString("utf8")) as Record<string, unknown>;
  };

  it("claims the environment where the job has one, else the ref or the pull request", async () => {
    const pushed = github.pushTo("main", { "a.yaml": "a" });
    const inEnvironment = github.startRun(github.pushEvent(pushed), { environment: "iceberg-prod" });
    expect(await claimsOf(await idToken(inEnvironment.variables, "sts.amazonaws.com"))).toMatchObject({
      iss: "https://token.actions.githubusercontent.com",
      aud: "sts.amazonaws.com",
      sub: "repo:acme/lake:environment:iceberg-prod",
      environment: "iceberg-prod",
      repository: "acme/lake",
      ref: "refs/heads/main",
      sha: pushed.after,
      event_name: "push",
      run_id: String(inEnvironment.id),
      job_workflow_ref: "acme/lake/.github/workflows/apply.yml@refs/heads/main",
    });
    const plain = github.startRun(github.pushEvent(pushed));
    expect(await claimsOf(await idToken(plain.variables))).toMatchObject({
      sub: "repo:acme/lake:ref:refs/heads/main",
      aud: "https://github.com/acme",
    });
    const { number } = github.openPullRequest({ files: { "b.yaml": "b" } });
    expect(await claimsOf(await idToken(github.startRun(github.eventOf(number, "opened")).variables))).toMatchObject({
      sub: "repo:acme/lake:pull_request",
    });
  });

  it("is another one for each job of a run, and for each attempt", async () => {
    const event = github.pushEvent(github.pushTo("main", { "a.yaml": "a" }));
    const safe = github.startRun(event, { job: "safe" });
    const gated = github.startRun(event, { run: safe.id, job: "gated", environment: "iceberg-prod", attempt: 2 });
    expect([gated.id, gated.variables["GITHUB_RUN_NUMBER"]]).toEqual([safe.id, safe.variables["GITHUB_RUN_NUMBER"]]);
    expect(await claimsOf(await idToken(safe.variables))).toMatchObject({
      sub: "repo:acme/lake:ref:refs/heads/main",
      run_attempt: "1",
    });
    expect(await claimsOf(await idToken(gated.variables))).toMatchObject({ environment: "iceberg-prod", run_attempt: "2" });
    expect(() => github.startRun(event, { run: 1 })).toThrow("There is no run 1");
  });

  it("has the claims that a test sets, and lacks those that it takes away", async () => {
    const { variables } = github.startRun(github.scheduleEvent(), { idToken: { sub: "repo:acme@1/lake@2:ref:x", ref: null } });
    const claims = await claimsOf(await idToken(variables));
    expect(claims["sub"]).toBe("repo:acme@1/lake@2:ref:x");
    expect(claims).not.toHaveProperty("ref");
  });

  it("is not to be had without the permission, nor with another job's request", async () => {
    expect(github.startRun(github.scheduleEvent(), { idToken: false }).variables).not.toHaveProperty(
      "ACTIONS_ID_TOKEN_REQUEST_URL",
    );
    const { variables } = github.startRun(github.scheduleEvent());
    expect((await idToken({ ...variables, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "guessed" })).status).toBe(401);
  });

  it("is signed by the key that the fake publishes", async () => {
    const { variables } = github.startRun(github.scheduleEvent());
    const { value } = (await (await idToken(variables)).json()) as { readonly value: string };
    const [head = "", claims = "", signature = ""] = value.split(".");
    const key = createPublicKey(github.idTokenKey());
    expect(verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"))).toBe(true);
  });
});
