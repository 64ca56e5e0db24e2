// Plans a declaration against a table that is just as an earlier declaration says: what a change of the files means,
// without looking at anything live. Pure.
import type { Policy } from "../desired/project-config.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { applyUpdates } from "../iceberg/apply-update.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { type PlannedTable, planTable } from "../plan/plan-table.ts";
import type { CatalogFacts, PlanInput } from "../plan/table-pair.ts";

const NOWHERE = "memory://declared";

/** What any catalog can do: nothing is refused here that one of them would take. */
const ANY_CATALOG: CatalogFacts = {
  label: "no catalog",
  lowerCaseNames: false,
  nestedNamespaces: true,
  tableLocation: true,
  seenByAthena: true,
};

export function planAgainstDeclared(spec: TableSpec, earlier: TableSpec | null, policy: Policy): PlannedTable {
  const input = (of: TableSpec, live: LiveTable | null): PlanInput => ({
    spec: of,
    live,
    namespaceExists: true,
    catalog: ANY_CATALOG,
    policy,
    lookalikes: [],
    evidence: null,
    preflight: null,
  });
  const made = earlier === null ? null : planTable(input(withoutPast(earlier), null)).change;
  if (made === null) return planTable(input(spec, null));
  const metadata = applyUpdates(
    null,
    [
      { action: "assign-uuid", uuid: "00000000-0000-0000-0000-000000000000" },
      { action: "set-location", location: NOWHERE },
      ...made.updates,
    ],
    { nowMs: 0, previousMetadataLocation: null },
  );
  const live: LiveTable = { identifier: spec.identifier, metadata, metadataLocation: `${NOWHERE}/metadata`, token: null };
  return planTable(input(spec, live));
}

/** What an earlier declaration took away is gone. */
function withoutPast(spec: TableSpec): TableSpec {
  return { ...spec, dropped: [], isNew: true };
}
