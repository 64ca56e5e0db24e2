// Reading from Glue: what an entry is that is no table of ours, pointers that lead nowhere, names, lists, and many
// tables read in few calls.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { LiveTable, TableIdentifier } from "../../src/iceberg/live-table.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import { type FakeGlue, glueError } from "../fakes/glue.ts";
import type { Fields } from "../fakes/glue-state.ts";
import { ACCOUNT, openGlue, startLake } from "./glue-support.ts";

let glue: FakeGlue;
let store: ObjectStore;
let catalog: Catalog;

beforeEach(async () => {
  glue = await startLake({ databases: { sales: { LocationUri: "s3://lake/sales" } } });
  store = createMemoryStore();
  catalog = openGlue(glue, { store });
});
afterEach(async () => await glue.stop());

const table = (name: string, database = "sales"): TableIdentifier => ({ namespace: [database], name });
const create = async (name: string, from: Catalog = catalog): Promise<LiveTable> => {
  const location = `s3://lake/sales/${name}`;
  return done(await from.createTable({ identifier: table(name), location }, newTableCommit(location)));
};
const failure = async (promise: Promise<unknown>): Promise<ToolError> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ToolError) return error;
  throw new Error("No ToolError was thrown", { cause: error });
};

describe("an entry that is no Iceberg table", () => {
  const entries: readonly (readonly [string, Fields, string])[] = [
    ["csv", { Parameters: { classification: "csv" } }, "It is no Iceberg table: Glue has it as a Hive table of csv files"],
    ["plain", {}, "It is no Iceberg table: Glue has it as a Hive table"],
    [
      "delta",
      { Parameters: { "spark.sql.sources.provider": "delta" } },
      "It is no Iceberg table: Glue has it as a Delta Lake table",
    ],
    ["hudi", { Parameters: { "hoodie.query.as.ro.table": "false" } }, "It is no Iceberg table: Glue has it as a Hudi table"],
    ["other", { Parameters: { table_type: "PAIMON" } }, 'It is no Iceberg table: Glue has it as "PAIMON"'],
    ["view", { TableType: "VIRTUAL_VIEW", ViewOriginalText: "/* Presto View */" }, "It is a view"],
    ["iceberg_view", { Parameters: { table_type: "ICEBERG-VIEW" } }, "It is a view"],
    [
      "link",
      { TargetTable: { CatalogId: "444455556666", DatabaseName: "core", Name: "orders" } },
      'It is a resource link to "core.orders" of account 444455556666',
    ],
  ];

  it.each(entries)("is told what it is: %s", async (name, members, why) => {
    glue.tables.put("sales", { Name: name, ...members });
    const error = await failure(catalog.loadTable(table(name)));
    expect(error).toMatchObject({ kind: "unsupported", message: `Cannot load "sales.${name}" from Glue`, why });
    expect(error.mend).toMatch(/[^.]$/);
  });

  it("is told the table that a link leads to", async () => {
    const [, members] = entries[7] ?? [];
    glue.tables.put("sales", { Name: "link", ...members });
    const { mend } = await failure(catalog.loadTable(table("link")));
    expect(mend).toBe('Declare the table itself as "core.orders", in a catalog with `account: "444455556666"`');
  });

  it.each([
    ["aws:s3tables", 'Glue only passes on what "aws:s3tables" keeps', "Give it a catalog of `type: s3-tables`"],
    ["aws:redshift", 'Glue only passes on what "aws:redshift" keeps', "Reach the table through the service that keeps it"],
  ])("is federated: %s", async (ConnectionType, why, mend) => {
    glue.tables.put("sales", { Name: "events", Parameters: { table_type: "ICEBERG" } });
    const Identifier = "arn:aws:s3tables:eu-west-1:011122223333:bucket/events";
    glue.tables.patch("sales", "events", { FederatedTable: { ConnectionType, Identifier } });
    const error = await failure(catalog.loadTable(table("events")));
    expect(error).toMatchObject({ kind: "unsupported", why });
    expect(error.mend).toContain(mend);
  });

  it.each([{ DatabaseName: "core", CatalogId: ACCOUNT }, { CatalogId: "444455556666" }])(
    "is reached through a database that is a link: %j",
    async (members) => {
      await create("orders");
      glue.tables.patch("sales", "orders", members);
      const error = await failure(catalog.loadTable(table("orders")));
      expect(error).toMatchObject({ kind: "unsupported", why: expect.stringContaining('"sales" is a resource link to') });
      expect(error.mend).toContain(members.CatalogId);
    },
  );

  it.each([
    [{ TargetDatabase: { CatalogId: "444455556666", DatabaseName: "core" } }, "resource link"],
    [{ FederatedDatabase: { ConnectionType: "aws:s3tables" } }, "aws:s3tables"],
  ])("is in a database that is not of this catalog: %j", async (more, why) => {
    const other = await startLake({ databases: { sales: more } });
    const elsewhere = openGlue(other, { store });
    expect((await failure(elsewhere.namespaceExists(["sales"]))).why).toContain(why);
    expect((await failure(elsewhere.newTableLocation({ identifier: table("x"), location: null }))).why).toContain(why);
    expect(await gather(elsewhere.listTables())).toEqual([]);
    await other.stop();
  });
});

describe("a pointer that leads nowhere", () => {
  it("is an entry without metadata_location, with what is known of the state before", async () => {
    await create("orders");
    const Parameters = { table_type: "ICEBERG", previous_metadata_location: "s3://lake/old.metadata.json" };
    glue.tables.put("sales", { Name: "orders", Parameters, StorageDescriptor: { Location: "s3://lake/sales/orders" } });
    expect(await failure(catalog.loadTable(table("orders")))).toMatchObject({
      kind: "corrupt",
      why: "The entry has table_type ICEBERG and no metadata_location: another tool has probably rewritten it",
      mend: expect.stringContaining('it came after "s3://lake/old.metadata.json"'),
      context: { location: "s3://lake/sales/orders" },
    });
  });

  it("is a missing file, and says whether the one before is still there", async () => {
    const first = await create("orders");
    const second = done(await catalog.commit(first, commitOn(first, [setProperty("a", "1")])));
    await store.remove(second.metadataLocation);
    const told = await failure(catalog.loadTable(table("orders")));
    expect(told).toMatchObject({
      kind: "corrupt",
      message: 'Cannot load "sales.orders": the metadata file that Glue names is missing',
      why: `Glue names "${second.metadataLocation}", and nothing is there`,
    });
    expect(told.mend).toContain(`set the Glue parameter metadata_location back to "${first.metadataLocation}"`);
    await store.remove(first.metadataLocation);
    const { mend } = await failure(catalog.loadTable(table("orders")));
    expect(mend).toContain(`The file before it, "${first.metadataLocation}", is not there either`);
  });

  it("is no fault where another writer has moved on and cleaned up meanwhile", async () => {
    const first = await create("orders");
    const slow: ObjectStore = {
      ...store,
      read: async (location) => {
        if (location === first.metadataLocation) {
          const second = done(await catalog.commit(first, commitOn(first, [setProperty("a", "1")])));
          await store.remove(first.metadataLocation);
          expect(second.token).toBe("1");
        }
        return await store.read(location);
      },
    };
    const live = await openGlue(glue, { store: slow }).loadTable(table("orders"));
    expect([live?.token, live?.metadata.properties["a"]]).toEqual(["1", "1"]);
  });
});

describe("names", () => {
  it.each([
    [["Sales"], "orders", 'Write "sales"'],
    [["sales"], "Orders", 'Write "orders"'],
    [["sales", "emea"], "orders", "Declare the table as `database.table`"],
    [[], "orders", "Declare the table as `database.table`"],
    [["sales"], "", "Give it another name"],
    [["sales"], "a\nb", "Give it another name"],
  ])("that Glue cannot have are refused, with the mend: %j %s", async (namespace, name, mend) => {
    const error = await failure(catalog.loadTable({ namespace, name }));
    expect(error).toMatchObject({ kind: "refused", mend });
    expect(glue.counts()).toEqual({});
  });

  it("that are there already may be odd", async () => {
    const live = await create("orders");
    const Parameters = { table_type: "iceberg", metadata_location: live.metadataLocation };
    glue.tables.put("sales", { Name: "my-table 2", Parameters });
    expect((await catalog.loadTable(table("my-table 2")))?.metadataLocation).toBe(live.metadataLocation);
  });

  it("of something new keep to letters, digits and underscores", async () => {
    const location = "s3://lake/x";
    await expect(catalog.newTableLocation({ identifier: table("with-dash"), location })).rejects.toMatchObject({
      kind: "refused",
    });
    for (const name of ["with-dash", "ünï", "d".repeat(253)])
      await expect(catalog.createNamespace([name])).rejects.toMatchObject({ kind: "refused" });
    expect(await catalog.newTableLocation({ identifier: table("orders", "their-database"), location })).toBe(location);
    expect(glue.counts()).toEqual({});
  });
});

describe("a list of tables", () => {
  it("holds Iceberg tables only, of all pages, in order", async () => {
    const live = await create("t050");
    const Parameters = { table_type: "ICEBERG", metadata_location: live.metadataLocation };
    for (let index = 0; index < 240; index++) {
      const Name = `t${String(index).padStart(3, "0")}`;
      glue.tables.put("sales", { Name, Parameters: index % 10 === 0 ? {} : Parameters });
    }
    glue.clearCalls();
    const found = await gather(catalog.listTables(["sales"]));
    expect(found).toHaveLength(216);
    expect(found.slice(0, 2)).toEqual(["sales.t001", "sales.t002"]);
    expect(found).toEqual([...found].sort());
    expect(glue.counts()).toEqual({ GetTables: 3 });
  });

  it("goes through all databases, and is empty for one that is not there", async () => {
    const names = Array.from({ length: 101 }, (_, index) => `db${String(index).padStart(3, "0")}`);
    await Promise.all(names.map((name) => catalog.createNamespace([name])));
    await create("orders");
    glue.clearCalls();
    expect(await gather(catalog.listTables())).toEqual(["sales.orders"]);
    expect(glue.counts()).toEqual({ GetDatabases: 2, GetTables: 102 });
    expect(await gather(catalog.listTables(["none"]))).toEqual([]);
  });
});

describe("many tables", () => {
  const NAMES = Array.from({ length: 230 }, (_, index) => `t${String(index).padStart(3, "0")}`);
  const loads = (): number => glue.counts()["GetTable"] ?? 0;

  beforeEach(async () => {
    const { metadataLocation } = await create("t000");
    const Parameters = { table_type: "ICEBERG", metadata_location: metadataLocation };
    for (const Name of NAMES) glue.tables.put("sales", { Name, Parameters });
    glue.clearCalls();
  });

  it("cost a page of a hundred entries and one file each", async () => {
    let reads = 0;
    const counting: ObjectStore = {
      ...store,
      read: async (location) => {
        reads++;
        return await store.read(location);
      },
    };
    const counted = openGlue(glue, { store: counting });
    counted.prefetch?.(NAMES.map((name) => table(name)));
    const found = await Promise.all(NAMES.map((name) => counted.loadTable(table(name))));
    expect(found.map((live) => live?.identifier.name)).toEqual(NAMES);
    expect(glue.counts()).toEqual({ GetTables: 3 });
    expect(reads).toBe(NAMES.length);
  });

  it("are read in any order, and each is read anew the next time", async () => {
    catalog.prefetch?.(NAMES.map((name) => table(name)));
    for (const name of [...NAMES].reverse()) expect((await catalog.loadTable(table(name)))?.token).not.toBeUndefined();
    expect(loads()).toBe(0);
    await catalog.loadTable(table("t007"));
    expect(loads()).toBe(1);
  });

  it("that are not there cost nothing more", async () => {
    const wanted = ["a", "b", "c", "d", "z"].map((name) => table(name));
    catalog.prefetch?.([...wanted, ...wanted.map(({ name }) => table(name, "none"))]);
    for (const identifier of wanted) expect(await catalog.loadTable(identifier)).toBeNull();
    for (const { name } of wanted) expect(await catalog.loadTable(table(name, "none"))).toBeNull();
    expect(glue.counts()).toEqual({ GetTables: 4 });
  });

  it("that are few in a large database are not looked for in more pages than they are", async () => {
    const wanted = ["t001", "t002", "t003"].map((name) => table(name));
    catalog.prefetch?.(wanted);
    await Promise.all(wanted.map((identifier) => catalog.loadTable(identifier)));
    expect(glue.counts()).toEqual({ GetTable: 3 });
    for (let index = 0; index < 700; index++) glue.tables.put("sales", { Name: `a${index}` });
    glue.clearCalls();
    const last = ["t226", "t227", "t228", "t229"].map((name) => table(name));
    catalog.prefetch?.(last);
    await Promise.all(last.map((identifier) => catalog.loadTable(identifier)));
    expect(glue.counts()).toEqual({ GetTables: 4, GetTable: 4 });
  });

  it("are read one by one where the pages fail, and every failure is told of its own table", async () => {
    const stop = glue.fault({ on: "GetTables", answer: glueError("AccessDeniedException", "no GetTables"), times: 99 });
    catalog.prefetch?.(NAMES.slice(0, 10).map((name) => table(name)));
    for (const name of NAMES.slice(0, 10)) expect(await catalog.loadTable(table(name))).not.toBeNull();
    expect(loads()).toBe(10);
    stop();
    glue.tables.put("sales", { Name: "t003", Parameters: { classification: "csv" } });
    catalog.prefetch?.(NAMES.slice(0, 10).map((name) => table(name)));
    const ends = await Promise.allSettled(NAMES.slice(0, 10).map((name) => catalog.loadTable(table(name))));
    expect(ends.map(({ status }) => status).filter((status) => status === "rejected")).toHaveLength(1);
    expect(ends[3]?.status).toBe("rejected");
  });

  it("with names that Glue cannot have do not stop the others", async () => {
    catalog.prefetch?.([table("T"), { namespace: [], name: "x" }, ...NAMES.slice(0, 5).map((name) => table(name))]);
    for (const name of NAMES.slice(0, 5)) expect(await catalog.loadTable(table(name))).not.toBeNull();
    await expect(catalog.loadTable(table("T"))).rejects.toMatchObject({ kind: "refused" });
    expect(loads()).toBe(0);
  });

  it("are not held in memory by the thousand while nobody takes them", async () => {
    for (let index = 0; index < 2500; index++) glue.tables.put("sales", { Name: `u${String(index).padStart(4, "0")}` });
    const wanted = Array.from({ length: 2500 }, (_, index) => table(`u${String(index).padStart(4, "0")}`));
    glue.clearCalls();
    catalog.prefetch?.(wanted);
    await new Promise((resume) => setTimeout(resume, 300));
    const ahead = glue.counts()["GetTables"] ?? 0;
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThanOrEqual(13);
    const last = await failure(catalog.loadTable(table("u2499")));
    expect(last.why).toContain("no Iceberg table");
    expect(loads()).toBe(0);
  });

  it("are committed on the read of the page, unless somebody else committed since", async () => {
    catalog.prefetch?.(NAMES.slice(0, 5).map((name) => table(name)));
    const live = await catalog.loadTable(table("t001"));
    if (live === null) throw new Error("t001 is not there");
    const other = await openGlue(glue, { store }).loadTable(table("t001"));
    if (other === null) throw new Error("t001 is not there");
    done(await catalog.commit(other, commitOn(other, [setProperty("by", "another")])));
    expect((await catalog.commit(live, commitOn(live, [setProperty("by", "us")]))).state).toBe("conflict");
  });
});

async function gather(identifiers: AsyncIterable<TableIdentifier>): Promise<string[]> {
  const found: string[] = [];
  for await (const { namespace, name } of identifiers) found.push([...namespace, name].join("."));
  return found;
}
