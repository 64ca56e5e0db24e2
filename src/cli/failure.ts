// How a failure is told on standard error: what could not be done, why, how to mend it; and a bug as a bug, with
// what to report. The stack is shown for bugs only. Nothing leaves without redaction.
import { ToolError } from "../diagnostics/tool-error.ts";
import { redact } from "../diagnostics/redact.ts";
import { logLines, terminalText } from "../report/escape.ts";
import { VERSION } from "./version.ts";

export interface Machine {
  /** E.g. `Node v24.1.0 on linux x64`. */
  readonly description: string;
}

export function failureText(error: unknown, verbose: boolean, machine: Machine): string {
  if (error instanceof ToolError && error.kind !== "internal") return logLines(toolErrorText(error, verbose));
  return logLines(bugText(error, machine));
}

function toolErrorText(error: ToolError, verbose: boolean): string {
  const lines = [`error: ${terminalText(error.message)}`];
  if (error.why !== undefined) lines.push(`  Why: ${terminalText(error.why)}`);
  if (error.mend !== undefined) lines.push(`  Mend: ${terminalText(error.mend)}`);
  lines.push(...contextLines(error));
  if (error.retryable) lines.push("  The same command may succeed later.");
  const causes = verbose ? causesOf(error) : [];
  lines.push(...causes.map((cause) => `  Cause: ${terminalText(cause)}`));
  return `${lines.join("\n")}\n`;
}

function contextLines(error: ToolError): string[] {
  return Object.entries(error.context).map(([key, value]) => `  ${terminalText(`${key}: ${value}`)}`);
}

function causesOf(error: Error): string[] {
  const causes: string[] = [];
  let cause = error.cause;
  while (cause !== undefined && causes.length < 5) {
    causes.push(messageOf(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

function bugText(error: unknown, machine: Machine): string {
  const context = error instanceof ToolError ? contextLines(error) : [];
  const causes = error instanceof Error ? causesOf(error).map((cause) => `  Cause: ${terminalText(cause)}`) : [];
  const stack = error instanceof Error && error.stack !== undefined ? stackLines(error.stack) : [];
  return [
    `This is a bug in floeplan ${VERSION}: ${terminalText(messageOf(error))}`,
    ...context,
    ...causes,
    ...stack,
    `floeplan ${VERSION}, ${machine.description}`,
    "Please report it with the command line and the lines above. Names of tables and paths may be in them: look first.",
    "",
  ].join("\n");
}

/** The frames; the message before them is told already. */
function stackLines(stack: string): string[] {
  return redact(stack)
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .map((line) => `  ${terminalText(line.trim())}`);
}

function messageOf(error: unknown): string {
  if (error instanceof Error)
    return error.message === ""
      ? error.name
      : `${error.name === "Error" || error.name === "ToolError" ? "" : `${error.name}: `}${error.message}`;
  return typeof error === "string" ? error : `a ${typeof error} was thrown`;
}
