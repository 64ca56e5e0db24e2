// Plans many tables, each for itself: a table or a catalog that does not answer is told and hides no other. Manifests
// are read only where a plan hangs on them. Used by `drift` and `status`.
import { hangsOnEvidence, planInput, readTableState, type Target, withEvidence } from "../apply/table-state.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { runMany } from "../catalog/evidence-jobs.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { bug, ToolError } from "../diagnostics/tool-error.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { type PlannedTable, planTable } from "../plan/plan-table.ts";
import { groupNotRead, type NotRead } from "../report/not-read.ts";
import { declaredTables } from "./import-new.ts";
import { catalogOpener, identifierKey, type OpenEnvironment } from "./load-targets.ts";
import { stopIfAsked } from "./make-plan.ts";
import type { CommandContext } from "./ports.ts";
import { orError } from "./or-error.ts";

export interface Surveyed {
  readonly spec: TableSpec;
  /** Null where the catalog did not open. */
  readonly catalog: Catalog | null;
  /** The plan, or why there is none. */
  readonly planned: PlannedTable | ToolError;
}

/** Catalog and store calls that wait at once. */
const TABLES_AT_ONCE = 8;

export async function survey(
  context: CommandContext,
  { config, environment, tables }: Pick<OpenEnvironment, "config" | "environment" | "tables">,
  specs: readonly TableSpec[],
): Promise<readonly Surveyed[]> {
  const catalogOf = catalogOpener(config, environment);
  const catalogs = new Map<string, Catalog | ToolError>();
  for (const name of new Set(specs.map((spec) => spec.catalog))) {
    const catalog = await orError(() => catalogOf(name));
    catalogs.set(name, catalog);
    if (!(catalog instanceof ToolError)) {
      catalog.prefetch?.(specs.filter((spec) => spec.catalog === name).map((spec) => spec.identifier));
    }
  }
  const declared = declaredTables(tables);
  let done = 0;
  const surveyed = await runMany(specs, TABLES_AT_ONCE, async (spec): Promise<Surveyed> => {
    stopIfAsked(context);
    const catalog = catalogs.get(spec.catalog);
    if (catalog === undefined) throw bug("A catalog was not opened", { catalog: spec.catalog });
    const isDeclared = (identifier: TableIdentifier): boolean => declared.has(identifierKey(spec.catalog, identifier));
    const found: Surveyed =
      catalog instanceof ToolError
        ? { spec, catalog: null, planned: catalog }
        : { spec, catalog, planned: await orError(() => plan({ spec, catalog, policy: environment.policy, isDeclared })) };
    const what = `Reading ${environment.name}`;
    context.progress.report({ what, done: ++done, total: specs.length, unit: "tables" });
    return found;
  });
  context.progress.end();
  return surveyed;
}

/** A table in step, and without a conversion whose late files could turn up, is read without its manifests. */
async function plan(target: Target): Promise<PlannedTable> {
  const state = await readTableState(target, { evidence: false });
  const quick = planTable(planInput(target, state, null));
  if (quick.pair.pair === null || !hangsOnEvidence(quick)) return quick;
  return planTable(planInput(target, await withEvidence(target, state, quick.plan), null));
}

export function isPlanned(planned: Surveyed["planned"]): planned is PlannedTable {
  return !(planned instanceof ToolError);
}

/** What did not answer. */
export function notRead(surveyed: readonly Surveyed[]): readonly NotRead[] {
  return groupNotRead(
    surveyed.flatMap(({ spec, planned }) => (isPlanned(planned) ? [] : [{ table: spec.name, error: planned }])),
  );
}
