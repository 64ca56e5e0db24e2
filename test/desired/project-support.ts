// Writes the files of a project into a folder of its own below `parent`.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The project's root. */
export function writeProject(parent: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(parent, "project-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}
