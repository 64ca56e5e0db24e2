// Files that ship with floeplan beside the program: documents, schemas, examples.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bug } from "../diagnostics/tool-error.ts";

/** The absolute path of a file of the package, from the bundle or from the sources. */
export function packageFile(path: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, path);
    if (existsSync(candidate) && existsSync(join(folder, "package.json"))) return candidate;
    if (dirname(folder) === folder) throw bug("A file of the package is missing", { file: path });
  }
}
