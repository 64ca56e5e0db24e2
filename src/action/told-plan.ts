// The plan of a job as a report: the tables, what belongs to none of them, what could not be read. Pure.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { FailedTable } from "../commands/make-plan.ts";
import type { Plan } from "../plan/plan.ts";
import { withFindings } from "../report/diagnostics-report.ts";
import type { Sources } from "../report/excerpt.ts";
import { groupNotRead, withNotRead } from "../report/not-read.ts";
import { planReport, type PlanReportOptions } from "../report/plan-report.ts";
import type { Report } from "../report/report.ts";
import type { Text } from "../report/text.ts";

export interface ToldPlan {
  readonly sources: Sources;
  readonly findings: readonly Diagnostic[];
  readonly failed: readonly FailedTable[];
  readonly waiting?: NonNullable<PlanReportOptions["waiting"]>;
  /** What a person does next; a job gives no command to type. */
  readonly next: Text | null;
  readonly offline?: boolean;
}

export function toldPlan(plan: Plan, { sources, findings, failed, waiting, next, offline = false }: ToldPlan): Report {
  const ofTables = planReport(plan, {
    asked: null,
    offline,
    sources,
    verbose: false,
    ...(waiting === undefined ? {} : { waiting }),
    next,
  });
  return withNotRead(withFindings(ofTables, findings, sources), groupNotRead(failed), plan.environment, plan.tables.length === 0);
}
