// Writes the files that `init` makes: what is there is kept, and said.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";

export async function writeNew(folder: string, file: string, text: string): Promise<string> {
  const path = join(folder, file);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
    return `wrote  ${file}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return `kept   ${file} (it is there already)`;
    throw cannotWrite(file, error);
  }
}

export function cannotWrite(file: string, cause: unknown): ToolError {
  return new ToolError("auth", `Cannot write "${file}"`, {
    ...(cause instanceof Error ? { why: cause.message } : {}),
    mend: "Run it in a folder that you may write to",
    cause,
  });
}
