// Objects as files of this machine. How a file becomes durable and visible is in local-durable.ts, what a
// location means in local-path.ts. Knows nothing of tables.
import { publishNew, publishOver, removeIfThere, removeQuietly, removeSideCar, writeTemporary } from "./local-durable.ts";
import { errorCode, withStorageErrors } from "./local-errors.ts";
import { listFiles, statIfThere } from "./local-folder.ts";
import { pathOf } from "./local-path.ts";
import { readPart, readWhole } from "./local-read.ts";
import { openLocalWriter } from "./local-writer.ts";
import type { ObjectInfo, ObjectStore, PutResult } from "./object-store.ts";
import { stripTrailingSlashes } from "../iceberg/metadata-file.ts";

/** A store over absolute paths and `file:` locations. Stateless: two of them see the same files. */
export function createLocalStore(): ObjectStore {
  return {
    canList: true,
    canRemove: true,
    read: readWhole,
    readRange: readPart,
    head,
    putIfAbsent,
    replace,
    create: openLocalWriter,
    list,
    remove,
  };
}

async function head(location: string): Promise<ObjectInfo | null> {
  return await withStorageErrors("look at", location, async () => {
    const found = await statIfThere(pathOf(location));
    return found?.isFile() === true ? { location, sizeBytes: found.size } : null;
  });
}

async function putIfAbsent(location: string, bytes: Uint8Array): Promise<PutResult> {
  return await withStorageErrors("write", location, async () => {
    const path = pathOf(location);
    // Spares the loser of a race the writing of a large file; the link decides.
    if ((await statIfThere(path)) !== null) return "exists";
    return await publishNew(await writeTemporary(path, bytes), path);
  });
}

async function replace(location: string, bytes: Uint8Array): Promise<void> {
  await withStorageErrors("write", location, async () => {
    const path = pathOf(location);
    const temporary = await writeTemporary(path, bytes);
    try {
      await publishOver(temporary, path);
    } catch (error) {
      await removeQuietly(temporary);
      throw error;
    }
  });
}

function list(prefix: string): AsyncIterable<ObjectInfo> {
  return listFiles(pathOf(prefix), stripTrailingSlashes(prefix));
}

async function remove(location: string): Promise<void> {
  await withStorageErrors("remove", location, async () => {
    const path = pathOf(location);
    try {
      await removeSideCar(path);
      await removeIfThere(path);
    } catch (error) {
      // A folder of that name is no object, so nothing is there to remove.
      if (errorCode(error) !== "EISDIR") throw error;
    }
  });
}
