// The data side of an apply: check that every file can be rewritten, check every value, then write the new files.
// Nothing here changes what the table shows.
import type { PreflightCounts } from "../conversion/preflight.ts";
import { failureTotal } from "../conversion/preflight.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatType } from "../iceberg/type-text.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import type { PlannedConversion } from "../plan/draft.ts";
import { badValuesDiagnostic } from "../plan/steps/convert-type.ts";
import type { TablePlan } from "../plan/plan.ts";
import { chooseEngine } from "../rewrite/index.ts";
import type { ConvertedFile, RewriteJob, RewriteProgress } from "../rewrite/rewrite-engine.ts";
import type { Target } from "./table-state.ts";

export function rewriteJob({ spec, catalog }: Target, live: LiveTable, conversions: readonly PlannedConversion[]): RewriteJob {
  return { table: spec.name, metadata: live.metadata, store: catalog.storeFor(live), conversions };
}

/** By live field id; values that do not convert under `on-error: fail` are refusals. */
export async function preflightConversions(
  job: RewriteJob,
  progress: RewriteProgress,
): Promise<ReadonlyMap<number, PreflightCounts>> {
  return await chooseEngine().preflight(job, progress);
}

/** Why the data cannot be rewritten; empty when it can. */
export async function refuseRewrite(
  target: Target,
  plan: TablePlan,
  job: RewriteJob,
  progress: RewriteProgress,
): Promise<readonly Diagnostic[]> {
  const files = await chooseEngine().check(job, progress);
  if (files.length > 0) return files;
  const strict = job.conversions.filter((conversion) => conversion.rule.onError === "fail");
  if (strict.length === 0) return [];
  const counts = await preflightConversions({ ...job, conversions: strict }, progress);
  return strict.flatMap((conversion) => {
    const found = counts.get(conversion.fieldId);
    if (found === undefined || failureTotal(found) === 0n) return [];
    const place = plan.steps.find((step) => step.kind === "convert-type" && step.field?.id === conversion.fieldId)?.place;
    return [badValuesDiagnostic(conversion.path, found, formatType(conversion.to), target, place ?? target.spec.place)];
  });
}

export async function rewriteData(job: RewriteJob, progress: RewriteProgress): Promise<ReadonlyMap<string, ConvertedFile>> {
  return await chooseEngine().convert(job, progress);
}

/** The tag on the state before a conversion: the way back is named after the plan. */
export function tagName(plan: TablePlan): string {
  return `floeplan-before-${plan.fingerprint.slice(0, 8)}`;
}
