// Puts what a flow answered into the job's log, its summary, annotations, the plan file and the outputs. Every text from
// outside is made harmless by the format that draws it.
import { appendFile } from "node:fs/promises";
import * as core from "@actions/core";
import { redact } from "../diagnostics/redact.ts";
import { diagnosticsReport } from "../report/diagnostics-report.ts";
import { NO_SOURCES } from "../report/excerpt.ts";
import { fitMarkdown } from "../report/formats/markdown.ts";
import { renderJson } from "../report/formats/json.ts";
import { renderTerminal } from "../report/formats/terminal.ts";
import type { Report } from "../report/report.ts";
import type { ActionContext } from "./context.ts";
import { NO_OUTPUTS, type Outputs } from "./outputs.ts";
import { LOG_WIDTH } from "./ports.ts";
import type { ActionResult } from "./result.ts";
import { insidePath, writeNew } from "./paths.ts";

/** Over 1 MiB a summary is not cut but refused; a character takes up to three bytes. */
const SUMMARY_BYTES = 900 * 1024;

export async function writeResult(
  context: Pick<ActionContext, "log" | "runner" | "inputs">,
  result: ActionResult,
): Promise<void> {
  const { log, runner, inputs } = context;
  const sources = result.sources ?? NO_SOURCES;
  const findings = result.diagnostics.length === 0 ? null : diagnosticsReport(result.diagnostics, { sources, checked: null });
  const reports = [result.report, findings].filter((one) => one !== null);
  for (const report of reports) log.write(renderTerminal(report, { width: LOG_WIDTH, colour: false, verbose: false }));
  log.annotate(result.annotations, result.prefix);
  if (runner.summaryPath !== null && reports.length > 0)
    await appendFile(runner.summaryPath, summaryOf(reports, result.sourceUrl));
  const planPath = await writePlan(context, inputs.planOut, result.report);
  setOutputs({ ...NO_OUTPUTS, ...result.outputs, "plan-path": planPath });
}

function summaryOf(reports: readonly Report[], sourceUrl: string | null): string {
  for (let budget = SUMMARY_BYTES; ; budget = Math.floor(budget / 2)) {
    const text = reports.map((report) => redact(fitMarkdown(report, { budget, sourceUrl }).text)).join("\n");
    if (Buffer.byteLength(text) <= SUMMARY_BYTES || budget < 1000) return `${text}\n`;
  }
}

async function writePlan({ runner }: Pick<ActionContext, "runner">, path: string | null, report: Report | null): Promise<string> {
  if (path === null || report === null) return "";
  await writeNew(await insidePath(runner, "plan-out", path), renderJson(report));
  return path;
}

export function setOutputs(outputs: Outputs): void {
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, String(value));
}
