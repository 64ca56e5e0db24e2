// The AWS SDK's client of S3 Tables: the calls of S3TablesService, over the network. Loaded only where a project has a
// catalog of this type. Reads, and calls whose second try does no harm, are tried again as long as that may help; the call
// that moves a pointer is sent once.
import { present, requireShape } from "./aws-answer.ts";
import { isPassing, isSkewed } from "./aws-error.ts";
import {
  CreateNamespaceCommand,
  CreateTableCommand,
  GetNamespaceCommand,
  GetTableMetadataLocationCommand,
  ListNamespacesCommand,
  ListTablesCommand,
  S3TablesClient,
  type TableSummary,
  UpdateTableMetadataLocationCommand,
} from "@aws-sdk/client-s3tables";
import { awsCredentials } from "../storage/aws-credentials.ts";
import { withFreshKeys } from "../storage/aws-keys.ts";
import { REAL_RETRY_PORTS, type RetryAdvice, type RetryPorts, withRetries } from "../storage/aws-retry.ts";
import { createS3Store } from "../storage/s3.ts";
import type { Catalog } from "./catalog.ts";
import type { CatalogContext, CatalogOptions } from "./catalog-options.ts";
import { NAMESPACE, NAMESPACE_PAGE, POINTER, SWAPPED, TABLE_PAGE } from "./s3-tables-answers.ts";
import { createS3TablesCatalog } from "./s3-tables-catalog.ts";
import { S3TablesError, s3TablesError } from "./s3-tables-error.ts";
import { parseTableBucket, type TableBucket } from "./s3-tables-names.ts";
import { type ListedTable, PAGE_SIZE, type S3TablesService } from "./s3-tables-service.ts";
import { stripTrailingSlashes } from "../iceberg/metadata-file.ts";

const CONNECT_MS = 5000;
/** Answers come within seconds; after this one is taken for lost. */
const ANSWER_MS = 60_000;

export async function openS3TablesCatalog(options: CatalogOptions, context: CatalogContext): Promise<Catalog> {
  const bucket = parseTableBucket(options.bucket, context.name);
  const { region } = bucket;
  // One source for S3 Tables and S3: a role is assumed once, and a person logs in once.
  const credentials = awsCredentials({ region });
  const client = new S3TablesClient({
    region,
    credentials,
    // The retries are ours: nothing is sent twice unseen.
    maxAttempts: 1,
    customUserAgent: "floeplan",
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
  });
  return createS3TablesCatalog({
    name: context.name,
    bucket,
    service: s3TablesService(client, bucket, REAL_RETRY_PORTS),
    // User metadata and conditions are not among what the object API is said to offer; listing and deleting are refused.
    store: createS3Store({ region, credentials, canList: false, canRemove: false, canMark: false, plainPuts: true }),
    identity: async () => await (await import("../storage/aws-identity.ts")).awsIdentity({ region, credentials }),
    ports: context.ports,
  });
}

export function s3TablesService(client: S3TablesClient, bucket: TableBucket, ports: RetryPorts): S3TablesService {
  const at = { tableBucketARN: bucket.arn };
  const send = async <T>(action: string, what: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await withFreshKeys(client, call);
    } catch (error) {
      throw s3TablesError(error, { action, what, bucket });
    }
  };
  const repeat = async <T>(action: string, what: string, call: () => Promise<T>): Promise<T> =>
    await withRetries(ports, advise, () => send(action, what, call));
  return {
    getPointer: async (namespace, table) =>
      await orNull(
        repeat("GetTableMetadataLocation", `Cannot read "${namespace}.${table}" in S3 Tables`, async () => {
          const command = new GetTableMetadataLocationCommand({ ...at, namespace, name: table });
          const answer = await client.send(command);
          requireShape(POINTER, answer);
          const { versionToken, metadataLocation, warehouseLocation } = answer;
          return {
            versionToken: present(versionToken, "versionToken"),
            metadataLocation: metadataLocation === undefined || metadataLocation === "" ? null : metadataLocation,
            warehouseLocation: stripTrailingSlashes(present(warehouseLocation, "warehouseLocation")),
          };
        }),
      ),
    listTables: async (namespace, token) =>
      await orNull(
        repeat("ListTables", `Cannot list the tables of ${placeName(namespace, bucket)} in S3 Tables`, async () => {
          const page = { maxTables: PAGE_SIZE, ...(token === null ? {} : { continuationToken: token }) };
          const answer = await client.send(
            new ListTablesCommand({ ...at, ...(namespace === null ? {} : { namespace }), ...page }),
          );
          requireShape(TABLE_PAGE, answer);
          const next = answer.continuationToken;
          return {
            items: present(answer.tables, "tables").map(listedTable),
            next: next === undefined || next === "" ? null : next,
          };
        }),
      ),
    hasNamespace: async (namespace) =>
      (await orNull(
        repeat("GetNamespace", `Cannot read the namespace "${namespace}" in S3 Tables`, async () =>
          requireShape(NAMESPACE, await client.send(new GetNamespaceCommand({ ...at, namespace }))),
        ),
      )) !== null,
    hasBucket: async () =>
      (await orNull(
        repeat("ListNamespaces", `Cannot look into the table bucket "${bucket.name}"`, async () =>
          requireShape(NAMESPACE_PAGE, await client.send(new ListNamespacesCommand({ ...at, maxNamespaces: 1 }))),
        ),
      )) !== null,
    createNamespace: async (namespace) => {
      await repeat("CreateNamespace", `Cannot create the namespace "${namespace}" in S3 Tables`, () =>
        client.send(new CreateNamespaceCommand({ ...at, namespace: [namespace] })),
      );
    },
    createTable: async (namespace, table) => {
      await repeat("CreateTable", `Cannot create "${namespace}.${table}" in S3 Tables`, () =>
        client.send(new CreateTableCommand({ ...at, namespace, name: table, format: "ICEBERG" })),
      );
    },
    swapPointer: async (namespace, table, next) =>
      await send("UpdateTableMetadataLocation", `Cannot commit "${namespace}.${table}" to S3 Tables`, async () => {
        const command = new UpdateTableMetadataLocationCommand({ ...at, namespace, name: table, ...next });
        const answer = await client.send(command);
        requireShape(SWAPPED, answer);
        return present(answer.versionToken, "versionToken");
      }),
  };
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof S3TablesError && error.kind === "not-found") return null;
    throw error;
  }
}

function advise(error: unknown): RetryAdvice | null {
  if (!(error instanceof S3TablesError) || !(isPassing(error) || isSkewed(error))) return null;
  return { isThrottled: error.kind === "throttled", afterMs: null };
}

function listedTable({ namespace, name, type, managedByService }: TableSummary): ListedTable {
  return {
    namespace: namespace?.[0] ?? "",
    name: name ?? "",
    isManaged: type === "aws" || (managedByService !== undefined && managedByService !== ""),
  };
}

function placeName(namespace: string | null, bucket: TableBucket): string {
  return namespace === null ? `the table bucket "${bucket.name}"` : `"${namespace}"`;
}
