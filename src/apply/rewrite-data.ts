// The data side of an apply: check that every file can be rewritten, check every value, then write the new files.
// Nothing here changes what the table shows.
import type { PreflightCounts } from "../conversion/preflight.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { applyUpdates } from "../iceberg/apply-update.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { TableUpdate } from "../iceberg/table-update.ts";
import type { PlannedConversion } from "../plan/table-change.ts";
import type { TablePlan } from "../plan/plan.ts";
import { chooseEngine } from "../rewrite/index.ts";
import { liveDataFiles } from "../rewrite/live-data.ts";
import type { ConvertedFile, RewriteJob, RewriteProgress } from "../rewrite/rewrite-engine.ts";
import type { Target } from "./table-state.ts";

export async function rewriteJob(
  { spec, catalog }: Target,
  live: LiveTable,
  conversions: readonly PlannedConversion[],
): Promise<RewriteJob> {
  const { metadata } = live;
  const store = catalog.storeFor(live);
  return { table: spec.name, metadata, store, conversions, files: await liveDataFiles(store, metadata) };
}

/** Why the files cannot be rewritten, whatever they hold; empty when they can. */
export async function checkFiles(job: RewriteJob, progress: RewriteProgress): Promise<readonly Diagnostic[]> {
  return await chooseEngine().check(job, progress);
}

/** Every value of the columns is tried; counts by live field id. */
export async function preflightConversions(
  job: RewriteJob,
  progress: RewriteProgress,
): Promise<ReadonlyMap<number, PreflightCounts>> {
  return await chooseEngine().preflight(job, progress);
}

export async function rewriteData(job: RewriteJob, progress: RewriteProgress): Promise<ReadonlyMap<string, ConvertedFile>> {
  return await chooseEngine().convert(job, progress);
}

/** What the snapshot of a conversion is built on: the version is that of the commit, which may raise it. */
export function upgradedBy(updates: readonly TableUpdate[], metadata: TableMetadata): TableMetadata {
  const upgrades = updates.filter((update) => update.action === "upgrade-format-version");
  const { formatVersion, nextRowId } = applyUpdates(metadata, upgrades, {
    nowMs: metadata.lastUpdatedMs,
    previousMetadataLocation: null,
  });
  return { ...metadata, formatVersion, nextRowId };
}

/** The tag on the state before a conversion: the way back is named after the plan. */
export function tagName(plan: TablePlan): string {
  return `floeplan-before-${plan.fingerprint.slice(0, 8)}`;
}
