// The sticky comment on GitHub: one, the token's own, whatever others write and whenever answers are lost.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeSticky } from "../../src/forge/forge-sticky.ts";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import { githubError } from "../fakes/github-answers.ts";
import { failureOf, forgeOn, valueIn } from "./support.ts";

const MARKER = "<!-- floeplan:plan v1 env=prod ";
const POST = "POST /issues/{number}/comments";
const PATCH = "PATCH /issues/comments/{id}";
const LIST = "GET /issues/{number}/comments";
const bodyOf = (text: string): string => `${MARKER}head=1 -->\n${text}`;

let github: FakeGithub;
let number = 0;

beforeEach(async () => {
  github = await startGitHub();
  ({ number } = github.openPullRequest({ files: { "a.yaml": "a" } }));
});
afterEach(async () => await github.stop());

const bodies = (): readonly string[] => github.comments(number).map(({ body }) => body);

describe("writeSticky", () => {
  it("creates one comment, changes it, and leaves an equal one alone", async () => {
    const { comments } = forgeOn(github);
    const made = valueIn(await writeSticky(comments, number, { marker: MARKER, body: bodyOf("one") }));
    expect(made.outcome).toBe("created");
    expect(made.comment?.url).toBe(`${github.url}/acme/lake/pull/${number}#issuecomment-${made.comment?.id}`);
    // The end of a text is cut by some servers.
    expect(valueIn(await writeSticky(comments, number, { marker: MARKER, body: `${bodyOf("one")}\n` })).outcome).toBe(
      "unchanged",
    );
    expect(github.counts()[PATCH]).toBeUndefined();
    const changed = valueIn(await writeSticky(comments, number, { marker: MARKER, body: bodyOf("two") }));
    expect([changed.outcome, changed.comment?.id]).toEqual(["updated", made.comment?.id]);
    expect(bodies()).toEqual([bodyOf("two")]);
  });

  it("keeps one comment for each marker", async () => {
    const { comments } = forgeOn(github);
    await writeSticky(comments, number, { marker: MARKER, body: bodyOf("prod") });
    const other = "<!-- floeplan:plan v1 env=prod2 ";
    await writeSticky(comments, number, { marker: other, body: `${other}-->` });
    await writeSticky(comments, number, { marker: MARKER, body: bodyOf("prod again") });
    expect(bodies()).toEqual([bodyOf("prod again"), `${other}-->`]);
  });

  it("finds its comment behind hundreds of others, and asks for as few pages as there are", async () => {
    const { comments } = forgeOn(github);
    for (let at = 0; at < 230; at++) github.addComment(number, { by: "bob", body: `talk ${at}` });
    await writeSticky(comments, number, { marker: MARKER, body: bodyOf("one") });
    for (let at = 0; at < 120; at++) github.addComment(number, { by: "bob", body: `more ${at}` });
    github.clearCalls();
    expect(valueIn(await writeSticky(comments, number, { marker: MARKER, body: bodyOf("two") })).outcome).toBe("updated");
    expect(github.counts()).toEqual({ [LIST]: 4, [PATCH]: 1 });
  });

  it("takes no comment of another author for its own, whatever its marker", async () => {
    const { comments } = forgeOn(github);
    github.addComment(number, { by: "mallory", body: bodyOf("forged") });
    github.addComment(number, { by: "other-app[bot]", body: bodyOf("forged by an app") });
    await writeSticky(comments, number, { marker: MARKER, body: bodyOf("true") });
    await writeSticky(comments, number, { marker: MARKER, body: bodyOf("true again") });
    expect(bodies()).toEqual([bodyOf("forged"), bodyOf("forged by an app"), bodyOf("true again")]);
  });

  it("takes its own comment only where the text begins with the marker", async () => {
    const { comments } = forgeOn(github);
    github.addComment(number, { by: "github-actions[bot]", body: `> ${bodyOf("quoted by another workflow")}` });
    await writeSticky(comments, number, { marker: MARKER, body: bodyOf("true") });
    expect(bodies()).toHaveLength(2);
  });

  it("writes over what a person edited in its comment", async () => {
    const { comments } = forgeOn(github);
    const made = valueIn(await writeSticky(comments, number, { marker: MARKER, body: bodyOf("one") }));
    github.editComment(made.comment?.id ?? 0, bodyOf("approved, trust me"));
    expect(valueIn(await writeSticky(comments, number, { marker: MARKER, body: bodyOf("one") })).outcome).toBe("updated");
    expect(bodies()).toEqual([bodyOf("one")]);
  });

  it("ends with the older comment where two runs create it at once", async () => {
    const [first, second] = [forgeOn(github).comments, forgeOn(github).comments];
    github.fault({ on: POST, answer: { delayMs: 150 }, effect: "after", times: 2 });
    const outcomes = await Promise.all([
      writeSticky(first, number, { marker: MARKER, body: bodyOf("first") }),
      writeSticky(second, number, { marker: MARKER, body: bodyOf("second") }),
    ]);
    expect(github.counts()[POST]).toBe(2);
    const [kept, ...others] = github.comments(number);
    expect(others).toEqual([]);
    expect(outcomes.map((one) => valueIn(one).comment?.id)).toEqual([kept?.id, kept?.id]);
  });

  it("cleans up the second of two, whoever left it", async () => {
    github.addComment(number, { by: "github-actions[bot]", body: bodyOf("one") });
    github.addComment(number, { by: "github-actions[bot]", body: bodyOf("two") });
    expect(valueIn(await writeSticky(forgeOn(github).comments, number, { marker: MARKER, body: bodyOf("three") })).outcome).toBe(
      "updated",
    );
    expect(bodies()).toEqual([bodyOf("three")]);
  });

  it("leaves comments that are history as they are", async () => {
    const isClosed = (body: string): boolean => body.includes("applied");
    github.addComment(number, { by: "github-actions[bot]", body: bodyOf("applied") });
    const made = valueIn(await writeSticky(forgeOn(github).comments, number, { marker: MARKER, body: bodyOf("next"), isClosed }));
    expect(made.outcome).toBe("created");
    expect(bodies()).toEqual([bodyOf("applied"), bodyOf("next")]);
  });

  it("makes a new one at the end and takes the old one away, if so asked", async () => {
    const { comments } = forgeOn(github);
    await writeSticky(comments, number, { marker: MARKER, body: bodyOf("one") });
    github.addComment(number, { by: "bob", body: "talk" });
    const made = valueIn(await writeSticky(comments, number, { marker: MARKER, body: bodyOf("two"), mode: "recreate" }));
    expect(made.outcome).toBe("created");
    expect(bodies()).toEqual(["talk", bodyOf("two")]);
  });

  it("creates none where it may not", async () => {
    const sticky = { marker: MARKER, body: bodyOf("nothing changes"), mayCreate: false };
    expect(valueIn(await writeSticky(forgeOn(github).comments, number, sticky))).toEqual({ outcome: "absent", comment: null });
    expect(github.counts()[POST]).toBeUndefined();
  });

  it("makes a new one where its comment is deleted while it writes", async () => {
    const { comments } = forgeOn(github);
    await writeSticky(comments, number, { marker: MARKER, body: bodyOf("one") });
    github.fault({ on: PATCH, answer: githubError(404, "Not Found") });
    expect(valueIn(await writeSticky(comments, number, { marker: MARKER, body: bodyOf("two") })).outcome).not.toBe("unchanged");
    expect(bodies()).toContain(bodyOf("two"));
  });
});

describe("writeSticky, when answers are lost", () => {
  it("does not make a second comment when the answer to the first was lost", async () => {
    github.fault({ on: POST, answer: "drop", effect: "after" });
    const made = valueIn(await writeSticky(forgeOn(github).comments, number, { marker: MARKER, body: bodyOf("one") }));
    expect(made.outcome).toBe("created");
    expect(bodies()).toEqual([bodyOf("one")]);
    expect(github.counts()[POST]).toBe(1);
  });

  it("makes it once more when the first never arrived", async () => {
    github.fault({ on: POST, answer: "drop", effect: "before" });
    await writeSticky(forgeOn(github).comments, number, { marker: MARKER, body: bodyOf("one") });
    expect(bodies()).toEqual([bodyOf("one")]);
  });

  it("sends a change again, since it may be sent twice", async () => {
    const { comments } = forgeOn(github);
    await writeSticky(comments, number, { marker: MARKER, body: bodyOf("one") });
    github.fault({ on: PATCH, answer: "cut" });
    expect(valueIn(await writeSticky(comments, number, { marker: MARKER, body: bodyOf("two") })).outcome).toBe("updated");
    expect(github.counts()[PATCH]).toBe(2);
  });

  it("does not take a list that breaks off for a short one", async () => {
    github.addComment(number, { by: "github-actions[bot]", body: bodyOf("one") });
    github.fault({ on: LIST, answer: "cut" });
    expect(valueIn(await writeSticky(forgeOn(github).comments, number, { marker: MARKER, body: bodyOf("two") })).outcome).toBe(
      "updated",
    );
  });

  it("gives up on a silent server, and says so", async () => {
    github.fault({ on: LIST, answer: "hang", times: 9 });
    const forge = forgeOn(github, { timeoutMs: 40 });
    expect(await failureOf(writeSticky(forge.comments, number, { marker: MARKER, body: bodyOf("one") }))).toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining(`Cannot read the comments of pull request ${number}`),
    });
  });
});

describe("a comment that may not be written", () => {
  const write = async (token: string, body = bodyOf("one")): Promise<unknown> =>
    await writeSticky(forgeOn(github, { token }).comments, number, { marker: MARKER, body });

  it("is a denial that names the permission", async () => {
    const token = github.newToken({ permissions: { contents: "read", pull_requests: "read" } });
    expect(await write(token)).toMatchObject({
      kind: "forbidden",
      permission: "pull-requests: write",
      what: `Cannot comment on pull request ${number}`,
    });
    const blind = github.newToken({ permissions: { contents: "read" } });
    expect(await write(blind)).toMatchObject({ kind: "forbidden", permission: "pull-requests: read" });
  });

  it("is a denial too where the token sees no repository", async () => {
    expect(await write(github.newToken({ seesRepository: false }))).toMatchObject({ kind: "forbidden" });
  });

  it("is refused in a locked conversation, which no permission mends", async () => {
    github.lock(number);
    expect(await write(github.token)).toMatchObject({ kind: "refused", why: expect.stringContaining("locked") });
  });

  it("is refused in an archived repository", async () => {
    github.state.isArchived = true;
    expect(await write(github.token)).toMatchObject({ kind: "refused", why: expect.stringContaining("read-only") });
  });

  it("is said to be too long before it is sent", async () => {
    const longest = bodyOf("").padEnd(65_536, "x");
    expect(await write(github.token, `${longest}x`)).toMatchObject({ kind: "too-long", limit: 65_536 });
    expect(github.counts()[POST]).toBeUndefined();
    expect(await write(github.token, longest)).toMatchObject({ kind: "done" });
  });

  it("is too long too where the server takes less", async () => {
    const errors = [
      {
        resource: "IssueComment",
        code: "unprocessable",
        field: "data",
        message: "Body is too long (maximum is 65536 characters)",
      },
    ];
    github.fault({ on: POST, answer: githubError(422, "Validation Failed", {}, { errors }) });
    expect(await write(github.token)).toMatchObject({ kind: "too-long", limit: 65_536 });
  });

  it("fails where the token is wrong", async () => {
    expect(await failureOf(write("ghs_old"))).toMatchObject({ kind: "auth" });
  });
});

describe("a token that GitHub does not tell the owner of", () => {
  it("creates a comment, and knows it from then on", async () => {
    github.state.hasGraphql = false;
    const { comments, people } = forgeOn(github);
    github.addComment(number, { by: "github-actions[bot]", body: bodyOf("of an earlier run") });
    expect(valueIn(await comments.own(number, MARKER))).toBeNull();
    const made = valueIn(await writeSticky(comments, number, { marker: MARKER, body: bodyOf("one") }));
    expect(await people.self()).toMatchObject({ login: "github-actions[bot]", isBot: true });
    expect(made.outcome).not.toBe("absent");
    expect(bodies()).toEqual([bodyOf("one")]);
  });
});
