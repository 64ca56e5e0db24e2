// Findings as a report of their own, for a command whose result they are: a section a file, counts, JSON.
import { sortDiagnostics, type Diagnostic, type Severity } from "../diagnostics/diagnostic.ts";
import { findingOf, type Sources } from "./excerpt.ts";
import { diagnosticsJson } from "./formats/diagnostics-json.ts";
import { IMPORTANCE, type LeafBlock, type Report, type Section, type Tone } from "./report.ts";
import { counted, joinTexts, prose, text, type Text } from "./text.ts";

export interface DiagnosticsReportOptions {
  readonly sources: Sources;
  /** What was looked at, e.g. `12 files checked.`; null where there is nothing to say. */
  readonly checked: Text | null;
}

const IMPORTANCE_OF: Readonly<Record<Severity, number>> = {
  error: IMPORTANCE.blocked,
  warning: IMPORTANCE.warning,
  note: IMPORTANCE.note,
};

const TONE_OF: Readonly<Record<Severity, Tone>> = { error: "blocked", warning: "behaviour", note: "quiet" };

/** Where files were looked at: the counts stand below it. */
const VERDICT: Readonly<Record<Severity | "none", string>> = {
  error: "The files have errors",
  warning: "The files have warnings",
  note: "The files are in order",
  none: "The files are in order",
};

export function diagnosticsReport(diagnostics: readonly Diagnostic[], options: DiagnosticsReportOptions): Report {
  const sorted = sortDiagnostics(diagnostics);
  const worst = worstOf(sorted);
  const found = findingsInWords(sorted);
  const summary = [prose(`${found === "" ? "No findings" : found}.`), ...(options.checked === null ? [] : [options.checked])];
  return {
    tone: worst === null ? "good" : TONE_OF[worst],
    headline: prose(options.checked === null ? found || "No findings" : VERDICT[worst ?? "none"]),
    alerts: [],
    overview: null,
    sections: sectionsOf(sorted, options.sources),
    summary: joinTexts(summary, " "),
    next: null,
    json: diagnosticsJson(sorted),
  };
}

/** The report with findings that belong to no part of it, below. */
export function withFindings(report: Report, diagnostics: readonly Diagnostic[], sources: Sources): Report {
  return diagnostics.length === 0
    ? report
    : { ...report, sections: [...report.sections, ...sectionsOf(sortDiagnostics(diagnostics), sources)] };
}

/** `2 errors, 1 note`; empty when there is nothing. */
function findingsInWords(diagnostics: readonly Diagnostic[]): string {
  return (["error", "warning", "note"] as const)
    .map((severity) => [severity, diagnostics.filter((one) => one.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => counted(count, severity))
    .join(", ");
}

function worstOf(diagnostics: readonly Diagnostic[]): Severity | null {
  return (["error", "warning", "note"] as const).find((severity) => diagnostics.some((one) => one.severity === severity)) ?? null;
}

function sectionsOf(sorted: readonly Diagnostic[], sources: Sources): Section[] {
  const byFile = new Map<string, Diagnostic[]>();
  for (const one of sorted) {
    const key = one.place?.file ?? one.table ?? "";
    const group = byFile.get(key);
    if (group === undefined) byFile.set(key, [one]);
    else group.push(one);
  }
  return [...byFile].map(([title, group]) => sectionOf(title, group, sources));
}

function sectionOf(title: string, group: readonly Diagnostic[], sources: Sources): Section {
  const worst = worstOf(group) ?? "note";
  const full = group.filter((one) => one.severity !== "note").map((one) => findingOf(one, sources));
  const notes = group.filter((one) => one.severity === "note").map((one) => findingOf(one, sources));
  const blocks: LeafBlock[] = [];
  if (full.length > 0) blocks.push({ kind: "findings", detail: "full", items: full });
  if (notes.length > 0) blocks.push({ kind: "findings", detail: "line", items: notes });
  return {
    importance: IMPORTANCE_OF[worst],
    tone: TONE_OF[worst],
    context: null,
    title: title === "" ? prose("The project") : text`${title}`,
    state: null,
    file: null,
    brief: prose(findingsInWords(group)),
    blocks,
  };
}
