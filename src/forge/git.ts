// The only caller of git: which commit is checked out, whether the tree is clean, which files differ from a
// revision. Knows nothing of tables. Git's answers are text from outside: paths are returned as they are.
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";

/** Long enough for a cold repository of 50,000 files. */
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

async function git(folder: string, words: readonly string[]): Promise<string | null> {
  const environment = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
  return await new Promise((settle) => {
    execFile(
      "git",
      ["-C", folder, ...words],
      { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, env: environment, encoding: "utf8" },
      (error, stdout) => {
        settle(error === null ? stdout : null);
      },
    );
  });
}

/** The commit that the folder's files are of; null outside Git, or when something below the folder is not committed. */
export async function cleanCommit(folder: string): Promise<string | null> {
  const commit = await git(folder, ["rev-parse", "--verify", "HEAD"]);
  if (commit === null) return null;
  const status = await git(folder, ["status", "--porcelain", "--untracked-files=normal", "--", "."]);
  return status === "" ? commit.trim() : null;
}

/** The commit that is checked out, and the folder's path in its repository as below; null outside Git, or without a commit. */
export async function checkedOut(folder: string): Promise<{ readonly commit: string; readonly prefix: string } | null> {
  const said = await git(folder, ["rev-parse", "--show-prefix", "HEAD"]);
  const [, prefix = "", commit = ""] = /^([^]*)\n([0-9a-f]+)\n$/.exec(said ?? "") ?? [];
  return commit === "" ? null : { commit, prefix };
}

/** The folder's path in its repository, empty or ending with a slash; null outside Git. */
export async function pathInRepository(folder: string): Promise<string | null> {
  return (await git(folder, ["rev-parse", "--show-prefix"]))?.replace(/\n$/, "") ?? null;
}

/** Absolute paths below the folder that differ from the revision, in the commit, the index or the tree. */
export async function changedFiles(folder: string, revision: string | true): Promise<ReadonlySet<string>> {
  const base = revision === true ? await mergeBase(folder) : await verified(folder, revision);
  const differing = await git(folder, ["diff", "--name-only", "--no-renames", "--relative", "-z", base, "--", "."]);
  const untracked = await git(folder, ["ls-files", "--others", "--exclude-standard", "-z", "--", "."]);
  if (differing === null || untracked === null) throw notToBeHad(base, "git could not compare the files with it");
  return new Set(
    [...differing.split("\0"), ...untracked.split("\0")].filter((path) => path !== "").map((path) => resolve(folder, path)),
  );
}

async function verified(folder: string, revision: string): Promise<string> {
  if (revision.startsWith("-")) throw notToBeHad(revision, "a revision does not begin with a dash");
  const commit = await git(folder, ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]);
  if (commit === null) throw notToBeHad(revision, "git does not know it here (a shallow clone knows only its own commit)");
  return commit.trim();
}

/** Where the checked-out commit left the default branch. */
async function mergeBase(folder: string): Promise<string> {
  for (const branch of ["origin/HEAD", "origin/main", "origin/master", "main", "master"]) {
    const base = await git(folder, ["merge-base", "HEAD", branch]);
    if (base !== null) return base.trim();
  }
  throw notToBeHad("the default branch", "neither origin/HEAD, main nor master is here");
}

function notToBeHad(revision: string, why: string): ToolError {
  return new ToolError("usage", `Cannot compare with "${revision}"`, {
    why,
    mend: "Name a revision that is here: --changed=REF (git fetch it first)",
  });
}
