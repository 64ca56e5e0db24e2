// Where imported texts go: new files of the project, never over one that is there, or standard output. That no link
// leads out of the project is known by then: its folders were listed (desired/find-files.ts). Knows nothing of tables.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError, type ToolErrorKind } from "../diagnostics/tool-error.ts";
import type { ImportedFile } from "../report/import-report.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, EXIT_OF_TOOL_ERROR, type ExitName } from "./result.ts";

export interface ImportedText {
  /** Path below the root, as in findings. */
  readonly file: string;
  readonly text: string;
}

/** False when a file of that name is there already. */
export async function writeNewFile(root: string, { file, text }: ImportedText): Promise<boolean> {
  const path = join(root, file);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw cannotWrite(file, error);
  }
}

export async function replaceFile(root: string, { file, text }: ImportedText): Promise<void> {
  try {
    await writeFile(join(root, file), text);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

const KIND_OF_ERRNO: Readonly<Record<string, ToolErrorKind>> = {
  EACCES: "auth",
  EPERM: "auth",
  EROFS: "auth",
  ENOSPC: "storage-full",
  EDQUOT: "storage-full",
};

function cannotWrite(file: string, error: unknown): ToolError {
  const why = error instanceof Error ? error.message : undefined;
  return new ToolError(KIND_OF_ERRNO[codeOf(error)] ?? "unsupported", `Cannot write "${file}"`, {
    cause: error,
    ...(why === undefined ? {} : { why }),
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** One text as it is; several as one stream of documents, each under the path that it would have. */
export function standardOutput(
  context: CommandContext,
  texts: readonly ImportedText[],
  files: readonly ImportedFile[],
): CommandResult {
  const errors = files.flatMap(({ table, error }) => (error === null ? [] : [{ table, error }]));
  const [first] = errors;
  if (first !== undefined && texts.length === 0) throw first.error;
  for (const { table, error } of errors) {
    context.note(`${table}: ${error.message}${error.why === undefined ? "" : `: ${error.why}`}`);
  }
  const [only, second] = texts;
  const text = second === undefined ? (only?.text ?? "") : texts.map((one) => `--- # ${one.file}\n${one.text}`).join("");
  return {
    exit: exitOfImport(files),
    output: { kind: "text", text },
    diagnostics: files.flatMap((file) => file.findings),
  };
}

/** Some written and some not is a failure all the same: it is run again until all are there. */
export function exitOfImport(files: readonly ImportedFile[]): ExitName {
  const error = files.flatMap((file) => file.error ?? [])[0];
  if (error !== undefined) return EXIT_OF_TOOL_ERROR[error.kind];
  return files.some((file) => file.state === "refused") ? "refused" : "ok";
}
