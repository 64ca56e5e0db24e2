// Globs over paths with `/`: `*` and `?` within one name, `**` for any number of folders, `{a,b}` for either. Linear
// time for any pattern; names that start with a dot are matched only by patterns that say the dot.

export interface PathGlob {
  /** Each alternative as its names. */
  readonly alternatives: readonly (readonly string[])[];
}

export type GlobResult = PathGlob | { readonly why: string };

/** Braces multiply; more alternatives are a mistake. */
const MAX_ALTERNATIVES = 256;

export function parsePathGlob(pattern: string): GlobResult {
  if (pattern.startsWith("/") || /^[A-Za-z]:[\\/]/.test(pattern)) return { why: "It starts at the root of the disk" };
  if (pattern.includes("\\")) return { why: "Folders are separated by /" };
  const expanded = expandBraces(pattern);
  if (expanded === null) return { why: "A brace is not closed, or there are too many alternatives" };
  const alternatives = expanded.map((one) => one.split("/").filter((name) => name !== "" && name !== "."));
  if (alternatives.some((names) => names.includes(".."))) return { why: "It leaves the folder of the project file" };
  if (alternatives.some((names) => names.length === 0)) return { why: "It names no file" };
  return { alternatives };
}

/** Does the glob match the file? */
export function matchesPath(glob: PathGlob, path: readonly string[]): boolean {
  return glob.alternatives.some((names) => matchesNames(names, path));
}

/** Can a file below the folder match? */
export function mayMatchBelow(glob: PathGlob, folder: readonly string[]): boolean {
  return glob.alternatives.some((names) => {
    for (let index = 0; index < folder.length; index++) {
      const wanted = names[index];
      if (wanted === "**") return names.some(isHidden) || !folder.slice(index).some(isHidden);
      if (wanted === undefined || !matchesName(wanted, folder[index] ?? "")) return false;
    }
    return names.length > folder.length;
  });
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

function expandBraces(pattern: string): string[] | null {
  let heads = [""];
  let at = 0;
  while (at < pattern.length) {
    const open = pattern.indexOf("{", at);
    const literal = pattern.slice(at, open < 0 ? undefined : open);
    if (literal.includes("}")) return null;
    heads = heads.map((head) => head + literal);
    if (open < 0) return heads;
    const close = pattern.indexOf("}", open);
    const words = pattern.slice(open + 1, close < 0 ? undefined : close);
    if (close < 0 || words.includes("{")) return null;
    const choices = words.split(",");
    if (heads.length * choices.length > MAX_ALTERNATIVES) return null;
    heads = heads.flatMap((head) => choices.map((choice) => head + choice));
    at = close + 1;
  }
  return heads;
}

// Greedy with one step back to the last `**`: of several the last decides alone, so nothing is tried twice over.
function matchesNames(names: readonly string[], path: readonly string[]): boolean {
  let at = 0;
  let index = 0;
  let backTo = -1;
  let backAt = 0;
  while (at < path.length) {
    const wanted = names[index];
    const name = path[at] ?? "";
    if (wanted === "**") {
      backTo = index++;
      backAt = at;
    } else if (wanted !== undefined && matchesName(wanted, name)) {
      index++;
      at++;
    } else if (backTo >= 0 && !isHidden(path[backAt] ?? "")) {
      index = backTo + 1;
      at = ++backAt;
    } else {
      return false;
    }
  }
  // A `**` at the end stands for what is inside, not for the folder itself.
  return index === names.length;
}

function matchesName(pattern: string, name: string): boolean {
  if (isHidden(name) && !isHidden(pattern)) return false;
  if (pattern === "**") return true;
  let at = 0;
  let index = 0;
  let backTo = -1;
  let backAt = 0;
  while (at < name.length) {
    const sign = pattern[index];
    if (sign === "*") {
      backTo = index++;
      backAt = at;
    } else if (sign === "?" || (sign !== undefined && sign === name[at])) {
      index++;
      at++;
    } else if (backTo >= 0) {
      index = backTo + 1;
      at = ++backAt;
    } else {
      return false;
    }
  }
  while (pattern[index] === "*") index++;
  return index === pattern.length;
}
