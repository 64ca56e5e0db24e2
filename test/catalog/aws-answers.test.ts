// Answers that Glue and S3 Tables never give, as a proxy or another server may: the SDK hands them on as they are. They end
// as failures of the world, and are taken for no table, for no absence, and for no other table.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import { done } from "../conformance/catalog-suite.ts";
import { newTableCommit } from "../conformance/table-commits.ts";
import { type FakeGlue, glueError } from "../fakes/glue.ts";
import type { Fields } from "../fakes/glue-state.ts";
import type { FaultRule, HttpFake } from "../fakes/http-fake.ts";
import { s3TablesError } from "../fakes/s3-tables.ts";
import { failureOf } from "../storage/s3-support.ts";
import { openGlue, startLake } from "./glue-support.ts";
import { type Fakes, openTables, startFakes } from "./s3-tables-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
const NO_ANSWERS = ["", "{}", "null", "[]", "5", '"x"', "<html>"];
/** A JSON text of every other kind. */
const NO_TEXTS: readonly unknown[] = [5, ["x"], { a: "b" }];
const NO_LISTS: readonly unknown[] = ["x", {}, [null], [5]];
const NO_OBJECTS: readonly unknown[] = [5, "x"];
/** Members of every object, in whose place no word of ours stands. */
const INHERITED = ["constructor", "toString", "hasOwnProperty", "__proto__"];

/** All calls of an operation are answered so while the work runs. */
async function whileAnswered<T>(fake: Pick<HttpFake, "fault">, rule: FaultRule, work: () => Promise<T>): Promise<T> {
  const disarm = fake.fault({ ...rule, times: 50 });
  try {
    return await work();
  } finally {
    disarm();
  }
}

const answer = (body: unknown): FaultRule["answer"] => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

async function names(catalog: Catalog): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const { name } of catalog.listTables()) all.push(name);
  return all;
}

describe("an answer that is none of Glue", () => {
  let glue: FakeGlue;
  let catalog: Catalog;
  let live: LiveTable;
  let entry: Fields;

  beforeAll(async () => {
    glue = await startLake({ databases: { sales: { LocationUri: "s3://lake/sales" } } });
    catalog = openGlue(glue, { store: createMemoryStore() });
    const table = { identifier: ORDERS, location: null };
    live = done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
    entry = glue.tables.get("sales", "orders") ?? {};
  });
  afterAll(async () => await glue.stop());

  const whenRead = async (body: unknown): Promise<string> =>
    (await whileAnswered(glue, { on: "GetTable", answer: answer(body) }, async () => await failureOf(catalog.loadTable(ORDERS))))
      .kind;

  it.each(NO_ANSWERS)("is no table, and no word that there is none: %s", async (body) => {
    expect(await whenRead(body)).toBe("unavailable");
    const namespace = async (): Promise<unknown> => await failureOf(catalog.namespaceExists(["sales"]));
    expect(await whileAnswered(glue, { on: "GetDatabase", answer: answer(body) }, namespace)).toMatchObject({
      kind: "unavailable",
    });
    for (const on of ["GetDatabases", "GetTables"]) {
      const list = async (): Promise<unknown> => await failureOf(names(catalog));
      expect(await whileAnswered(glue, { on, answer: answer(body) }, list)).toMatchObject({ kind: "unavailable" });
    }
  });

  const column = { Name: "a", Type: "int" };
  it.each<readonly [string, readonly unknown[], (value: unknown) => Fields]>([
    ["a text", NO_TEXTS, (value) => ({ Name: value })],
    ["a text that goes back", NO_TEXTS, (value) => ({ Owner: value })],
    ["the version", NO_TEXTS, (value) => ({ VersionId: value })],
    ["the parameters", [...NO_OBJECTS, [], { metadata_location: 5 }], (value) => ({ Parameters: value })],
    ["a parameter of another", NO_TEXTS, (value) => ({ Parameters: { ...live.catalogState?.parameters, x: value } })],
    ["the storage", NO_OBJECTS, (value) => ({ StorageDescriptor: value })],
    ["the location", NO_TEXTS, (value) => ({ StorageDescriptor: { Location: value } })],
    ["the columns", NO_LISTS, (value) => ({ StorageDescriptor: { Columns: value } })],
    ["a column's type", NO_TEXTS, (value) => ({ StorageDescriptor: { Columns: [{ ...column, Type: value }] } })],
    ["a column's marks", NO_OBJECTS, (value) => ({ StorageDescriptor: { Columns: [{ ...column, Parameters: value }] } })],
    ["partition keys", NO_LISTS, (value) => ({ PartitionKeys: value })],
    ["what a link leads to", NO_OBJECTS, (value) => ({ TargetTable: value })],
    ["what is federated", [...NO_OBJECTS, { ConnectionType: 5 }], (value) => ({ FederatedTable: value })],
  ])("is not read where %s is of another kind", async (_, values, members) => {
    for (const value of values)
      expect(await whenRead({ Table: { ...entry, ...members(value) } }), JSON.stringify(value)).toBe("unavailable");
  });

  it("is the entry of another table, which is not taken for the one that was asked for", async () => {
    expect(await whenRead({ Table: { ...entry, Name: "customers" } })).toBe("corrupt");
    expect(await whenRead({ Table: { ...entry, DatabaseName: "other" } })).toBe("unsupported");
  });

  it("is a page that leads to itself, which is not followed for ever", async () => {
    const databases = { DatabaseList: [{ Name: "sales" }], NextToken: "again" };
    const list = async (): Promise<unknown> => await failureOf(names(catalog));
    expect(await whileAnswered(glue, { on: "GetDatabases", answer: answer(databases) }, list)).toMatchObject({ kind: "corrupt" });
    const tables = { TableList: [entry], NextToken: "again" };
    expect(await whileAnswered(glue, { on: "GetTables", answer: answer(tables) }, list)).toMatchObject({ kind: "corrupt" });
  });

  it("is a page that names everything many times, which is asked for once and told once", async () => {
    const list = async (): Promise<readonly string[]> => await names(catalog);
    const databases = { DatabaseList: Array.from({ length: 1000 }, () => ({ Name: "sales" })) };
    glue.clearCalls();
    expect(await whileAnswered(glue, { on: "GetDatabases", answer: answer(databases) }, list)).toEqual(["orders"]);
    expect(glue.counts()["GetTables"]).toBe(1);
    const tables = { TableList: [entry, entry] };
    expect(await whileAnswered(glue, { on: "GetTables", answer: answer(tables) }, list)).toEqual(["orders"]);
  });

  it.each(INHERITED)("is an error named %s", async (code) => {
    const read = async (): Promise<unknown> => await failureOf(catalog.loadTable(ORDERS));
    expect(await whileAnswered(glue, { on: "GetTable", answer: glueError(code, "No") }, read)).toMatchObject({ kind: "refused" });
  });

  it("is an error of many words, which is read in the time that its length takes", async () => {
    const words = [
      `Insufficient Lake Formation permission(s): Required ${" on x".repeat(20_000)}\n y`,
      `no${" because x".repeat(20_000)}\n y`,
    ];
    for (const message of words) {
      const before = process.cpuUsage();
      const read = async (): Promise<unknown> => await failureOf(catalog.loadTable(ORDERS));
      const error = glueError("AccessDeniedException", message);
      expect(await whileAnswered(glue, { on: "GetTable", answer: error }, read)).toMatchObject({ kind: "auth" });
      expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
    }
  });
});

describe("an answer that is none of S3 Tables", () => {
  let fakes: Fakes;
  let catalog: Catalog;

  beforeAll(async () => {
    fakes = await startFakes({ namespaces: ["sales"] });
    catalog = openTables(fakes);
    const table = { identifier: ORDERS, location: null };
    done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
  });
  afterAll(async () => await fakes.stop());

  const READ = "GetTableMetadataLocation";
  const whenRead = async (body: unknown): Promise<string> =>
    (
      await whileAnswered(
        fakes.tables,
        { on: READ, answer: answer(body) },
        async () => await failureOf(catalog.loadTable(ORDERS)),
      )
    ).kind;
  const listing = async (): Promise<unknown> => await failureOf(names(catalog));

  it.each(NO_ANSWERS)("is no table, and no word that there is none: %s", async (body) => {
    expect(await whenRead(body)).toBe("unavailable");
    expect(await whileAnswered(fakes.tables, { on: "ListTables", answer: answer(body) }, listing)).toMatchObject({
      kind: "unavailable",
    });
    const namespace = async (): Promise<unknown> => await failureOf(catalog.namespaceExists(["sales"]));
    expect(await whileAnswered(fakes.tables, { on: "GetNamespace", answer: answer(body) }, namespace)).toMatchObject({
      kind: "unavailable",
    });
  });

  it("is not read where a member is of another kind", async () => {
    const right = { versionToken: "t", metadataLocation: "s3://b--table-s3/m", warehouseLocation: "s3://b--table-s3" };
    for (const member of Object.keys(right))
      for (const value of NO_TEXTS) expect(await whenRead({ ...right, [member]: value }), member).toBe("unavailable");
    for (const tables of [...NO_LISTS, [{ namespace: "sales", name: "x" }], [{ namespace: ["sales"], name: 5 }]])
      expect(await whileAnswered(fakes.tables, { on: "ListTables", answer: answer({ tables }) }, listing)).toMatchObject({
        kind: "unavailable",
      });
  });

  it("is a pointer into the storage of another table, which is not taken", async () => {
    const stray = { versionToken: "t", metadataLocation: "s3://b--table-s3x/m", warehouseLocation: "s3://b--table-s3/" };
    expect(await whenRead(stray)).toBe("corrupt");
  });

  it("is a page that leads to itself, which is not followed for ever", async () => {
    const page = answer({ tables: [], continuationToken: "again" });
    expect(await whileAnswered(fakes.tables, { on: "ListTables", answer: page }, listing)).toMatchObject({ kind: "corrupt" });
  });

  it.each(INHERITED)("is an error named %s", async (code) => {
    const read = async (): Promise<unknown> => await failureOf(catalog.loadTable(ORDERS));
    expect(await whileAnswered(fakes.tables, { on: READ, answer: s3TablesError(code, "No") }, read)).toMatchObject({
      kind: "refused",
    });
  });
});
