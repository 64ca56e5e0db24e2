// The AWS SDK's client of Glue: the calls of GlueService, over the network. Loaded only where a project has a catalog
// of this type. Reads are tried again as long as that may help; calls that change the pointer are sent once.
import { present, requireShape } from "./aws-answer.ts";
import { isPassing, isSkewed } from "./aws-error.ts";
import {
  CreateDatabaseCommand,
  CreateTableCommand,
  GetDatabaseCommand,
  GetDatabasesCommand,
  GetTableCommand,
  GetTablesCommand,
  GlueClient,
  type TableInput,
  UpdateTableCommand,
} from "@aws-sdk/client-glue";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { GlueTableInput } from "../iceberg/glue-entry.ts";
import { locationScheme } from "../iceberg/location.ts";
import { awsCredentials } from "../storage/aws-credentials.ts";
import { withFreshKeys } from "../storage/aws-keys.ts";
import { createS3Store } from "../storage/s3.ts";
import { REAL_RETRY_PORTS, type RetryAdvice, type RetryPorts, withRetries } from "../storage/aws-retry.ts";
import type { Catalog } from "./catalog.ts";
import { GET_DATABASE, GET_DATABASES, GET_TABLE, GET_TABLES } from "./glue-answers.ts";
import { createGlueCatalog } from "./glue-catalog.ts";
import type { GlueCall } from "./glue-denial.ts";
import { GlueError, glueError } from "./glue-error.ts";
import { type GlueService, PAGE_SIZE } from "./glue-service.ts";
import type { CatalogContext, CatalogOptions } from "./catalog-options.ts";

const S3_SCHEMES: ReadonlySet<string> = new Set(["s3", "s3a", "s3n"]);

const CONNECT_MS = 5000;
/** Glue answers within seconds; after this an answer is taken for lost. */
const ANSWER_MS = 60_000;

export async function openGlueCatalog(options: CatalogOptions, context: CatalogContext): Promise<Catalog> {
  const account = options.account ?? null;
  const chosen = options.region ?? process.env["AWS_REGION"] ?? process.env["AWS_DEFAULT_REGION"];
  // One source for Glue and S3: a role is assumed once, and a person logs in once.
  const credentials = awsCredentials(chosen === undefined ? {} : { region: chosen });
  const client = new GlueClient({
    ...(chosen === undefined ? {} : { region: chosen }),
    credentials,
    // The retries are ours: nothing is sent twice unseen.
    maxAttempts: 1,
    customUserAgent: "floeplan",
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
  });
  const call: GlueCall = { action: "GetTable", what: `Cannot open the catalog "${context.name}"` };
  const region = await sent(call, () => client.config.region());
  return createGlueCatalog({
    name: context.name,
    region,
    account,
    service: glueService(client, account, REAL_RETRY_PORTS),
    openStore: (location) => {
      if (S3_SCHEMES.has(locationScheme(location))) return createS3Store({ region, credentials });
      // An entry of Glue is anybody's text: it must not lead to the files of this machine.
      throw new ToolError("unsupported", `Cannot open "${location}"`, {
        why: "A table in Glue lies in a bucket of S3; floeplan reads no other place that Glue names",
      });
    },
    identity: async () => await (await import("../storage/aws-identity.ts")).awsIdentity({ region, credentials }),
    ports: context.ports,
  });
}

/** `account` is sent with each call, so that credentials of another account fail instead of finding other tables. */
export function glueService(client: GlueClient, account: string | null, ports: RetryPorts): GlueService {
  const catalog = account === null ? {} : { CatalogId: account };
  const once = async <T>(call: GlueCall, send: () => Promise<T>): Promise<T> =>
    await sent(call, () => withFreshKeys(client, send));
  const read = async <T>(call: GlueCall, send: () => Promise<T>): Promise<T> =>
    await withRetries(ports, advise, () => once(call, send));
  return {
    getTable: async (database, table) =>
      await orNull(
        read({ action: "GetTable", what: `Cannot read "${database}.${table}" in Glue`, database, table }, async () => {
          const answer = await client.send(new GetTableCommand({ ...catalog, DatabaseName: database, Name: table }));
          requireShape(GET_TABLE, answer);
          return present(answer.Table, "Table");
        }),
      ),
    getTables: async (database, token) =>
      await orNull(
        read({ action: "GetTables", what: `Cannot list the tables of "${database}" in Glue`, database }, async () => {
          const page = { MaxResults: PAGE_SIZE, ...(token === null ? {} : { NextToken: token }) };
          const answer = await client.send(new GetTablesCommand({ ...catalog, DatabaseName: database, ...page }));
          requireShape(GET_TABLES, answer);
          return { items: present(answer.TableList, "TableList"), next: nextToken(answer.NextToken) };
        }),
      ),
    getDatabase: async (database) =>
      await orNull(
        read({ action: "GetDatabase", what: `Cannot read the database "${database}" of Glue`, database }, async () => {
          const answer = await client.send(new GetDatabaseCommand({ ...catalog, Name: database }));
          requireShape(GET_DATABASE, answer);
          return present(answer.Database, "Database");
        }),
      ),
    getDatabases: async (token) =>
      await read({ action: "GetDatabases", what: "Cannot list the databases of Glue" }, async () => {
        const page = { MaxResults: PAGE_SIZE, ...(token === null ? {} : { NextToken: token }) };
        const answer = await client.send(new GetDatabasesCommand({ ...catalog, ...page }));
        requireShape(GET_DATABASES, answer);
        return { items: present(answer.DatabaseList, "DatabaseList"), next: nextToken(answer.NextToken) };
      }),
    createDatabase: async (database) => {
      await read({ action: "CreateDatabase", what: `Cannot create the database "${database}" in Glue`, database }, () =>
        client.send(new CreateDatabaseCommand({ ...catalog, DatabaseInput: { Name: database } })),
      );
    },
    createTable: async (database, input) => {
      const call = { action: "CreateTable", what: `Cannot create "${database}.${input.Name}" in Glue`, database };
      await once({ ...call, table: input.Name ?? "" }, () =>
        client.send(new CreateTableCommand({ ...catalog, DatabaseName: database, TableInput: sdkInput(input) })),
      );
    },
    updateTable: async (database, input, versionId) => {
      const call = { action: "UpdateTable", what: `Cannot commit "${database}.${input.Name}" to Glue`, database };
      await once({ ...call, table: input.Name ?? "" }, () =>
        client.send(
          new UpdateTableCommand({
            ...catalog,
            DatabaseName: database,
            TableInput: sdkInput(input),
            VersionId: versionId,
            // Glue keeps a version a commit otherwise, up to a quota at which commits fail.
            SkipArchive: true,
          }),
        ),
      );
    },
  };
}

async function sent<T>(call: GlueCall, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw glueError(error, call);
  }
}

async function orNull<T>(reading: Promise<T | null>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof GlueError && error.code === "EntityNotFoundException") return null;
    throw error;
  }
}

function advise(error: unknown): RetryAdvice | null {
  if (!(error instanceof GlueError) || !(isPassing(error) || isSkewed(error))) return null;
  return { isThrottled: error.kind === "throttled", afterMs: null };
}

function nextToken(token: string | undefined): string | null {
  return token === undefined || token === "" ? null : token;
}

/** The SDK's lists are not readonly; members that floeplan does not look at come along. */
function sdkInput(input: GlueTableInput): TableInput {
  const { StorageDescriptor: storage, PartitionKeys: keys, ...rest } = input;
  const { Columns: columns = [], AdditionalLocations: others, ...more } = storage ?? {};
  return {
    ...rest,
    ...(keys === undefined ? {} : { PartitionKeys: keys.map((column) => ({ ...column })) }),
    StorageDescriptor: {
      ...more,
      Columns: columns.map((column) => ({ ...column })),
      ...(others === undefined ? {} : { AdditionalLocations: [...others] }),
    },
  };
}
