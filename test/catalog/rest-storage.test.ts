// Where the files of a REST catalog's tables are, and by whose keys they are reached: what the catalog gives with a table
// goes before what it gives for all, the longest prefix before shorter ones, and keys are asked for again when they end.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import type { AwsKeys } from "../../src/storage/aws-keys.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { createS3Store, type S3Options } from "../../src/storage/s3.ts";
import type { RestOptions, TableGift } from "../fakes/rest.ts";
import { type FakeS3, startS3 } from "../fakes/s3.ts";
import { ORDERS, openRest, startRestLake, type TestRest } from "./rest-support.ts";

const PLACE = "s3://lake/wh/sales/orders";
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

let opened: S3Options[] = [];
let rest: TestRest;
async function start(gift: RestOptions["gift"], options: Partial<RestOptions> = {}): Promise<Catalog> {
  rest = await startRestLake({ ...(gift === undefined ? {} : { gift }), ...options });
  stops.push(rest.stop);
  rest.tables.namespace("sales");
  await rest.tables.create(["sales", "orders"]);
  opened = [];
  return await openRest(rest, {
    openS3: (asked) => {
      opened.push(asked);
      return createMemoryStore();
    },
  });
}
const load = async (catalog: Catalog): Promise<LiveTable> => {
  const live = await catalog.loadTable(ORDERS);
  if (live === null) throw new Error("The table is gone");
  return live;
};
const touch = async (catalog: Catalog, location = `${PLACE}/data/x`): Promise<S3Options> => {
  await catalog.storeFor(await load(catalog)).head(location);
  const last = opened.at(-1);
  if (last === undefined) throw new Error("No store was opened");
  return last;
};
const keysOf = async ({ credentials }: S3Options, options?: { readonly forceRefresh: boolean }): Promise<AwsKeys | null> =>
  typeof credentials === "function" ? await credentials(options) : (credentials ?? null);
const keys = (name: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  "s3.access-key-id": name,
  "s3.secret-access-key": `${name}-secret`,
  "s3.session-token": `${name}-token`,
  ...more,
});

describe("what a catalog gives", () => {
  it("of an S3 of its own stands in settings for all, in the table's, or in those of a prefix", async () => {
    const gift: TableGift = {
      config: { "s3.endpoint": "http://of-the-table:9000", "client.region": "eu-west-1" },
      credentials: [
        { prefix: "s3", config: keys("any") },
        { prefix: PLACE, config: keys("table") },
        { prefix: `${PLACE}/data`, config: keys("data", { "s3.endpoint": "http://of-the-data:9000" }) },
        { prefix: `${PLACE}/dat`, config: keys("another") },
      ],
    };
    const catalog = await start(() => gift, {
      defaults: { "s3.endpoint": "http://of-all:9000", "s3.path-style-access": "true" },
    });
    const data = await touch(catalog);
    expect(data).toMatchObject({ endpoint: "http://of-the-data:9000", region: "eu-west-1", pathStyle: true });
    expect((await keysOf(data))?.accessKeyId).toBe("data");
    const metadata = await touch(catalog, `${PLACE}/metadata/x`);
    expect(metadata.endpoint).toBe("http://of-the-table:9000");
    expect(await keysOf(metadata)).toEqual({
      accessKeyId: "table",
      secretAccessKey: "table-secret",
      sessionToken: "table-token",
    });
    expect((await keysOf(await touch(catalog, "s3a://elsewhere/x")))?.accessKeyId).toBe("any");
  });

  it("is nothing: the environment's own credentials and endpoint are used, one store for all tables", async () => {
    const catalog = await start(undefined);
    expect(await touch(catalog)).toEqual({});
    await touch(catalog);
    expect(opened).toHaveLength(1);
  });

  it("is asked for, and a principal that may see the table and not its files still sees the table", async () => {
    const catalog = await start((_namespace, _name, isWanted) => (isWanted ? null : {}));
    expect((await load(catalog)).identifier).toEqual(ORDERS);
    expect(rest.counts()["LoadTable"]).toBe(2);
  });

  it.each(["s3.anonymous", "s3.allow-anonymous"])("may be that anybody may read: %s", async (key) => {
    const catalog = await start(() => ({ config: { [key]: "true" } }));
    expect(await touch(catalog)).toEqual({ anonymous: true });
  });

  it("that is to be signed by the catalog itself is not served, and said so where no other keys are there", async () => {
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"]) delete process.env[name];
    Object.assign(process.env, {
      AWS_CONFIG_FILE: "/nonexistent/config",
      AWS_SHARED_CREDENTIALS_FILE: "/nonexistent/credentials",
      AWS_EC2_METADATA_DISABLED: "true",
    });
    const catalog = await start(() => ({ config: { "s3.remote-signing-enabled": "true", "s3.signer.uri": "https://signer" } }));
    await expect(keysOf(await touch(catalog))).rejects.toMatchObject({
      kind: "unsupported",
      why: expect.stringContaining("remote signing"),
    });
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: "own", AWS_SECRET_ACCESS_KEY: "own-secret" });
    expect((await keysOf(await touch(catalog)))?.accessKeyId).toBe("own");
  });

  it("for a table bucket of AWS is used as such a bucket allows: nothing listed, nothing removed", async () => {
    const location = "s3://63a8e430-6e0b-46f5-k833abtwr6s8tmtsycedn8s4yc3xhuse1b--table-s3";
    const catalog = await start(undefined);
    const live = await load(catalog);
    const store = catalog.storeFor({ ...live, metadata: { ...live.metadata, location } });
    expect([store.canList, store.canRemove]).toEqual([false, false]);
  });
});

describe("keys that end", () => {
  const ending = (calls: () => number, lifeMs: number): TableGift => ({
    credentials: [
      { prefix: PLACE, config: keys(`key${calls()}`, { "s3.session-token-expires-at-ms": String(Date.now() + lifeMs) }) },
    ],
  });

  it.each([
    ["by the call for keys", {}, "LoadCredentials"],
    ["with the table, where there is no such call", { lacks: ["LoadCredentials"] }, "LoadTable"],
  ] as const)("are asked for again %s", async (_, options, operation) => {
    let given = 0;
    const catalog = await start(() => ending(() => ++given, 30_000), options);
    const store = await touch(catalog);
    const before = rest.counts()[operation] ?? 0;
    const fresh = await keysOf(store);
    expect(fresh?.accessKeyId).toBe(`key${given}`);
    expect((rest.counts()[operation] ?? 0) - before).toBe(1);
  });

  it("are kept while they hold, and asked for where S3 says that they are over", async () => {
    let given = 0;
    const catalog = await start(() => ending(() => ++given, 3_600_000));
    const store = await touch(catalog);
    const first = await keysOf(store);
    expect(await keysOf(store)).toEqual(first);
    expect((await keysOf(store, { forceRefresh: true }))?.accessKeyId).toBe(`key${given}`);
  });

  it("and that the catalog gives no more are told", async () => {
    let isOver = false;
    const catalog = await start(() => (isOver ? {} : ending(() => 1, 1000)));
    const store = await touch(catalog);
    isOver = true;
    await expect(keysOf(store)).rejects.toMatchObject({ kind: "auth", why: expect.stringContaining("it gives no others") });
  });

  it("are renewed under way by a real S3 that ends them", async () => {
    const s3: FakeS3 = await startS3({ buckets: ["lake"], keys: [] });
    stops.push(s3.stop);
    let given = 1;
    const gift = (): TableGift => {
      const [accessKeyId, secretAccessKey, sessionToken] = [`AKIAVENDED${given}`, "vended-secret", `vended-token-${given}`];
      s3.setKeys([{ accessKeyId, secretAccessKey, sessionToken }]);
      return {
        config: { "s3.endpoint": s3.url, "client.region": "us-east-1" },
        credentials: [
          {
            prefix: "s3://lake/",
            config: {
              "s3.access-key-id": accessKeyId,
              "s3.secret-access-key": secretAccessKey,
              "s3.session-token": sessionToken,
            },
          },
        ],
      };
    };
    rest = await startRestLake({ gift });
    stops.push(rest.stop);
    rest.tables.namespace("sales");
    await rest.tables.create(["sales", "orders"]);
    const catalog = await openRest(rest, { openS3: createS3Store });
    const store = catalog.storeFor(await load(catalog));
    expect(await store.putIfAbsent(`${PLACE}/data/a`, utf8("a"))).toBe("written");
    s3.expire(`AKIAVENDED${given}`);
    given = 2;
    expect(await store.putIfAbsent(`${PLACE}/data/b`, utf8("b"))).toBe("written");
    const writer = await store.create(`${PLACE}/data/c`);
    await writer.copyFrom(`${PLACE}/data/a`, 0, 1);
    await writer.copyFrom(`${PLACE}/data/b`, 0, 1);
    await writer.close();
    expect(await store.read(`${PLACE}/data/c`)).toEqual(utf8("ab"));
  });
});

describe("places that are not in S3", () => {
  it("on this machine are read and written as files", async () => {
    const folder = mkdtempSync(join(tmpdir(), "floeplan-test-"));
    try {
      rest = await startRestLake({ warehouse: `file://${folder}`, store: openStore(folder) });
      stops.push(rest.stop);
      rest.tables.namespace("sales");
      await rest.tables.create(["sales", "orders"]);
      const catalog = await openRest(rest);
      const live = await load(catalog);
      const store = catalog.storeFor(live);
      expect(new TextDecoder().decode(await store.read(live.metadataLocation))).toContain('"table-uuid"');
      expect(await store.putIfAbsent(`${live.metadata.location}/data/x`, utf8("x"))).toBe("written");
      expect(readFileSync(join(folder, "sales/orders/data/x"), "utf8")).toBe("x");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("elsewhere leave the table loaded and changed, and its files alone", async () => {
    const catalog = await start(undefined, { warehouse: "gs://bucket/wh" });
    const store = catalog.storeFor(await load(catalog));
    await expect(store.read("gs://bucket/wh/x")).rejects.toMatchObject({
      kind: "unsupported",
      why: expect.stringContaining('Locations with "gs:" are not served'),
    });
  });
});
