// What a commit to a REST catalog works with: the session, what was read of tables, their storage, and what has been seen
// of the catalog's ways. Types only.
import type { TableCommit } from "../iceberg/commit.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { CatalogCapabilities } from "./catalog.ts";
import type { CatalogPorts } from "./metadata-pointer.ts";
import type { RestSession } from "./rest-session.ts";
import type { RestStorage } from "./rest-storage.ts";
import type { RestTables } from "./rest-tables.ts";

/** Does this catalog give schemas the ids that Java would give? Null: it has not been seen yet. */
export interface IdRule {
  isKept: boolean | null;
}

export interface RestWriter {
  readonly session: () => Promise<RestSession>;
  readonly tables: RestTables;
  readonly storage: RestStorage;
  readonly ports: CatalogPorts;
  readonly capabilities: CatalogCapabilities;
  readonly idRule: IdRule;
}

/** A commit on its way: what it started from, and what should come of it. */
export interface RestCommit {
  readonly live: LiveTable;
  readonly commit: TableCommit;
  readonly expected: TableMetadata;
}
