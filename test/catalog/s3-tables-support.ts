// A catalog of S3 Tables for tests: the product's own client and store against the fake S3 Tables and the fake S3.
import { S3TablesClient } from "@aws-sdk/client-s3tables";
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { CatalogPorts } from "../../src/catalog/metadata-pointer.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import { createS3TablesCatalog } from "../../src/catalog/s3-tables-catalog.ts";
import { parseTableBucket } from "../../src/catalog/s3-tables-names.ts";
import type { S3TablesService } from "../../src/catalog/s3-tables-service.ts";
import { s3TablesService } from "../../src/catalog/s3-tables.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { createS3Store } from "../../src/storage/s3.ts";
import { FAKE_KEYS, type FakeS3, startS3 } from "../fakes/s3.ts";
import { type FakeS3Tables, type S3TablesOptions, startS3Tables } from "../fakes/s3-tables.ts";

// The SDK warns of a Node that this project still supports.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

export interface Fakes {
  readonly s3: FakeS3;
  readonly tables: FakeS3Tables;
  readonly stop: () => Promise<void>;
}

export async function startFakes(options: Partial<S3TablesOptions> = {}): Promise<Fakes> {
  const s3 = await startS3({ buckets: [] });
  const tables = await startS3Tables({ s3, ...options });
  return {
    s3,
    tables,
    stop: async () => {
      // Both, so that what either has to say is said.
      const ends = await Promise.allSettled([tables.stop(), s3.stop()]);
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}

export interface OpenOptions {
  readonly ports?: Partial<CatalogPorts>;
  /** Nothing is waited for by default. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** After which an answer is taken for lost: long by default, since the machine may be slow. */
  readonly timeoutMs?: number;
  /** Instead of the fake's. */
  readonly arn?: string;
  readonly store?: ObjectStore;
}

export function clientOf({ tables }: Pick<Fakes, "tables">, timeoutMs = 20_000, region = "us-east-1"): S3TablesClient {
  return new S3TablesClient({
    endpoint: tables.url,
    region,
    credentials: FAKE_KEYS,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
  });
}

export function serviceOf(fakes: Pick<Fakes, "tables">, options: OpenOptions = {}): S3TablesService {
  const { wait = async () => {}, timeoutMs, arn = fakes.tables.arn } = options;
  const bucket = parseTableBucket(arn, "events");
  return s3TablesService(clientOf(fakes, timeoutMs, bucket.region), bucket, { wait, random: () => 0.5 });
}

/** As the product opens it, without real pauses. */
function storeOf({ s3 }: Pick<Fakes, "s3">, wait: (milliseconds: number) => Promise<void> = async () => {}): ObjectStore {
  return createS3Store({
    endpoint: s3.url,
    region: "us-east-1",
    credentials: FAKE_KEYS,
    canList: false,
    canRemove: false,
    canMark: false,
    plainPuts: true,
    ports: { wait, random: () => 0.5 },
  });
}

/** The same objects past HTTP, for tests of the service alone that make hundreds of commits. */
export function nearStoreOf(fakes: Pick<Fakes, "s3">): ObjectStore {
  const { objects } = fakes.s3;
  return {
    ...storeOf(fakes),
    read: async (location) => {
      const bytes = objects.get(location);
      if (bytes === undefined) throw new ToolError("not-found", `Cannot read "${location}"`);
      return bytes;
    },
    head: async (location) => {
      const sizeBytes = objects.get(location)?.length;
      return sizeBytes === undefined ? null : { location, sizeBytes };
    },
    putIfAbsent: async (location, bytes) => {
      if (objects.get(location) !== undefined) return "exists";
      objects.put(location, bytes);
      return "written";
    },
  };
}

export function openTables(fakes: Fakes, options: OpenOptions = {}): Catalog {
  const { wait = async () => {}, arn = fakes.tables.arn, store = storeOf(fakes, wait) } = options;
  return createS3TablesCatalog({
    name: "events",
    bucket: parseTableBucket(arn, "events"),
    service: serviceOf(fakes, options),
    store,
    identity: async () => ({ arn: "arn:aws:iam::011122223333:user/tests", account: "011122223333" }),
    ports: { ...systemPorts(), wait, ...options.ports },
  });
}
