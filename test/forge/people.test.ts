// Who the token is, what people may do, who is in a team; runs, who let them through, and environments.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasRole } from "../../src/forge/forge-people.ts";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import { failureOf, forgeOn, valueIn } from "./support.ts";

let github: FakeGithub;

beforeEach(async () => {
  github = await startGitHub();
});
afterEach(async () => await github.stop());

describe("self", () => {
  it("is the app's own account for a token of a workflow or an app, asked for once", async () => {
    const { people } = forgeOn(github);
    expect(await people.self()).toEqual({ login: "github-actions[bot]", id: 41_898_282, isBot: true });
    await people.self();
    expect(github.calls).toHaveLength(1);
    const token = github.newToken({ app: "acme-floeplan" });
    expect(await forgeOn(github, { token }).people.self()).toMatchObject({ login: "acme-floeplan[bot]", isBot: true });
  });

  it("is the person for a person's token, also where there is no GraphQL", async () => {
    github.state.hasGraphql = false;
    const token = github.newToken({ login: "alice" });
    expect(await forgeOn(github, { token }).people.self()).toMatchObject({ login: "alice", isBot: false });
  });

  it("is null where the server does not tell", async () => {
    github.state.hasGraphql = false;
    expect(await forgeOn(github).people.self()).toBeNull();
  });

  it("fails where the server is out of order, rather than to take nobody for an answer", async () => {
    github.fault({ on: "POST /graphql", answer: "drop", times: 9 });
    expect(await failureOf(forgeOn(github).people.self())).toMatchObject({ kind: "unavailable" });
  });
});

describe("role", () => {
  it.each(["read", "triage", "write", "maintain", "admin"])("is %s by GitHub's own name", async (role) => {
    github.setRole("bob", role);
    expect(valueIn(await forgeOn(github).people.role("bob"))).toBe(role);
  });

  it("is the right that a role of the organization's making stands on", async () => {
    github.setRole("bob", "auditor/maintain");
    // GitHub's older word for maintain is write.
    expect(valueIn(await forgeOn(github).people.role("bob"))).toBe("write");
  });

  it("is none for who is not there", async () => {
    const { people } = forgeOn(github);
    github.addComment(1, { by: "stranger", body: "hello" });
    expect(valueIn(await people.role("stranger"))).toBe("none");
    expect(valueIn(await people.role("nobody/../admin"))).toBe("none");
  });

  it("counts upwards", () => {
    expect(hasRole("maintain", "write")).toBe(true);
    expect(hasRole("triage", "write")).toBe(false);
    expect(hasRole("write", "write")).toBe(true);
  });
});

describe("isInTeam", () => {
  const isInTeam = async (team: string, login: string, seesTeams = true): Promise<unknown> =>
    await forgeOn(github, { token: github.newToken({ app: "acme", seesTeams }) }).people.isInTeam(team, login);

  it("is true of members alone, not of those who were only asked", async () => {
    github.setTeam("acme/data", ["bob", "carol?"]);
    expect(await isInTeam("acme/data", "bob")).toEqual({ kind: "done", value: true });
    expect(await isInTeam("@acme/data", "bob")).toEqual({ kind: "done", value: true });
    expect(await isInTeam("acme/data", "carol")).toEqual({ kind: "done", value: false });
    expect(await isInTeam("acme/data", "alice")).toEqual({ kind: "done", value: false });
  });

  it("is a denial, and never no, where the token may not see teams", async () => {
    github.setTeam("acme/data", ["bob"]);
    expect(await isInTeam("acme/data", "bob", false)).toMatchObject({ kind: "forbidden", permission: "members: read" });
    expect(await isInTeam("acme/none", "bob")).toMatchObject({ kind: "forbidden" });
  });

  it("wants organization and team", async () => {
    expect(await failureOf(isInTeam("data", "bob"))).toMatchObject({ kind: "config" });
  });
});

describe("runs", () => {
  it("tell their workflow, event and commit", async () => {
    const pushed = github.pushTo("main", { "a.yaml": "a" });
    const { id } = github.startRun(github.pushEvent(pushed), { workflowFile: ".github/workflows/deploy.yml" });
    expect(valueIn(await forgeOn(github).runs.get(id))).toEqual({
      id,
      workflowFile: ".github/workflows/deploy.yml",
      event: "push",
      commit: pushed.after,
      url: `${github.url}/acme/lake/actions/runs/${id}`,
    });
    expect(await forgeOn(github).runs.get(1)).toMatchObject({ kind: "missing" });
  });

  it("name the file alone where a workflow is called with a ref", async () => {
    const { id } = github.startRun(github.scheduleEvent(), { workflowFile: ".github/workflows/plan.yml@refs/heads/main" });
    expect(valueIn(await forgeOn(github).runs.get(id)).workflowFile).toBe(".github/workflows/plan.yml");
  });

  it("tell who let them through for which environment, and who did not", async () => {
    const { id } = github.startRun(github.scheduleEvent());
    const { runs } = forgeOn(github);
    expect(valueIn(await runs.approvals(id))).toEqual([]);
    github.setRole("bob", "maintain");
    github.setRole("carol", "maintain");
    github.approveRun(id, { by: "carol", environments: ["iceberg-prod"], state: "rejected" });
    github.approveRun(id, { by: "bob", environments: ["iceberg-prod", "iceberg-eu"] });
    github.approveRun(id, { by: "bob", environments: ["iceberg-us"], state: "pending" });
    expect(valueIn(await runs.approvals(id))).toEqual([
      { login: "carol", isApproved: false, environments: ["iceberg-prod"] },
      { login: "bob", isApproved: true, environments: ["iceberg-prod", "iceberg-eu"] },
    ]);
  });

  it("need the right to read actions", async () => {
    const { id } = github.startRun(github.scheduleEvent());
    const token = github.newToken({ permissions: { contents: "read" } });
    expect(await forgeOn(github, { token }).runs.approvals(id)).toMatchObject({ kind: "forbidden", permission: "actions: read" });
  });
});

describe("environment", () => {
  it.each(["any", "protected", "listed"] as const)("tells that it deploys from %s branches", async (deploysFrom) => {
    github.setEnvironment({ name: "iceberg-prod", reviewers: ["bob"], deploysFrom });
    github.setEnvironment({ name: "open/one", deploysFrom });
    const { runs } = forgeOn(github);
    expect(valueIn(await runs.environment("iceberg-prod"))).toEqual({ name: "iceberg-prod", hasReviewers: true, deploysFrom });
    expect(valueIn(await runs.environment("open/one"))).toEqual({ name: "open/one", hasReviewers: false, deploysFrom });
    expect(await runs.environment("none")).toMatchObject({ kind: "missing" });
  });
});
