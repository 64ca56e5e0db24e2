// Plans many tables, several at a time: what is live, what the manifests prove, and, when asked for, what every
// value says. Used by `plan`, and by `apply` before it asks.
import { runMany } from "../catalog/evidence-jobs.ts";
import { preflightConversions, rewriteJob } from "../apply/rewrite-data.ts";
import { planInput, readTableState, type TableState, type Target } from "../apply/table-state.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { planFingerprint } from "../plan/fingerprint.ts";
import type { Plan } from "../plan/plan.ts";
import { type PlannedTable, planTable } from "../plan/plan-table.ts";
import type { RewriteProgress } from "../rewrite/rewrite-engine.ts";
import { withKeepAnswers } from "./drift-answers.ts";
import { withHeldWarning } from "./held-warning.ts";
import { orError } from "./or-error.ts";
import type { CommandContext } from "./ports.ts";

export interface PlanOptions {
  /** Read all values of converted columns. */
  readonly preflight: boolean;
  /** Read manifests. */
  readonly evidence: boolean;
  /** Declarations by name of what is being changed, e.g. of the base branch; absent: nothing is compared. */
  readonly earlier?: ReadonlyMap<string, TableSpec>;
  /** A table that cannot be read is told and hides no other; absent or false: it is thrown. */
  readonly keepsGoing?: boolean;
}

export interface FailedTable {
  readonly table: string;
  readonly error: ToolError;
}

export interface MadePlan extends Plan {
  /** By table: ids of steps that the earlier declaration asks for already. */
  readonly waiting: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tables of which there is no plan. */
  readonly failed: readonly FailedTable[];
}

/** Catalog and store calls that wait at once. */
const TABLES_AT_ONCE = 8;

export async function makePlan(
  environment: string,
  targets: readonly Target[],
  options: PlanOptions,
  context: CommandContext,
): Promise<MadePlan> {
  let done = 0;
  const waiting = new Map<string, ReadonlySet<string>>();
  const failed: FailedTable[] = [];
  prefetch(targets);
  const planned = await runMany(targets, TABLES_AT_ONCE, async (target) => {
    stopIfAsked(context);
    const plan = async (): Promise<PlannedOnce> => await planOne(target, options, context);
    const made = options.keepsGoing === true ? await orError(plan) : await plan();
    context.progress.report({ what: "Planning", done: ++done, total: targets.length, unit: "tables" });
    if (made instanceof ToolError) {
      failed.push({ table: target.spec.name, error: made });
      return null;
    }
    if (made.earlierSteps.size > 0) waiting.set(target.spec.name, made.earlierSteps);
    return withHeldWarning(withKeepAnswers(made.planned), made.planned);
  });
  context.progress.end();
  const plans = planned.filter((plan) => plan !== null);
  return { environment, fingerprint: planFingerprint(plans), tables: plans, waiting, failed };
}

/** Each catalog is told all of its tables before the first is loaded. */
function prefetch(targets: readonly Target[]): void {
  const byCatalog = new Map<Target["catalog"], TableIdentifier[]>();
  for (const { catalog, spec } of targets) byCatalog.set(catalog, [...(byCatalog.get(catalog) ?? []), spec.identifier]);
  for (const [catalog, identifiers] of byCatalog) catalog.prefetch?.(identifiers);
}

interface PlannedOnce {
  readonly planned: PlannedTable;
  readonly earlierSteps: ReadonlySet<string>;
}

async function planOne(target: Target, options: PlanOptions, context: CommandContext): Promise<PlannedOnce> {
  const state = await readTableState(target, { evidence: options.evidence });
  const planned = planTable(planInput(target, state, null));
  const earlierSteps = stepsInCommon(target, state, planned, options);
  const { change, pair } = planned;
  if (!options.preflight || change === null || change.conversions.length === 0 || pair.live === null) {
    return { planned, earlierSteps };
  }
  const counts = await preflightConversions(
    await rewriteJob(target, pair.live, change.conversions),
    rewriteProgress(context, target.spec.name),
  );
  return { planned: planTable(planInput(target, state, counts)), earlierSteps };
}

function stepsInCommon(target: Target, state: TableState, { plan }: PlannedTable, { earlier }: PlanOptions): ReadonlySet<string> {
  const spec = earlier?.get(target.spec.name);
  if (spec === undefined || plan.steps.length === 0) return new Set();
  const before = new Set(planTable(planInput({ ...target, spec }, state, null)).plan.steps.map((step) => step.id));
  return new Set(plan.steps.map((step) => step.id).filter((id) => before.has(id)));
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
