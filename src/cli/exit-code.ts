// The exit codes, a contract with scripts: numbers and what they mean. Which outcome a command had is its own
// answer (commands/result.ts).
import { EXIT_OF_TOOL_ERROR, type ExitName } from "../commands/result.ts";
import type { ToolError } from "../diagnostics/tool-error.ts";

export const EXIT_CODES: Readonly<Record<ExitName, { readonly code: number; readonly meaning: string }>> = {
  ok: { code: 0, meaning: "Fine" },
  failed: { code: 1, meaning: "Failed: also not found, unsupported, a corrupt or missing file, a full disk" },
  changes: { code: 2, meaning: "Changes or drift exist (only with --exit-code)" },
  refused: { code: 3, meaning: "Refused: blocked, not approved, stale, held, or values that do not convert" },
  "partly-applied": { code: 4, meaning: "Partly applied: some tables are done, others are not" },
  usage: { code: 64, meaning: "The command line is wrong" },
  "bad-table-file": { code: 65, meaning: "A table file is wrong, or a lint rule of level error was broken" },
  "try-again": { code: 75, meaning: "Try again: conflict, throttled, or no answer" },
  "no-permission": { code: 77, meaning: "No permission" },
  "bad-config": { code: 78, meaning: "The project file is wrong or missing" },
  interrupted: { code: 130, meaning: "Interrupted; the journal is kept" },
};

export function codeOf(exit: ExitName): number {
  return EXIT_CODES[exit].code;
}

export function codeOfToolError(error: ToolError): number {
  return codeOf(EXIT_OF_TOOL_ERROR[error.kind]);
}
