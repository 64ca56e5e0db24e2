// A Glue catalog for tests: the product's own client against the fake Glue, and the store that a test chooses.
import { GlueClient } from "@aws-sdk/client-glue";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { createGlueCatalog } from "../../src/catalog/glue-catalog.ts";
import { glueService } from "../../src/catalog/glue.ts";
import type { GlueService } from "../../src/catalog/glue-service.ts";
import type { CatalogPorts } from "../../src/catalog/metadata-pointer.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { type FakeGlue, type GlueOptions, startGlue } from "../fakes/glue.ts";
import { FAKE_KEYS } from "../fakes/s3.ts";

// The SDK warns of a Node that this project still supports.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

export const ACCOUNT = "011122223333";

export const startLake = async (options: Partial<GlueOptions> = {}): Promise<FakeGlue> =>
  await startGlue({
    account: ACCOUNT,
    databases: [],
    newDatabaseLocation: (name) => `s3://lake/${name}.db`,
    ...options,
  });

export interface OpenOptions {
  readonly store?: ObjectStore;
  readonly account?: string | null;
  readonly ports?: Partial<CatalogPorts>;
  /** Nothing is waited for by default. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** After which an answer is taken for lost: long by default, since the machine may be slow. */
  readonly timeoutMs?: number;
}

export function serviceOf(glue: FakeGlue, options: OpenOptions = {}): GlueService {
  const { account = ACCOUNT, wait = async () => {}, timeoutMs = 20_000 } = options;
  const client = new GlueClient({
    endpoint: glue.url,
    region: "us-east-1",
    credentials: FAKE_KEYS,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
  });
  return glueService(client, account, { wait, random: () => 0.5 });
}

export function openGlue(glue: FakeGlue, options: OpenOptions = {}): Catalog {
  const { store = createMemoryStore(), account = ACCOUNT, wait = async () => {} } = options;
  return createGlueCatalog({
    name: "lake",
    region: "us-east-1",
    account,
    service: serviceOf(glue, options),
    openStore: () => store,
    identity: async () => ({ arn: `arn:aws:iam::${ACCOUNT}:user/tests`, account: ACCOUNT }),
    ports: { ...systemPorts(), wait, ...options.ports },
  });
}
