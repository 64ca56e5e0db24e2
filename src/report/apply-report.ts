// How an apply ended, as a report: a section a table with what was done, what stopped it, and what must be done
// next. Decides what is said; how it looks is in formats/.
import type { Outcome, TableResult } from "../apply/result.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ToolError } from "../diagnostics/tool-error.ts";
import type { JsonObject } from "../iceberg/json.ts";
import type { TablePlan } from "../plan/plan.ts";
import { shellWord } from "./escape.ts";
import { findingOf, type Sources } from "./excerpt.ts";
import { diagnosticJson } from "./formats/diagnostics-json.ts";
import { IMPORTANCE, type LeafBlock, type Report, type Section, type Tone } from "./report.ts";
import { countsInWords } from "./plan-counts.ts";
import { stepRow } from "./step-rows.ts";
import { counted, joinTexts, prose, text, type Text } from "./text.ts";

export interface ApplyReportOptions {
  readonly environment: string;
  readonly sources: Sources;
  /** Tables that an interrupted run never came to. */
  readonly notReached: readonly string[];
}

interface OutcomeWords {
  readonly word: string;
  readonly tone: Tone;
  readonly importance: number;
}

const WORDS: Readonly<Record<Outcome, OutcomeWords>> = {
  applied: { word: "applied", tone: "good", importance: IMPORTANCE.behaviour },
  "dry-run": { word: "would be applied", tone: "quiet", importance: IMPORTANCE.behaviour },
  "in-step": { word: "in step", tone: "quiet", importance: IMPORTANCE.unchanged },
  left: { word: "left to another run", tone: "quiet", importance: IMPORTANCE.note },
  blocked: { word: "blocked", tone: "blocked", importance: IMPORTANCE.blocked },
  "not-approved": { word: "not approved", tone: "blocked", importance: IMPORTANCE.blocked },
  held: { word: "held", tone: "blocked", importance: IMPORTANCE.blocked },
  conflict: { word: "overtaken", tone: "blocked", importance: IMPORTANCE.blocked },
  refused: { word: "refused", tone: "blocked", importance: IMPORTANCE.blocked },
  failed: { word: "failed", tone: "blocked", importance: IMPORTANCE.blocked },
  unknown: { word: "unclear", tone: "blocked", importance: IMPORTANCE.blocked },
  differs: { word: "applied, and differs", tone: "blocked", importance: IMPORTANCE.blocked },
};

export function applyReport(results: readonly TableResult[], options: ApplyReportOptions): Report {
  const shown = results.filter((result) => result.outcome !== "in-step");
  const worst = results.some((result) => WORDS[result.outcome].tone === "blocked") || options.notReached.length > 0;
  const summary = summaryOf(results, options);
  return {
    tone: worst ? "blocked" : "good",
    headline: applyHeadline(results, options),
    alerts: [],
    overview: null,
    sections: shown.map((result) => sectionOf(result, options)),
    summary,
    next: nextOf(results, options),
    json: applyJson(results, options),
  };
}

/** What came of it in one line; `left` and `in-step` alone are no work of this run. */
export function applyHeadline(
  results: readonly TableResult[],
  { environment, notReached }: Pick<ApplyReportOptions, "environment" | "notReached">,
): Text {
  const count = (outcome: Outcome): number => results.filter((result) => result.outcome === outcome).length;
  if (notReached.length > 0 || results.some(({ outcome }) => WORDS[outcome].tone === "blocked")) {
    return text`Not all is applied to ${environment}`;
  }
  const [applied, dry, left] = [count("applied"), count("dry-run"), count("left")];
  if (applied > 0) return text`Applied to ${environment}: ${prose(counted(applied, "table"))}`;
  if (dry > 0) return text`Would be applied to ${environment}: ${prose(counted(dry, "table"))}`;
  if (left > 0) return text`Left to another run in ${environment}: ${prose(counted(left, "table"))}`;
  return text`Nothing to apply to ${environment}`;
}

function sectionOf(result: TableResult, { environment, sources }: ApplyReportOptions): Section {
  const { word, tone, importance } = WORDS[result.outcome];
  const { plan, problems, error } = result;
  const blocks: LeafBlock[] = [];
  const took = result.outcome === "applied" || result.outcome === "differs" || result.outcome === "dry-run";
  if (plan !== null && took) blocks.push({ kind: "steps", file: plan.file, rows: plan.steps.map(stepRow) });
  if (problems.length > 0)
    blocks.push({ kind: "findings", detail: "full", items: problems.map((one) => findingOf(one, sources)) });
  if (error !== null) blocks.push(...errorBlocks(error));
  if (result.outcome === "conflict") {
    blocks.push({
      kind: "paragraph",
      text: prose("Other writers kept committing to the table; nothing of this plan landed. Run it again."),
    });
  }
  for (const fact of factsOf(result, environment)) blocks.push({ kind: "paragraph", text: fact });
  return {
    importance,
    tone,
    context: environment,
    title: text`${result.table}`,
    state: word,
    file: plan?.file ?? null,
    brief: prose(took && plan !== null ? countsInWords([{ ...plan, drift: [], blockers: [] }]) : ""),
    blocks,
  };
}

/** The message of a failure, without markup and without its stack. */
export function errorBlocks(error: ToolError): LeafBlock[] {
  const lines = [error.message, error.why ?? "", error.mend ?? ""].filter((line) => line !== "");
  const context = Object.entries(error.context).map(([key, value]) => text`${key}: ${String(value)}`);
  return [
    ...lines.map((line): LeafBlock => ({ kind: "paragraph", text: prose(line) })),
    ...context.map((line): LeafBlock => ({ kind: "paragraph", text: line })),
  ];
}

function factsOf(result: TableResult, environment: string): Text[] {
  const { outcome, plan, snapshotId, rewrittenFiles, metadataLocation } = result;
  if (outcome === "dry-run" && rewrittenFiles > 0) {
    return [prose(`${counted(rewrittenFiles, "data file")} written and not yet part of the table; the apply takes them up.`)];
  }
  if (outcome !== "applied" && outcome !== "differs") return [];
  const rewrite =
    snapshotId === null ? [] : [text`${prose(counted(rewrittenFiles, "data file"))} rewritten in snapshot ${String(snapshotId)}`];
  const told = plan === null ? null : whoIsTold(plan);
  const back = snapshotId === null ? null : wayBack(result.table, environment);
  return [
    ...rewrite,
    ...(told === null ? [] : [told]),
    ...(metadataLocation === null ? [] : [text`Now at ${metadataLocation}`]),
    ...(back === null ? [] : [back]),
  ];
}

/** Null where a name cannot be typed safely. */
function wayBack(table: string, environment: string): Text | null {
  const words = [shellWord(table), shellWord(environment)];
  return words.includes(null) ? null : text`Way back, schema and data together: ${`floeplan rollback ${words.join(" -e ")}`}`;
}

/** Who must refresh or redeploy: the owner, and whoever wrote last. Null where nobody notices anything. */
function whoIsTold({ steps, owner, facts }: TablePlan): Text | null {
  if (steps.every(({ effect }) => effect === "metadata")) return null;
  const parts: Text[] = [];
  if (owner !== null) parts.push(text`owner ${owner}`);
  if (facts !== null && facts.lastWrite !== null) parts.push(text`last written by ${facts.lastWrite.writer}`);
  return parts.length === 0 ? null : text`Tell its readers and writers: ${joinTexts(parts, ", ")}`;
}

function summaryOf(results: readonly TableResult[], { notReached }: ApplyReportOptions): Text {
  if (results.length === 0 && notReached.length === 0) return prose("No table is selected.");
  const counts = new Map<string, number>();
  for (const { outcome } of results) counts.set(WORDS[outcome].word, (counts.get(WORDS[outcome].word) ?? 0) + 1);
  if (notReached.length > 0) counts.set("not reached", notReached.length);
  const parts = [...counts].map(([word, count]) => prose(`${count} ${word}`));
  return [...prose(`${counted(results.length + notReached.length, "table")}: `), ...joinTexts(parts, ", "), ...prose(".")];
}

function nextOf(results: readonly TableResult[], { notReached }: ApplyReportOptions): Text | null {
  const again = results.filter(({ outcome }) => outcome === "conflict" || outcome === "unknown" || outcome === "failed");
  if (again.length > 0 || notReached.length > 0) return prose("run the same apply again: it goes on from what is live");
  if (results.some(({ outcome }) => outcome === "blocked" || outcome === "not-approved"))
    return prose("mend or approve what stopped, then apply again");
  const rewritten = results.some(({ outcome, snapshotId }) => outcome === "applied" && snapshotId !== null);
  return rewritten
    ? prose("redeploy the writers of the converted columns; the next plan says whether a late file slipped in")
    : null;
}

function applyJson(results: readonly TableResult[], { environment, notReached }: ApplyReportOptions): JsonObject {
  return {
    floeplan: 1,
    environment,
    tables: results.map((result) => ({
      table: result.table,
      outcome: result.outcome,
      fingerprint: result.plan?.fingerprint ?? null,
      owner: result.plan?.owner ?? null,
      "last-writer": result.plan?.facts?.lastWrite?.writer ?? null,
      steps: (result.plan?.steps ?? []).map((step) => ({ id: step.id, kind: step.kind, effect: step.effect })),
      "metadata-location": result.metadataLocation,
      "snapshot-id": result.snapshotId === null ? null : String(result.snapshotId),
      "rewritten-files": result.rewrittenFiles,
      problems: result.problems.map((one: Diagnostic) => diagnosticJson(one)),
      error:
        result.error === null
          ? null
          : {
              kind: result.error.kind,
              what: result.error.message,
              why: result.error.why ?? null,
              mend: result.error.mend ?? null,
            },
    })),
    "not-reached": [...notReached],
  };
}
