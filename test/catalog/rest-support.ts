// A REST catalog for tests: the product's own client against the fake server, and the store that a test chooses.
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { CatalogPorts } from "../../src/catalog/metadata-pointer.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import { connectRest } from "../../src/catalog/rest.ts";
import { sendHttp } from "../../src/catalog/rest-http.ts";
import { type Environment, type RestOptions as RestSettingsOptions, restSettings } from "../../src/catalog/rest-settings.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import type { S3Options } from "../../src/storage/s3.ts";
import { type FakeRest, type RestOptions, startRest } from "../fakes/rest.ts";

const WAREHOUSE = "s3://lake/wh";
export const ORDERS = { namespace: ["sales"], name: "orders" };

export interface TestRest extends FakeRest {
  /** Holds what the server writes, and what a catalog opened on it reads. */
  readonly store: ObjectStore;
}

export async function startRestLake(options: Partial<RestOptions> = {}): Promise<TestRest> {
  const store = options.store ?? createMemoryStore();
  return { ...(await startRest({ warehouse: WAREHOUSE, ...options, store })), store };
}

export interface OpenOptions {
  readonly settings?: RestSettingsOptions;
  readonly environment?: Environment;
  readonly ports?: Partial<CatalogPorts>;
  /** Nothing is waited for by default. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** After which an answer is taken for lost: long by default, since the machine may be slow. */
  readonly timeoutMs?: number;
  readonly openS3?: (options: S3Options) => ObjectStore;
}

export async function openRest(rest: TestRest, options: OpenOptions = {}): Promise<Catalog> {
  const { settings = {}, environment = {}, wait = async () => {}, timeoutMs = 20_000 } = options;
  const ports = { ...systemPorts(), wait, ...options.ports };
  const times = { answerMs: timeoutMs, idleMs: timeoutMs };
  return await connectRest(
    restSettings("lake", { uri: rest.url, ...settings }, environment),
    { http: sendHttp, ports: { wait, random: () => 0.5 }, times: { read: times, write: times }, nowMs: ports.nowMs },
    { ports, openS3: options.openS3 ?? (() => rest.store) },
  );
}
