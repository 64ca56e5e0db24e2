// Reads everything that a plan of one table needs from the catalog: the live table and what its manifests prove.
import { loadEvidence } from "../catalog/load-evidence.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { PreflightCounts } from "../conversion/preflight.ts";
import type { Policy } from "../desired/project-config.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import type { Evidence } from "../iceberg/evidence.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { readConversions } from "../plan/base.ts";
import type { PlanInput } from "../plan/table-pair.ts";

export interface TableState {
  readonly live: LiveTable | null;
  readonly namespaceExists: boolean;
  readonly evidence: Evidence | null;
}

/** A declared table with what it is planned by. */
export interface Target {
  readonly spec: TableSpec;
  readonly policy: Policy;
  readonly catalog: Catalog;
}

export interface StateOptions {
  /** False: manifests are not read. */
  readonly evidence: boolean;
  readonly onManifest?: (read: number, of: number) => void;
}

export async function readTableState({ spec, catalog }: Target, options: StateOptions): Promise<TableState> {
  const live = await catalog.loadTable(spec.identifier);
  if (live === null) return { live, namespaceExists: await catalog.namespaceExists(spec.identifier.namespace), evidence: null };
  return {
    live,
    namespaceExists: true,
    evidence: options.evidence ? await readEvidence(catalog, live, options.onManifest) : null,
  };
}

async function readEvidence(catalog: Catalog, live: LiveTable, onManifest: StateOptions["onManifest"]): Promise<Evidence> {
  const { known } = readConversions(live.metadata.properties);
  return await loadEvidence(catalog.storeFor(live), live.metadata, {
    conversions: known.map((memory) => ({ retiredId: memory.retired.id, newId: memory.newId })),
    ...(onManifest === undefined ? {} : { onProgress: ({ manifestsRead, manifests }) => onManifest(manifestsRead, manifests) }),
  });
}

export function planInput(
  { spec, policy, catalog }: Target,
  state: TableState,
  preflight: ReadonlyMap<number, PreflightCounts> | null,
): PlanInput {
  const { lowerCaseNames, nestedNamespaces, tableLocation } = catalog.capabilities;
  return {
    spec,
    policy,
    ...state,
    preflight,
    catalog: { label: catalog.label, lowerCaseNames, nestedNamespaces, tableLocation },
  };
}
