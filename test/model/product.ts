// The product as the model drives it: plans, applies and rollbacks through the real code, with a watch on the catalog that
// sees the table right before and right after each commit, and that can let others in between or let the process die.
import { randomUUID } from "node:crypto";
import type { Approval } from "../../src/apply/approval.ts";
import { applyTable } from "../../src/apply/apply-plan.ts";
import type { ApplyPorts } from "../../src/apply/ports.ts";
import type { TableResult } from "../../src/apply/result.ts";
import { commitRollback, planRollback, type Rollback } from "../../src/apply/rollback.ts";
import { planInput, readTableState } from "../../src/apply/table-state.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { DEFAULT_POLICY } from "../../src/desired/project-config.ts";
import type { TableSpec } from "../../src/desired/table-spec.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { CommitOutcome } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Step } from "../../src/plan/plan.ts";
import { type PlannedTable, planTable } from "../../src/plan/plan-table.ts";
import { simulatedPair } from "../../src/plan/simulate.ts";
import type { PlanInput } from "../../src/plan/table-pair.ts";
import { specOf } from "../plan/support.ts";
import { type Declared, yamlOf } from "./declaration.ts";
import { liveTable, type World } from "./world.ts";

/** One apply, as it is watched. */
export interface Run {
  readonly declared: Declared;
  readonly approved: readonly Step[];
  readonly upTo: Approval["upTo"];
  /** What others do right before a commit of this run, one a try. */
  readonly intrusions: (() => Promise<void>)[];
  /** The process dies at its commit, before or after it landed. */
  dies: "before" | "after" | null;
  /** Commits of this run that were tried, and that landed. */
  tries: number;
  landings: number;
  /** Others came in between. */
  intruded: number;
  /** Last field id before definitions were added ahead of the commit; null: none were. */
  idsBefore: number | null;
}

export interface Landing {
  readonly run: Run;
  readonly before: LiveTable | null;
  readonly after: LiveTable;
}

export type OnLanding = (world: World, landing: Landing) => Promise<void>;

export function newRun(declared: Declared, approved: readonly Step[], more: Partial<Run> = {}): Run {
  return {
    declared,
    approved,
    upTo: null,
    intrusions: [],
    dies: null,
    tries: 0,
    landings: 0,
    intruded: 0,
    idsBefore: null,
    ...more,
  };
}

/** Null where the file is wrong, as it may be after a merge. */
export function specFor(world: World, declared: Declared): TableSpec | null {
  const { identifier, location } = world.lake;
  const known = SPECS.get(declared) ?? readSpec(declared);
  SPECS.set(declared, known);
  return known.spec === null ? null : { ...known.spec, name: identifier.name, identifier, location };
}

/** A file is read once. */
const SPECS = new WeakMap<Declared, { readonly spec: TableSpec | null }>();

function readSpec(declared: Declared): { readonly spec: TableSpec | null } {
  try {
    return { spec: specOf(yamlOf(declared)) };
  } catch {
    return { spec: null };
  }
}

export interface Planned extends PlannedTable {
  readonly input: PlanInput;
  /** The live table as it would be; null where there is nothing to do, or the table is blocked. */
  readonly simulated: TableMetadata | null;
}

export async function planNow(world: World, spec: TableSpec): Promise<Planned> {
  const target = { spec, policy: DEFAULT_POLICY, catalog: world.lake.catalog };
  const input = planInput(target, await readTableState(target, { evidence: true }), null);
  const planned = planTable(input);
  const after = planned.change === null ? null : simulatedPair(input, planned.change);
  return { ...planned, input, simulated: after?.live?.metadata ?? null };
}

export async function apply(world: World, spec: TableSpec, run: Run, onLanding: OnLanding): Promise<TableResult> {
  const approval: Approval = { steps: new Set(run.approved.map(({ id }) => id)), upTo: run.upTo };
  const target = { spec, policy: DEFAULT_POLICY, catalog: watched(world, run, onLanding) };
  return await applyTable(target, { approval, dryRun: false }, ports());
}

/** Null where there was a way back and others were faster. */
export async function rollback(world: World, spec: TableSpec): Promise<Rollback | Diagnostic | null> {
  const target = { spec, policy: DEFAULT_POLICY, catalog: world.lake.catalog };
  const way = planRollback(target, await liveTable(world), ports());
  if ("code" in way) return way;
  const outcome = await commitRollback(target, way, randomUUID());
  return outcome.state === "done" ? way : null;
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

function watched(world: World, run: Run, onLanding: OnLanding): Catalog {
  const { catalog } = world.lake;
  const watch = async (commit: () => Promise<CommitOutcome>): Promise<CommitOutcome> => {
    run.tries++;
    const intrusion = run.intrusions.shift();
    if (intrusion !== undefined) {
      run.intruded++;
      await intrusion();
    }
    if (run.dies === "before") throw gone();
    const before = await world.lake.live();
    const look = async (): Promise<void> => {
      const after = await world.lake.live();
      if (after === null || after.metadataLocation === before?.metadataLocation) return;
      run.landings++;
      await onLanding(world, { run, before, after });
    };
    const outcome = await commit().catch(async (error: unknown) => {
      await look();
      throw error;
    });
    await look();
    if (run.dies === "after" && run.landings > 0) throw gone();
    return outcome;
  };
  return {
    ...catalog,
    commit: (live, commit) => watch(() => catalog.commit(live, commit)),
    createTable: (table, commit) => watch(() => catalog.createTable(table, commit)),
    ...(catalog.settleIds === undefined ? {} : { settleIds: settling(world, run, catalog) }),
  };
}

/** Definitions that are added before their commit, and that nothing uses yet, are one more state to stand on. */
function settling(world: World, run: Run, catalog: Catalog): NonNullable<Catalog["settleIds"]> {
  return async (live, change) => {
    const isNewest = live.metadataLocation === world.head;
    const settled = (await catalog.settleIds?.(live, change)) ?? { state: "settled", live, change };
    if (settled.state === "settled" && isNewest) world.head = settled.live.metadataLocation;
    if (settled.state === "settled") run.idsBefore = live.metadata.lastColumnId;
    return settled;
  };
}

function gone(): ToolError {
  return new ToolError("unavailable", "Cannot reach the catalog", { why: "the process is gone" });
}
