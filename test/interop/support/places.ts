// Where the rig finds and keeps things: the repository, the ignored folder of installed software, the read-only
// fixtures beside the repository, the newest metadata file of a table's folder. Reads no table.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

export const REPOSITORY = resolve(import.meta.dirname, "../../..");

/** What is installed once, and logs. FLOEPLAN_INTEROP_CACHE shares one folder between checkouts. */
export const CACHE = resolve(process.env["FLOEPLAN_INTEROP_CACHE"] ?? join(REPOSITORY, ".cache/interop"));

/** The Python programs of the rig. */
export const PROGRAMS = join(import.meta.dirname, "python");

/** A folder or file below the fixtures that live beside the repository, or null where they are absent. */
export function sharedPath(path: string): string | null {
  const found = join(resolve(REPOSITORY, process.env["FLOEPLAN_SHARED"] ?? "../shared"), path);
  return existsSync(found) ? found : null;
}

/** The newest metadata file of a folder of the standard layout. */
export async function newestMetadata(folder: string): Promise<string> {
  const version = (await readFile(join(folder, "metadata/version-hint.text"), "utf8")).trim();
  return join(folder, `metadata/v${version}.metadata.json`);
}
