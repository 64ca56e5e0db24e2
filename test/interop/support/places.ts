// Where the rig finds and keeps things: the repository, the ignored folder of installed software, the read-only
// fixtures beside the repository. Knows nothing of what lies in them.
import { existsSync } from "node:fs";
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
