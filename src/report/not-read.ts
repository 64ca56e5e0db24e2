// Tables and other things that did not answer, and why, as sections of a report. Those that failed for one and the same
// reason stand together.
import type { ToolError } from "../diagnostics/tool-error.ts";
import { errorBlocks } from "./apply-report.ts";
import { IMPORTANCE, type Report, type Section } from "./report.ts";
import { prose, text } from "./text.ts";

/** Something that did not answer, and why. */
export interface NotRead {
  /** A declared table, or what else was asked for. */
  readonly what: string;
  readonly error: ToolError;
}

export function groupNotRead(failed: readonly { readonly table: string; readonly error: ToolError }[]): readonly NotRead[] {
  const byReason = new Map<string, { readonly error: ToolError; readonly tables: string[] }>();
  for (const { table, error } of failed) {
    const reason = JSON.stringify([error.kind, error.message, error.why ?? ""]);
    const group = byReason.get(reason) ?? { error, tables: [] };
    group.tables.push(table);
    byReason.set(reason, group);
  }
  return [...byReason.values()].map(({ error, tables: [first = "", ...others] }) => ({
    what: others.length === 0 ? first : `${first} and ${others.length} more`,
    error,
  }));
}

/** The report with what it could not look at, above all else; `isEmpty`: it looked at nothing else. */
export function withNotRead(report: Report, missed: readonly NotRead[], environment: string, isEmpty: boolean): Report {
  if (missed.length === 0) return report;
  const sections = [...missed.map((one) => notReadSection(one, environment)), ...report.sections];
  const summary = isEmpty ? prose("No table could be read.") : [...report.summary, ...prose(" Not all could be read.")];
  return { ...report, tone: "blocked", sections, summary };
}

export function notReadSection({ what, error }: NotRead, environment: string): Section {
  return {
    importance: IMPORTANCE.blocked,
    tone: "blocked",
    context: environment,
    title: text`${what}`,
    state: "not read",
    file: null,
    brief: prose("not read"),
    blocks: errorBlocks(error),
  };
}
