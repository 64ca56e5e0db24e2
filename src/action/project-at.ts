// The project as a commit has it: files that are the same here are taken from here, only the others are fetched. It is
// laid out in a temporary folder, read as any project, and taken away. Its catalogs are never opened.
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runMany } from "../catalog/evidence-jobs.ts";
import { matchesPath, parsePathGlob } from "../desired/glob.ts";
import { loadProject, type Project } from "../desired/load-project.ts";
import { valueOf } from "../forge/forge-answer.ts";
import type { ContextWithForge } from "./context.ts";

export interface ProjectHere {
  /** Folder of the project file, absolute. */
  readonly root: string;
  /** The project file, relative to the root. */
  readonly file: string;
  /** Path of the root in the repository: empty, or ending with a slash. */
  readonly prefix: string;
}

/** Parts of a path that is no project's own, or that would lead out of the folder. */
const NEVER: ReadonlySet<string> = new Set(["node_modules", "..", "."]);
/** Fetches that wait at once. */
const AT_ONCE = 8;

/** Null: the commit has no such project file. */
export async function projectAt({ forge, runner }: ContextWithForge, commit: string, here: ProjectHere): Promise<Project | null> {
  const { root, file, prefix } = here;
  const files = valueOf(await forge.history.files(commit));
  const hash = files.get(`${prefix}${file}`);
  if (hash === undefined) return null;
  const folder = mkdtempSync(join(runner.temp, "floeplan-base-"));
  try {
    const textOf = async (path: string, blob: string): Promise<string | null> =>
      sameHere(join(root, path), blob) ?? valueOf(await forge.history.fileText(commit, `${prefix}${path}`));
    const put = (path: string, text: string | null): void => {
      if (text === null) return;
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    put(file, await textOf(file, hash));
    const { config } = loadProject(join(folder, basename(file)));
    const globs = [...(config?.tables ?? []), ...(config?.shared ?? [])]
      .map(parsePathGlob)
      .flatMap((glob) => ("why" in glob ? [] : [glob]));
    const wanted = [...files].flatMap(([path, blob]): readonly (readonly [string, string])[] => {
      if (!path.startsWith(prefix) || path.split("/").some((part) => NEVER.has(part))) return [];
      const below = path.slice(prefix.length);
      return globs.some((glob) => matchesPath(glob, below.split("/"))) ? [[below, blob]] : [];
    });
    await runMany(wanted, AT_ONCE, async ([path, blob]) => {
      put(path, await textOf(path, blob));
    });
    return loadProject(join(folder, basename(file)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text of a file here whose hash by Git is this one, or null. */
function sameHere(path: string, blob: string): string | null {
  let bytes: Buffer;
  try {
    if (!lstatSync(path).isFile()) return null;
    bytes = readFileSync(path);
  } catch {
    return null;
  }
  const hash = createHash(blob.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === blob ? bytes.toString("utf8") : null;
}
