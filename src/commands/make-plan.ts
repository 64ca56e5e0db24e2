// Plans many tables, several at a time: what is live, what the manifests prove, and, when asked for, what every
// value says. Used by `plan`, and by `apply` before it asks.
import { runJobs } from "../catalog/evidence-jobs.ts";
import { preflightConversions, rewriteJob } from "../apply/rewrite-data.ts";
import { planInput, readTableState, type Target } from "../apply/table-state.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { planFingerprint } from "../plan/fingerprint.ts";
import type { Plan } from "../plan/plan.ts";
import { type PlannedTable, planTable } from "../plan/plan-table.ts";
import type { RewriteProgress } from "../rewrite/rewrite-engine.ts";
import { withKeepAnswers } from "./drift-answers.ts";
import type { CommandContext } from "./ports.ts";

export interface PlanOptions {
  /** Read all values of converted columns. */
  readonly preflight: boolean;
  /** Read manifests. */
  readonly evidence: boolean;
}

/** Catalog and store calls that wait at once. */
const TABLES_AT_ONCE = 8;

export async function makePlan(
  environment: string,
  targets: readonly Target[],
  options: PlanOptions,
  context: CommandContext,
): Promise<Plan> {
  let done = 0;
  prefetch(targets);
  const plans = await runJobs(
    targets.map((target) => ({
      sizeBytes: 0,
      run: async () => {
        stopIfAsked(context);
        const plan = withKeepAnswers(await planOne(target, options, context));
        context.progress.report({ what: "Planning", done: ++done, total: targets.length, unit: "tables" });
        return plan;
      },
    })),
    { jobs: TABLES_AT_ONCE, bytes: Number.MAX_SAFE_INTEGER },
  );
  context.progress.end();
  return { environment, fingerprint: planFingerprint(plans), tables: plans };
}

/** Each catalog is told all of its tables before the first is loaded. */
function prefetch(targets: readonly Target[]): void {
  const byCatalog = new Map<Target["catalog"], TableIdentifier[]>();
  for (const { catalog, spec } of targets) byCatalog.set(catalog, [...(byCatalog.get(catalog) ?? []), spec.identifier]);
  for (const [catalog, identifiers] of byCatalog) catalog.prefetch?.(identifiers);
}

async function planOne(target: Target, options: PlanOptions, context: CommandContext): Promise<PlannedTable> {
  const state = await readTableState(target, { evidence: options.evidence });
  const planned = planTable(planInput(target, state, null));
  const { change, pair } = planned;
  if (!options.preflight || change === null || change.conversions.length === 0 || pair.live === null) return planned;
  const counts = await preflightConversions(
    rewriteJob(target, pair.live, change.conversions),
    rewriteProgress(context, target.spec.name),
  );
  return planTable(planInput(target, state, counts));
}

/** The progress of one table's rewrite on the command's own. */
export function rewriteProgress(context: CommandContext, table: string): RewriteProgress {
  return {
    report: (what, done, total) => context.progress.report({ what: `${what} of ${table}`, done, total, unit: "files" }),
    checkpoint: () => stopIfAsked(context),
  };
}

export function stopIfAsked(context: CommandContext): void {
  context.signal.throwIfAborted();
}
