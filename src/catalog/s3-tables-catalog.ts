// Tables in one table bucket of Amazon S3 Tables: the Catalog contract over an S3TablesService. Knows who does what; the
// client of the service is in s3-tables.ts.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { CatalogProblem, CatalogState } from "../iceberg/catalog-state.ts";
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import type { AwsIdentity } from "../storage/aws-identity.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { Catalog, CatalogCapabilities, NewTable } from "./catalog.ts";
import type { CatalogPorts } from "./metadata-pointer.ts";
import {
  bucketCheck,
  createNamespace,
  listS3Tables,
  namespaceExists,
  newS3TableLocation,
  s3TablePlaceProblem,
  requireTable,
} from "./s3-tables-bucket.ts";
import { commitS3Table, initialiseS3Table, type S3TablesWriter } from "./s3-tables-commit.ts";
import { S3TablesError } from "./s3-tables-error.ts";
import { loadS3Table } from "./s3-tables-load.ts";
import { newS3TableName, printedName, s3TableName, type TableBucket } from "./s3-tables-names.ts";
import type { S3TablesService } from "./s3-tables-service.ts";
import { s3TablesState } from "./s3-tables-state.ts";
import { tableStorage } from "./s3-tables-store.ts";

export interface S3TablesCatalogOptions {
  /** What a person calls the catalog. */
  readonly name: string;
  readonly bucket: TableBucket;
  readonly service: S3TablesService;
  /** Serves the storage of every table of the bucket. */
  readonly store: ObjectStore;
  readonly identity: () => Promise<AwsIdentity>;
  readonly ports: CatalogPorts;
}

const CAPABILITIES: CatalogCapabilities = {
  nestedNamespaces: false,
  tableLocation: false,
  setLocation: false,
  movesBetweenNamespaces: true,
  lowerCaseNames: true,
  seenByAthena: true,
  serverWritesMetadata: false,
};

const WRITE_PERMISSIONS = [
  "s3tables:UpdateTableMetadataLocation",
  "s3tables:PutTableData",
  "s3tables:CreateTable",
  "s3tables:CreateNamespace",
];

export function createS3TablesCatalog({ name, bucket, service, store, identity, ports }: S3TablesCatalogOptions): Catalog {
  const empty = new Map<string, string>();
  const storage = tableStorage(store);
  const writer: S3TablesWriter = { service, store: storage, requireBucket: bucketCheck(service, bucket), empty, ports };

  const createTable = async ({ identifier }: NewTable, commit: TableCommit): Promise<CommitOutcome> => {
    try {
      return await initialiseS3Table(writer, identifier, await requireTable(writer, identifier), commit);
    } catch (error) {
      return refusedCreation(error, identifier);
    }
  };

  return {
    kind: "s3-tables",
    label: `${name} (s3-tables ${bucket.name} in ${bucket.region})`,
    capabilities: CAPABILITIES,
    identity: async () => {
      const { arn, account } = await identity();
      return { who: arn, account, tablesAccount: bucket.account };
    },
    writePermissions: WRITE_PERMISSIONS,
    loadTable: async (identifier) => await loadS3Table(writer, identifier),
    listTables: (namespace) => listS3Tables(writer, namespace),
    namespaceExists: async (namespace) => await namespaceExists(writer, namespace),
    createNamespace: async (namespace) => await createNamespace(writer, namespace),
    newTableLocation: async (table) => await newS3TableLocation(writer, table),
    placeProblem: async (table) => s3TablePlaceProblem(table),
    canLookFor: (identifier) => faultOf(() => s3TableName(identifier)) === null,
    newTableState: (identifier) => newState(identifier, empty),
    createTable,
    commit: async (live, commit) => await commitS3Table(writer, live, commit),
    storeFor: () => storage,
  };
}

/** The namespace is not there, or the role may not make a table: said for good, before anything of ours was written. */
function refusedCreation(error: unknown, { namespace, name }: TableIdentifier): CommitOutcome {
  if (error instanceof ToolError && error.kind === "conflict") return { state: "conflict", why: error.why ?? error.message };
  if (!(error instanceof S3TablesError) || !error.isCertain || error.retryable) throw error;
  const why =
    error.kind === "not-found"
      ? `There is no namespace "${namespace.join(".")}" for "${name}"`
      : `${error.message}: ${error.why}`;
  return { state: "refused", why, cause: error };
}

function newState(identifier: TableIdentifier, empty: ReadonlyMap<string, string>): CatalogState {
  return s3TablesState({
    warehouse: empty.get(printedName(identifier)) ?? null,
    metadata: null,
    nameFault: faultOf(() => newS3TableName(identifier)),
  });
}

function faultOf(check: () => unknown): CatalogProblem | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { message, why = "", mend = "" } = error;
    return { what: message, why, mend };
  }
}
