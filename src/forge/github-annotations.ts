// Findings as GitHub's annotations: fifty a call, columns only within one line, long texts cut at GitHub's bounds.
import type { Severity } from "../diagnostics/diagnostic.ts";
import type { Annotation } from "./forge-check.ts";

const BATCH = 50;
const TITLE_LENGTH = 255;
/** GitHub takes 64 KB; four bytes are the most that a UTF-16 unit's share of UTF-8 can cost. */
const MESSAGE_LENGTH = 16_000;

const LEVELS: Readonly<Record<Severity, string>> = { error: "failure", warning: "warning", note: "notice" };

/** At least one batch, which may be empty. */
export function inBatches(annotations: readonly Annotation[]): readonly (readonly Annotation[])[] {
  const batches: (readonly Annotation[])[] = [];
  for (let at = 0; at === 0 || at < annotations.length; at += BATCH) batches.push(annotations.slice(at, at + BATCH));
  return batches;
}

export function annotationOf(one: Annotation): Readonly<Record<string, unknown>> {
  const endLine = Math.max(one.endLine ?? one.line, one.line);
  const columns = one.column !== undefined && endLine === one.line;
  return {
    path: one.file,
    start_line: one.line,
    end_line: endLine,
    ...(columns ? { start_column: one.column, end_column: Math.max(one.endColumn ?? one.column, one.column) } : {}),
    annotation_level: LEVELS[one.severity],
    title: cut(one.title, TITLE_LENGTH),
    message: cut(one.message, MESSAGE_LENGTH),
  };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
