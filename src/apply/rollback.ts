// The way back from a conversion: the schema and all branch heads together, in one commit, and a hold so that the
// next apply does not convert again at once. Only while nothing was committed on top: rows would be lost.
import type { CommitOutcome } from "../iceberg/commit.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { applyUpdates } from "../iceberg/apply-update.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { allFieldIds } from "../iceberg/schema-index.ts";
import { currentSchema, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { TableRequirement } from "../iceberg/table-requirement.ts";
import type { TableUpdate } from "../iceberg/table-update.ts";
import { baseProperties, type ConversionMemory, conversionProperty, readBase, readConversions } from "../plan/base.ts";
import { inStep } from "../plan/catalog-differences.ts";
import { propertyUpdates } from "../plan/evolve.ts";
import { type PlannedTable, planTable } from "../plan/plan-table.ts";
import { holdProperty } from "./hold.ts";
import { whyNoWayBack } from "./rollback-checks.ts";
import { schemaBack, type Undone } from "./rollback-schema.ts";
import type { ApplyPorts } from "./ports.ts";
import { planInput, type Target } from "./table-state.ts";

export interface Rollback {
  readonly live: LiveTable;
  /** The conversions that are undone; they were one commit. */
  readonly undone: readonly ConversionMemory[];
  readonly updates: readonly TableUpdate[];
  readonly requirements: readonly TableRequirement[];
}

/** What a rollback would commit, or why there is no way back. */
export function planRollback(
  target: Target,
  live: LiveTable,
  ports: Pick<ApplyPorts, "nowMs" | "reason">,
): Rollback | Diagnostic {
  const { metadata } = live;
  const undone = lastCommitted(metadata);
  if (undone === null)
    return noWayBack(
      target,
      "the table remembers no conversion",
      "Nothing is to be undone; other changes go back by reverting the file in Git",
    );
  const onTop = whyNoWayBack(metadata, undone);
  if (onTop !== null) return noWayBack(target, onTop.why, onTop.mend);
  const [{ before, after }] = undone;
  const heads =
    Object.keys(after).length === 0 ? [] : Object.entries(before.refs).filter(([name]) => metadata.refs[name] !== undefined);
  const schemaAndRefs: TableUpdate[] = [
    ...schemaBack(metadata, undone),
    ...heads.map(
      ([name, snapshotId]): TableUpdate => ({
        action: "set-snapshot-ref",
        refName: name,
        ref: { type: "branch", ...metadata.refs[name], snapshotId },
      }),
    ),
  ];
  const requirements: TableRequirement[] = [
    ...(metadata.tableUuid === null ? [] : [{ type: "assert-table-uuid" as const, uuid: metadata.tableUuid }]),
    { type: "assert-current-schema-id", currentSchemaId: metadata.currentSchemaId },
    { type: "assert-last-assigned-field-id", lastAssignedFieldId: metadata.lastColumnId },
    ...Object.entries(metadata.refs)
      .filter(([, ref]) => ref.type === "branch")
      .map(([ref, { snapshotId }]) => ({ type: "assert-ref-snapshot-id" as const, ref, snapshotId })),
  ];
  const properties = memoryAfter(target, live, undone, schemaAndRefs, ports);
  return { live, undone, updates: [...schemaAndRefs, ...propertyUpdates(properties, metadata)], requirements };
}

export async function commitRollback({ catalog }: Target, rollback: Rollback, attempt: string): Promise<CommitOutcome> {
  const { live, updates, requirements } = rollback;
  return await catalog.commit(live, { updates, requirements, attempt });
}

/** The conversions of the newest commit, null where there is none: those that started from the same schema and heads as the newest one. */
function lastCommitted(metadata: TableMetadata): Undone | null {
  const { known } = readConversions(metadata.properties);
  const newest = known.at(-1);
  if (newest === undefined) return null;
  const key = (memory: ConversionMemory): string =>
    conversionProperty({ ...memory, newId: 0, retired: newest.retired, parentId: null, rule: newest.rule })[1];
  const [first = newest, ...others] = known.filter((memory) => key(memory) === key(newest));
  return [first, ...others];
}

/** The table's memory as it must be for the schema before: what was applied of it, and the hold. */
function memoryAfter(
  target: Target,
  live: LiveTable,
  undone: readonly ConversionMemory[],
  updates: readonly TableUpdate[],
  ports: Pick<ApplyPorts, "nowMs" | "reason">,
): Map<string, string | null> {
  const properties = new Map<string, string | null>(undone.map((memory) => [conversionProperty(memory)[0], null]));
  const planBack = (): PlannedTable => {
    const all = [...updates, ...propertyUpdates(properties, live.metadata)];
    const metadata = applyUpdates(live.metadata, all, { nowMs: ports.nowMs(), previousMetadataLocation: null });
    const catalogState = live.catalogState === undefined ? {} : { catalogState: inStep(live.catalogState) };
    const back = { ...live, metadata, ...catalogState };
    return planTable(planInput(target, { live: back, namespaceExists: true, evidence: null }, null));
  };
  const base = readBase(live.metadata.properties);
  const matched = planBack().pair;
  if (base !== null && matched.pair !== null) {
    const { metadata } = matched.pair;
    const { set } = baseProperties({
      ...base,
      fieldIds: appliedBefore(base.fieldIds, live.metadata, metadata),
      schemaId: metadata.currentSchemaId,
      specId: metadata.defaultSpecId,
      sortOrderId: metadata.defaultSortOrderId,
      attempt: "",
      reason: ports.reason,
    });
    for (const key of SCHEMA_KEYS) if (set[key] !== undefined) properties.set(key, set[key]);
  }
  // Only with that memory is this the plan that the next apply would come to.
  const { plan } = planBack();
  properties.set(...holdProperty({ plan: plan.fingerprint, since: new Date(ports.nowMs()).toISOString(), reason: ports.reason }));
  return properties;
}

/**
 * Ids of what was applied, for the schema of before: those that stand in it still, and those that the conversion's commit
 * lost or retired. What the file says by now was not applied, and does not count.
 */
function appliedBefore(applied: ReadonlySet<number>, live: TableMetadata, back: TableMetadata): readonly number[] {
  const now = new Set(allFieldIds(currentSchema(live)));
  return allFieldIds(currentSchema(back)).filter((id) => applied.has(id) || !now.has(id));
}

/** What of the memory follows the schema. */
const SCHEMA_KEYS = ["floeplan.applied.field-ids", "floeplan.applied.schema-id"] as const;

function noWayBack(target: Target, why: string, mend: string): Diagnostic {
  return diagnostic("rollback-impossible", {
    what: `Cannot roll back "${target.spec.name}"`,
    why,
    mend,
    place: target.spec.place,
    table: target.spec.name,
  });
}
