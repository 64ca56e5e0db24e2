// Check runs on GitHub: whole or running, in batches of fifty annotations, read back only where the own app made them.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Annotation, NewCheck } from "../../src/forge/forge-check.ts";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import { forgeOn, valueIn } from "./support.ts";

const POST = "POST /check-runs";
const PATCH = "PATCH /check-runs/{id}";

let github: FakeGithub;
let commit = "";

beforeEach(async () => {
  github = await startGitHub();
  ({ head: commit } = github.openPullRequest({ files: { "a.yaml": "a" } }));
});
afterEach(async () => await github.stop());

const finding = (line: number, more: Partial<Annotation> = {}): Annotation => ({
  file: "tables/a.yaml",
  line,
  severity: "warning",
  title: "name-style",
  message: `Finding ${line}`,
  ...more,
});
const findings = (count: number): Annotation[] => Array.from({ length: count }, (_one, at) => finding(at + 1));

function check(more: Partial<NewCheck> = {}, annotations: readonly Annotation[] = []): NewCheck {
  return {
    name: "floeplan (prod)",
    commit,
    externalId: "1842.1",
    state: "success",
    output: { title: "2 tables change", summary: "Summary", text: "machine block", annotations },
    detailsUrl: "https://ci.example/1842",
    ...more,
  };
}

describe("checks", () => {
  it("are read back as they were written", async () => {
    const { checks } = forgeOn(github);
    const made = valueIn(await checks.create(check()));
    expect(valueIn(await checks.latest(commit, "floeplan (prod)"))).toEqual(made);
    expect(made).toMatchObject({
      name: "floeplan (prod)",
      commit,
      externalId: "1842.1",
      state: "success",
      title: "2 tables change",
      summary: "Summary",
      text: "machine block",
    });
    expect(valueIn(await checks.latest(commit, "floeplan (dev)"))).toBeNull();
  });

  it.each(["success", "failure", "neutral", "skipped", "cancelled", "running"] as const)("have the state %s", async (state) => {
    expect(valueIn(await forgeOn(github).checks.create(check({ state }))).state).toBe(state);
  });

  it("are changed in place", async () => {
    const { checks } = forgeOn(github);
    const { id } = valueIn(await checks.create(check({ state: "running" })));
    const output = { ...check().output, title: "Main moved: plan again" };
    expect(valueIn(await checks.update(id, { state: "failure", output }))).toMatchObject({
      id,
      state: "failure",
      title: output.title,
    });
  });

  it("get their annotations in batches of fifty, and run until the last is there", async () => {
    const states: (string | null)[] = [];
    github.fault({
      on: ({ operation }) => {
        if (operation === PATCH) states.push(github.checks(commit)[0]?.conclusion ?? null);
        return false;
      },
      answer: "drop",
    });
    const made = valueIn(await forgeOn(github).checks.create(check({}, findings(120))));
    expect(made.state).toBe("success");
    expect(states).toEqual([null, null]);
    const [stored] = github.checks(commit);
    expect(stored?.annotations.map((one) => one["start_line"])).toEqual(findings(120).map(({ line }) => line));
    expect(github.counts()).toMatchObject({ [POST]: 1, [PATCH]: 2 });
  });

  it("get annotations that GitHub takes: levels, columns on one line alone, texts that fit", async () => {
    const annotations = [
      finding(1, { severity: "error", column: 3 }),
      finding(2, { severity: "note", endLine: 4, column: 3, endColumn: 9 }),
      finding(5, { endLine: 2, column: 7, endColumn: 2, title: "x".repeat(300), message: "\u{1F600}".repeat(16_000) }),
    ];
    valueIn(await forgeOn(github).checks.create(check({}, annotations)));
    const [first, second, third] = github.checks(commit)[0]?.annotations ?? [];
    expect(first).toMatchObject({ annotation_level: "failure", start_line: 1, end_line: 1, start_column: 3, end_column: 3 });
    expect(second).toEqual({
      path: "tables/a.yaml",
      start_line: 2,
      end_line: 4,
      annotation_level: "notice",
      title: "name-style",
      message: "Finding 2",
    });
    expect(third).toMatchObject({ start_line: 5, end_line: 5, start_column: 7, end_column: 7 });
    expect(String(third?.["message"])).toMatch(/^(?:\u{1F600})+…$/u);
  });

  it("are not made twice when the answer was lost", async () => {
    github.fault({ on: POST, answer: "drop", effect: "after" });
    const made = valueIn(await forgeOn(github).checks.create(check()));
    expect(github.checks(commit).map(({ id }) => id)).toEqual([made.id]);
  });

  it("are made once more when the first call never arrived, also beside an older one", async () => {
    const { checks } = forgeOn(github);
    valueIn(await checks.create(check({ externalId: "1841.1" })));
    github.fault({ on: POST, answer: "drop" });
    valueIn(await checks.create(check()));
    expect(github.checks(commit).map(({ externalId }) => externalId)).toEqual(["1841.1", "1842.1"]);
  });

  it.each(["before", "after"] as const)("have each annotation once when an answer is lost %s it took effect", async (effect) => {
    github.fault({ on: PATCH, answer: "drop", effect });
    expect(valueIn(await forgeOn(github).checks.create(check({}, findings(70)))).state).toBe("success");
    expect(github.checks(commit)[0]?.annotations).toHaveLength(70);
  });
});

describe("the newest check of a commit", () => {
  it("is the newest of the name", async () => {
    const { checks } = forgeOn(github);
    valueIn(await checks.create(check({ externalId: "1.1" })));
    valueIn(await checks.create(check({ externalId: "2.1" })));
    valueIn(await checks.create(check({ externalId: "3.1", name: "floeplan (dev)" })));
    expect(valueIn(await checks.latest(commit, "floeplan (prod)"))?.externalId).toBe("2.1");
  });

  it("is never one of another app", async () => {
    const { checks } = forgeOn(github);
    valueIn(await checks.create(check()));
    github.forgeCheck(commit, "floeplan (prod)", { app: "evil", externalId: "9.9" });
    expect(valueIn(await checks.latest(commit, "floeplan (prod)"))?.externalId).toBe("1842.1");
  });

  it("is found behind a hundred others of the name", async () => {
    const { checks } = forgeOn(github);
    for (let at = 0; at < 130; at++) github.forgeCheck(commit, "floeplan (prod)", { app: "evil" });
    valueIn(await checks.create(check()));
    for (let at = 0; at < 130; at++) github.forgeCheck(commit, "floeplan (prod)", { app: "evil" });
    expect(valueIn(await checks.latest(commit, "floeplan (prod)"))?.externalId).toBe("1842.1");
  });

  it("has the state other where it is one that is never written here", async () => {
    github.forgeCheck(commit, "floeplan (prod)", { conclusion: "action_required" });
    expect(valueIn(await forgeOn(github).checks.latest(commit, "floeplan (prod)"))?.state).toBe("other");
  });

  it("cannot be told without knowing the app", async () => {
    github.state.hasGraphql = false;
    expect(await forgeOn(github).checks.latest(commit, "floeplan (prod)")).toMatchObject({ kind: "refused" });
  });
});

describe("a check that may not be written", () => {
  it("is a denial that names the permission", async () => {
    const token = github.newToken({ permissions: { checks: "read" } });
    const denial = await forgeOn(github, { token }).checks.create(check());
    expect(denial).toMatchObject({ kind: "forbidden", permission: "checks: write" });
  });

  it("is a denial that no permission mends with a person's token", async () => {
    const denial = await forgeOn(github, { token: github.newToken({ login: "alice" }) }).checks.create(check());
    expect(denial).toMatchObject({ kind: "forbidden", permission: null });
  });

  it("is too long by bytes, not by characters", async () => {
    const { checks } = forgeOn(github);
    const fitting = { ...check().output, text: "é".repeat(32_767) };
    expect(await checks.create(check({ output: fitting }))).toMatchObject({ kind: "done" });
    const tooLong = { ...check().output, text: "é".repeat(32_768) };
    expect(await checks.create(check({ output: tooLong }))).toMatchObject({ kind: "too-long", limit: 65_535 });
    // Said before it is sent.
    expect(github.counts()[POST]).toBe(1);
  });

  it("is refused for a commit that the repository does not have", async () => {
    expect(await forgeOn(github).checks.create(check({ commit: "0".repeat(40) }))).toMatchObject({ kind: "refused" });
  });
});
