// Folders of this machine, for what objects do not have: an empty folder, a folder's direct children. Links
// to folders are followed here and not in listings of objects. Knows nothing of tables.
import { type Dirent, type Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureFolder, isHiddenName } from "./local-durable.ts";
import { isMissing, withStorageErrors } from "./local-errors.ts";
import type { ObjectInfo } from "./object-store.ts";

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder";
}

/** Direct children by name, without temporary files and checksums; null when there is no such folder. */
export async function listFolder(path: string): Promise<readonly FolderEntry[] | null> {
  return await withStorageErrors("read the folder", path, async () => {
    const children = await readChildren(path);
    if (children === null) return null;
    const entries: FolderEntry[] = [];
    for (const child of children) {
      const kind = await kindOf(path, child);
      if (kind !== null) entries.push({ name: child.name, kind });
    }
    return entries;
  });
}

/** The folder's one true path, by which a circle of links is noticed. */
export async function realFolder(path: string): Promise<string> {
  return await withStorageErrors("read the folder", path, () => realpath(path));
}

/** Changes whenever another file takes this name; null when there is none. */
export async function fileStamp(path: string): Promise<string | null> {
  return await withStorageErrors("look at", path, async () => {
    const found = await statIfThere(path);
    return found?.isFile() === true ? `${found.ino}-${found.size}-${found.mtimeMs}` : null;
  });
}

export async function makeFolder(path: string): Promise<void> {
  await withStorageErrors("make the folder", path, () => ensureFolder(path));
}

/** Every file below `path`, spelt with the caller's prefix. Links to folders are not entered. */
export async function* listFiles(path: string, prefix: string): AsyncGenerator<ObjectInfo> {
  const children = await withStorageErrors("list", prefix, () => readChildren(path));
  for (const child of children ?? []) {
    const location = `${prefix}/${child.name}`;
    if (child.isDirectory()) {
      yield* listFiles(join(path, child.name), location);
      continue;
    }
    const found = await withStorageErrors("list", location, () => statIfThere(join(path, child.name)));
    if (found?.isFile() === true) yield { location, sizeBytes: found.size };
  }
}

export async function statIfThere(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function readChildren(path: string): Promise<readonly Dirent[] | null> {
  try {
    const children = await readdir(path, { withFileTypes: true });
    return children.filter(({ name }) => !isHiddenName(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function kindOf(path: string, child: Dirent): Promise<FolderEntry["kind"] | null> {
  if (child.isDirectory()) return "folder";
  if (child.isFile()) return "file";
  if (!child.isSymbolicLink()) return null;
  const target = await statIfThere(join(path, child.name));
  if (target?.isDirectory() === true) return "folder";
  return target?.isFile() === true ? "file" : null;
}
