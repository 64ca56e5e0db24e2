// Findings and failures as plain lines, for the log and for annotations: every character can be seen, no secret is left.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ToolError } from "../diagnostics/tool-error.ts";
import { terminalText } from "../report/escape.ts";

export function findingText({ what, why, mend }: Diagnostic): string {
  const lines = [what, ...(why === undefined ? [] : [`Why: ${why}`]), ...(mend === undefined ? [] : [`Mend: ${mend}`])];
  return lines.map(terminalText).join("\n");
}

export function errorText({ message, why, mend }: ToolError): string {
  return [message, why, mend].filter((one) => one !== undefined).join(". ");
}
