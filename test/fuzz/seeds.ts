// The files that inputs are made from. Small ones only: what breaks a reader is seldom long, and long files are slow.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

export interface SeedFile {
  /** Below its folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const ROOT = resolve(import.meta.dirname, "../..");
/** What comes with the project. */
export const OWN_SEEDS: readonly string[] = [join(ROOT, "test/data"), join(ROOT, "examples")];
const MOST_BYTES = 48 * 1024;

/** In the order of their paths, so that a number means the same input everywhere. */
export function readSeeds(folders: readonly string[], isSeed: (file: SeedFile) => boolean): readonly SeedFile[] {
  const seen = new Set<string>();
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .flatMap((path): SeedFile[] => {
        if (statSync(path).size > MOST_BYTES) return [];
        const file = { path: relative(folder, path), bytes: new Uint8Array(readFileSync(path)) };
        const key = Buffer.from(file.bytes).toString("latin1");
        if (seen.has(key) || !isSeed(file)) return [];
        seen.add(key);
        return [file];
      }),
  );
}
