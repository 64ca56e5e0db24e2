// Lists the files of a project by its globs: sorted, below the root only, no link followed out of it. Knows names of
// files, not what is in them.
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { formatCount } from "../diagnostics/number-words.ts";
import { type Diagnostic, diagnostic, type Place } from "../diagnostics/diagnostic.ts";
import { matchesPath, mayMatchBelow, parsePathGlob, type PathGlob } from "./glob.ts";
import { MAX_FILES } from "./limits.ts";
import { quoted } from "./words.ts";

export interface FoundFiles {
  /** Relative to the root, with `/`, in order. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Never entered: what is there is not a project's own. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

interface Walk {
  readonly root: string;
  /** The root with all links resolved: what lies outside is never read. */
  readonly realRoot: string;
  readonly globs: readonly PathGlob[];
  /** Real paths of what has been listed, so that nothing is listed twice and no circle is walked. */
  readonly seen: Set<string>;
  readonly files: string[];
  readonly found: Diagnostic[];
  readonly place: Place;
  readonly most: number;
}

/** `place`: the key of the project file that names the globs; `most`: how many files may be left to read. */
export function findFiles(root: string, patterns: readonly string[], place: Place, most: number = MAX_FILES): FoundFiles {
  const found: Diagnostic[] = [];
  const globs = patterns.flatMap((pattern) => {
    const glob = parsePathGlob(pattern);
    if (!("why" in glob)) return [glob];
    found.push(
      diagnostic("glob-leaves-project", {
        what: `Cannot use the glob ${quoted(pattern)}`,
        why: glob.why,
        mend: "Write it relative to the project file: tables/**/*.yaml",
        place,
      }),
    );
    return [];
  });
  const realRoot = realpathSync(root);
  const walk: Walk = { root, realRoot, globs, seen: new Set([realRoot]), files: [], found, place, most };
  walkFolder(walk, []);
  if (walk.files.length > most) {
    walk.files.length = 0;
    found.push(
      diagnostic("too-many-files", {
        what: `Cannot read more than ${formatCount(MAX_FILES)} files`,
        mend: "Narrow the globs, or split the project",
        place,
      }),
    );
  }
  return { files: walk.files.sort(byText), diagnostics: found };
}

function walkFolder(walk: Walk, folder: readonly string[]): void {
  for (const entry of readdirSync(join(walk.root, ...folder), { withFileTypes: true }).sort((a, b) => byText(a.name, b.name))) {
    if (walk.files.length > walk.most) return;
    const path = [...folder, entry.name];
    const isBelow = !SKIPPED.has(entry.name) && walk.globs.some((glob) => mayMatchBelow(glob, path));
    const isMatch = walk.globs.some((glob) => matchesPath(glob, path));
    if (!isBelow && !isMatch) continue;
    const kind = kindOf(walk, path, entry);
    if (kind === "folder" && isBelow) walkFolder(walk, path);
    if (kind === "file" && isMatch) walk.files.push(path.join("/"));
  }
}

function kindOf(walk: Walk, path: readonly string[], entry: Dirent): "file" | "folder" | "neither" {
  if (entry.isFile()) return isNew(walk, path) ? "file" : "neither";
  if (entry.isDirectory()) return isNew(walk, path) ? "folder" : "neither";
  if (!entry.isSymbolicLink()) return "neither";
  const target = targetOf(walk, path);
  if (target === null || walk.seen.has(target)) return "neither";
  walk.seen.add(target);
  const stats = statSync(target);
  return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "neither";
}

/** Links are resolved where they stand, so a path without one is its own real path. */
function isNew(walk: Walk, path: readonly string[]): boolean {
  const real = realpathSync(join(walk.root, ...path));
  if (walk.seen.has(real)) return false;
  walk.seen.add(real);
  return true;
}

/** The real path of a link that stays inside the root; others are told. */
function targetOf(walk: Walk, path: readonly string[]): string | null {
  const link = path.join("/");
  let target: string;
  try {
    target = realpathSync(join(walk.root, ...path));
  } catch {
    walk.found.push(
      diagnostic("link-leaves-project", {
        what: `Cannot follow the link ${quoted(link)}`,
        why: "It leads nowhere, or in a circle",
        mend: "Remove it",
        place: walk.place,
      }),
    );
    return null;
  }
  if (target === walk.realRoot || target.startsWith(walk.realRoot + sep)) return target;
  walk.found.push(
    diagnostic("link-leaves-project", {
      what: `Cannot follow the link ${quoted(link)}`,
      why: "It leads out of the folder of the project file, where anything may stand",
      mend: "Put the file itself into the project",
      place: walk.place,
    }),
  );
  return null;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
