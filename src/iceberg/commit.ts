// One atomic change of one table in the REST model, and the four ways its end is told.
import type { CatalogParameters } from "./catalog-state.ts";
import type { LiveTable } from "./live-table.ts";
import type { TableRequirement } from "./table-requirement.ts";
import type { TableUpdate } from "./table-update.ts";

/** The property by which a commit of ours is recognised in what is live. */
export const ATTEMPT_PROPERTY = "floeplan.applied.attempt";

/** In a table whose next schema was added ahead of the commit that makes it current: the field ids that it brings, as `13-14`. */
export const PENDING_PROPERTY = "floeplan.pending.field-ids";

export interface TableCommit {
  readonly requirements: readonly TableRequirement[];
  readonly updates: readonly TableUpdate[];
  /** Random id that also stands in property `floeplan.applied.attempt` where that is remembered: an unclear end is settled by it. */
  readonly attempt: string;
  /** Also when no update changes the metadata, the catalog's own copy of it is brought in step; catalogs without one ignore it. */
  readonly syncCatalog?: true;
  /** Parameters of the catalog's own entry, beside the table's properties: to set, or null to remove. Catalogs without any ignore them. */
  readonly catalogParameters?: CatalogParameters;
}

/** How a commit ended (reference: REST spec status codes; pointer catalogs sort their answers the same way). */
export type CommitOutcome =
  /** Ours is the live state; `differences` where the catalog kept something else than it was sent, each a clause. */
  | { readonly state: "done"; readonly live: LiveTable; readonly differences?: readonly string[] }
  /** Somebody else's commit won; ours did not land. Read and plan again. */
  | { readonly state: "conflict"; readonly why: string }
  /** Said no for good: permission, validation, limits. Ours did not land. */
  | { readonly state: "refused"; readonly why: string; readonly cause?: unknown }
  /** No clear answer, and reading again did not tell. Nothing of ours may be deleted. */
  | { readonly state: "unknown"; readonly why: string; readonly written: string | null; readonly cause?: unknown };
