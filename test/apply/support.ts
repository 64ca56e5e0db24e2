// A world for apply: the employees table that Spark wrote, in a memory catalog, and what a test does with a table of any
// catalog. The rows are read back by hyparquet through the product's own row reader.
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { createMemoryCatalog } from "../../src/catalog/memory.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { sampleRows } from "../../src/commands/rows/sample-rows.ts";
import { loadProject, resolveProject } from "../../src/desired/load-project.ts";
import type { TableSpec } from "../../src/desired/table-spec.ts";
import { DEFAULT_POLICY } from "../../src/desired/project-config.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Approval } from "../../src/apply/approval.ts";
import { applyTable } from "../../src/apply/apply-plan.ts";
import type { ApplyPorts } from "../../src/apply/ports.ts";
import type { TableResult } from "../../src/apply/result.ts";
import { planInput, readTableState, type Target } from "../../src/apply/table-state.ts";
import { type PlannedTable, planTable } from "../../src/plan/plan-table.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import { exampleTable } from "../blackbox/glue-tables.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../examples/employees");

interface Original {
  readonly files: readonly (readonly [string, Uint8Array])[];
  readonly metadata: TableMetadata;
  readonly spec: TableSpec;
}

/** The example's table as bytes; read from disk once. */
export function original(): Original {
  const spec = resolveProject(loadProject(EXAMPLE), "demo").tables.find((one) => one.name === "hr.iceberg_employee");
  const { objects, metadataLocation } = exampleTable("iceberg_employee", "memory://lake/hr/iceberg_employee");
  const bytes = objects.get(metadataLocation);
  if (spec === undefined || bytes === undefined) throw new Error("the example lost its table");
  return { files: [...objects], metadata: readMetadata(bytes, metadataLocation), spec };
}

export interface World {
  readonly catalog: Catalog;
  readonly target: Target;
}

export async function world({ files, metadata, spec }: Original): Promise<World> {
  const store = createMemoryStore();
  for (const [location, bytes] of files) await store.putIfAbsent(location, bytes);
  const ports = { ...systemPorts(), wait: async () => undefined };
  const catalog = createMemoryCatalog({ name: "lake", ports, store });
  await catalog.createNamespace(spec.identifier.namespace);
  const created = await catalog.createTable(
    { identifier: spec.identifier, location: metadata.location },
    { requirements: [{ type: "assert-create" }], updates: creation(metadata), attempt: randomUUID() },
  );
  if (created.state !== "done") throw new Error(`the world was not made: ${JSON.stringify(created)}`);
  return { catalog, target: { spec, policy: DEFAULT_POLICY, catalog } };
}

export function creation(metadata: TableMetadata): TableUpdate[] {
  return [
    { action: "assign-uuid", uuid: metadata.tableUuid ?? randomUUID() },
    { action: "set-location", location: metadata.location },
    { action: "upgrade-format-version", formatVersion: metadata.formatVersion },
    { action: "add-schema", schema: currentSchema(metadata), lastColumnId: metadata.lastColumnId },
    { action: "set-current-schema", schemaId: -1 },
    { action: "add-spec", spec: { specId: 0, fields: [] } },
    { action: "set-default-spec", specId: -1 },
    { action: "add-sort-order", sortOrder: { orderId: 0, fields: [] } },
    { action: "set-default-sort-order", sortOrderId: -1 },
    ...[...metadata.snapshots].map((snapshot): TableUpdate => ({ action: "add-snapshot", snapshot })),
    ...Object.entries(metadata.refs).map(([refName, ref]): TableUpdate => ({ action: "set-snapshot-ref", refName, ref })),
    { action: "set-properties", updates: metadata.properties },
  ];
}

function ports(nowMs: () => number): ApplyPorts {
  return {
    nowMs,
    randomId: () => randomUUID(),
    wait: async () => undefined,
    progress: { report: () => undefined, checkpoint: () => undefined },
    version: "0.0.0",
    commit: null,
    reason: null,
  };
}

export async function planOf(target: Target): Promise<PlannedTable> {
  return planTable(planInput(target, await readTableState(target, { evidence: true }), null));
}

/** Everything of the plan of now is approved. */
export async function approvalOf(target: Target): Promise<Approval> {
  const { plan } = await planOf(target);
  return { steps: new Set(plan.steps.map((step) => step.id)), upTo: null };
}

export async function apply(target: Target, approval: Approval, nowMs = (): number => Date.now()): Promise<TableResult> {
  return await applyTable(target, { approval, dryRun: false }, ports(nowMs));
}

/** All rows by name of column, as texts. */
export async function rowsOf({ target }: Pick<World, "target">): Promise<readonly (readonly (string | null)[])[]> {
  const live = await target.catalog.loadTable(target.spec.identifier);
  if (live === null) return [];
  const { rows, whyNot } = await sampleRows(target.catalog.storeFor(live), live.metadata, 10_000);
  if (whyNot !== null) throw new Error(whyNot);
  return [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
