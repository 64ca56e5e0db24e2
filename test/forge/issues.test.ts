// Issues that the product keeps on GitHub: found by author and marker, never doubled, opened again instead.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Issue } from "../../src/forge/forge-issue.ts";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import { failureOf, forgeOn, valueIn } from "./support.ts";

const MARK = { marker: "<!-- floeplan:drift v1 env=prod -->", label: "iceberg-drift" };
const BOT = "github-actions[bot]";
const body = `${MARK.marker}\n2 tables have drifted`;

let github: FakeGithub;

beforeEach(async () => {
  github = await startGitHub();
});
afterEach(async () => await github.stop());

const create = async (token = github.token): Promise<Issue> =>
  valueIn(await forgeOn(github, { token }).issues.create({ title: "Drift in prod", body, mark: MARK }));

describe("issues", () => {
  it("are made, found, changed, closed and opened again", async () => {
    const { issues } = forgeOn(github);
    expect(valueIn(await issues.find(MARK))).toBeNull();
    const made = await create();
    expect(valueIn(await issues.find(MARK))).toEqual(made);
    expect(github.issues()[0]).toMatchObject({ title: "Drift in prod", body, labels: ["iceberg-drift"] });
    valueIn(await issues.comment(made.number, "It is clean"));
    expect(valueIn(await issues.update(made.number, { isOpen: false })).isOpen).toBe(false);
    expect(github.issues()[0]).toMatchObject({ stateReason: "completed" });
    const again = valueIn(await issues.update(made.number, { title: "Drift again", body: `${body}!`, isOpen: true }));
    expect(again).toMatchObject({ number: made.number, title: "Drift again", body: `${body}!`, isOpen: true });
    expect(github.comments(made.number).map((one) => one.body)).toEqual(["It is clean"]);
  });

  it("are the oldest that is open, else the newest that is closed", async () => {
    const { issues } = forgeOn(github);
    const numbers = [1, 2, 3, 4].map(() => github.addIssue({ author: BOT, title: "Drift", body, labels: [MARK.label] }));
    const found = async (): Promise<number | undefined> => valueIn(await issues.find(MARK))?.number;
    github.patchIssue(numbers[0] ?? 0, { isOpen: false });
    expect(await found()).toBe(numbers[1]);
    for (const number of numbers) github.patchIssue(number, { isOpen: false });
    expect(await found()).toBe(numbers[3]);
  });

  it("are found without their label, and behind hundreds of others", async () => {
    const { issues } = forgeOn(github);
    const { number } = await create();
    github.patchIssue(number, { labels: ["data"] });
    for (let at = 0; at < 150; at++) github.addIssue({ author: BOT, title: `Of another workflow ${at}`, body: "text" });
    expect(valueIn(await issues.find(MARK))?.number).toBe(number);
  });

  it("are neither another author's nor a pull request's", async () => {
    github.addIssue({ author: "mallory", title: "Drift", body, labels: [MARK.label] });
    const { number } = github.openPullRequest({ files: { "a.yaml": "a" }, author: BOT, body });
    github.patchIssue(number, { labels: [MARK.label] });
    expect(valueIn(await forgeOn(github).issues.find(MARK))).toBeNull();
  });

  it.each(["before", "after"] as const)("are made once where the answer is lost %s it took effect", async (effect) => {
    github.fault({ on: "POST /issues", answer: "drop", effect });
    const made = await create();
    expect(github.issues().map(({ number }) => number)).toEqual([made.number]);
  });

  it("are refused where they are turned off", async () => {
    github.state.hasIssues = false;
    const { issues } = forgeOn(github);
    expect(await issues.create({ title: "Drift", body, mark: MARK })).toMatchObject({
      kind: "refused",
      why: expect.stringContaining("disabled"),
    });
  });

  it("are a denial that names the permission", async () => {
    const { issues } = forgeOn(github, { token: github.newToken({ permissions: { issues: "read" } }) });
    expect(await issues.create({ title: "Drift", body, mark: MARK })).toMatchObject({
      kind: "forbidden",
      permission: "issues: write",
    });
  });

  it("have GitHub's bound of length", async () => {
    const { issues } = forgeOn(github);
    const long = body.padEnd(65_537, "x");
    expect(await issues.create({ title: "Drift", body: long, mark: MARK })).toMatchObject({ kind: "too-long", limit: 65_536 });
    const { number } = await create();
    expect(await issues.update(number, { body: long })).toMatchObject({ kind: "too-long" });
    expect(await issues.update(999, { isOpen: false })).toMatchObject({ kind: "missing" });
  });

  it("begin with their marker, or are a mistake of ours", async () => {
    const { issues } = forgeOn(github);
    expect(await failureOf(issues.create({ title: "Drift", body: "x", mark: MARK }))).toMatchObject({ kind: "internal" });
  });
});
