// The commits of the fake GitHub: a bare Git repository in a scratch folder, so that commits, merges, comparisons and
// clones are Git's own. Names and dates are given, so commits have the same ids in every run.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runSmall } from "./small-process.ts";

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

export interface GitTreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: "blob" | "tree" | "commit";
  readonly sha: string;
  /** Of a file. */
  readonly size: number | null;
}

export interface GitRepository {
  /** Of the bare repository: `git clone FOLDER`. */
  readonly folder: string;
  /** Null where there is no such ref or commit. */
  readonly resolve: (revision: string) => string | null;
  /**
   * On the tip of the ref, or on `from` where the ref is new; null: the first commit. A list makes a commit each.
   * `merged`: further parents.
   */
  readonly commit: (
    ref: string,
    from: string | null,
    files: FileChanges | readonly FileChanges[],
    words: CommitWords,
    merged?: readonly string[],
  ) => string;
  /** A commit with this tree of another one. */
  readonly commitTree: (treeOf: string, parents: readonly string[], words: CommitWords) => string;
  /** The tree of both merged; null where they conflict. Takes full hashes, as do the next ones. */
  readonly mergeTree: (a: string, b: string) => string | null;
  readonly setRef: (ref: string, sha: string | null) => void;
  /** Refs below the prefix, in order of name. */
  readonly refs: (prefix: string) => readonly { readonly ref: string; readonly sha: string }[];
  readonly mergeBase: (a: string, b: string) => string | null;
  /** Commits of `head` that `base` does not have, oldest first. */
  readonly between: (base: string, head: string) => readonly GitCommit[];
  readonly read: (sha: string) => GitCommit;
  readonly changes: (base: string, head: string) => readonly GitFileChange[];
  /** Of a commit or tree; null where there is none. `isDeep`: with all that is below its folders. */
  readonly tree: (
    revision: string,
    isDeep: boolean,
  ) => { readonly sha: string; readonly entries: readonly GitTreeEntry[] } | null;
  /** Null: nothing is there. A folder has no text. */
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
    runSmall("git", words, { env: { ...environment, ...more }, ...(input === undefined ? {} : { input }) });
  const line = (words: readonly string[], more?: Readonly<Record<string, string>>): string =>
    git(words, undefined, more).toString("utf8").trim();
  const tryLine = (words: readonly string[]): string | null => {
    try {
      return line(words);
    } catch {
      return null;
    }
  };
  // A pack for each commit: unpacking takes another process.
  makeFolder(folder, "refs/heads/main", "\tbare = true\n[fastimport]\n\tunpackLimit = 1\n");
  // Commits never change, and each page of a list asks again. What is not there may come.
  const known = new Map<string, unknown>();
  const once = <T>(words: readonly string[], read: () => T): T => {
    const key = words.join(" ");
    if (known.has(key)) return known.get(key) as T;
    const value = read();
    if (value !== null) known.set(key, value);
    return value;
  };
  const refFile = (ref: string): string => join(folder, ref);
  const setRef = (ref: string, sha: string | null): void => {
    if (sha === null) return rmSync(refFile(ref), { force: true });
    mkdirSync(dirname(refFile(ref)), { recursive: true });
    writeFileSync(refFile(ref), `${sha}\n`);
  };
  const log = (words: readonly string[]): readonly LoggedCommit[] =>
    readLog(line(["log", "--format=%H%x00%T%x00%P%x00%an%x00%ct%x00%B%x01", ...words]));
  /** Null: there is no such commit. */
  const logged = (sha: string): LoggedCommit | null =>
    once(["read", sha], () => {
      try {
        return log(["-1", sha])[0] ?? null;
      } catch {
        return null;
      }
    });
  const treeOf = (sha: string, isDeep: boolean): readonly GitTreeEntry[] =>
    once(["tree", sha, String(isDeep)], () =>
      readTree(git(["ls-tree", "-z", "-l", ...(isDeep ? ["-r", "-t"] : []), sha]).toString("utf8")),
    );
  return {
    folder,
    resolve: (revision) => {
      if (revision.startsWith("refs/") && named(revision)) return looseRef(folder, revision);
      if (!named(revision)) return null;
      if (isHash(revision)) return logged(revision)?.sha ?? null;
      return tryLine(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]);
    },
    commit: (ref, from, files, { message, author, time }, merged = []) => {
      const who = `${author} <${author.replace(/[^\w.-]/g, "")}@users.example> ${time} +0000`;
      const parts: Buffer[] = [];
      const write = (text: string): void => void parts.push(Buffer.from(text));
      const data = (text: string): void => write(`data ${Buffer.byteLength(text)}\n${text}\n`);
      const parent = looseRef(folder, ref) ?? from;
      for (const [at, changes] of (isList(files) ? files : [files]).entries()) {
        write(`commit ${ref}\nauthor ${who}\ncommitter ${who}\n`);
        data(message);
        if (at === 0 && parent !== null) write(`from ${parent}\n`);
        if (at === 0) for (const other of merged) write(`merge ${other}\n`);
        for (const [path, text] of Object.entries(changes)) {
          if (text === null) write(`D ${path}\n`);
          else {
            write(`M 100644 inline ${path}\n`);
            data(text);
          }
        }
        write("\n");
      }
      git(["fast-import", "--quiet", "--force"], Buffer.concat(parts));
      return looseRef(folder, ref) ?? line(["rev-parse", ref]);
    },
    commitTree: (treeOf, parents, { message, author, time }) => {
      const name = { GIT_AUTHOR_NAME: author, GIT_COMMITTER_NAME: author };
      const mail = `${author.replace(/[^\w.-]/g, "")}@users.example`;
      const when = { GIT_AUTHOR_DATE: `${time} +0000`, GIT_COMMITTER_DATE: `${time} +0000` };
      const words = ["commit-tree", `${treeOf}^{tree}`, ...parents.flatMap((one) => ["-p", one]), "-m", message];
      return line(words, { ...name, ...when, GIT_AUTHOR_EMAIL: mail, GIT_COMMITTER_EMAIL: mail });
    },
    mergeTree: (a, b) => once(["merge-tree", a, b], () => tryLine(["merge-tree", "--write-tree", a, b])),
    setRef,
    refs: (prefix) => looseRefs(folder, "refs").filter(({ ref }) => ref.startsWith(prefix)),
    mergeBase: (a, b) => once(["merge-base", a, b], () => tryLine(["merge-base", a, b])),
    between: (base, head) => once(["between", base, head], () => log(["--topo-order", "--reverse", `${base}..${head}`])),
    read: (sha) => {
      const found = logged(sha);
      if (found === null) throw new Error(`There is no commit ${sha}`);
      return found;
    },
    changes: (base, head) =>
      once(["changes", base, head], () => readChanges(git(["diff", "--name-status", "-z", "-M", base, head]).toString("utf8"))),
    tree: (revision, isDeep) => {
      if (!named(revision)) return null;
      const commit = isHash(revision) ? logged(revision) : null;
      const sha = commit?.tree ?? tryLine(["rev-parse", "--verify", "--quiet", `${revision}^{tree}`]);
      return sha === null ? null : { sha, entries: treeOf(sha, isDeep) };
    },
    entry: (commit, path) => {
      const sha = logged(commit)?.tree;
      const entry = sha === undefined ? undefined : treeOf(sha, true).find((one) => one.path === path);
      if (entry === undefined) return null;
      if (entry.type === "blob")
        return { kind: "file", text: once(["blob", entry.sha], () => git(["cat-file", "blob", entry.sha])) };
      return { kind: entry.type === "tree" ? "folder" : "module", text: Buffer.alloc(0) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Checks a commit out, as `actions/checkout` does: `depth` 1 knows nothing of the commit's parents; without: all. The folder
 * is made. Objects are borrowed, which takes no process.
 */
export function checkOut(from: string, folder: string, commit: string, depth?: 1): void {
  const own = join(folder, ".git");
  makeFolder(own, "refs/heads/work", `\tbare = false\n[remote "origin"]\n\turl = file://${from}\n`);
  mkdirSync(join(own, "objects/info"));
  writeFileSync(join(own, "objects/info/alternates"), `${join(from, "objects")}\n`);
  if (depth !== undefined) writeFileSync(join(own, "shallow"), `${commit}\n`);
  const env = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  runSmall("git", ["-C", folder, "-c", "advice.detachedHead=false", "checkout", "--quiet", "--detach", commit], { env });
}

/** What `git init` makes, and without a process. Nothing here outlives the test: the disk is not waited for. */
function makeFolder(folder: string, head: string, config: string): void {
  for (const name of ["objects", "refs"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "HEAD"), `ref: ${head}\n`);
  const quick = "\trepositoryformatversion = 0\n\tfsync = none\n";
  writeFileSync(join(folder, "config"), `[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[core]\n${quick}${config}`);
}

function isList(files: FileChanges | readonly FileChanges[]): files is readonly FileChanges[] {
  return Array.isArray(files);
}

function isHash(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision);
}

function named(revision: string): boolean {
  return /^[\w./@{}^~+-]+$/.test(revision) && !revision.startsWith("-");
}

/** Without a process: nothing packs the refs here, and the lists of pull requests read many. */
function looseRef(folder: string, ref: string): string | null {
  if (ref.includes("..")) return null;
  try {
    const text = readFileSync(join(folder, ref), "utf8").trim();
    return /^[0-9a-f]{40}$/.test(text) ? text : null;
  } catch {
    return null;
  }
}

/** In order of name, as Git lists them. */
function looseRefs(folder: string, below: string): { readonly ref: string; readonly sha: string }[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .flatMap((entry) => {
      const ref = `${below}/${entry.name}`;
      if (entry.isDirectory()) return looseRefs(folder, ref);
      const sha = looseRef(folder, ref);
      return sha === null ? [] : [{ ref, sha }];
    })
    .sort((a, b) => Buffer.compare(Buffer.from(a.ref), Buffer.from(b.ref)));
}

interface LoggedCommit extends GitCommit {
  readonly tree: string;
}

function readLog(text: string): readonly LoggedCommit[] {
  return text
    .split("\u0001")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      const [sha = "", tree = "", parents = "", author = "", time = "", message = ""] = one.split("\0");
      const names = parents === "" ? [] : parents.split(" ");
      return { sha, tree, author, message: message.trim(), time: Number(time), parents: names };
    });
}

function readTree(text: string): GitTreeEntry[] {
  return text
    .split("\0")
    .filter((one) => one !== "")
    .map((one) => {
      const [, mode = "", type = "", sha = "", size = "", path = ""] = /^(\d+) (\w+) (\w+) +(\S+)\t([^]*)$/.exec(one) ?? [];
      if (type !== "blob" && type !== "tree" && type !== "commit") throw new Error(`git ls-tree printed ${one}`);
      return { path, mode, type, sha, size: type === "blob" ? Number(size) : null };
    });
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
