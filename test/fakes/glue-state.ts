// What the fake Glue holds: databases and tables with their versions, and the steps on them, which are atomic since
// Node runs each without a break. Knows no HTTP. Ways of AWS: docs of the API, apache/iceberg, floci-io/floci.
export type Fields = Record<string, unknown>;

/** An exception of the service. */
export class GlueRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface StoredTable {
  /** As GetTable answers it. */
  entry: Fields;
  version: number;
  /** Older versions that an update archived, oldest first. */
  readonly archived: { readonly version: number; readonly entry: Fields }[];
}

export interface StoredDatabase {
  readonly entry: Fields;
  readonly tables: Map<string, StoredTable>;
}

export interface GlueStore {
  readonly account: string;
  readonly databases: Map<string, StoredDatabase>;
  readonly newDatabaseLocation: ((name: string) => string) | null;
  readonly nowSeconds: () => number;
}

export function createDatabase(store: GlueStore, input: Fields): void {
  const name = nameOf(input);
  if (store.databases.has(name)) throw new GlueRefusal("AlreadyExistsException", "Database already exists.");
  const location = input["LocationUri"] ?? store.newDatabaseLocation?.(name);
  const entry = {
    ...input,
    Name: name,
    ...(location === undefined ? {} : { LocationUri: location }),
    CreateTime: store.nowSeconds(),
    CatalogId: store.account,
  };
  store.databases.set(name, { entry, tables: new Map() });
}

export function databaseOf(store: GlueStore, name: unknown): StoredDatabase {
  const database = store.databases.get(lower(name));
  if (database === undefined) throw new GlueRefusal("EntityNotFoundException", `Database ${lower(name)} not found.`);
  return database;
}

export function tableOf(store: GlueStore, database: unknown, name: unknown): StoredTable {
  const table = databaseOf(store, database).tables.get(lower(name));
  if (table === undefined) throw new GlueRefusal("EntityNotFoundException", `Table ${lower(name)} not found.`);
  return table;
}

export function createTable(store: GlueStore, database: unknown, input: Fields): void {
  const { tables } = databaseOf(store, database);
  const name = nameOf(input);
  if (tables.has(name)) throw new GlueRefusal("AlreadyExistsException", "Table already exists.");
  tables.set(name, { entry: entryOf(store, database, input, 0, store.nowSeconds()), version: 0, archived: [] });
}

export interface UpdateOptions {
  readonly versionId: unknown;
  readonly skipArchive: boolean;
  /** Archived versions that a table may have. */
  readonly maxVersions: number;
}

/** Replaces the whole entry: what the input does not hold is gone. */
export function updateTable(store: GlueStore, database: unknown, input: Fields, options: UpdateOptions): void {
  const table = tableOf(store, database, nameOf(input));
  const { versionId, skipArchive, maxVersions } = options;
  if (versionId !== undefined && versionId !== String(table.version))
    throw new GlueRefusal("ConcurrentModificationException", "Update table failed due to concurrent modifications.");
  if (!skipArchive) {
    if (table.archived.length >= maxVersions)
      throw new GlueRefusal(
        "ResourceNumberLimitExceededException",
        "Number of TABLE_VERSION resources exceeds the account limit",
      );
    table.archived.push({ version: table.version, entry: table.entry });
  }
  table.version++;
  table.entry = entryOf(store, database, input, table.version, Number(table.entry["CreateTime"]));
}

export function deleteTable(store: GlueStore, database: unknown, name: unknown): void {
  tableOf(store, database, name);
  databaseOf(store, database).tables.delete(lower(name));
}

/** Newest first. */
export function tableVersions(table: StoredTable): readonly { readonly version: number; readonly entry: Fields }[] {
  return [...table.archived, { version: table.version, entry: table.entry }].reverse();
}

// Glue fills in what a storage descriptor leaves out.
function entryOf(store: GlueStore, database: unknown, input: Fields, version: number, createTime: number): Fields {
  const storage = input["StorageDescriptor"];
  return {
    ...input,
    Name: nameOf(input),
    DatabaseName: lower(database),
    CatalogId: store.account,
    CreateTime: createTime,
    UpdateTime: store.nowSeconds(),
    CreatedBy: `arn:aws:sts::${store.account}:assumed-role/writer/session`,
    IsRegisteredWithLakeFormation: false,
    Retention: input["Retention"] ?? 0,
    PartitionKeys: input["PartitionKeys"] ?? [],
    VersionId: String(version),
    ...(storage === undefined
      ? {}
      : {
          StorageDescriptor: {
            Compressed: false,
            NumberOfBuckets: 0,
            SortColumns: [],
            StoredAsSubDirectories: false,
            ...(storage as Fields),
          },
        }),
  };
}

function nameOf(input: Fields): string {
  return lower(input["Name"]);
}

function lower(name: unknown): string {
  return String(name).toLowerCase();
}
