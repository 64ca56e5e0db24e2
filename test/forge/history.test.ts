// Commits as GitHub tells them: how two stand, the tip of a branch, a file's text, all files. Held against Git itself.
import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeGithub, type GithubOptions, startGitHub } from "../fakes/github.ts";
import { forgeOn, valueIn } from "./support.ts";

let github: FakeGithub;

async function start(options: GithubOptions = {}): Promise<FakeGithub> {
  github = await startGitHub(options);
  return github;
}
afterEach(async () => await github.stop());

describe("relation", () => {
  it("tells where one commit stands seen from another", async () => {
    const { history } = forgeOn(await start());
    const base = github.tip();
    const one = github.commit({ "a.yaml": "1" });
    const two = github.commit({ "b.yaml": "2" }, [one]);
    const other = github.commit({ "c.yaml": "3" });
    expect(valueIn(await history.relation(base, base))).toBe("same");
    expect(valueIn(await history.relation(base, two))).toBe("ahead");
    expect(valueIn(await history.relation(two, base))).toBe("behind");
    expect(valueIn(await history.relation(two, other))).toBe("diverged");
  });

  it("is missing for a commit that the repository does not have", async () => {
    const { history } = forgeOn(await start());
    expect(await history.relation("0".repeat(40), github.tip())).toMatchObject({ kind: "missing" });
  });
});

describe("parents", () => {
  it("are told the first one first, of a merge all", async () => {
    const { history } = forgeOn(await start());
    const base = github.tip();
    const other = github.commit({ "b.yaml": "b" });
    const merge = github.commit({ "c.yaml": "c" }, [other, base]);
    expect(valueIn(await history.parents(merge))).toEqual([other, base]);
    expect(valueIn(await history.parents(base))).toEqual([]);
    expect(await history.parents("0".repeat(40))).toMatchObject({ kind: "missing" });
  });
});

describe("tip", () => {
  it("is the newest commit of a branch, also of one with slashes and odd letters", async () => {
    const { history } = forgeOn(await start());
    const { after } = github.pushTo("release/1.x+hotfix", { "a.yaml": "1" });
    expect(valueIn(await history.tip("release/1.x+hotfix"))).toBe(after);
    expect(valueIn(await history.tip("main"))).toBe(github.tip());
  });

  it("is missing where there is no such branch, also where others begin with its name", async () => {
    const { history } = forgeOn(await start());
    github.pushTo("release/1.x", { "a.yaml": "1" });
    expect(await history.tip("release")).toMatchObject({ kind: "missing" });
  });
});

describe("fileText", () => {
  it("is null under a name that is half a surrogate pair", async () => {
    const { history } = forgeOn(await start());
    expect(valueIn(await history.fileText(github.tip(), "tables/\ud800.yaml"))).toBeNull();
  });

  it("is the text at that commit", async () => {
    const { history } = forgeOn(await start({ files: { "tables/a b#1.yaml": "table: é\n" } }));
    const before = github.tip();
    github.pushTo("main", { "tables/a b#1.yaml": "changed\n" });
    expect(valueIn(await history.fileText(before, "tables/a b#1.yaml"))).toBe("table: é\n");
    expect(valueIn(await history.fileText(github.tip(), "tables/a b#1.yaml"))).toBe("changed\n");
  });

  it("is empty of an empty file, and null where there is no file", async () => {
    const { history } = forgeOn(await start({ files: { "tables/empty.yaml": "" } }));
    expect(valueIn(await history.fileText(github.tip(), "tables/empty.yaml"))).toBe("");
    expect(valueIn(await history.fileText(github.tip(), "tables"))).toBeNull();
    expect(valueIn(await history.fileText(github.tip(), "tables/none.yaml"))).toBeNull();
  });

  it("is a denial without the right to read", async () => {
    await start();
    const token = github.newToken({ permissions: { issues: "write" } });
    expect(await forgeOn(github, { token }).history.fileText(github.tip(), "README.md")).toMatchObject({
      kind: "forbidden",
      permission: "contents: read",
    });
  });
});

describe("files", () => {
  const tree = (): Map<string, string> =>
    new Map(
      execFileSync("git", ["--git-dir", github.folder, "ls-tree", "-r", "-z", github.tip()], { encoding: "utf8" })
        .split("\0")
        .filter((one) => one !== "")
        .map((one) => [one.split("\t")[1] ?? "", one.split("\t")[0]?.split(" ")[2] ?? ""]),
    );
  const files = {
    "README.md": "lake\n",
    "floeplan.yaml": "floeplan: 1\n",
    "tables/sales/orders.yaml": "a",
    "tables/sales/refunds.yaml": "b",
    "tables/web/clicks.yaml": "a",
    "tables/web/deep/er/é.yaml": "c",
  };

  it("are all of a commit, by Git's own hashes, in one call", async () => {
    const { history } = forgeOn(await start({ files }));
    const found = valueIn(await history.files(github.tip()));
    expect(new Map(found)).toEqual(tree());
    expect([...found.keys()].sort()).toEqual(Object.keys(files).sort());
    expect(github.counts()).toEqual({ "GET /git/trees/{revision}": 1 });
  });

  // The root has six entries when all are listed and three of its own.
  it.each([3, 4, 7])("are all of it where an answer holds only %i", async (treeLimit) => {
    const { history } = forgeOn(await start({ files, treeLimit }));
    expect(new Map(valueIn(await history.files(github.tip())))).toEqual(tree());
    expect(github.counts()["GET /git/trees/{revision}"]).toBeGreaterThan(1);
  });

  it("are a denial, and not some of them, where not even a folder fits", async () => {
    const { history } = forgeOn(await start({ files, treeLimit: 2 }));
    expect(await history.files(github.tip())).toMatchObject({ kind: "refused" });
  });

  it("are missing of a commit that the repository does not have", async () => {
    const { history } = forgeOn(await start());
    expect(await history.files("0".repeat(40))).toMatchObject({ kind: "missing" });
  });

  it("hold no links", async () => {
    const { history } = forgeOn(await start({ files }));
    const git = ["--git-dir", github.folder];
    const blob = execFileSync("git", [...git, "hash-object", "-w", "--stdin"], { input: "/etc/passwd", encoding: "utf8" }).trim();
    const root = execFileSync("git", [...git, "mktree"], {
      input: `120000 blob ${blob}\tlink.yaml\n100755 blob ${blob}\trun.sh\n`,
      encoding: "utf8",
    });
    const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a" };
    const commit = execFileSync("git", [...git, "commit-tree", "-m", "link", root.trim()], {
      encoding: "utf8",
      env: { ...process.env, ...who },
    });
    expect([...valueIn(await history.files(commit.trim())).keys()]).toEqual(["run.sh"]);
  });
});
