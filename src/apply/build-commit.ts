// One table's commit, complete: the change of the plan, the snapshot of a rewrite, and the memory that floeplan
// keeps in the table. Updates stand in the order that every catalog takes.
import type { TableSpec } from "../desired/table-spec.ts";
import { PENDING_PROPERTY, type TableCommit } from "../iceberg/commit.ts";
import { branches, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { TableUpdate } from "../iceberg/table-update.ts";
import { baseProperties, conversionProperty, HOLD_KEY, OWNER_KEY } from "../plan/base.ts";
import type { TableChange } from "../plan/table-change.ts";
import { propertyUpdates } from "../plan/evolve.ts";
import type { TablePlan } from "../plan/plan.ts";
import { declaredFieldIds, simulatedPair } from "../plan/simulate.ts";
import type { PlanInput } from "../plan/table-pair.ts";
import type { BuiltSnapshot } from "../rewrite/overwrite-snapshot.ts";

export interface CommitFacts {
  readonly attempt: string;
  readonly commit: string | null;
  readonly reason: string | null;
}

export function buildCommit(
  input: PlanInput,
  plan: TablePlan,
  change: TableChange,
  snapshot: BuiltSnapshot | null,
  facts: CommitFacts,
): TableCommit {
  const metadata = input.live?.metadata ?? null;
  const properties = new Map<string, string | null>();
  const others: TableUpdate[] = [];
  for (const update of [...change.updates, ...(snapshot?.updates ?? [])]) {
    if (update.action === "set-properties") for (const [key, value] of Object.entries(update.updates)) properties.set(key, value);
    else if (update.action === "remove-properties") for (const key of update.removals) properties.set(key, null);
    else others.push(update);
  }
  if (input.spec.remember) for (const [key, value] of memory(input, plan, change, snapshot, facts)) properties.set(key, value);
  for (const key of [HOLD_KEY, PENDING_PROPERTY]) if (metadata?.properties[key] !== undefined) properties.set(key, null);
  return {
    requirements: change.requirements,
    updates: [...others, ...propertyUpdates(properties, metadata)],
    attempt: facts.attempt,
    ...(change.syncsCatalog ? { syncCatalog: true } : {}),
    ...(change.catalogParameters.size === 0 ? {} : { catalogParameters: Object.fromEntries(change.catalogParameters) }),
  };
}

/** What the table remembers from now on. */
function memory(
  input: PlanInput,
  plan: TablePlan,
  change: TableChange,
  snapshot: BuiltSnapshot | null,
  facts: CommitFacts,
): Map<string, string | null> {
  const { spec, live } = input;
  const after = simulatedPair(input, change);
  const metadata = after.live?.metadata;
  const entries = new Map<string, string | null>();
  if (metadata === undefined) return entries;
  const base = baseProperties({
    fieldIds: declaredFieldIds(after),
    schemaId: metadata.currentSchemaId,
    specId: metadata.defaultSpecId,
    sortOrderId: metadata.defaultSortOrderId,
    properties: declaredTexts(spec.properties),
    glueParameters: (input.catalogState?.parameters ?? null) === null ? {} : declaredTexts(spec.glueParameters),
    commit: facts.commit,
    plan: plan.fingerprint,
    environment: spec.environment,
    reason: facts.reason,
    attempt: facts.attempt,
  });
  for (const [key, value] of Object.entries(base.set)) entries.set(key, value);
  for (const key of base.remove) entries.set(key, null);
  if (spec.project !== null) entries.set(OWNER_KEY, spec.project);
  if (live !== null) for (const entry of conversionEntries(live.metadata, change, snapshot)) entries.set(...entry);
  return entries;
}

function declaredTexts(declared: TableSpec["properties"]): Record<string, string> {
  return Object.fromEntries([...declared].flatMap(([key, { value }]) => (value === null ? [] : [[key, value] as const])));
}

function conversionEntries(
  before: TableMetadata,
  change: TableChange,
  snapshot: BuiltSnapshot | null,
): (readonly [string, string])[] {
  const refs = Object.fromEntries(branches(before).map(({ name, snapshotId }) => [name, snapshotId]));
  return change.conversions.map(({ newId, retired, parentId, rule }) =>
    conversionProperty({
      newId,
      retired,
      parentId,
      rule,
      before: { schemaId: before.currentSchemaId, refs },
      after: snapshot === null ? {} : { main: snapshot.snapshotId },
    }),
  );
}
