// Tables in folders of this machine, in the standard Hadoop layout that Spark, DuckDB and PyIceberg read:
// `<warehouse>/<namespace levels>/<table>/metadata/vN.metadata.json`. Reading one table is in local-table.ts,
// the exclusive step in local-commit.ts; this file knows names, folders and what may be asked.
import { join } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { sameLocation } from "../iceberg/location.ts";
import { hadoopMetadataName } from "../iceberg/metadata-file.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import { listFolder, makeFolder } from "../storage/local-folder.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { Catalog, CatalogCapabilities, NewTable } from "./catalog.ts";
import { advanceHint, localLanding } from "./local-commit.ts";
import { type LocalTable, tableName } from "./local-layout.ts";
import { checkedNamespace, listLocalTables, tableAt } from "./local-names.ts";
import { isTableFolder, loadLocalTable, metadataLocation, tokenVersion } from "./local-table.ts";
import { type CatalogPorts, commitThroughPointer } from "./metadata-pointer.ts";

export interface LocalCatalogOptions {
  /** What a person calls the catalog. */
  readonly name: string;
  /** An absolute path. */
  readonly warehouse: string;
  readonly store: ObjectStore;
  readonly ports: CatalogPorts;
}

const CAPABILITIES: CatalogCapabilities = {
  nestedNamespaces: true,
  tableLocation: false,
  setLocation: false,
  lowerCaseNames: false,
  seenByAthena: false,
  serverWritesMetadata: false,
};

export function createLocalCatalog(options: LocalCatalogOptions): Catalog {
  const { warehouse, store } = options;

  const loadTable = async (identifier: TableIdentifier): Promise<LiveTable | null> => {
    const live = await loadLocalTable(store, tableAt(warehouse, identifier));
    if (live === null) await requireWarehouse(warehouse);
    return live;
  };

  const createNamespace = async (namespace: readonly string[]): Promise<void> => {
    const folder = join(warehouse, ...checkedNamespace(namespace));
    await requireWarehouse(warehouse);
    if (await isTableFolder(folder)) {
      throw new ToolError("refused", `Cannot create the namespace "${namespace.join(".")}"`, {
        why: "A table has this name",
        mend: "Give the namespace another name",
      });
    }
    await makeFolder(folder);
  };

  const namespaceExists = async (namespace: readonly string[]): Promise<boolean> => {
    const folder = join(warehouse, ...checkedNamespace(namespace));
    await requireWarehouse(warehouse);
    return (await listFolder(folder)) !== null && !(await isTableFolder(folder));
  };

  const createTable = async (table: NewTable, commit: TableCommit): Promise<CommitOutcome> => {
    const place = placeFor(warehouse, table);
    if (!(await namespaceExists(table.identifier.namespace))) {
      return { state: "refused", why: `The namespace "${table.identifier.namespace.join(".")}" does not exist` };
    }
    if ((await loadTable(table.identifier)) !== null) {
      return { state: "conflict", why: `A table "${tableName(table.identifier)}" exists already` };
    }
    return await commitTable(options, place, null, commit);
  };

  return {
    kind: "local",
    label: `${options.name} (local ${warehouse})`,
    capabilities: CAPABILITIES,
    writePermissions: [`writing below ${warehouse}`],
    loadTable,
    listTables: (namespace) => listLocalTables(warehouse, namespace, () => requireWarehouse(warehouse)),
    namespaceExists,
    createNamespace,
    newTableLocation: async (table) => placeFor(warehouse, table).folder,
    createTable,
    commit: async (live, commit) => await commitTable(options, tableAt(warehouse, live.identifier), live, commit),
    storeFor: () => store,
  };
}

async function commitTable(
  options: LocalCatalogOptions,
  table: LocalTable,
  live: LiveTable | null,
  commit: TableCommit,
): Promise<CommitOutcome> {
  const { store, ports } = options;
  const outcome = await commitThroughPointer({
    table: tableName(table.identifier),
    live,
    commit,
    store,
    ports,
    landing: localLanding({ store, table, live, commit }),
    nextLocation: (next) => metadataLocation(table.folder, next, nextName(live)),
    objection: (next) => objection(table, live, next),
  });
  if (outcome.state === "done") await advanceHint(store, table.folder);
  return outcome;
}

// By the property of the state before, so that all who commit on one state compete for one name.
function nextName(live: LiveTable | null): string {
  const codec = live?.metadata.properties["write.metadata.compression-codec"]?.toLowerCase();
  return hadoopMetadataName((tokenVersion(live?.token ?? null) ?? 0) + 1, codec === "gzip" ? "gzip" : "none");
}

function objection(table: LocalTable, live: LiveTable | null, next: TableMetadata): string | null {
  const fixed = live?.metadata.location ?? table.folder;
  if (!sameLocation(next.location, fixed)) return `A table of a local warehouse cannot leave its folder "${fixed}"`;
  if (next.properties["write.metadata.path"] !== undefined) {
    return 'A table of a local warehouse cannot have the property "write.metadata.path": its metadata is found by its folder';
  }
  return null;
}

function placeFor(warehouse: string, table: NewTable): LocalTable {
  const place = tableAt(warehouse, table.identifier);
  if (table.location === null || sameLocation(table.location, place.folder)) return place;
  throw new ToolError("unsupported", `Cannot put "${tableName(table.identifier)}" at "${table.location}"`, {
    why: `In a local warehouse the folder of a table follows from its name: "${place.folder}"`,
    mend: "Leave the location out",
  });
}

async function requireWarehouse(warehouse: string): Promise<void> {
  if ((await listFolder(warehouse)) !== null) return;
  throw new ToolError("config", `Cannot use the warehouse "${warehouse}"`, {
    why: "There is no such folder",
    mend: `Make it (mkdir -p "${warehouse}"), or correct \`warehouse:\` in the project file; a relative path counts from that file.`,
    context: { warehouse },
  });
}
