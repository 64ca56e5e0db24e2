// Draws what a command answered: on standard output in the chosen format, in every `--out` file in the format of
// its ending, and findings that the result does not hold on standard error.
import { writeFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import type { CommandResult } from "../commands/result.ts";
import { redact } from "../diagnostics/redact.ts";
import { ToolError, type ToolErrorKind } from "../diagnostics/tool-error.ts";
import { diagnosticsReport } from "../report/diagnostics-report.ts";
import { logLines, visibleLines } from "../report/escape.ts";
import { NO_SOURCES } from "../report/excerpt.ts";
import { FORMAT_OF_ENDING, type FormatName } from "../report/format-names.ts";
import { FORMATS, type RenderOptions } from "../report/formats/index.ts";
import { COMMENT_BUDGET } from "../report/formats/markdown.ts";
import type { Report } from "../report/report.ts";
import type { Output } from "./output.ts";
import type { TerminalFacts } from "./terminal.ts";

export interface ResultOptions {
  readonly format: FormatName;
  readonly files: readonly string[];
  readonly directory: string;
  readonly verbose: boolean;
  readonly terminal: TerminalFacts;
  /** A CI system reads commands from the log. */
  readonly isCiLog: boolean;
}

export async function writeResult(result: CommandResult, output: Output, options: ResultOptions): Promise<void> {
  const report = reportOf(result);
  if (result.output?.kind === "text") output.result(textResult(result.output.text, options));
  else if (report !== null) writeReport(report, options.format, output, options);
  if (result.output !== null && result.diagnostics.length > 0) {
    const findings = diagnosticsReport(result.diagnostics, { sources: result.sources ?? NO_SOURCES, checked: null });
    output.note(render(findings, "terminal", options));
  }
  for (const file of options.files) await writeReportFile(file, report, options);
}

export function writeReport(report: Report, format: FormatName, output: Output, options: ResultOptions): void {
  output.result(render(report, format, options), FORMATS[format].redactsItself);
}

export function render(report: Report, format: FormatName, options: ResultOptions): string {
  const drawing: RenderOptions = {
    terminal: { width: options.terminal.width, colour: options.terminal.colour, verbose: options.verbose },
    markdown: { budget: COMMENT_BUDGET, sourceUrl: null },
  };
  return FORMATS[format].render(report, drawing);
}

function reportOf(result: CommandResult): Report | null {
  if (result.output?.kind === "report") return result.output.report;
  if (result.output !== null) return null;
  return diagnosticsReport(result.diagnostics, { sources: result.sources ?? NO_SOURCES, checked: null });
}

/** Into a file or a pipe text goes as it is; on a screen nothing of it may act. */
function textResult(text: string, options: ResultOptions): string {
  if (options.terminal.isTerminal) return visibleLines(text).join("\n");
  return options.isCiLog ? logLines(text) : text;
}

async function writeReportFile(file: string, report: Report | null, options: ResultOptions): Promise<void> {
  const format = formatOfFile(file);
  if (report === null)
    throw new ToolError("usage", `Cannot write "${file}": this answer is text`, { mend: "Use the shell: `> FILE`" });
  const text = render(report, format, options);
  try {
    await writeFile(resolve(options.directory, file), FORMATS[format].redactsItself ? text : redact(text));
  } catch (error) {
    throw fileError(file, error);
  }
}

/** Checked when the command line is read, so that no work is done for nothing. */
export function formatOfFile(file: string): FormatName {
  const format = FORMAT_OF_ENDING[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  const endings = Object.keys(FORMAT_OF_ENDING).join(", ");
  throw new ToolError("usage", `Cannot write "${file}": its ending names no format`, { mend: `Endings are ${endings}` });
}

const KIND_OF_ERRNO: Readonly<Record<string, ToolErrorKind>> = {
  EACCES: "auth",
  EPERM: "auth",
  EROFS: "auth",
  ENOSPC: "storage-full",
  EDQUOT: "storage-full",
  ENOENT: "not-found",
  ENOTDIR: "not-found",
};

function fileError(file: string, error: unknown): ToolError {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const why = code === "ENOENT" ? `There is no folder "${dirname(file)}"` : error instanceof Error ? error.message : undefined;
  const parts = {
    cause: error,
    ...(why === undefined ? {} : { why }),
    ...(code === "ENOENT" ? { mend: "Make the folder first" } : {}),
  };
  return new ToolError(KIND_OF_ERRNO[code] ?? "unsupported", `Cannot write "${file}"`, parts);
}
