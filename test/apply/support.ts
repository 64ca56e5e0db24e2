// A world for apply: the employees table that Spark wrote, in a memory catalog whose store counts its calls and can
// be told to fail. The rows are read back by hyparquet through the product's own row reader.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMemoryCatalog } from "../../src/catalog/memory.ts";
import { openCatalog, systemPorts } from "../../src/catalog/open-catalog.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { sampleRows } from "../../src/commands/rows/sample-rows.ts";
import { loadProject, resolveProject } from "../../src/desired/load-project.ts";
import type { TableSpec } from "../../src/desired/table-spec.ts";
import { DEFAULT_POLICY } from "../../src/desired/project-config.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { localPath } from "../../src/iceberg/location.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Approval } from "../../src/apply/approval.ts";
import { applyTable } from "../../src/apply/apply-plan.ts";
import type { ApplyPorts } from "../../src/apply/ports.ts";
import type { TableResult } from "../../src/apply/result.ts";
import { planInput, readTableState, type Target } from "../../src/apply/table-state.ts";
import { type PlannedTable, planTable } from "../../src/plan/plan-table.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore, ObjectWriter } from "../../src/storage/object-store.ts";
import { employees } from "../blackbox/support.ts";

/** How a call ends: before it did anything, or after, with its answer lost. */
export type Fault = "before" | "after";

export interface FaultyStore {
  readonly store: ObjectStore;
  calls: number;
  /** The number of the call that fails; with `forever` all later ones too, as when the process is gone. */
  failAt: number | null;
  fault: Fault;
  forever: boolean;
  error: () => Error;
}

/** Stands between the product and a store at the contract's edge. */
function faultyStore(inner: ObjectStore): FaultyStore {
  const state: FaultyStore = {
    store: inner,
    calls: 0,
    failAt: null,
    fault: "before",
    forever: true,
    error: () => new ToolError("unavailable", "Cannot reach the store", { why: "the test cut the line" }),
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    state.calls++;
    const fails = state.failAt !== null && (state.calls === state.failAt || (state.forever && state.calls > state.failAt));
    if (!fails) return await work();
    if (state.fault === "after" && state.calls === state.failAt) await work();
    throw state.error();
  };
  const writer = (one: ObjectWriter): ObjectWriter => ({
    write: (chunk) => run(() => one.write(chunk)),
    copyFrom: (source, offset, length) => run(() => one.copyFrom(source, offset, length)),
    close: () => run(() => one.close()),
    abort: () => one.abort(),
  });
  return Object.assign(state, {
    store: {
      canList: inner.canList,
      canRemove: inner.canRemove,
      read: (location: string) => run(() => inner.read(location)),
      readRange: (location: string, offset: number, length: number) => run(() => inner.readRange(location, offset, length)),
      head: (location: string) => run(() => inner.head(location)),
      putIfAbsent: (location: string, bytes: Uint8Array) => run(() => inner.putIfAbsent(location, bytes)),
      replace: (location: string, bytes: Uint8Array) => run(() => inner.replace(location, bytes)),
      create: async (location: string) => writer(await run(() => inner.create(location))),
      list: (prefix: string) => inner.list(prefix),
      remove: (location: string) => run(() => inner.remove(location)),
    },
  });
}

interface Original {
  readonly files: readonly (readonly [string, Uint8Array])[];
  readonly metadata: TableMetadata;
  readonly spec: TableSpec;
}

/** The example's table as bytes; read from disk once. */
export async function original(): Promise<Original> {
  const { folder, remove } = await employees();
  const project = loadProject(folder);
  const spec = resolveProject(project, "demo").tables.find((one) => one.name === "hr.iceberg_employee");
  const local = await openCatalog(
    { type: "local", warehouse: join(folder, "warehouse") },
    { name: "lake", root: folder, ports: systemPorts() },
  );
  if (spec === undefined) throw new Error("the example lost its table");
  const live = await local.loadTable(spec.identifier);
  if (live === null) throw new Error("the example lost its table");
  const root = localPath(live.metadata.location) ?? "";
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) => [join(entry.parentPath, entry.name), new Uint8Array(readFileSync(join(entry.parentPath, entry.name)))] as const,
    );
  remove();
  rmSync(folder, { recursive: true, force: true });
  return { files, metadata: live.metadata, spec };
}

export interface World {
  readonly faults: FaultyStore;
  readonly catalog: Catalog;
  readonly target: Target;
}

export async function world({ files, metadata, spec }: Original): Promise<World> {
  const faults = faultyStore(createMemoryStore());
  for (const [location, bytes] of files) await faults.store.putIfAbsent(location, bytes);
  const ports = { ...systemPorts(), wait: async () => undefined };
  const catalog = createMemoryCatalog({ name: "lake", ports, store: faults.store });
  await catalog.createNamespace(spec.identifier.namespace);
  const created = await catalog.createTable(
    { identifier: spec.identifier, location: metadata.location },
    { requirements: [{ type: "assert-create" }], updates: creation(metadata), attempt: randomUUID() },
  );
  if (created.state !== "done") throw new Error(`the world was not made: ${JSON.stringify(created)}`);
  return { faults, catalog, target: { spec, policy: DEFAULT_POLICY, catalog } };
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

function ports(): ApplyPorts {
  return {
    nowMs: () => Date.now(),
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

export async function apply(target: Target, approval: Approval): Promise<TableResult> {
  return await applyTable(target, { approval, dryRun: false }, ports());
}

/** All rows by name of column, as texts. */
export async function rowsOf({ target }: Pick<World, "target">): Promise<readonly (readonly (string | null)[])[]> {
  const live = await target.catalog.loadTable(target.spec.identifier);
  if (live === null) return [];
  const { rows, whyNot } = await sampleRows(target.catalog.storeFor(live), live.metadata, 10_000);
  if (whyNot !== null) throw new Error(whyNot);
  return [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
