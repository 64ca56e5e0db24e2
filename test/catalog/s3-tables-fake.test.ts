// The fake S3 Tables keeps to the ways of AWS that the tests of the catalog lean on: the API model of the SDK, the user
// guide, and what moto (which test/interop/s3-tables runs the same suite on) does.
import {
  CreateNamespaceCommand,
  CreateTableCommand,
  DeleteTableCommand,
  GetNamespaceCommand,
  GetTableCommand,
  GetTableMetadataLocationCommand,
  ListNamespacesCommand,
  ListTablesCommand,
  type ListTablesCommandOutput,
  RenameTableCommand,
  S3TablesClient,
  UpdateTableMetadataLocationCommand,
} from "@aws-sdk/client-s3tables";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { createS3Store } from "../../src/storage/s3.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import { FAKE_KEYS } from "../fakes/s3.ts";
import { clientOf, type Fakes, startFakes } from "./s3-tables-support.ts";

let fakes: Fakes;
let client: S3TablesClient;
let at: { readonly tableBucketARN: string };
const orders = { namespace: "sales", name: "orders" };
const refused = (name: string, status: number): unknown =>
  expect.objectContaining({ name, $metadata: expect.objectContaining({ httpStatusCode: status }) });

const start = async (options: Parameters<typeof startFakes>[0] = {}): Promise<void> => {
  fakes = await startFakes({ namespaces: ["sales"], ...options });
  client = clientOf(fakes);
  at = { tableBucketARN: fakes.tables.arn };
};
beforeEach(async () => await start());
afterEach(async () => await fakes.stop().catch(() => undefined));

const create = async (name = "orders"): Promise<void> => {
  await client.send(new CreateTableCommand({ ...at, namespace: "sales", name, format: "ICEBERG" }));
};
const pointer = async (): Promise<{
  readonly versionToken: string;
  readonly warehouse: string;
  readonly location: string | null;
}> => {
  const answer = await client.send(new GetTableMetadataLocationCommand({ ...at, ...orders }));
  const { versionToken = "", warehouseLocation: warehouse = "", metadataLocation: location = null } = answer;
  return { versionToken, warehouse, location };
};
const update = async (versionToken: string, metadataLocation: string): Promise<string> =>
  (await client.send(new UpdateTableMetadataLocationCommand({ ...at, ...orders, versionToken, metadataLocation })))
    .versionToken ?? "";

describe("a table", () => {
  it("is made without metadata, with a storage of its own and a token", async () => {
    await create();
    const { versionToken, warehouse, location } = await pointer();
    expect(warehouse).toMatch(/^s3:\/\/[0-9a-f-]+--table-s3$/);
    expect([versionToken, location]).toEqual([expect.stringMatching(/^\w{20}$/), null]);
    const { tableARN, type, namespace } = await client.send(new GetTableCommand({ ...at, ...orders }));
    expect([tableARN?.startsWith(`${fakes.tables.arn}/table/`), type, namespace]).toEqual([true, "customer", ["sales"]]);
    await expect(create()).rejects.toEqual(refused("ConflictException", 409));
  });

  it("is made with a first metadata file of the service's own where a schema is given", async () => {
    const metadata = {
      iceberg: {
        schema: {
          fields: [
            { name: "a", type: "int", required: true },
            { name: "b", type: "string" },
          ],
        },
      },
    };
    await client.send(new CreateTableCommand({ ...at, namespace: "sales", name: "orders", format: "ICEBERG", metadata }));
    const { location } = await pointer();
    const read = readMetadata(fakes.s3.objects.get(location ?? "") ?? new Uint8Array(), location ?? "");
    expect(read.schemas[0]?.fields.map(({ id, name, required }) => [id, name, required])).toEqual([
      [1, "a", true],
      [2, "b", false],
    ]);
  });

  it("takes a new location with the present token only, and has another token then", async () => {
    await create();
    const { versionToken, warehouse } = await pointer();
    const file = `${warehouse}/metadata/00000-x.metadata.json`;
    fakes.s3.objects.put(file, "{}");
    await expect(update("another", file)).rejects.toEqual(refused("ConflictException", 409));
    const next = await update(versionToken, file);
    expect(await pointer()).toEqual({ versionToken: next, warehouse, location: file });
    await expect(update(versionToken, file)).rejects.toEqual(refused("ConflictException", 409));
  });

  it("lets one of many at once win", async () => {
    await create();
    const { versionToken, warehouse } = await pointer();
    const files = Array.from({ length: 20 }, (_, index) => `${warehouse}/metadata/${index}.metadata.json`);
    for (const file of files) fakes.s3.objects.put(file, "{}");
    const ends = await Promise.allSettled(files.map((file) => update(versionToken, file)));
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each([
    ["another table's storage", () => "s3://0000--table-s3/metadata/x.metadata.json"],
    ["a storage whose name goes on", (warehouse: string) => `${warehouse}x/metadata/x.metadata.json`],
    ["another ending", (warehouse: string) => `${warehouse}/metadata/x.json`],
    ["a file that is not there", (warehouse: string) => `${warehouse}/metadata/missing.metadata.json`],
  ])("refuses a location with %s", async (_, place) => {
    await create();
    const { versionToken, warehouse } = await pointer();
    const file = place(warehouse);
    if (!file.includes("missing")) {
      const bucket = /^s3:\/\/([^/]+)/.exec(file)?.[1] ?? "";
      if (!file.startsWith(`${warehouse}/`)) fakes.s3.addBucket(bucket);
      fakes.s3.objects.put(file, "{}");
    }
    await expect(update(versionToken, file)).rejects.toEqual(refused("BadRequestException", 400));
  });

  it("is renamed, also into another namespace, and keeps its storage", async () => {
    await create();
    const before = await pointer();
    const rename = (more: object): Promise<unknown> => client.send(new RenameTableCommand({ ...at, ...orders, ...more }));
    await expect(rename({})).rejects.toEqual(refused("BadRequestException", 400));
    await expect(rename({ newNamespaceName: "hr" })).rejects.toEqual(refused("NotFoundException", 404));
    await expect(rename({ newName: "x", versionToken: "stale" })).rejects.toEqual(refused("ConflictException", 409));
    await client.send(new CreateNamespaceCommand({ ...at, namespace: ["hr"] }));
    await rename({ newNamespaceName: "hr", newName: "people", versionToken: before.versionToken });
    await expect(pointer()).rejects.toEqual(refused("NotFoundException", 404));
    const moved = new GetTableMetadataLocationCommand({ ...at, namespace: "hr", name: "people" });
    expect((await client.send(moved)).warehouseLocation).toBe(before.warehouse);
  });
});

describe("names", () => {
  it.each(["With", "with-dash", "a.b", "_first", "x".repeat(256)])("of tables are refused: %s", async (name) => {
    await expect(create(name)).rejects.toEqual(refused("BadRequestException", 400));
  });

  it.each(["Sales", "a-b", "aws_mine"])("of namespaces are refused: %s", async (name) => {
    await expect(client.send(new CreateNamespaceCommand({ ...at, namespace: [name] }))).rejects.toEqual(
      refused("BadRequestException", 400),
    );
  });

  it("are taken once, and looked up in their namespace", async () => {
    await expect(client.send(new CreateNamespaceCommand({ ...at, namespace: ["sales"] }))).rejects.toEqual(
      refused("ConflictException", 409),
    );
    expect((await client.send(new GetNamespaceCommand({ ...at, namespace: "sales" }))).namespace).toEqual(["sales"]);
    await expect(client.send(new GetNamespaceCommand({ ...at, namespace: "hr" }))).rejects.toEqual(
      refused("NotFoundException", 404),
    );
    await expect(client.send(new ListTablesCommand({ ...at, namespace: "hr" }))).rejects.toEqual(
      refused("NotFoundException", 404),
    );
  });
});

it("gives pages of tables and namespaces", async () => {
  for (let index = 0; index < 7; index++) fakes.tables.tables.create("sales", `t${index}`);
  for (const name of ["b", "a"]) await client.send(new CreateNamespaceCommand({ ...at, namespace: [name] }));
  const names: string[] = [];
  let token: string | undefined;
  do {
    const page: ListTablesCommandOutput = await client.send(
      new ListTablesCommand({ ...at, maxTables: 3, ...(token === undefined ? {} : { continuationToken: token }) }),
    );
    names.push(...(page.tables ?? []).map(({ name = "" }) => name));
    token = page.continuationToken;
  } while (token !== undefined);
  expect(names).toEqual(["t0", "t1", "t2", "t3", "t4", "t5", "t6"]);
  expect(fakes.tables.counts()["ListTables"]).toBe(3);
  const { namespaces, continuationToken } = await client.send(new ListNamespacesCommand({ ...at, maxNamespaces: 1 }));
  expect([namespaces?.map(({ namespace }) => namespace), continuationToken !== undefined]).toEqual([[["sales"]], true]);
  await expect(client.send(new ListTablesCommand({ ...at, maxTables: 1001 }))).rejects.toEqual(
    refused("BadRequestException", 400),
  );
});

describe("the storage of a table", () => {
  const storeWith = (more: Parameters<typeof createS3Store>[0]): ObjectStore =>
    createS3Store({ endpoint: fakes.s3.url, region: "us-east-1", credentials: FAKE_KEYS, ...more });

  it("lets objects be read and written, and refuses to list, to delete and to carry metadata", async () => {
    await create();
    const { warehouse } = await pointer();
    const store = storeWith({ canMark: false });
    expect(await store.putIfAbsent(`${warehouse}/data/x`, new Uint8Array([1]))).toBe("written");
    expect(await store.putIfAbsent(`${warehouse}/data/x`, new Uint8Array([2]))).toBe("exists");
    expect(await store.head(`${warehouse}/data/x`)).toMatchObject({ sizeBytes: 1 });
    expect(await store.head(`${warehouse}/data/y`)).toBeNull();
    await expect(store.remove(`${warehouse}/data/x`)).rejects.toMatchObject({ kind: "unsupported" });
    await expect(store.list(warehouse)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: "unsupported" });
    await expect(storeWith({ canMark: true }).putIfAbsent(`${warehouse}/data/z`, new Uint8Array())).rejects.toMatchObject({
      kind: "refused",
    });
  });

  it("may refuse conditions, and call what is missing forbidden", async () => {
    await fakes.stop();
    await start({ storage: { refusesConditions: 501, missingLooksDenied: true } });
    await create();
    const { warehouse } = await pointer();
    const store = storeWith({ canMark: false });
    await expect(store.putIfAbsent(`${warehouse}/data/x`, new Uint8Array([1]))).rejects.toMatchObject({ kind: "unsupported" });
    await expect(store.head(`${warehouse}/data/x`)).rejects.toMatchObject({ kind: "auth" });
  });
});

it("refuses another account, another bucket and other keys", async () => {
  const get = (tableBucketARN: string): Promise<unknown> => client.send(new ListTablesCommand({ tableBucketARN }));
  await expect(get(fakes.tables.arn.replace("011122223333", "444455556666"))).rejects.toEqual(
    refused("AccessDeniedException", 403),
  );
  await expect(get(`${fakes.tables.arn}2`)).rejects.toEqual(refused("NotFoundException", 404));
  const stranger = new S3TablesClient({
    endpoint: fakes.tables.url,
    region: "us-east-1",
    credentials: { ...FAKE_KEYS, secretAccessKey: "wrong" },
    maxAttempts: 1,
  });
  await expect(stranger.send(new ListTablesCommand(at))).rejects.toEqual(refused("InvalidSignatureException", 403));
});

it("fails the test on a call, or a part of one, that it does not know", async () => {
  await create();
  await expect(client.send(new DeleteTableCommand({ ...at, ...orders }))).rejects.toThrow();
  await expect(fakes.tables.stop()).rejects.toThrow("no call that it knows");
  await start();
  const encrypted = { encryptionConfiguration: { sseAlgorithm: "AES256" as const } };
  await expect(
    client.send(new CreateTableCommand({ ...at, namespace: "sales", name: "orders", format: "ICEBERG", ...encrypted })),
  ).rejects.toThrow();
  await expect(fakes.tables.stop()).rejects.toThrow("encryptionConfiguration");
});
