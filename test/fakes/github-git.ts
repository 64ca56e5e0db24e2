// The commits of the fake GitHub: a bare Git repository in a scratch folder, so that commits, merges, comparisons and
// clones are Git's own. Names and dates are given, so commits have the same ids in every run.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Null takes a file away. */
export type FileChanges = Readonly<Record<string, string | null>>;

export interface CommitWords {
  readonly message: string;
  readonly author: string;
  /** Seconds since 1970. */
  readonly time: number;
}

export interface GitCommit {
  readonly sha: string;
  readonly message: string;
  readonly author: string;
  readonly time: number;
  readonly parents: readonly string[];
}

export interface GitFileChange {
  readonly path: string;
  readonly before: string | null;
  readonly status: "added" | "removed" | "modified" | "renamed";
}

export interface GitRepository {
  /** Of the bare repository: `git clone FOLDER`. */
  readonly folder: string;
  /** Null where there is no such ref or commit. */
  readonly resolve: (revision: string) => string | null;
  /** On the tip of the ref, or on `from` where the ref is new; null: the first commit. */
  readonly commit: (ref: string, from: string | null, files: FileChanges, words: CommitWords) => string;
  /** A commit with this tree of another one. */
  readonly commitTree: (treeOf: string, parents: readonly string[], words: CommitWords) => string;
  /** The tree of both merged, as a commit-ish; null where they conflict. */
  readonly mergeTree: (a: string, b: string) => string | null;
  readonly setRef: (ref: string, sha: string | null) => void;
  /** Refs below the prefix, in order of name. */
  readonly refs: (prefix: string) => readonly { readonly ref: string; readonly sha: string }[];
  readonly mergeBase: (a: string, b: string) => string | null;
  /** Commits of `head` that `base` does not have, oldest first. */
  readonly between: (base: string, head: string) => readonly GitCommit[];
  readonly read: (sha: string) => GitCommit;
  readonly changes: (base: string, head: string) => readonly GitFileChange[];
  /** Null: nothing is there. `folder` and `link` have no text. */
  readonly entry: (commit: string, path: string) => { readonly kind: "file" | "folder" | "module"; readonly text: Buffer } | null;
  readonly remove: () => void;
}

export function makeGitRepository(): GitRepository {
  const folder = mkdtempSync(join(tmpdir(), "floeplan-fake-github-"));
  const environment = {
    PATH: process.env["PATH"],
    GIT_DIR: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    LC_ALL: "C",
  };
  const git = (words: readonly string[], input?: Buffer, more: Readonly<Record<string, string>> = {}): Buffer =>
    execFileSync("git", words, {
      env: { ...environment, ...more },
      input: input ?? Buffer.alloc(0),
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["pipe", "pipe", "pipe"],
    });
  const line = (words: readonly string[], more?: Readonly<Record<string, string>>): string =>
    git(words, undefined, more).toString("utf8").trim();
  const tryLine = (words: readonly string[]): string | null => {
    try {
      return line(words);
    } catch {
      return null;
    }
  };
  git(["init", "--bare", "--quiet", "--initial-branch=main", folder]);
  const log = (words: readonly string[]): GitCommit[] =>
    line(["log", "--format=%H%x00%P%x00%an%x00%ct%x00%B%x01", ...words])
      .split("\u0001")
      .map((one) => one.trim())
      .filter((one) => one !== "")
      .map((one) => {
        const [sha = "", parents = "", author = "", time = "", message = ""] = one.split("\0");
        return { sha, author, message: message.trim(), time: Number(time), parents: parents === "" ? [] : parents.split(" ") };
      });
  return {
    folder,
    resolve: (revision) => (/^[\w./@{}^~+-]+$/.test(revision) ? tryLine(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]) : null),
    commit: (ref, from, files, { message, author, time }) => {
      const who = `${author} <${author.replace(/[^\w.-]/g, "")}@users.example> ${time} +0000`;
      const parts: Buffer[] = [];
      const write = (text: string): void => void parts.push(Buffer.from(text));
      const data = (text: string): void => write(`data ${Buffer.byteLength(text)}\n${text}\n`);
      write(`commit ${ref}\nauthor ${who}\ncommitter ${who}\n`);
      data(message);
      const parent = tryLine(["rev-parse", "--verify", "--quiet", ref]) ?? from;
      if (parent !== null) write(`from ${parent}\n`);
      for (const [path, text] of Object.entries(files)) {
        if (text === null) write(`D ${path}\n`);
        else {
          write(`M 100644 inline ${path}\n`);
          data(text);
        }
      }
      write("\n");
      git(["fast-import", "--quiet", "--force"], Buffer.concat(parts));
      return line(["rev-parse", ref]);
    },
    commitTree: (treeOf, parents, { message, author, time }) => {
      const name = { GIT_AUTHOR_NAME: author, GIT_COMMITTER_NAME: author };
      const mail = `${author.replace(/[^\w.-]/g, "")}@users.example`;
      const when = { GIT_AUTHOR_DATE: `${time} +0000`, GIT_COMMITTER_DATE: `${time} +0000` };
      const words = ["commit-tree", `${treeOf}^{tree}`, ...parents.flatMap((one) => ["-p", one]), "-m", message];
      return line(words, { ...name, ...when, GIT_AUTHOR_EMAIL: mail, GIT_COMMITTER_EMAIL: mail });
    },
    mergeTree: (a, b) => tryLine(["merge-tree", "--write-tree", a, b]),
    setRef: (ref, sha) => void git(sha === null ? ["update-ref", "-d", ref] : ["update-ref", ref, sha]),
    refs: (prefix) =>
      line(["for-each-ref", "--format=%(refname) %(objectname)"])
        .split("\n")
        .filter((one) => one.startsWith(prefix))
        .map((one) => ({ ref: one.split(" ")[0] ?? "", sha: one.split(" ")[1] ?? "" })),
    mergeBase: (a, b) => tryLine(["merge-base", a, b]),
    between: (base, head) => log(["--topo-order", "--reverse", `${base}..${head}`]),
    read: (sha) => {
      const [found] = log(["-1", sha]);
      if (found === undefined) throw new Error(`There is no commit ${sha}`);
      return found;
    },
    changes: (base, head) => readChanges(git(["diff", "--name-status", "-z", "-M", base, head]).toString("utf8")),
    entry: (commit, path) => {
      const [kind = "", sha = ""] = /^\d+ (\w+) (\w+)\t/.exec(line(["ls-tree", commit, "--", path]))?.slice(1) ?? [];
      if (kind === "") return null;
      if (kind === "blob") return { kind: "file", text: git(["cat-file", "blob", sha]) };
      return { kind: kind === "tree" ? "folder" : "module", text: Buffer.alloc(0) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function readChanges(text: string): GitFileChange[] {
  const words = text.split("\0");
  const found: GitFileChange[] = [];
  for (let at = 0; at + 1 < words.length; ) {
    const code = words[at++] ?? "";
    const first = words[at++] ?? "";
    if (code.startsWith("R")) found.push({ path: words[at++] ?? "", before: first, status: "renamed" });
    else found.push({ path: first, before: null, status: code === "A" ? "added" : code === "D" ? "removed" : "modified" });
  }
  return found;
}
