// The files of a commit on GitHub, by the hash of their text. GitHub cuts the list of a large repository off; the
// folders are then asked for one by one.
import { type Answer, done, isDone, mapAnswer } from "./forge-answer.ts";
import type { GithubClient } from "./github-client.ts";
import { flagOf, listOf, textOf } from "./github-read.ts";

/** Modes of a file that may or may not be run; links and modules have others. */
const FILE_MODES = new Set(["100644", "100755"]);
/** A repository whose lists are cut off in more folders would use up the hour's calls. */
const MOST_CALLS = 200;

interface Tree {
  readonly isCut: boolean;
  readonly files: readonly TreeEntry[];
  readonly folders: readonly TreeEntry[];
}

interface TreeEntry {
  /** From the tree that was asked for. */
  readonly path: string;
  readonly hash: string;
}

export async function filesOf(client: GithubClient, commit: string): Promise<Answer<ReadonlyMap<string, string>>> {
  const what = `Cannot list the files of commit ${commit.slice(0, 8)}`;
  const files = new Map<string, string>();
  const open: TreeEntry[] = [{ path: "", hash: commit }];
  for (let calls = 0; ; calls++) {
    const next = open.pop();
    if (next === undefined) return done(files);
    if (calls >= MOST_CALLS) return { kind: "refused", what, why: `It has more files than ${MOST_CALLS} calls list` };
    const tree = await treeBelow(client, next.hash, what);
    if (!isDone(tree)) return tree;
    for (const { path, hash } of tree.value.files) files.set(next.path + path, hash);
    for (const { path, hash } of tree.value.folders) open.push({ path: `${next.path}${path}/`, hash });
  }
}

/** All files below it; or those in it, and its folders, where there are too many for one answer. */
async function treeBelow(client: GithubClient, hash: string, what: string): Promise<Answer<Tree>> {
  const whole = await readTree(client, hash, what, true);
  if (!isDone(whole)) return whole;
  if (!whole.value.isCut) return done({ ...whole.value, folders: [] });
  const own = await readTree(client, hash, what, false);
  if (!isDone(own) || !own.value.isCut) return own;
  return { kind: "refused", what, why: "GitHub does not list all files of one of its folders" };
}

async function readTree(client: GithubClient, hash: string, what: string, isDeep: boolean): Promise<Answer<Tree>> {
  const answer = await client.call({
    route: "GET /repos/{owner}/{repo}/git/trees/{hash}",
    // Any value at all means yes.
    values: { hash, ...(isDeep ? { recursive: "1" } : {}) },
    what,
    permission: "contents: read",
    missing: "missing",
  });
  return mapAnswer(answer, (value) => {
    const entries = listOf(value, "tree");
    const fitting = (fits: (mode: string) => boolean): readonly TreeEntry[] =>
      entries.filter((one) => fits(textOf(one, "mode"))).map((one) => ({ path: textOf(one, "path"), hash: textOf(one, "sha") }));
    return {
      isCut: flagOf(value, "truncated"),
      files: fitting((mode) => FILE_MODES.has(mode)),
      folders: fitting((mode) => mode === "040000"),
    };
  });
}
