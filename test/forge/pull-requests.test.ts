// Pull requests on GitHub: one of them, its files and reviews, and which of them a commit, a range or a group of the
// merge queue came from.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { approversOf, type Review } from "../../src/forge/forge-pull-request.ts";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import { json } from "../fakes/github-answers.ts";
import { forgeOn, valueIn } from "./support.ts";

let github: FakeGithub;

beforeEach(async () => {
  github = await startGitHub({
    files: { "README.md": "lake\n", "tables/a.yaml": "table: a\n".repeat(20), "tables/b.yaml": "b\n" },
  });
});
afterEach(async () => await github.stop());

const numbersOf = (pulls: readonly { readonly number: number }[]): readonly number[] => pulls.map(({ number }) => number);

describe("get", () => {
  it("tells the commits, branches, author and address", async () => {
    const base = github.tip();
    const { number, head } = github.openPullRequest({ files: { "tables/a.yaml": "x" }, author: "bob", branch: "bob/x" });
    expect(valueIn(await forgeOn(github).pullRequests.get(number))).toEqual({
      number,
      state: "open",
      author: { login: "bob", id: expect.any(Number), isBot: false },
      head: { commit: head, branch: "bob/x", repository: "acme/lake" },
      base: { commit: base, branch: "main" },
      isFork: false,
      isDraft: false,
      mergeCommit: null,
      mergedAt: null,
      url: `${github.url}/acme/lake/pull/${number}`,
    });
  });

  it("follows pushes, and tells the merge commit only when it is merged", async () => {
    const { pullRequests } = forgeOn(github);
    const { number } = github.openPullRequest({ files: { "tables/a.yaml": "x" } });
    const { after } = github.pushTo(number, { "tables/a.yaml": "y" });
    // GitHub has made its test merge, and tells it in the same member.
    expect(github.tip(`refs/pull/${number}/merge`)).toHaveLength(40);
    expect(valueIn(await pullRequests.get(number))).toMatchObject({ state: "open", mergeCommit: null, head: { commit: after } });
    const merged = github.merge(number);
    expect(valueIn(await pullRequests.get(number))).toMatchObject({ state: "merged", mergeCommit: merged.after });
  });

  it("knows a fork, and one that is gone", async () => {
    const { pullRequests } = forgeOn(github);
    const { number } = github.openPullRequest({ files: { "tables/a.yaml": "x" }, author: "mallory", fork: "mallory/lake" });
    expect(valueIn(await pullRequests.get(number))).toMatchObject({ isFork: true, head: { repository: "mallory/lake" } });
    const stored = github.state.issues.get(number)?.pull;
    if (stored === null || stored === undefined) throw new Error("It is not stored");
    stored.headRepository = null;
    expect(valueIn(await pullRequests.get(number))).toMatchObject({ isFork: true, head: { repository: null } });
  });

  it("is missing where there is none of that number", async () => {
    expect(await forgeOn(github).pullRequests.get(99)).toMatchObject({ kind: "missing", what: "Cannot read pull request 99" });
  });
});

describe("changedFiles", () => {
  it("are those since the branch left the base, with what they were called before", async () => {
    const { number } = github.openPullRequest({
      files: {
        "tables/a.yaml": null,
        "tables/renamed.yaml": "table: a\n".repeat(20),
        "tables/b.yaml": "changed\n",
        "tables/new.yaml": "n\n",
        "README.md": null,
      },
    });
    github.pushTo("main", { "tables/c.yaml": "of the base\n" });
    expect(valueIn(await forgeOn(github).pullRequests.changedFiles(number))).toEqual({
      isComplete: true,
      files: [
        { path: "README.md", before: null, change: "removed" },
        { path: "tables/b.yaml", before: null, change: "changed" },
        { path: "tables/new.yaml", before: null, change: "added" },
        { path: "tables/renamed.yaml", before: "tables/a.yaml", change: "changed" },
      ],
    });
  });

  it("are said to be incomplete at the number where GitHub stops", async () => {
    const files = Object.fromEntries(Array.from({ length: 3001 }, (_one, at) => [`tables/t${at}.yaml`, `${at}`]));
    const { number } = github.openPullRequest({ files });
    const found = valueIn(await forgeOn(github).pullRequests.changedFiles(number));
    expect([found.files.length, found.isComplete]).toEqual([3000, false]);
  });
});

describe("reviews", () => {
  it("are told oldest first with the commit that was looked at, and without those not yet submitted", async () => {
    const { number, head } = github.openPullRequest({ files: { "tables/a.yaml": "x" } });
    github.review(number, { by: "bob" });
    const { after } = github.pushTo(number, { "tables/a.yaml": "y" });
    github.review(number, { by: "carol", state: "PENDING" });
    github.review(number, { by: "carol", state: "CHANGES_REQUESTED" });
    const reviews = valueIn(await forgeOn(github).pullRequests.reviews(number));
    expect(reviews.map(({ author, verdict, commit }) => [author?.login, verdict, commit])).toEqual([
      ["bob", "approved", head],
      ["carol", "changes-requested", after],
    ]);
  });

  const person = (login: string): Review["author"] => ({ login, id: null, isBot: false });
  const review = (login: string, verdict: Review["verdict"], commit = "new"): Review => ({
    author: person(login),
    verdict,
    commit,
  });

  it.each<[string, readonly Review[], readonly string[]]>([
    ["an approval of the commit counts", [review("bob", "approved")], ["bob"]],
    ["one of an older commit does not", [review("bob", "approved", "old")], []],
    ["that of the author does not", [review("alice", "approved")], []],
    ["a comment takes nothing back", [review("bob", "approved"), review("bob", "commented")], ["bob"]],
    ["a later request for changes does", [review("bob", "approved"), review("bob", "changes-requested")], []],
    ["also one on another commit", [review("bob", "approved"), review("bob", "changes-requested", "old")], []],
    ["a dismissal does", [review("bob", "approved"), review("bob", "dismissed")], []],
    ["a later approval is given again", [review("bob", "changes-requested"), review("bob", "approved")], ["bob"]],
    ["one of a deleted account does not", [{ author: null, verdict: "approved", commit: "new" }], []],
    [
      "each person counts once",
      [review("bob", "approved"), review("bob", "approved"), review("carol", "approved")],
      ["bob", "carol"],
    ],
  ])("of approvers: %s", (_title, reviews, approvers) => {
    expect(approversOf(reviews, "new", person("alice"))).toEqual(approvers);
  });
});

describe("open", () => {
  it("are all into the branch, over many pages", async () => {
    const head = github.openPullRequest({ files: { "tables/a.yaml": "x" }, branch: "shared" }).number;
    const more = Array.from({ length: 104 }, () => github.openPullRequest({ branch: "shared" }).number);
    github.pushTo("release", { "r.yaml": "r" });
    github.openPullRequest({ files: { "tables/z.yaml": "z" }, base: "release" });
    github.close(head);
    const found = valueIn(await forgeOn(github).pullRequests.open("main"));
    expect([...numbersOf(found)].sort((a, b) => a - b)).toEqual(more);
  });
});

describe("mergedWith", () => {
  it.each(["merge", "squash", "rebase"] as const)("is the one that a commit came with by %s", async (method) => {
    const { number } = github.openPullRequest({ files: { "tables/a.yaml": "x" } });
    github.pushTo(number, { "tables/b.yaml": "y" });
    github.pushTo("main", { "other.yaml": "z" });
    const { after } = github.merge(number, { method });
    expect(numbersOf(valueIn(await forgeOn(github).pullRequests.mergedWith(after, "main")))).toEqual([number]);
  });

  it("is none for a direct push, and none that is only open", async () => {
    const { pullRequests } = forgeOn(github);
    const { after } = github.pushTo("main", { "tables/a.yaml": "x" });
    expect(valueIn(await pullRequests.mergedWith(after, "main"))).toEqual([]);
    const { head } = github.openPullRequest({ files: { "tables/b.yaml": "y" } });
    expect(valueIn(await pullRequests.mergedWith(head, "main"))).toEqual([]);
  });

  it("is none that was merged into another branch", async () => {
    github.pushTo("side", { "s.yaml": "s" });
    const { number } = github.openPullRequest({ files: { "tables/a.yaml": "x" }, base: "side" });
    const { after } = github.merge(number);
    github.forcePush("main", after);
    expect(valueIn(await forgeOn(github).pullRequests.mergedWith(after, "main"))).toEqual([]);
  });
});

describe("mergedBetween", () => {
  it.each(["merge", "squash", "rebase"] as const)("are those that the range brought by %s, and no others", async (method) => {
    const { pullRequests } = forgeOn(github);
    const earlier = github.openPullRequest({ files: { "tables/0.yaml": "0" } }).number;
    github.merge(earlier, { method });
    const after = github.tip();
    const first = github.openPullRequest({ files: { "tables/1.yaml": "1" } }).number;
    const second = github.openPullRequest({ files: { "tables/2.yaml": "2" } }).number;
    const third = github.openPullRequest({ files: { "tables/3.yaml": "3" } }).number;
    github.merge(second, { method });
    github.pushTo("main", { "direct.yaml": "d" });
    const upTo = github.merge(first, { method }).after;
    github.merge(third, { method });
    expect(numbersOf(valueIn(await pullRequests.mergedBetween({ after, upTo, branch: "main" })))).toEqual([first, second]);
    expect(valueIn(await pullRequests.mergedBetween({ after: upTo, upTo, branch: "main" }))).toEqual([]);
  });

  it("are found behind a page of others that were closed later, and no page is asked for in vain", async () => {
    const after = github.tip();
    const wanted = github.openPullRequest({ files: { "tables/1.yaml": "1" }, branch: "shared" }).number;
    const others = Array.from({ length: 120 }, () => github.openPullRequest({ branch: "shared" }).number);
    const upTo = github.merge(wanted).after;
    for (const number of others) github.close(number);
    expect(numbersOf(valueIn(await forgeOn(github).pullRequests.mergedBetween({ after, upTo, branch: "main" })))).toEqual([
      wanted,
    ]);
    expect(github.counts()["GET /pulls"]).toBe(2);
  });

  it("are a denial over more commits than are looked at, and not some of them", async () => {
    const [after, upTo] = [github.tip(), github.pushTo("main", { "a.yaml": "a" }).after];
    github.fault({ on: "GET /compare/{range}", answer: json(200, { status: "ahead", total_commits: 5001, commits: [] }) });
    const answer = await forgeOn(github).pullRequests.mergedBetween({ after, upTo, branch: "main" });
    expect(answer).toMatchObject({ kind: "refused", why: expect.stringContaining("5001 commits") });
  });

  it("are told over more commits than a page holds", async () => {
    const after = github.tip();
    const { number } = github.openPullRequest({ files: { "tables/1.yaml": "1" } });
    github.pushTo(
      number,
      Array.from({ length: 110 }, (_one, at) => ({ "tables/1.yaml": `${at}` })),
    );
    const upTo = github.merge(number, { method: "merge" }).after;
    expect(numbersOf(valueIn(await forgeOn(github).pullRequests.mergedBetween({ after, upTo, branch: "main" })))).toEqual([
      number,
    ]);
  });
});

describe("inGroup", () => {
  it("are those of the group and of the groups that it stands on", async () => {
    const { pullRequests } = forgeOn(github);
    const numbers = ["1", "2", "3"].map((name) => github.openPullRequest({ files: { [`tables/${name}.yaml`]: name } }).number);
    const [first, second, third] = github.queue(numbers);
    if (first === undefined || second === undefined || third === undefined) throw new Error("Three were queued");
    expect(numbersOf(valueIn(await pullRequests.inGroup(first)))).toEqual(numbers.slice(0, 1));
    expect(numbersOf(valueIn(await pullRequests.inGroup(third)))).toEqual(numbers);
    const pushed = github.mergeGroup(second);
    expect(numbersOf(valueIn(await pullRequests.inGroup(third)))).toEqual(numbers.slice(2));
    const range = { after: pushed.before ?? "", upTo: pushed.after, branch: "main" };
    expect(numbersOf(valueIn(await pullRequests.mergedBetween(range)))).toEqual(numbers.slice(0, 2));
  });

  it("are never taken from a branch that only looks like one of the queue", async () => {
    const { number } = github.openPullRequest({ files: { "tables/1.yaml": "1" } });
    const parent = github.tip();
    const commit = github.commit({ "tables/evil.yaml": "e" });
    const branch = `gh-readonly-queue/main/nested/pr-${number}-${parent}`;
    expect(valueIn(await forgeOn(github).pullRequests.inGroup({ commit, parent, queueBranch: branch, branch: "main" }))).toEqual(
      [],
    );
  });
});
