// The fake Glue keeps to the ways of AWS that the tests of the catalog lean on, and the product knows every member of
// an entry that the SDK knows.
import {
  CreateTableCommand,
  DeleteTableCommand,
  GetTableCommand,
  GetTablesCommand,
  GetTableVersionsCommand,
  GlueClient,
  SearchTablesCommand,
  type Table,
  type TableInput,
  UpdateTableCommand,
} from "@aws-sdk/client-glue";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ENTRY_MEMBERS } from "../../src/iceberg/glue-entry.ts";
import { type FakeGlue, startGlue } from "../fakes/glue.ts";
import { FAKE_KEYS } from "../fakes/s3.ts";

type Role = "ours" | "carried" | "read-only";

// Does not compile when the SDK learns of a member that nobody has decided about.
const ROLES: Readonly<Record<keyof Table, Role>> = ENTRY_MEMBERS;
const WRITABLE: Readonly<Record<keyof TableInput, true>> = {
  Name: true,
  Description: true,
  Owner: true,
  LastAccessTime: true,
  LastAnalyzedTime: true,
  Retention: true,
  StorageDescriptor: true,
  PartitionKeys: true,
  ViewOriginalText: true,
  ViewExpandedText: true,
  TableType: true,
  Parameters: true,
  TargetTable: true,
  FederatedTable: true,
  ViewDefinition: true,
};

it("writes back every member that can be written, but what makes an entry no table of ours", () => {
  const written = Object.entries(ROLES).filter(([, role]) => role !== "read-only");
  const refused = ["FederatedTable", "ViewDefinition"];
  expect(written.map(([name]) => name).sort()).toEqual(
    Object.keys(WRITABLE)
      .filter((name) => !refused.includes(name))
      .sort(),
  );
});

describe("the fake Glue", () => {
  let glue: FakeGlue;
  let client: GlueClient;
  const orders = { CatalogId: "011122223333", DatabaseName: "sales" };
  const column = (Name: string, Comment = ""): { readonly Name: string; readonly Comment: string } => ({ Name, Comment });
  const input = (more: Partial<TableInput> = {}): TableInput => ({ Name: "orders", ...more });
  const refused = (error: string): unknown => expect.objectContaining({ name: error });

  beforeEach(async () => {
    glue = await startGlue({ account: "011122223333", databases: ["sales"] });
    client = new GlueClient({ endpoint: glue.url, region: "us-east-1", credentials: FAKE_KEYS, maxAttempts: 1 });
  });
  afterEach(async () => await glue.stop().catch(() => undefined));

  it("begins with version 0, and takes an update with the present version only", async () => {
    await client.send(new CreateTableCommand({ ...orders, TableInput: input({ Description: "one" }) }));
    const update = (VersionId: string, SkipArchive: boolean): UpdateTableCommand =>
      new UpdateTableCommand({ ...orders, TableInput: input(), VersionId, SkipArchive });
    await expect(client.send(update("1", true))).rejects.toEqual(refused("ConcurrentModificationException"));
    await client.send(update("0", false));
    await expect(client.send(update("0", false))).rejects.toEqual(refused("ConcurrentModificationException"));
    await client.send(update("1", true));
    const { Table: found } = await client.send(new GetTableCommand({ ...orders, Name: "orders" }));
    expect(found).toMatchObject({ VersionId: "2", Name: "orders", CatalogId: "011122223333" });
    expect(found).not.toHaveProperty("Description");
    const { TableVersions: versions } = await client.send(new GetTableVersionsCommand({ ...orders, TableName: "orders" }));
    expect(versions?.map(({ VersionId }) => VersionId)).toEqual(["2", "0"]);
  });

  it("lets one of many updates with one version win", async () => {
    await client.send(new CreateTableCommand({ ...orders, TableInput: input() }));
    const ends = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        client.send(new UpdateTableCommand({ ...orders, TableInput: input({ Description: String(index) }), VersionId: "0" })),
      ),
    );
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("keeps names in lower case and finds them in any", async () => {
    await client.send(new CreateTableCommand({ ...orders, DatabaseName: "SALES", TableInput: input({ Name: "Orders" }) }));
    const { Table: found } = await client.send(new GetTableCommand({ ...orders, Name: "ORDERS" }));
    expect([found?.Name, found?.DatabaseName]).toEqual(["orders", "sales"]);
    await client.send(new DeleteTableCommand({ ...orders, Name: "oRDERS" }));
    await expect(client.send(new GetTableCommand({ ...orders, Name: "orders" }))).rejects.toEqual(
      refused("EntityNotFoundException"),
    );
  });

  it("gives pages of at most a hundred, and takes a pattern", async () => {
    for (let index = 0; index < 207; index++) glue.tables.put("sales", { Name: `t${String(index).padStart(3, "0")}` });
    const sizes: number[] = [];
    for (let NextToken: string | undefined; ; ) {
      const page = await client.send(new GetTablesCommand({ ...orders, ...(NextToken === undefined ? {} : { NextToken }) }));
      sizes.push(page.TableList?.length ?? 0);
      NextToken = page.NextToken;
      if (NextToken === undefined) break;
    }
    expect(sizes).toEqual([100, 100, 7]);
    const { TableList: found } = await client.send(new GetTablesCommand({ ...orders, Expression: "t01.*", MaxResults: 4 }));
    expect(found?.map(({ Name }) => Name)).toEqual(["t010", "t011", "t012", "t013"]);
    await expect(client.send(new GetTablesCommand({ ...orders, MaxResults: 101 }))).rejects.toEqual(
      refused("ValidationException"),
    );
  });

  it.each<readonly [string, Partial<TableInput>]>([
    ["a comment of 256 characters", { StorageDescriptor: { Columns: [column("a", "x".repeat(256))] } }],
    ["a comment with a line break", { StorageDescriptor: { Columns: [column("a", "x\ny")] } }],
    ["a column without a name", { StorageDescriptor: { Columns: [column("")] } }],
    ["a type of 131,073 characters", { StorageDescriptor: { Columns: [{ Name: "a", Type: "x".repeat(131_073) }] } }],
    ["a location of 2,057 characters", { StorageDescriptor: { Location: "x".repeat(2057) } }],
    ["a description of 2,049 characters", { Description: "x".repeat(2049) }],
    ["a parameter's key of 256 characters", { Parameters: { ["k".repeat(256)]: "v" } }],
    ["an empty name", { Name: "" }],
  ])("refuses %s", async (_, more) => {
    await expect(client.send(new CreateTableCommand({ ...orders, TableInput: input(more) }))).rejects.toEqual(
      refused("ValidationException"),
    );
    expect(glue.tables.get("sales", "orders")).toBeUndefined();
  });

  it("refuses another account, other keys and a database that is not there", async () => {
    const get = new GetTableCommand({ ...orders, Name: "orders", CatalogId: "444455556666" });
    await expect(client.send(get)).rejects.toEqual(refused("AccessDeniedException"));
    const stranger = new GlueClient({
      endpoint: glue.url,
      region: "us-east-1",
      credentials: { ...FAKE_KEYS, secretAccessKey: "wrong" },
      maxAttempts: 1,
    });
    await expect(stranger.send(new GetTableCommand({ ...orders, Name: "orders" }))).rejects.toEqual(
      refused("InvalidSignatureException"),
    );
    await expect(client.send(new GetTablesCommand({ ...orders, DatabaseName: "none" }))).rejects.toEqual(
      refused("EntityNotFoundException"),
    );
  });

  it("fails the test on a call, or a part of one, that it does not know", async () => {
    await expect(client.send(new SearchTablesCommand({}))).rejects.toThrow();
    await expect(glue.stop()).rejects.toThrow("no call that it knows");
    glue = await startGlue({ account: "011122223333", databases: ["sales"] });
    client = new GlueClient({ endpoint: glue.url, region: "us-east-1", credentials: FAKE_KEYS, maxAttempts: 1 });
    const OpenTableFormatInput = { IcebergInput: { MetadataOperation: "CREATE" as const } };
    await expect(client.send(new CreateTableCommand({ ...orders, TableInput: input(), OpenTableFormatInput }))).rejects.toThrow();
    await expect(glue.stop()).rejects.toThrow("OpenTableFormatInput");
  });
});
