// Reads everything that a plan of one table needs from the catalog: the live table and what its manifests prove.
import { loadEvidence } from "../catalog/load-evidence.ts";
import { loadSpecUsage } from "../catalog/evidence-spec-usage.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { PreflightCounts } from "../conversion/preflight.ts";
import type { Policy } from "../desired/project-config.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { CatalogProblem } from "../iceberg/catalog-state.ts";
import type { Evidence } from "../iceberg/evidence.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import { currentSchema, type TableMetadata } from "../iceberg/table-metadata.ts";
import { isPrimitive, type PrimitiveType } from "../iceberg/type.ts";
import { readBase, readConversions } from "../plan/base.ts";
import { type TablePlan, touchesValues } from "../plan/plan.ts";
import { type PlannedTable, planTable } from "../plan/plan-table.ts";
import type { CatalogFacts, PlanInput } from "../plan/table-pair.ts";

export interface TableState {
  readonly live: LiveTable | null;
  readonly namespaceExists: boolean;
  readonly evidence: Evidence | null;
  readonly lookalikes?: readonly LiveTable[];
  readonly placeProblem?: CatalogProblem | null;
}

/** A declared table with what it is planned by. */
export interface Target {
  readonly spec: TableSpec;
  readonly policy: Policy;
  readonly catalog: Catalog;
  /** Does any file of the environment declare that table of the same catalog? Absent: not known. */
  readonly isDeclared?: (identifier: TableIdentifier) => boolean;
}

export interface StateOptions {
  /** False: manifests are not read. True: they are where the plan hangs on them. */
  readonly evidence: boolean;
  readonly onManifest?: (read: number, of: number) => void;
}

export async function readTableState(target: Target, options: StateOptions): Promise<TableState> {
  const { spec, catalog } = target;
  // Planned as a new table, so that what is wrong with the name is told with its place in the file.
  if (catalog.canLookFor?.(spec.identifier) === false) return { live: null, namespaceExists: true, evidence: null };
  const live = await catalog.loadTable(spec.identifier);
  if (live === null) {
    const { identifier, location } = spec;
    const namespaceExists = await catalog.namespaceExists(identifier.namespace);
    const lookalikes = spec.isNew ? [] : await undeclaredBeside(target, namespaceExists);
    const placeProblem = (await catalog.placeProblem?.({ identifier, location })) ?? null;
    return { live, namespaceExists, evidence: null, lookalikes, placeProblem };
  }
  const bare: TableState = { live, namespaceExists: true, evidence: null, lookalikes: [] };
  if (!options.evidence) return bare;
  const quick = planTable(planInput(target, bare, null));
  return hangsOnEvidence(quick) ? await withEvidence(target, bare, quick.plan, options.onManifest) : bare;
}

/** Could the manifests change this plan, which was made without? Not where the table is in step, and no conversion's late files can turn up. */
export function hangsOnEvidence({ plan, pair }: PlannedTable): boolean {
  return plan.steps.length + plan.blockers.length + (pair.pair?.conversions.length ?? 0) > 0;
}

/** The same state with what the manifests prove; `plan`, made without, says which columns are of interest. */
export async function withEvidence(
  target: Target,
  state: TableState,
  plan: TablePlan,
  onManifest?: StateOptions["onManifest"],
): Promise<TableState> {
  if (state.live === null) return state;
  try {
    return { ...state, evidence: await readEvidence(target, plan, state.live, onManifest) };
  } catch (error) {
    const isOutOfReach = error instanceof ToolError && error.kind === "unsupported";
    // Data in a store that is not read here: what touches no value needs no proof from it, and what needs one is refused.
    if (!isOutOfReach || plan.steps.some(({ effect }) => touchesValues(effect))) throw error;
    return state;
  }
}

/** A namespace of thousands of foreign tables must not be read whole for one new table. */
const MAX_LOOKALIKES = 50;

/**
 * Tables of the same namespace, and where a table can move to another one of the same name anywhere, that floeplan applied
 * and no file declares; one that cannot be read is passed over.
 */
async function undeclaredBeside({ spec, catalog, isDeclared }: Target, namespaceExists: boolean): Promise<readonly LiveTable[]> {
  const { namespace, name } = spec.identifier;
  const isAnywhere = catalog.capabilities.movesBetweenNamespaces === true;
  if (!isAnywhere && !namespaceExists) return [];
  const own = formatPath(namespace);
  const found: LiveTable[] = [];
  let looked = 0;
  for await (const identifier of catalog.listTables(isAnywhere ? undefined : namespace)) {
    if (identifier.name !== name && formatPath(identifier.namespace) !== own) continue;
    if (isDeclared?.(identifier) !== false || looked++ >= MAX_LOOKALIKES) continue;
    const live = await catalog.loadTable(identifier).catch(() => null);
    if (live !== null && readBase(live.metadata.properties) !== null) found.push(live);
  }
  return found;
}

async function readEvidence(
  { spec, catalog }: Target,
  plan: TablePlan,
  live: LiveTable,
  onManifest: StateOptions["onManifest"],
): Promise<Evidence> {
  const store = catalog.storeFor(live);
  const { known } = readConversions(live.metadata.properties);
  const evidence = await loadEvidence(store, live.metadata, {
    conversions: known.map((memory) => ({ retiredId: memory.retired.id, newId: memory.newId })),
    ranges: riskyColumns(plan, live.metadata),
    ...(onManifest === undefined ? {} : { onProgress: ({ manifestsRead, manifests }) => onManifest(manifestsRead, manifests) }),
  });
  // Only a drop asks for it, and it reads the list of every kept snapshot.
  const asksForSpecs = spec.dropped.length > 0 && live.metadata.partitionSpecs.length > 1;
  return asksForSpecs ? { ...evidence, specUsage: await loadSpecUsage(store, live.metadata, evidence) } : evidence;
}

/** Types of the live primitive columns whose values a step rewrites or loses, by field id. */
function riskyColumns({ steps }: TablePlan, metadata: TableMetadata): ReadonlyMap<number, PrimitiveType> {
  const index = indexSchema(currentSchema(metadata));
  return new Map(
    steps.flatMap(({ effect, field }) => {
      const id = field?.id ?? null;
      const type = id === null || !touchesValues(effect) ? undefined : index.byId(id)?.type;
      return id === null || type === undefined || !isPrimitive(type) ? [] : [[id, type] as const];
    }),
  );
}

export function catalogFacts({ label, capabilities }: Catalog): CatalogFacts {
  return { label, ...capabilities };
}

export function planInput(
  { spec, policy, catalog }: Target,
  state: TableState,
  preflight: ReadonlyMap<number, PreflightCounts> | null,
): PlanInput {
  const catalogState = state.live === null ? catalog.newTableState?.(spec.identifier) : state.live.catalogState;
  return {
    spec,
    policy,
    ...state,
    preflight,
    catalog: catalogFacts(catalog),
    ...(catalogState === undefined ? {} : { catalogState }),
  };
}
