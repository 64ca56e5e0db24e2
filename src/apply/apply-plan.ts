// ★ Takes the steps of one table: plan again on what is live now, hold them against the approval, rewrite the
// data, commit once, read back, plan again. Whatever happens in between, the table stays readable and the same
// call may be made again.
import type { CommitOutcome } from "../iceberg/commit.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { TableChange } from "../plan/table-change.ts";
import type { TablePlan } from "../plan/plan.ts";
import { type PlannedTable, planTable } from "../plan/plan-table.ts";
import type { PlanInput } from "../plan/table-pair.ts";
import { endJournal } from "../rewrite/journal.ts";
import { type BuiltSnapshot, buildSnapshot } from "../rewrite/overwrite-snapshot.ts";
import { type Approval, unapprovedSteps } from "./approval.ts";
import { buildCommit } from "./build-commit.ts";
import { holdOf } from "./hold.ts";
import { type ApplyPorts, newSnapshotId } from "./ports.ts";
import { held, notApproved } from "./refusals.ts";
import { type Outcome, type TableResult, tableResult } from "./result.ts";
import { checkFiles, preflightConversions, rewriteData, rewriteJob, tagName, upgradedBy } from "./rewrite-data.ts";
import { planInput, readTableState, type Target } from "./table-state.ts";
import { verify } from "./verify.ts";

export interface ApplyOptions {
  readonly approval: Approval;
  readonly dryRun: boolean;
}

/** Waits between attempts, in milliseconds; one more attempt than entries (Iceberg's commit.retry defaults). */
const RETRY_WAITS_MS = [100, 400, 1600, 6400] as const;

export async function applyTable(target: Target, options: ApplyOptions, ports: ApplyPorts): Promise<TableResult> {
  let plan: TablePlan | null = null;
  try {
    for (let attempt = 0; ; attempt++) {
      ports.progress.checkpoint();
      const planned = await planNow(target);
      plan = planned.plan;
      const stopped = stopBefore(target, planned, options.approval);
      if (stopped !== null) return stopped;
      if (planned.change === null)
        return ended("in-step", target, plan, { metadataLocation: planned.pair.live?.metadataLocation ?? null });

      const result = await takeSteps(target, planned, planned.change, options, ports);
      const wait = RETRY_WAITS_MS[attempt];
      if (result !== "conflict") return result;
      if (wait === undefined) return ended("conflict", target, plan);
      await ports.wait(wait);
    }
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind === "interrupted") throw error;
    return ended("failed", target, plan, { error });
  }
}

async function planNow(target: Target): Promise<PlannedTable & { readonly input: PlanInput }> {
  const input = planInput(target, await readTableState(target, { evidence: true }), null);
  return { ...planTable(input), input };
}

/** What ends a table before anything is written. */
function stopBefore(target: Target, { plan, pair }: PlannedTable, approval: Approval): TableResult | null {
  if (plan.blockers.length > 0) return ended("blocked", target, plan, { problems: plan.blockers });
  if (plan.steps.length === 0) return null;
  const hold = holdOf(plan, pair.live?.metadata.properties ?? {});
  if (hold !== null) return ended("held", target, plan, { problems: [held(plan, hold)] });
  const missing = unapprovedSteps(plan, approval);
  return missing.length === 0 ? null : ended("not-approved", target, plan, { problems: [notApproved(plan, missing, approval)] });
}

async function takeSteps(
  target: Target,
  planned: PlannedTable & { readonly input: PlanInput },
  change: TableChange,
  options: ApplyOptions,
  ports: ApplyPorts,
): Promise<TableResult | "conflict"> {
  let { input } = planned;
  let { plan } = planned;
  const attempt = ports.randomId();
  let snapshot: BuiltSnapshot | null = null;
  if (input.live !== null && change.conversions.length > 0) {
    const job = await rewriteJob(target, input.live, change.conversions);
    const problems = await checkFiles(job, ports.progress);
    if (problems.length > 0) return ended("blocked", target, plan, { problems });
    // The same steps, now with what their values come to; bad ones block.
    plan = planTable({ ...input, preflight: await preflightConversions(job, ports.progress) }).plan;
    if (plan.blockers.length > 0) return ended("blocked", target, plan, { problems: plan.blockers });
    const converted = await rewriteData(job, ports.progress);
    if (options.dryRun)
      return ended("dry-run", target, plan, {
        rewrittenFiles: [...converted.values()].filter((file) => file.target !== null).length,
      });
    // Manifests name the schema by its id: a catalog that gives ids of its own is asked for it first.
    const ids = (await target.catalog.settleIds?.(input.live, change)) ?? { state: "settled", live: input.live, change };
    if (ids.state !== "settled") return await settle(ids, target, { ...planned, plan }, null);
    input = { ...input, live: ids.live };
    ({ change } = ids);
    snapshot = await buildSnapshot({
      ...job,
      metadata: upgradedBy(change.updates, job.metadata),
      schema: change.schema,
      converted,
      snapshotId: newSnapshotId(ports),
      attempt,
      nowMs: ports.nowMs(),
      version: ports.version,
      tag: target.policy.snapshotTag === "keep" ? tagName(plan) : null,
    });
  }
  if (options.dryRun) return ended("dry-run", target, plan);
  const commit = buildCommit(input, plan, change, snapshot, { attempt, commit: ports.commit, reason: ports.reason });
  return await settle(await send(target, input, change, commit, ports), target, { ...planned, plan }, snapshot);
}

async function send(
  { catalog, spec }: Target,
  { live }: PlanInput,
  change: TableChange,
  commit: ReturnType<typeof buildCommit>,
  ports: ApplyPorts,
): Promise<CommitOutcome> {
  if (live !== null) return await catalog.commit(live, commit);
  const table = { identifier: spec.identifier, location: change.newTable?.location ?? null };
  if (change.createsNamespace) await catalog.createNamespace(spec.identifier.namespace);
  const location = await catalog.newTableLocation(table);
  const first = [
    { action: "assign-uuid" as const, uuid: ports.randomId() },
    { action: "set-location" as const, location },
  ];
  return await catalog.createTable(table, { ...commit, updates: [...first, ...commit.updates] });
}

async function settle(
  outcome: CommitOutcome,
  target: Target,
  planned: PlannedTable,
  snapshot: BuiltSnapshot | null,
): Promise<TableResult | "conflict"> {
  const { plan } = planned;
  switch (outcome.state) {
    case "conflict":
      await discard(target, planned, snapshot);
      return "conflict";
    case "refused":
      await discard(target, planned, snapshot);
      return ended("refused", target, plan, {
        error: new ToolError(isDenial(outcome.cause) ? "auth" : "refused", `Cannot commit "${plan.table}"`, {
          why: outcome.why,
          cause: outcome.cause,
        }),
      });
    case "unknown":
      return ended("unknown", target, plan, {
        error: new ToolError("unavailable", `Cannot tell whether the commit of "${plan.table}" landed`, {
          why: outcome.why,
          mend: "Nothing was deleted. Run the apply again: it reads what is live and goes on from there",
          ...(outcome.written === null ? {} : { context: { written: outcome.written } }),
          cause: outcome.cause,
        }),
      });
    case "done": {
      if (snapshot !== null) await endJournal(target.catalog.storeFor(outcome.live), outcome.live.metadata);
      const problems = await verify(target, outcome.differences ?? []);
      return ended(problems.length === 0 ? "applied" : "differs", target, plan, {
        metadataLocation: outcome.live.metadataLocation,
        snapshotId: snapshot?.snapshotId ?? null,
        rewrittenFiles: snapshot?.files ?? 0,
        problems,
      });
    }
  }
}

function isDenial(cause: unknown): boolean {
  return cause instanceof ToolError && cause.kind === "auth";
}

/** Manifests of an attempt that certainly did not land; best effort, since they hurt nobody. */
async function discard({ catalog }: Target, { pair }: PlannedTable, snapshot: BuiltSnapshot | null): Promise<void> {
  if (pair.live === null || snapshot === null) return;
  const store = catalog.storeFor(pair.live);
  if (!store.canRemove) return;
  for (const location of snapshot.written) await store.remove(location).catch(() => undefined);
}

function ended(outcome: Outcome, { spec }: Target, plan: TablePlan | null, more: Partial<TableResult> = {}): TableResult {
  return tableResult(spec.name, outcome, plan, more);
}
