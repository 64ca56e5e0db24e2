// What a commit leaves in Glue: everything that others put there, and our part in step; and what is checked before
// anything is written.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { TableCommit } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Field } from "../../src/iceberg/type.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import { type FakeGlue, glueError } from "../fakes/glue.ts";
import type { Fields } from "../fakes/glue-state.ts";
import { openGlue, startLake } from "./glue-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
let glue: FakeGlue;
let store: ObjectStore;
let catalog: Catalog;
let live: LiveTable;

beforeEach(async () => {
  glue = await startLake({ databases: { sales: { LocationUri: "s3://lake/sales/" } } });
  store = createMemoryStore();
  catalog = openGlue(glue, { store });
  live = await create();
});
afterEach(async () => await glue.stop());

async function create(): Promise<LiveTable> {
  const table = { identifier: ORDERS, location: null };
  return done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
}
const load = async (): Promise<LiveTable> => {
  const found = await catalog.loadTable(ORDERS);
  if (found === null) throw new Error("The table is gone");
  return found;
};
const entry = (): Fields => glue.tables.get("sales", "orders") ?? {};
const storage = (): Fields => entry()["StorageDescriptor"] as Fields;
const columns = (): readonly Fields[] => storage()["Columns"] as readonly Fields[];
const parameters = (): Readonly<Record<string, string>> => entry()["Parameters"] as Record<string, string>;
const apply = async (...updates: readonly TableUpdate[]): Promise<LiveTable> => {
  live = done(await catalog.commit(live, commitOn(live, updates)));
  return live;
};
const withFields = (change: (fields: readonly Field[]) => readonly Field[], lastColumnId = 9): readonly TableUpdate[] => {
  const before = currentSchema(live.metadata);
  const schema = { ...before, fields: change(before.fields) };
  return [
    { action: "add-schema", schema, lastColumnId },
    { action: "set-current-schema", schemaId: -1 },
  ];
};
const change = (name: string, more: Partial<Field>): readonly TableUpdate[] =>
  withFields((fields) => fields.map((field) => (field.name === name ? { ...field, ...more } : field)));
/** As another writer or a person changes the entry. */
const edit = (members: Fields): void => {
  const { Name, Description, Owner, Retention, StorageDescriptor, PartitionKeys, TableType, Parameters } = entry();
  const input = { Name, Description, Owner, Retention, StorageDescriptor, PartitionKeys, TableType, Parameters, ...members };
  glue.tables.put("sales", Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
};

describe("a new table", () => {
  it("has the entry of any Iceberg table", () => {
    expect(entry()).toMatchObject({
      Name: "orders",
      TableType: "EXTERNAL_TABLE",
      VersionId: "0",
      Parameters: { table_type: "ICEBERG", metadata_location: live.metadataLocation },
      StorageDescriptor: { Location: "s3://lake/sales/orders" },
    });
    expect(parameters()).not.toHaveProperty("previous_metadata_location");
    expect(columns()).toEqual([
      {
        Name: "order_id",
        Type: "bigint",
        Comment: "Unique order number",
        Parameters: { "iceberg.field.id": "1", "iceberg.field.optional": "false", "iceberg.field.current": "true" },
      },
      {
        Name: "customer",
        Type: "string",
        Parameters: { "iceberg.field.id": "2", "iceberg.field.optional": "true", "iceberg.field.current": "true" },
      },
      {
        Name: "ordered_at",
        Type: "timestamp",
        Parameters: { "iceberg.field.id": "3", "iceberg.field.optional": "true", "iceberg.field.current": "true" },
      },
    ]);
    expect(live.token).toBe("0");
  });

  it("costs one file, one CreateTable and the reading back", async () => {
    glue.tables.remove("sales", "orders");
    glue.clearCalls();
    const table = { identifier: ORDERS, location: "s3://lake/sales/orders2" };
    done(await catalog.createTable(table, newTableCommit("s3://lake/sales/orders2")));
    expect(glue.counts()).toEqual({ CreateTable: 1, GetTable: 1 });
  });

  it("goes where it is told, else below its database, else nowhere", async () => {
    const place = async (namespace: string, location: string | null): Promise<string> =>
      await catalog.newTableLocation({ identifier: { namespace: [namespace], name: "t" }, location });
    expect(await place("sales", "s3://other/x/")).toBe("s3://other/x");
    expect(await place("sales", null)).toBe("s3://lake/sales/t");
    const bare = await startLake({ databases: ["bare"] });
    const other = openGlue(bare, { store });
    bare.tables.put("bare", { Name: "t" });
    const without = await startLake({ databases: { bare: { LocationUri: "" } } });
    await expect(
      openGlue(without, { store }).newTableLocation({ identifier: { namespace: ["bare"], name: "t" }, location: null }),
    ).rejects.toMatchObject({
      kind: "config",
      why: 'The database "bare" has no location in Glue, and the project gives the table none',
      mend: expect.stringContaining("`location:"),
    });
    expect(await other.newTableLocation({ identifier: { namespace: ["bare"], name: "t" }, location: null })).toBe(
      "s3://lake/bare.db/t",
    );
    await bare.stop();
    await without.stop();
  });

  it("is a conflict where another kind of table has the name", async () => {
    glue.tables.put("sales", { Name: "hive", Parameters: { classification: "csv" } });
    const table = { identifier: { namespace: ["sales"], name: "hive" }, location: null };
    const outcome = await catalog.createTable(table, newTableCommit("s3://lake/sales/hive"));
    expect(outcome).toEqual({ state: "conflict", why: "A table of this name exists already" });
  });
});

describe("a commit", () => {
  it("costs one file, one UpdateTable with the VersionId of its read and without an archive, and the reading back", async () => {
    glue.clearCalls();
    await apply(setProperty("a", "1"));
    expect(glue.counts()).toEqual({ UpdateTable: 1, GetTable: 1 });
    const [update] = glue.requests;
    expect(update?.input).toMatchObject({ VersionId: "0", SkipArchive: true, CatalogId: "011122223333" });
    expect(glue.tables.versions("sales", "orders")).toEqual([1]);
    expect(live.token).toBe("1");
  });

  it("points to the new file and remembers the one before", async () => {
    const before = live.metadataLocation;
    await apply(setProperty("a", "1"));
    expect(parameters()).toEqual({
      table_type: "ICEBERG",
      metadata_location: live.metadataLocation,
      previous_metadata_location: before,
    });
    expect(parameters()["metadata_location"]).not.toBe(before);
  });

  it("keeps everything that others put into the entry", async () => {
    const theirs = {
      Owner: "sales-data",
      Retention: 7,
      Description: "Set in the console",
      LastAccessTime: 1_700_000_000,
      PartitionKeys: [{ Name: "day", Type: "date", Comment: "By hand" }],
    };
    const descriptor = {
      InputFormat: "org.apache.hadoop.mapred.FileInputFormat",
      OutputFormat: "org.apache.hadoop.mapred.FileOutputFormat",
      Compressed: true,
      NumberOfBuckets: 4,
      SerdeInfo: { Name: "s", SerializationLibrary: "org.example.Serde", Parameters: { p: "q" } },
      BucketColumns: ["order_id"],
      SortColumns: [{ Column: "order_id", SortOrder: 1 }],
      Parameters: { "storage.own": "yes" },
      SkewedInfo: { SkewedColumnNames: ["customer"], SkewedColumnValues: ["x"], SkewedColumnValueLocationMaps: { x: "y" } },
      StoredAsSubDirectories: true,
    };
    edit({
      ...theirs,
      Parameters: { ...parameters(), classification: "iceberg", data_class: "internal", owner: "ops" },
      StorageDescriptor: { ...storage(), ...descriptor, AdditionalLocations: ["s3://theirs/data"] },
    });
    live = await load();
    const before = entry();
    await apply(...change("customer", { type: { kind: "string" }, doc: "Who ordered" }));
    const { UpdateTime: _1, VersionId: _2, Parameters: _3, StorageDescriptor: _4, ...rest } = entry();
    const { UpdateTime: _5, VersionId: _6, Parameters: _7, StorageDescriptor: _8, ...was } = before;
    expect(rest).toEqual(was);
    expect(storage()).toMatchObject({ ...descriptor, AdditionalLocations: ["s3://theirs/data"] });
    expect(parameters()).toMatchObject({
      classification: "iceberg",
      data_class: "internal",
      owner: "ops",
      table_type: "ICEBERG",
    });
    expect(columns()[1]).toMatchObject({ Name: "customer", Comment: "Who ordered" });
  });

  it("writes only current columns, and takes out what Java writers put back", async () => {
    await apply(...withFields((fields) => fields.filter(({ name }) => name !== "customer")));
    expect(columns().map(({ Name }) => Name)).toEqual(["order_id", "ordered_at"]);
    const old = { Name: "customer", Type: "string", Parameters: { "iceberg.field.id": "2", "iceberg.field.current": "false" } };
    edit({ StorageDescriptor: { ...storage(), Columns: [...columns(), old] } });
    live = await load();
    expect(live.catalogState?.differences(live.metadata)).toEqual([]);
    await apply(setProperty("a", "1"));
    expect(columns().map(({ Name }) => Name)).toEqual(["order_id", "ordered_at"]);
  });

  it("takes comments of Glue alone along with a renamed column", async () => {
    edit({
      StorageDescriptor: {
        ...storage(),
        Columns: columns().map((column) => (column["Name"] === "customer" ? { ...column, Comment: "By hand" } : column)),
      },
    });
    live = await load();
    expect(live.catalogState?.comments(live.metadata)).toEqual([{ column: "customer", comment: "By hand" }]);
    await apply(...change("customer", { name: "client" }));
    expect(columns()[1]).toMatchObject({ Name: "client", Comment: "By hand" });
  });

  it("has a doc gone from Glue that is removed from the table, and nothing else", async () => {
    await apply(...change("order_id", { doc: "" }));
    expect(columns()[0]).not.toHaveProperty("Comment");
    expect(live.catalogState?.differences(live.metadata)).toEqual([]);
  });

  it("shows the table's comment as the description, and gives it up with it", async () => {
    await apply(setProperty("comment", "One row per order"));
    expect(entry()["Description"]).toBe("One row per order");
    await apply({ action: "remove-properties", removals: ["comment"] });
    expect(entry()).not.toHaveProperty("Description");
    edit({ Description: "Set in the console" });
    live = await load();
    expect(live.catalogState?.comments(live.metadata)).toEqual([{ column: null, comment: "Set in the console" }]);
    await apply(setProperty("a", "1"));
    expect(entry()["Description"]).toBe("Set in the console");
  });

  it("takes a description that another writer left out for no difference, and sets it again", async () => {
    await apply(setProperty("comment", "One row per order"));
    edit({ Description: undefined });
    live = await load();
    expect(live.catalogState?.differences(live.metadata)).toEqual([]);
    expect(live.catalogState?.notes(live.metadata).map(({ what }) => what)).toEqual([
      "Glue shows another description than the comment of the table",
    ]);
    await apply(setProperty("a", "1"));
    expect(entry()["Description"]).toBe("One row per order");
  });

  it("tells of an entry that shows another location, and mends it", async () => {
    edit({ StorageDescriptor: { ...storage(), Location: "s3://elsewhere/orders" } });
    live = await load();
    expect(live.catalogState?.differences(live.metadata)).toEqual([
      { subject: "table", what: "another location", before: "s3://elsewhere/orders", after: "s3://lake/sales/orders" },
    ]);
    await apply(setProperty("a", "1"));
    expect(storage()["Location"]).toBe("s3://lake/sales/orders");
  });

  it("folds and cuts comments for Glue only, and says so", async () => {
    const doc = `First line\n${"long ".repeat(80)}`;
    await apply(...change("customer", { doc }), setProperty("comment", "z".repeat(2100)));
    expect(currentSchema(live.metadata).fields[1]?.doc).toBe(doc);
    expect(columns()[1]?.["Comment"]).toMatch(/^First line long .{238}…$/);
    expect(String(entry()["Description"])).toHaveLength(2048);
    expect(live.catalogState?.differences(live.metadata)).toEqual([]);
    expect(live.catalogState?.notes(live.metadata).map(({ what }) => what)).toEqual([
      'The comment of "customer" is shown in Glue in a shorter form',
      "The comment of the table is shown in Glue in a shorter form",
    ]);
  });

  it("tells Glue of other places of files, as properties come and go", async () => {
    edit({ StorageDescriptor: { ...storage(), AdditionalLocations: ["s3://theirs/data"] } });
    live = await load();
    await apply(setProperty("write.data.path", "s3://fast/orders"));
    expect(storage()["AdditionalLocations"]).toEqual(["s3://theirs/data", "s3://fast/orders"]);
    await apply({ action: "remove-properties", removals: ["write.data.path"] });
    expect(storage()["AdditionalLocations"]).toEqual(["s3://theirs/data"]);
  });

  it("moves the entry when the table moves", async () => {
    await apply({ action: "set-location", location: "s3://lake/moved" });
    expect(storage()["Location"]).toBe("s3://lake/moved");
    expect(live.metadataLocation).toMatch(/^s3:\/\/lake\/moved\/metadata\/00001-/);
  });

  it("brings back markers, columns and type of an entry that another tool has rewritten", async () => {
    const { metadata_location } = parameters();
    glue.tables.put("sales", { Name: "orders", Parameters: { metadata_location, table_type: "iceberg", theirs: "1" } });
    live = await load();
    expect(live.catalogState?.differences(live.metadata).map(({ subject, what }) => `${subject} ${what}`)).toEqual([
      "order_id missing",
      "customer missing",
      "ordered_at missing",
    ]);
    await apply(setProperty("a", "1"));
    expect(entry()).toMatchObject({ TableType: "EXTERNAL_TABLE", Parameters: { table_type: "ICEBERG", theirs: "1" } });
    expect(columns()).toHaveLength(3);
  });

  it("sets and removes parameters of the entry, and never the pointer", async () => {
    const commit = (catalogParameters: TableCommit["catalogParameters"] = {}): TableCommit => ({
      ...commitOn(live, [setProperty("at", String(live.token))]),
      catalogParameters,
    });
    live = done(await catalog.commit(live, commit({ data_class: "internal", tier: "1" })));
    expect(live.catalogState?.parameters).toEqual({ data_class: "internal", tier: "1" });
    live = done(await catalog.commit(live, commit({ tier: null })));
    expect(live.catalogState?.parameters).toEqual({ data_class: "internal" });
    const outcome = await catalog.commit(live, commit({ metadata_location: "s3://elsewhere" }));
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining('"metadata_location"') });
    expect(parameters()["metadata_location"]).toBe(live.metadataLocation);
  });

  it("is a conflict on a table that was dropped and made again since, though its version is the same", async () => {
    let nowMs = 1_700_000_000_000;
    const slow = openGlue(glue, { store, ports: { nowMs: () => nowMs } });
    const read = await slow.loadTable(ORDERS);
    if (read === null) throw new Error("The table is gone");
    glue.tables.remove("sales", "orders");
    const remade = await create();
    expect([read.token, remade.token]).toEqual(["0", "0"]);
    nowMs += 3_600_000;
    glue.clearCalls();
    expect((await slow.commit(read, commitOn(read, [setProperty("a", "1")]))).state).toBe("conflict");
    expect(glue.counts()).toEqual({ GetTable: 1 });
    expect(parameters()["metadata_location"]).toBe(remade.metadataLocation);
  });

  it("is made after long work, too, where the table is the one that was read", async () => {
    let nowMs = 1_700_000_000_000;
    const slow = openGlue(glue, { store, ports: { nowMs: () => nowMs } });
    const read = await slow.loadTable(ORDERS);
    if (read === null) throw new Error("The table is gone");
    nowMs += 3_600_000;
    expect(done(await slow.commit(read, commitOn(read, [setProperty("a", "1")]))).metadata.properties["a"]).toBe("1");
  });

  it("is refused where Glue gives no VersionId: nothing would keep two writers apart", async () => {
    glue.tables.patch("sales", "orders", { VersionId: undefined });
    live = await load();
    glue.clearCalls();
    const outcome = await catalog.commit(live, commitOn(live, [setProperty("a", "1")]));
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining("VersionId") });
    expect(glue.counts()).toEqual({});
  });

  it("is a conflict on a state that was never read from Glue", async () => {
    const { catalogState: _, ...bare } = live;
    const outcome = await catalog.commit(bare, commitOn(live, [setProperty("a", "1")]));
    expect(outcome).toMatchObject({ state: "conflict", why: expect.stringContaining("read it again") });
  });
});

describe("a commit of the entry alone", () => {
  const sync = (more: Partial<TableCommit> = {}): TableCommit => ({ ...commitOn(live, []), syncCatalog: true, ...more });

  it("mends what differs, and writes no metadata", async () => {
    edit({ Description: "x", StorageDescriptor: { ...storage(), Columns: [...columns()].reverse().slice(1) } });
    live = await load();
    const before = live.metadataLocation;
    expect(live.catalogState?.differences(live.metadata)).not.toEqual([]);
    glue.clearCalls();
    const after = done(await catalog.commit(live, sync()));
    expect(after.catalogState?.differences(after.metadata)).toEqual([]);
    expect(after.metadataLocation).toBe(before);
    expect(parameters()["metadata_location"]).toBe(before);
    expect(glue.counts()).toEqual({ UpdateTable: 1, GetTable: 1 });
    expect(columns().map(({ Name }) => Name)).toEqual(["order_id", "customer", "ordered_at"]);
    expect(entry()["Description"]).toBe("x");
  });

  it("sends nothing where nothing differs", async () => {
    glue.clearCalls();
    expect(done(await catalog.commit(live, sync()))).toBe(live);
    expect(glue.counts()).toEqual({});
  });

  it("holds to its requirements and to its VersionId", async () => {
    edit({ StorageDescriptor: { ...storage(), Columns: [] } });
    live = await load();
    const unmet = await catalog.commit(live, sync({ requirements: [{ type: "assert-current-schema-id", currentSchemaId: 5 }] }));
    expect(unmet.state).toBe("conflict");
    edit({ Owner: "another" });
    expect((await catalog.commit(live, sync())).state).toBe("conflict");
    expect(columns()).toEqual([]);
    expect(entry()["Owner"]).toBe("another");
  });

  it("sets parameters of the entry", async () => {
    const after = done(await catalog.commit(live, sync({ catalogParameters: { data_class: "internal" } })));
    expect(after.catalogState?.parameters).toEqual({ data_class: "internal" });
    expect(after.metadataLocation).toBe(live.metadataLocation);
  });

  it.each(["before", "after"] as const)("settles an answer that is lost %s the effect by reading again", async (effect) => {
    edit({ StorageDescriptor: { ...storage(), Columns: [] } });
    live = await load();
    glue.fault({ on: "UpdateTable", answer: "drop", effect });
    const outcome = await catalog.commit(live, sync());
    expect(outcome.state).toBe(effect === "after" ? "done" : "conflict");
    expect(columns()).toHaveLength(effect === "after" ? 3 : 0);
  });

  it("is unknown where nothing can be read again", async () => {
    edit({ StorageDescriptor: { ...storage(), Columns: [] } });
    live = await load();
    glue.fault({ on: "UpdateTable", answer: "drop", effect: "after" });
    glue.fault({ on: "GetTable", answer: glueError("AccessDeniedException", "no") });
    expect(await catalog.commit(live, sync())).toMatchObject({ state: "unknown", written: null });
  });
});

describe("what Glue would refuse", () => {
  const long = "n".repeat(300);
  const wide = (count: number): readonly Field[] =>
    Array.from({ length: count }, (_, index) => ({
      id: 10 + index,
      name: `${"a_long_name_".repeat(16)}${index}`,
      required: false,
      type: { kind: "string" },
      doc: "A comment of some length. ".repeat(9),
    }));
  const huge: Field = {
    id: 10,
    name: "huge",
    required: false,
    type: {
      kind: "struct",
      fields: Array.from({ length: 4000 }, (_, index) => ({
        id: 100 + index,
        name: `a_rather_long_name_of_a_field_${index}`,
        required: false,
        type: { kind: "string" },
      })),
    },
  };
  const inner: Field = {
    id: 10,
    name: "outer",
    required: false,
    type: { kind: "struct", fields: [{ id: 11, name: "in\nner", required: false, type: { kind: "int" } }] },
  };

  it.each([
    [
      "a long name",
      [{ id: 10, name: long, required: false, type: { kind: "int" } }],
      long,
      "has 300 characters, and Glue takes 1 to 255",
    ],
    ["a control character in a nested name", [inner], 'outer."in\nner"', "control character"],
    ["a type that is too long written out", [huge], "huge", "Glue takes 131,072"],
  ] as const)("is told with its place, and not committed: %s", async (_, fields, path, why) => {
    const updates = withFields((before) => [...before, ...fields], 9999);
    const before = await filesOf();
    glue.clearCalls();
    const outcome = await catalog.commit(live, commitOn(live, updates));
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining(why) });
    expect(glue.counts()).toEqual({});
    expect(await filesOf()).toEqual(before);
    const schema = { ...currentSchema(live.metadata), fields: [...currentSchema(live.metadata).fields, ...fields] };
    const metadata = { ...live.metadata, schemas: [schema], currentSchemaId: schema.schemaId };
    expect(live.catalogState?.problems(metadata)).toMatchObject([{ path, why: expect.stringContaining(why) }]);
    expect(live.catalogState?.problems(live.metadata)).toEqual([]);
  });

  it("is a location that is too long", async () => {
    const outcome = await catalog.commit(
      live,
      commitOn(live, [{ action: "set-location", location: `s3://lake/${"x".repeat(2100)}` }]),
    );
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining("2,056 characters") });
  });

  it("is a parameter that is too long", async () => {
    for (const catalogParameters of [{ key: "v".repeat(512_001) }, { ["k".repeat(256)]: "v" }]) {
      const outcome = await catalog.commit(live, { ...commitOn(live, [setProperty("a", "1")]), catalogParameters });
      expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining("Cannot set the Glue parameter") });
    }
  });

  it("is a name that other writers do not take, on a new table", async () => {
    const problems = catalog.newTableState?.({ namespace: ["sales"], name: "with-dash" }).problems(live.metadata);
    expect(problems).toEqual([
      {
        what: 'Cannot use "with-dash" as the name of a table in Glue',
        why: "Iceberg's writers and Athena take 1 to 255 lower-case letters, digits and underscores",
        mend: "Give it another name",
      },
    ]);
    expect(catalog.newTableState?.(ORDERS).problems(live.metadata)).toEqual([]);
    expect(catalog.newTableState?.(ORDERS).differences(live.metadata)).toEqual([]);
  });

  it("is a list of more columns than one request holds, even without comments", async () => {
    const outcome = await catalog.commit(
      live,
      commitOn(
        live,
        withFields((before) => [...before, ...wide(5000)], 99_999),
      ),
    );
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining("Cannot list 5,003 columns in Glue") });
  });

  it("is not a list that fits without comments and marks: it is sent so, and said", async () => {
    await apply(...withFields((before) => [...before, ...wide(2000)], 99_999));
    expect(columns()).toHaveLength(2003);
    expect(columns()[0]).toEqual({ Name: "order_id", Type: "bigint" });
    const after = await load();
    expect(after.catalogState?.differences(after.metadata)).toEqual([]);
    expect(after.catalogState?.notes(after.metadata).map(({ what }) => what)).toContain(
      "Glue is sent names and types of the columns only",
    );
  });

  it("is not a list that only Glue finds too large: it is sent again without comments and marks", async () => {
    const strict = await startLake({ databases: { sales: { LocationUri: "s3://lake/sales" } }, maxPayload: 300_000 });
    const other = openGlue(strict, { store: createMemoryStore() });
    const table = { identifier: ORDERS, location: null };
    live = done(await other.createTable(table, newTableCommit("s3://lake/sales/orders")));
    strict.clearCalls();
    const after = done(
      await other.commit(
        live,
        commitOn(
          live,
          withFields((before) => [...before, ...wide(700)], 99_999),
        ),
      ),
    );
    expect(strict.counts()).toEqual({ UpdateTable: 2, GetTable: 1 });
    expect(after.catalogState?.differences(after.metadata)).toEqual([]);
    await strict.stop();
  });
});

async function filesOf(): Promise<string[]> {
  const found: string[] = [];
  for await (const { location } of store.list("s3://lake")) found.push(location);
  return found;
}
