// A plan as a report: verdict, alerts, a section a table and a cause, summary, what to do next. Decides what is
// said and in which order; how it looks is in formats/.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Plan, TablePlan } from "../plan/plan.ts";
import type { Sources } from "./excerpt.ts";
import { planJson } from "./formats/plan-json.ts";
import { gatherCauses } from "./plan-causes.ts";
import { countsInWords, hasSteps, isInStep, planState } from "./plan-counts.ts";
import { nextAfterPlan, type AskedFor } from "./plan-next.ts";
import { causeSections, tableSection, type WaitingSteps } from "./plan-sections.ts";
import { planAlerts, planHeadline, planOverview } from "./plan-verdict.ts";
import type { Report } from "./report.ts";
import { counted, joinTexts, prose, text, type Text } from "./text.ts";

/** More notes than this hide the steps between them. */
const NOTES_SHOWN = 20;

export interface PlanReportOptions {
  /** Null: nobody types the next command, as in a job. */
  readonly asked: AskedFor | null;
  /** Planned on what the base branch declares, without a look at a catalog: no id of it can be approved. */
  readonly offline?: boolean;
  /** Texts of the declarations, for excerpts. */
  readonly sources: Sources;
  /** All notes, however many. */
  readonly verbose: boolean;
  /** By table: ids of steps that an earlier declaration asked for already, and where from. Absent: none. */
  readonly waiting?: ReadonlyMap<string, WaitingSteps>;
  /** Replaces the last line, e.g. where a policy refuses to apply; null leaves it out. */
  readonly next?: Text | null;
}

export function planReport(plan: Plan, options: PlanReportOptions): Report {
  const { causes, gathered } = gatherCauses(plan.tables);
  const notes = plan.tables.flatMap((table) => table.notes).filter(isNote).length;
  const showNotes = options.verbose || notes <= NOTES_SHOWN;
  const offline = options.offline === true;
  const { tone, headline } = planHeadline(plan, offline);
  const tableSections = plan.tables.flatMap((table) => {
    const section = tableSection(table, {
      gathered,
      withIds: !offline,
      sources: options.sources,
      showNotes,
      fullNotes: options.verbose,
      waiting: options.waiting?.get(table.table) ?? null,
    });
    return section === null ? [] : [section];
  });
  return {
    tone,
    headline,
    alerts: planAlerts(plan, offline),
    overview: planOverview(plan),
    sections: [...causeSections(causes, plan.environment), ...tableSections],
    summary: planSummary(plan, offline, showNotes ? null : notesElsewhere(notes, options.asked !== null)),
    ...nextOf(plan, options),
    json: planJson(plan),
  };
}

function nextOf(plan: Plan, { asked, next }: PlanReportOptions): Pick<Report, "next" | "more"> {
  if (next !== undefined || asked === null) return { next: next ?? null };
  const isDrift = planState(plan.tables) === "drift";
  return { next: nextAfterPlan(plan, asked), ...(isDrift ? { more: prose("-v shows what to write") } : {}) };
}

function notesElsewhere(notes: number, isTyped: boolean): string {
  return `${counted(notes, "note")} not shown: ${isTyped ? "-v shows them" : "the plan JSON has them"}.`;
}

function isNote(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "note";
}

/** `1 table: 1 added, 1 lost. 61 tables in step. Plan c40e7718.` */
function planSummary(plan: Plan, offline: boolean, hiddenNotes: string | null): Text {
  if (plan.tables.length === 0) return prose("No table is selected.");
  const parts: Text[] = [];
  const changing = plan.tables.filter((table) => !isInStep(table));
  const steps = plan.tables.some(hasSteps);
  if (!steps && planState(plan.tables) !== "blocked") parts.push(prose("No changes."));
  if (changing.length > 0) parts.push(prose(`${counted(changing.length, "table")}: ${countsInWords(changing)}.`));
  const inStep = inStepSentence(plan.tables, changing.length);
  if (inStep !== null) parts.push(prose(inStep));
  if (steps && !offline) parts.push(text`Plan ${plan.fingerprint.slice(0, 8)}.`);
  if (hiddenNotes !== null) parts.push(prose(hiddenNotes));
  return joinTexts(parts, " ");
}

function inStepSentence(tables: readonly TablePlan[], changing: number): string | null {
  const inStep = tables.length - changing;
  return inStep === 0 ? null : `${counted(inStep, "table")} in step.`;
}
