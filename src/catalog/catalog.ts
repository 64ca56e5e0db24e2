// The contract of every catalog: where tables are registered and how a commit becomes the live state. The
// list of kinds is in index.ts. Shared code asks `capabilities`, never the kind.
import type { CatalogProblem, CatalogState } from "../iceberg/catalog-state.ts";
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import type { PlannedIds } from "../iceberg/rest-definitions.ts";
import type { ObjectStore } from "../storage/object-store.ts";

export interface CatalogCapabilities {
  /** Can more than one namespace level be named? */
  readonly nestedNamespaces: boolean;
  /** May a new table choose its location? */
  readonly tableLocation: boolean;
  /** Can the location of an existing table change? */
  readonly setLocation: boolean;
  /** Can a table be renamed into another namespace, with its files where they are? Absent: no. */
  readonly movesBetweenNamespaces?: boolean;
  /** Are names lower case only? */
  readonly lowerCaseNames: boolean;
  /** Do users of Athena see the tables? */
  readonly seenByAthena: boolean;
  /** Does the service itself write the metadata file (REST)? Then ids are predicted and pinned. */
  readonly serverWritesMetadata: boolean;
}

export interface NewTable {
  readonly identifier: TableIdentifier;
  /** Null: the catalog chooses. */
  readonly location: string | null;
}

/** Who a catalog is asked as. */
export interface CatalogIdentity {
  /** As the service names it. */
  readonly who: string;
  readonly account: string;
  /** The account that the tables belong to, as far as the project says it; null: that of the credentials. */
  readonly tablesAccount: string | null;
}

export interface SettledIds<C> {
  readonly state: "settled";
  readonly live: LiveTable;
  readonly change: C;
}

/** Why the ids could not be made sure of; nothing but definitions that are not in use has been added. */
export type UnsettledIds = Exclude<CommitOutcome, { readonly state: "done" }>;

export interface Catalog {
  /** The kind's name in `floeplan.yaml`: `local`, `glue`, … For messages; never branched on. */
  readonly kind: string;
  /** What a person calls this catalog: logical name and place, e.g. `lake (glue eu-west-1)`. */
  readonly label: string;
  readonly capabilities: CatalogCapabilities;
  /** Who the service takes us for. Changes nothing. Absent: the catalog knows no such thing. */
  identity?(): Promise<CatalogIdentity>;
  /** What only writing needs, in the words of whoever grants it: nothing that reads can try it. Absent: it is not known. */
  readonly writePermissions?: readonly string[];
  /** Null when the catalog has no such table. A table that is there and broken is a ToolError. */
  loadTable(identifier: TableIdentifier): Promise<LiveTable | null>;
  /** Says which tables will be loaded soon, once each: catalogs that can, read them in fewer calls. Does not wait, and never fails. */
  prefetch?(identifiers: readonly TableIdentifier[]): void;
  /** Identifiers of all tables, sorted, or of one namespace. */
  listTables(namespace?: readonly string[]): AsyncIterable<TableIdentifier>;
  namespaceExists(namespace: readonly string[]): Promise<boolean>;
  /** No error when it is there already. */
  createNamespace(namespace: readonly string[]): Promise<void>;
  /**
   * Where a new table's files will be, so that its metadata can say so before it is written. Asked right before
   * `createTable`: a catalog whose service alone chooses takes the name for that, with a table that `loadTable` does not see.
   */
  newTableLocation(table: NewTable): Promise<string>;
  /** Why no place for a new table's files would be found, as far as that can be told before anything is made. Absent: one always is. */
  placeProblem?(table: NewTable): Promise<CatalogProblem | null>;
  /** False: no table of that name can be there, and `newTableState` says why. Absent: any name can be looked for. */
  canLookFor?(identifier: TableIdentifier): boolean;
  /** What the catalog would keep of a table that is not there yet: for the problems that it would have with it. */
  newTableState?(identifier: TableIdentifier): CatalogState;
  /** Creates a table from a commit whose first requirement is `assert-create`. `conflict` when the name is taken. */
  createTable(table: NewTable, commit: TableCommit): Promise<CommitOutcome>;
  /** All updates or none, on top of `live`, if every requirement holds and nobody else committed since that read. */
  commit(live: LiveTable, commit: TableCommit): Promise<CommitOutcome>;
  /**
   * For catalogs that write the metadata themselves, before files are written that name the change's schema by its id:
   * makes sure of the id. Gives back the table and the change as they then are, both as they were where nothing was to do.
   */
  settleIds?<C extends PlannedIds>(live: LiveTable, change: C): Promise<SettledIds<C> | UnsettledIds>;
  /** The store that holds this table's files, with the right to read and write them. */
  storeFor(live: LiveTable): ObjectStore;
}
