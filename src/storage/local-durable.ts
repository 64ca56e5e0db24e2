// How a file comes to stand on a disk whole or not at all: temporary name in the same folder, fsync, then one
// atomic step to the final name, then fsync of the folder. Knows Hadoop's checksum side-cars; no tables.
import { randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import { errorCode, isMissing } from "./local-errors.ts";

const TEMPORARY_PREFIX = ".floeplan-tmp-";

/** A fresh name beside `path`. A killed run may leave such files; no listing shows them. */
export function temporaryPath(path: string): string {
  return join(dirname(path), `${TEMPORARY_PREFIX}${randomUUID()}`);
}

/** Names in a folder that are no objects: our temporary files, and the checksums that Hadoop keeps beside files. */
export function isHiddenName(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX) || (name.startsWith(".") && name.endsWith(".crc"));
}

/**
 * Hadoop checks `NAME` against `.NAME.crc` where that exists, and fails on a difference; a missing one is
 * fine. So it goes before the file changes, never after.
 */
export async function removeSideCar(path: string): Promise<void> {
  await removeIfThere(join(dirname(path), `.${basename(path)}.crc`));
}

export async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** For leftovers: what cannot be removed stays, under its recognisable name. */
export async function removeQuietly(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

/** Makes the folder and those above it, and makes their names durable. */
export async function ensureFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  const top = dirname(first);
  for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === top) break;
  }
}

/** Opens a temporary file beside `path`; its folder is made where it is missing. */
export async function openTemporary(path: string): Promise<{ readonly handle: FileHandle; readonly temporary: string }> {
  await ensureFolder(dirname(path));
  const temporary = temporaryPath(path);
  try {
    return { handle: await open(temporary, "wx"), temporary };
  } catch (error) {
    // It may be there all the same: over a network, where the answer was lost.
    await removeQuietly(temporary);
    throw error;
  }
}

/** The bytes under a temporary name beside `path`, on the disk. */
export async function writeTemporary(path: string, bytes: Uint8Array): Promise<string> {
  const { handle, temporary } = await openTemporary(path);
  try {
    try {
      await writeAll(handle, bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return temporary;
  } catch (error) {
    await removeQuietly(temporary);
    throw error;
  }
}

// One write call takes at most 2^31 - 1 bytes, and may take fewer than asked.
const WRITE_BYTES = 1 << 30;

export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, Math.min(WRITE_BYTES, bytes.length - done));
    done += bytesWritten;
  }
}

/** Gives the finished temporary file its name, only if nothing has that name. The temporary name goes in every case. */
export async function publishNew(temporary: string, path: string): Promise<"written" | "exists"> {
  try {
    await removeSideCar(path);
    await link(temporary, path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return (await isSameFile(temporary, path)) ? "written" : "exists";
    if (code !== null && NO_HARD_LINKS.has(code)) throw noHardLinks(path, error);
    throw error;
  } finally {
    await removeQuietly(temporary);
  }
  await syncFolder(dirname(path));
  return "written";
}

/** Gives the finished temporary file its name, whether or not something has that name. */
export async function publishOver(temporary: string, path: string): Promise<void> {
  await removeSideCar(path);
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

const NO_HARD_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function noHardLinks(path: string, cause: unknown): ToolError {
  return new ToolError("unsupported", `Cannot write "${path}" exclusively`, {
    why: "The file system has no hard links, and without them two writers could overwrite each other",
    mend: "Put the warehouse on a file system with hard links (ext4, xfs, apfs, NFS …)",
    cause,
  });
}

// NFS resends a link whose answer was lost, and then says that the name exists: it is our own.
async function isSameFile(a: string, b: string): Promise<boolean> {
  try {
    const [one, other] = await Promise.all([stat(a, { bigint: true }), stat(b, { bigint: true })]);
    return one.ino === other.ino && one.dev === other.dev;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const NO_FOLDER_SYNC = new Set(["EINVAL", "EPERM", "EISDIR", "ENOTSUP", "EOPNOTSUPP", "EBADF"]);

/** Makes new names in the folder durable, where the file system can and the folder may be opened. */
async function syncFolder(path: string): Promise<void> {
  const handle = await openFolder(path);
  if (handle === null) return;
  try {
    await handle.sync();
  } catch (error) {
    const code = errorCode(error);
    if (code === null || !NO_FOLDER_SYNC.has(code)) throw error;
  } finally {
    await handle.close();
  }
}

async function openFolder(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    // One may write into a folder that one may not read; some systems open no folders at all.
    const code = errorCode(error);
    if (code === "EACCES" || code === "EPERM" || code === "EISDIR") return null;
    throw error;
  }
}
