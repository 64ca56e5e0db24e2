// Paths that the inputs name, held inside the workspace and the runner's temporary folder: the files of a pull request may
// be links, so the real path counts and nothing is written through one.
import { constants } from "node:fs";
import { lstat, mkdir, open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { Runner } from "./runner.ts";

type Folders = Pick<Runner, "workspace" | "temp">;

/** The project file, which is in the workspace. One that is not there is told by whoever reads it. */
export async function checkConfigPath(runner: Folders, path: string): Promise<void> {
  const full = resolve(runner.workspace, path);
  const [real, workspace] = [await realPathOf(full), await realpath(runner.workspace)];
  if (full !== runner.workspace && !isBelow(runner.workspace, full))
    throw outside("config", path, "it is outside of the workspace");
  if (real === null || (real !== workspace && !isBelow(workspace, real)))
    throw outside("config", path, "a link leads out of the workspace");
}

/** A file to write, absolute: below the workspace or the runner's temporary folder, by name and by real path. */
export async function insidePath(runner: Folders, input: string, path: string): Promise<string> {
  const full = resolve(runner.workspace, path);
  const folders = [runner.workspace, runner.temp];
  if (!folders.some((folder) => isBelow(folder, full))) throw outside(input, path, "it is outside of the workspace");
  const real = await realPathOf(full);
  const realFolders = await Promise.all(folders.map(async (folder) => await realpath(folder)));
  if (real === null || !realFolders.some((folder) => isBelow(folder, real)))
    throw outside(input, path, "a link leads out of the workspace");
  return full;
}

/** Readable by the runner's user alone. */
export async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  // Windows knows no such flag.
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0), 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** With all links of what is there resolved; null where one leads to nothing, or in a circle. */
async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    if (above === path) return path;
    const real = (await isThere(path)) ? null : await realPathOf(above);
    return real === null ? null : join(real, relative(above, path));
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !isAbsolute(way) && way !== ".." && !way.startsWith("../") && !way.startsWith("..\\");
}

function outside(input: string, path: string, why: string): ToolError {
  return new ToolError("usage", `Cannot use \`${input}\`: "${path}" is outside of the workspace`, {
    why,
    mend: "Name a path below the workspace, or below the runner's temporary folder",
  });
}
