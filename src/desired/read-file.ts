// Reads one file of a project as text: size checked before, UTF-8 checked strictly. What the system refuses is a
// ToolError; what is wrong with the content is a finding.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { ToolError, type ToolErrorKind } from "../diagnostics/tool-error.ts";
import { MAX_FILE_BYTES } from "./limits.ts";
import { sourceText, type SourceText } from "./yaml/source-text.ts";

export type ReadFile = { readonly source: SourceText } | { readonly refused: Diagnostic };

/** `file` is relative to `root`, with `/`. */
export function readProjectFile(root: string, file: string): ReadFile {
  const path = join(root, file);
  const place = { file, line: 1, column: 1 };
  const bytes = fromDisk(file, () => (statSync(path).size > MAX_FILE_BYTES ? null : readFileSync(path)));
  if (bytes === null || bytes.length > MAX_FILE_BYTES) {
    return {
      refused: diagnostic("file-too-large", {
        what: `Cannot read this file: it has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB`,
        mend: "Split it; one file declares one table",
        place,
      }),
    };
  }
  try {
    return { source: sourceText(file, new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)) };
  } catch {
    return {
      refused: diagnostic("file-not-utf8", {
        what: "Cannot read this file: it is not UTF-8",
        why: describeEncoding(bytes),
        mend: "Save it as UTF-8 in your editor",
        place: { ...place, line: lineOfFault(bytes) },
      }),
    };
  }
}

function describeEncoding(bytes: Uint8Array): string {
  const start = `${bytes[0] ?? 0},${bytes[1] ?? 0}`;
  return start === "255,254" || start === "254,255" ? "It starts like UTF-16" : "It holds bytes that are no characters in UTF-8";
}

/** The first line that does not decode. */
function lineOfFault(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end;
  }
  return 1;
}

const KINDS: Readonly<Record<string, ToolErrorKind>> = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  EACCES: "auth",
  EPERM: "auth",
};

/** Runs a call to the file system; what it refuses is told with the path. */
export function fromDisk<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
    throw new ToolError(KINDS[code] ?? "unavailable", `Cannot read "${path}"`, {
      ...(cause instanceof Error ? { why: cause.message } : {}),
      context: { path },
      cause,
    });
  }
}
