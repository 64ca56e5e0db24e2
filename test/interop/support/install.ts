// Makes a folder of installed software once: under a lock that two runs share, complete or not there, with lines
// that say what takes so long. Knows nothing of Python or Maven.
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { basename, dirname, join, relative } from "node:path";
import { guardPython, startChild } from "./child.ts";
import { CACHE, PROGRAMS, REPOSITORY } from "./places.ts";

export interface Installation {
  readonly folder: string;
  /** How long it took when it was made, which may have been in an earlier run. */
  readonly seconds: number;
  readonly bytes: number;
  /** False: it was there already. */
  readonly isNew: boolean;
}

export interface Recipe {
  /** For people, e.g. `Python packages "light"`. */
  readonly what: string;
  /** Below the cache; named after all that decides what is in it. */
  readonly folder: string;
  readonly make: (folder: string) => Promise<void>;
}

/** Written last: a folder without it was left half made. */
const MARKER = ".complete.json";

const underway = new Map<string, Promise<Installation>>();

export async function installOnce(recipe: Recipe): Promise<Installation> {
  const installation = underway.get(recipe.folder) ?? install(recipe);
  underway.set(recipe.folder, installation);
  return await installation;
}

async function install(recipe: Recipe): Promise<Installation> {
  const folder = join(CACHE, recipe.folder);
  if (existsSync(join(folder, MARKER))) return { folder, ...(await readMarker(folder)), isNew: false };
  return await withLock(join(CACHE, "locks", `${basename(folder)}.lock`), recipe.what, async () => {
    if (existsSync(join(folder, MARKER))) return { folder, ...(await readMarker(folder)), isNew: false };
    say(`${recipe.what}: installing into ${relative(REPOSITORY, folder)}, once`);
    const started = performance.now();
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await recipe.make(folder);
    const made = { seconds: (performance.now() - started) / 1000, bytes: await sizeOf(folder) };
    await writeFile(join(folder, MARKER), `${JSON.stringify(made)}\n`);
    say(`${recipe.what}: ready after ${made.seconds.toFixed(0)} s, ${(made.bytes / 1e6).toFixed(0)} MB`);
    return { folder, ...made, isNew: true };
  });
}

/** A line for people, beside the checks. */
export function say(line: string): void {
  process.stderr.write(`# ${line}\n`);
}

async function withLock<T>(file: string, what: string, body: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  const holder = await startChild({
    name: `lock-${basename(file)}`,
    command: [guardPython(), join(PROGRAMS, "hold_lock.py"), file],
  });
  try {
    let isHeld = false;
    for await (const line of createInterface({ input: holder.output })) {
      if (line === "waiting") say(`${what}: another run is installing it, waiting`);
      isHeld = line === "held";
      if (isHeld) break;
    }
    if (!isHeld) throw new Error(`Cannot lock "${file}" (log: ${holder.log})`);
    return await body();
  } finally {
    await holder.stop();
  }
}

async function readMarker(folder: string): Promise<{ readonly seconds: number; readonly bytes: number }> {
  const { seconds, bytes } = JSON.parse(await readFile(join(folder, MARKER), "utf8")) as Record<string, unknown>;
  return { seconds: Number(seconds), bytes: Number(bytes) };
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
