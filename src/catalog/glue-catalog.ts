// Tables registered in the AWS Glue Data Catalog: the Catalog contract over a GlueService. Knows who does what; the
// client of the service is in glue.ts.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { CatalogProblem, CatalogState } from "../iceberg/catalog-state.ts";
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import { glueState } from "../iceberg/glue-state.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { locationScheme, sameLocation } from "../iceberg/location.ts";
import type { AwsIdentity } from "../storage/aws-identity.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { Catalog, CatalogCapabilities, NewTable } from "./catalog.ts";
import { commitGlueTable, createGlueTable } from "./glue-commit.ts";
import { createDatabase, databaseExists, glueTablePlaceProblem, listGlueTables, newGlueTableLocation } from "./glue-databases.ts";
import { type GlueReader, loadGlueTable } from "./glue-load.ts";
import { glueName, type GlueName, newGlueName } from "./glue-names.ts";
import { gluePages } from "./glue-pages.ts";
import type { GlueService } from "./glue-service.ts";
import type { GlueWriter } from "./glue-writer.ts";
import type { CatalogPorts } from "./metadata-pointer.ts";

export interface GlueCatalogOptions {
  /** What a person calls the catalog. */
  readonly name: string;
  readonly region: string;
  /** Twelve digits; null: the account of the credentials. */
  readonly account: string | null;
  readonly service: GlueService;
  readonly openStore: (location: string) => ObjectStore;
  readonly identity: () => Promise<AwsIdentity>;
  readonly ports: CatalogPorts;
}

const CAPABILITIES: CatalogCapabilities = {
  nestedNamespaces: false,
  tableLocation: true,
  setLocation: true,
  lowerCaseNames: true,
  seenByAthena: true,
  serverWritesMetadata: false,
};

const WRITE_PERMISSIONS = [
  "glue:UpdateTable",
  "glue:CreateTable",
  "glue:CreateDatabase",
  "s3:PutObject",
  "s3:DeleteObject",
  "s3:AbortMultipartUpload",
];

export function createGlueCatalog(options: GlueCatalogOptions): Catalog {
  const { name, region, account, service, ports } = options;
  const storeAt = storesByScheme(options.openStore);
  const reader: GlueReader = { service, account, storeAt, nowMs: ports.nowMs };
  const loadNow = async (identifier: TableIdentifier): Promise<LiveTable | null> => await loadGlueTable(reader, identifier);
  const writer: GlueWriter = { service, ports, storeAt, load: loadNow };
  const pages = gluePages(service, ports.nowMs);

  const loadTable = async (identifier: TableIdentifier): Promise<LiveTable | null> => {
    const ahead = await pages.take(glueName(identifier));
    if (ahead === null) return await loadNow(identifier);
    return ahead === "absent" ? null : await loadGlueTable(reader, identifier, ahead);
  };

  const createTable = async (table: NewTable, commit: TableCommit): Promise<CommitOutcome> => {
    const { database } = newGlueName(table.identifier);
    const { location } = table;
    return await createGlueTable(writer, table.identifier, database, commit, (next) =>
      location === null || sameLocation(next.location, location) ? null : `The new table's location must be "${location}"`,
    );
  };

  return {
    kind: "glue",
    label: `${name} (glue ${region})`,
    capabilities: CAPABILITIES,
    identity: async () => {
      const { arn, account: own } = await options.identity();
      return { who: arn, account: own, tablesAccount: account };
    },
    writePermissions: WRITE_PERMISSIONS,
    loadTable,
    prefetch: (identifiers) => pages.want(identifiers.flatMap((identifier) => readableName(identifier) ?? [])),
    listTables: (namespace) => listGlueTables(service, namespace),
    namespaceExists: async (namespace) => await databaseExists(service, namespace),
    createNamespace: async (namespace) => await createDatabase(service, namespace),
    newTableLocation: async (table) => await newGlueTableLocation(service, table),
    placeProblem: async (table) => (nameFault(table.identifier) === null ? await glueTablePlaceProblem(service, table) : null),
    canLookFor: (identifier) => readableName(identifier) !== null,
    newTableState: newState,
    createTable,
    commit: async (live, commit) => await commitGlueTable(writer, glueName(live.identifier).database, live, commit),
    storeFor: (live) => storeAt(live.metadataLocation),
  };
}

function newState(identifier: TableIdentifier): CatalogState {
  const state = glueState(identifier.name, null);
  const fault = nameFault(identifier);
  return fault === null ? state : { ...state, problems: (...asked) => [fault, ...state.problems(...asked)] };
}

function nameFault(identifier: TableIdentifier): CatalogProblem | null {
  try {
    newGlueName(identifier);
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { message, why = "", mend = "" } = error;
    return { what: message, why, mend };
  }
}

// A table of a name that Glue cannot have is told of when it is loaded.
function readableName(identifier: TableIdentifier): GlueName | null {
  try {
    return glueName(identifier);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

function storesByScheme(open: (location: string) => ObjectStore): (location: string) => ObjectStore {
  const stores = new Map<string, ObjectStore>();
  return (location) => {
    const scheme = locationScheme(location);
    const store = stores.get(scheme) ?? open(location);
    stores.set(scheme, store);
    return store;
  };
}
