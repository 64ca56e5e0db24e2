// Commits to S3 Tables: where files go, on which token, what is never deleted; tables made, filled and found renamed; what
// the service refuses, said before anything is written; and what its own maintenance goes by.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import type { CommitOutcome } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { readMetadata, writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, ODD_ID, setProperty, snapshot } from "../conformance/table-commits.ts";
import { s3Error } from "../fakes/s3.ts";
import { type Fakes, openTables, startFakes } from "./s3-tables-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
const TABLE = { identifier: ORDERS, location: null };
let fakes: Fakes;
let catalog: Catalog;

const start = async (options: Parameters<typeof startFakes>[0] = {}): Promise<void> => {
  fakes = await startFakes({ namespaces: ["sales"], ...options });
  catalog = openTables(fakes);
};
beforeEach(async () => await start());
afterEach(async () => await fakes.stop());

const create = async (properties: Readonly<Record<string, string>> = {}): Promise<LiveTable> =>
  done(await catalog.createTable(TABLE, newTableCommit(await catalog.newTableLocation(TABLE), properties)));
const load = async (): Promise<LiveTable> => {
  const live = await catalog.loadTable(ORDERS);
  if (live === null) throw new Error("The table is gone");
  return live;
};
const commit = async (live: LiveTable, ...updates: readonly TableUpdate[]): Promise<CommitOutcome> =>
  await catalog.commit(live, commitOn(live, updates));
const keys = (live: LiveTable): readonly string[] => fakes.s3.objects.keys(live.metadata.location.slice("s3://".length));
/** Another writer's commit on what is live: an engine's, or the service's own. */
const foreignCommit = (live: LiveTable, ...updates: readonly TableUpdate[]): string => {
  const { metadataLocation } = live;
  const base = readMetadata(fakes.s3.objects.get(metadataLocation) ?? new Uint8Array(), metadataLocation);
  const next = applyUpdates(base, updates, { nowMs: Date.now(), previousMetadataLocation: metadataLocation });
  return fakes.tables.tables.commit("sales", "orders", writeMetadata(next));
};

describe("a commit", () => {
  it("puts the file into the table's own storage, and swaps the pointer with the token of the read", async () => {
    const live = await create();
    expect(keys(live)).toEqual([expect.stringMatching(/^metadata\/00000-[0-9a-f-]{36}\.metadata\.json$/)]);
    fakes.tables.clearCalls();
    const after = done(await commit(live, setProperty("a", "1")));
    expect(after.metadataLocation).toMatch(/\/metadata\/00001-[0-9a-f-]{36}\.metadata\.json$/);
    // Not read again between the read that it is built on and the swap.
    expect(fakes.tables.calls.map(({ operation }) => operation)).toEqual([
      "UpdateTableMetadataLocation",
      "GetTableMetadataLocation",
    ]);
    expect(after.token).toBe(fakes.tables.tables.get("sales", "orders")?.versionToken);
    expect(fakes.s3.counts()).not.toHaveProperty("DeleteObject");
  });

  it("writes no compressed file and none elsewhere, whatever the table's properties say", async () => {
    const warehouse = await catalog.newTableLocation(TABLE);
    const live = await create({ "write.metadata.compression-codec": "gzip" });
    const after = done(await commit(live, setProperty("write.metadata.path", `${warehouse}/elsewhere`)));
    const last = done(await commit(after, setProperty("a", "1")));
    expect(keys(last)).toHaveLength(3);
    for (const key of keys(last)) {
      expect(key).toMatch(/^metadata\/0000\d-[0-9a-f-]{36}\.metadata\.json$/);
      expect(fakes.s3.objects.get(`${warehouse}/${key}`)?.[0]).toBe("{".charCodeAt(0));
    }
  });

  it("asks for no deletion and no list, also where the table asks for one", async () => {
    let live = await create({
      "write.metadata.previous-versions-max": "1",
      "write.metadata.delete-after-commit.enabled": "true",
    });
    for (let round = 0; round < 3; round++) live = done(await commit(live, setProperty("round", String(round))));
    expect(keys(live)).toHaveLength(4);
    expect(Object.keys(fakes.s3.counts()).sort()).toEqual(["GetObject", "PutObject"]);
    const store = catalog.storeFor(live);
    expect([store.canList, store.canRemove]).toEqual([false, false]);
  });

  it("is a conflict where the service's own maintenance came first, and lands on top of it the next time", async () => {
    const live = await create();
    foreignCommit(live, { action: "add-snapshot", snapshot: snapshot(live, ODD_ID, null) }, setProperty("compacted", "yes"));
    const outcome = await commit(live, setProperty("by", "us"));
    expect(outcome).toEqual({
      state: "conflict",
      why: "Another writer, or the service's own maintenance, committed since the table was read",
    });
    // The file of the attempt stays: nothing can be deleted there.
    expect(keys(live)).toHaveLength(3);
    const after = done(await commit(await load(), setProperty("by", "us")));
    expect(after.metadata.properties).toMatchObject({ compacted: "yes", by: "us" });
  });

  it("is recognised under the work that another writer put on top of it, when its answer was lost", async () => {
    const live = await create();
    let moved = false;
    fakes.tables.fault({
      on: ({ operation }) => {
        // The first look after the lost answer: by then another writer has committed.
        if (operation === "GetTableMetadataLocation" && !moved) {
          moved = true;
          const { metadataLocation } = fakes.tables.tables.get("sales", "orders") ?? {};
          foreignCommit({ ...live, metadataLocation: metadataLocation ?? "" }, setProperty("on-top", "yes"));
        }
        return false;
      },
      answer: "drop",
    });
    fakes.tables.fault({ on: "UpdateTableMetadataLocation", answer: "drop", effect: "after" });
    expect(done(await commit(live, setProperty("by", "us"))).metadata.properties).toMatchObject({ by: "us", "on-top": "yes" });
  });

  it("is done where a conflict is told of a try of ours that had landed", async () => {
    const live = await create();
    fakes.tables.fault({
      on: "UpdateTableMetadataLocation",
      answer: {
        status: 409,
        headers: { "x-amzn-errortype": "ConflictException" },
        body: '{"message":"Provided version token does not match"}',
      },
      effect: "after",
    });
    expect(done(await commit(live, setProperty("by", "us"))).metadata.properties["by"]).toBe("us");
  });

  it("does not build on a state that was not read", async () => {
    const live = await create();
    const { catalogState: _, ...unread } = live;
    expect((await catalog.commit(unread, commitOn(live, [setProperty("a", "1")]))).state).toBe("conflict");
    expect((await catalog.commit({ ...live, token: null }, commitOn(live, [setProperty("a", "1")]))).state).toBe("conflict");
    expect(keys(live)).toHaveLength(1);
  });
});

describe("a table that was renamed", () => {
  it("before the swap is refused, with the reason, and nothing lands anywhere", async () => {
    const live = await create();
    fakes.tables.tables.rename("sales", "orders", { name: "orders_2026" });
    const outcome = await commit(live, setProperty("by", "us"));
    expect(outcome).toMatchObject({
      state: "refused",
      why: expect.stringContaining("it was renamed or deleted since it was read"),
    });
    const moved = await catalog.loadTable({ namespace: ["sales"], name: "orders_2026" });
    expect(moved?.metadata.properties).not.toHaveProperty("by");
  });

  it("and whose name another table has now, is a conflict: the token is that of the table that was read", async () => {
    const live = await create();
    fakes.tables.tables.rename("sales", "orders", { name: "orders_2026" });
    const other = await create({ is: "another" });
    expect((await commit(live, setProperty("by", "us"))).state).toBe("conflict");
    expect((await load()).metadata.properties).toEqual({ is: "another" });
    expect((await load()).metadata.location).toBe(other.metadata.location);
  });

  it("after the swap, while its answer was lost, is not told as a commit that did not land", async () => {
    const live = await create();
    fakes.tables.fault({ on: "UpdateTableMetadataLocation", answer: "drop", effect: "after" });
    fakes.tables.fault({
      on: ({ operation }) => {
        const isThere = fakes.tables.tables.get("sales", "orders") !== undefined;
        if (operation === "GetTableMetadataLocation" && isThere) fakes.tables.tables.rename("sales", "orders", { name: "moved" });
        return false;
      },
      answer: "drop",
    });
    expect(await commit(live, setProperty("by", "us"))).toMatchObject({
      state: "unknown",
      why: expect.stringContaining("renamed or deleted"),
      written: expect.stringContaining("/metadata/00001-"),
    });
    expect((await catalog.loadTable({ namespace: ["sales"], name: "moved" }))?.metadata.properties["by"]).toBe("us");
  });
});

describe("a new table", () => {
  it("is made without metadata, and its first metadata is ours, with our ids", async () => {
    fakes.tables.clearCalls();
    const live = await create();
    const [made] = fakes.tables.calls.filter(({ operation }) => operation === "CreateTable");
    expect(made?.request.bodyBytes).toBe(JSON.stringify({ format: "ICEBERG", name: "orders" }).length);
    expect(fakes.tables.counts()).toMatchObject({ CreateTable: 1, UpdateTableMetadataLocation: 1 });
    expect(live.metadata.tableUuid).toBe("7f2b1c50-93a5-4b1e-8f0a-2f4f6d0c1a11");
    expect(currentSchema(live.metadata).fields.map(({ id, name }) => [id, name])).toEqual([
      [1, "order_id"],
      [2, "customer"],
      [3, "ordered_at"],
    ]);
    expect(live.metadata.location).toBe(fakes.tables.tables.get("sales", "orders")?.warehouse);
  });

  it("is one that was made without a schema before, by another tool or by an apply that was cut off", async () => {
    const { warehouse } = fakes.tables.tables.create("sales", "orders");
    expect(await catalog.loadTable(ORDERS)).toBeNull();
    const notes = catalog.newTableState?.(ORDERS).notes((await createElsewhere()).metadata);
    expect(notes?.[0]?.what).toBe("S3 Tables has this table already, without metadata: this gives it its first");
    expect(await catalog.newTableLocation(TABLE)).toBe(warehouse);
    const live = await create();
    expect([live.metadata.location, fakes.tables.counts()["CreateTable"]]).toEqual([warehouse, 1]);
    expect(catalog.newTableState?.(ORDERS).notes(live.metadata)).toEqual([]);
  });

  async function createElsewhere(): Promise<LiveTable> {
    const table = { identifier: { namespace: ["sales"], name: "other" }, location: null };
    return done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
  }

  it("is a conflict where the service has given it metadata meanwhile", async () => {
    const location = await catalog.newTableLocation(TABLE);
    const service = JSON.stringify({ "format-version": 2, location });
    fakes.tables.tables.commit("sales", "orders", service);
    expect(await catalog.createTable(TABLE, newTableCommit(location))).toEqual({
      state: "conflict",
      why: 'A table "sales.orders" exists already',
    });
  });

  it("is a conflict where it was dropped and made anew since its place was told", async () => {
    const location = await catalog.newTableLocation(TABLE);
    fakes.tables.tables.remove("sales", "orders");
    fakes.tables.tables.create("sales", "orders");
    expect(await catalog.createTable(TABLE, newTableCommit(location))).toMatchObject({
      state: "conflict",
      why: expect.stringContaining("another writer has made it anew"),
    });
  });

  it("made with a schema by another tool is a table like any other", async () => {
    fakes.tables.tables.create("sales", "orders", { schema: { fields: [{ name: "a", type: "int" }] } });
    const live = await load();
    expect(currentSchema(live.metadata).fields).toMatchObject([{ id: 1, name: "a", required: false }]);
    expect(done(await commit(live, setProperty("by", "us"))).metadata.properties["by"]).toBe("us");
  });

  it("whose namespace is not there, or that may not be made, is refused before anything is written", async () => {
    const nowhere = { identifier: { namespace: ["nowhere"], name: "orders" }, location: null };
    expect(await catalog.createTable(nowhere, newTableCommit("s3://x--table-s3"))).toMatchObject({
      state: "refused",
      why: 'There is no namespace "nowhere" for "orders"',
    });
    const denied = "User: arn:aws:sts::011122223333:assumed-role/apply/run is not authorized to perform: s3tables:CreateTable";
    fakes.tables.fault({
      on: "CreateTable",
      answer: {
        status: 403,
        headers: { "x-amzn-errortype": "AccessDeniedException" },
        body: JSON.stringify({ message: denied }),
      },
    });
    expect(await catalog.createTable(TABLE, newTableCommit("s3://x--table-s3"))).toMatchObject({
      state: "refused",
      why: expect.stringContaining("lacks s3tables:CreateTable"),
    });
    expect(fakes.s3.calls).toEqual([]);
  });
});

describe("what S3 Tables would refuse", () => {
  it.each([
    ["a name with capitals", { namespace: ["sales"], name: "Orders" }, 'Write "orders"'],
    ["a name with a dash", { namespace: ["sales"], name: "ord-ers" }, "Give it another name"],
    ["a name that begins with an underscore", { namespace: ["sales"], name: "_orders" }, "Give it another name"],
    ["a name of 256 characters", { namespace: ["sales"], name: "x".repeat(256) }, "Give it another name"],
    ["a namespace of AWS", { namespace: ["aws_x"], name: "orders" }, "Give it another name"],
    ["two levels", { namespace: ["a", "b"], name: "orders" }, "Declare the table as `namespace.table`"],
  ])("is said of %s, in the plan and before anything is sent", async (_, identifier, mend) => {
    const metadata = (await create()).metadata;
    fakes.tables.clearCalls();
    const [problem] = catalog.newTableState?.(identifier).problems(metadata) ?? [];
    expect(problem).toMatchObject({ what: expect.stringContaining("in S3 Tables"), mend });
    // A name that could be there, though none may be made of it, is looked for.
    expect(catalog.canLookFor?.(identifier)).toBe(
      /^(?:aws_x\.orders|sales\._orders)$/.test([...identifier.namespace, identifier.name].join(".")),
    );
    await expect(catalog.newTableLocation({ identifier, location: null })).rejects.toMatchObject({ kind: "refused" });
    await expect(catalog.createTable({ identifier, location: null }, newTableCommit("s3://x"))).rejects.toMatchObject({
      kind: "refused",
    });
    expect(fakes.tables.calls).toEqual([]);
  });

  it("is a location of one's own", async () => {
    await expect(catalog.newTableLocation({ identifier: ORDERS, location: "s3://mine/orders" })).rejects.toMatchObject({
      kind: "refused",
      why: "S3 Tables chooses where a table is stored",
    });
    expect(await catalog.placeProblem?.({ identifier: ORDERS, location: "s3://mine/orders" })).toEqual({
      what: 'Cannot put "sales.orders" at "s3://mine/orders"',
      why: "S3 Tables chooses where a table is stored",
      mend: "Leave the location out",
    });
    expect(await catalog.placeProblem?.(TABLE)).toBeNull();
    expect(fakes.tables.calls).toEqual([]);
  });

  it("is a path outside the table's storage, in the plan and at the commit; one inside is not", async () => {
    const live = await create();
    const inside = setProperty("write.data.path", `${live.metadata.location}/elsewhere`);
    const outside = setProperty("write.data.path", "s3://mine/orders");
    const after = (update: TableUpdate): LiveTable["metadata"] =>
      applyUpdates(live.metadata, [update], { nowMs: 0, previousMetadataLocation: null });
    expect(live.catalogState?.problems(after(outside))).toMatchObject([
      { what: 'Cannot set "write.data.path" to "s3://mine/orders" on a table in S3 Tables', mend: "Leave the property out" },
    ]);
    expect(live.catalogState?.problems(after(inside))).toEqual([]);
    expect(catalog.newTableState?.(ORDERS).problems(after(inside))).toHaveLength(1);
    expect(await commit(live, outside)).toMatchObject({ state: "refused", why: expect.stringContaining('"s3://mine/orders"') });
    expect(keys(live)).toHaveLength(1);
    // What is there already, and left alone, blocks nothing.
    foreignCommit(live, outside);
    expect((await commit(await load(), setProperty("a", "1"))).state).toBe("done");
  });
});

describe("what the service's maintenance goes by is said as a note", () => {
  const notes = async (updates: readonly TableUpdate[], leavesTag = false): Promise<readonly string[]> => {
    const live = await create();
    const metadata = applyUpdates(live.metadata, updates, { nowMs: 0, previousMetadataLocation: null });
    return (live.catalogState?.notes(metadata, { leavesTag }) ?? []).map(({ what, why, mend }) => [what, why, mend].join(" | "));
  };

  it("nothing of an ordinary table", async () => {
    expect(await notes([setProperty("a", "1")])).toEqual([]);
  });

  it("the tag that a conversion will leave, and how to do without", async () => {
    expect(await notes([], true)).toEqual([
      expect.stringMatching(/^The tag that this conversion leaves stops S3 Tables.*snapshot-tag: none/),
    ]);
  });

  it("tags and branches that are there", async () => {
    const live = await create();
    fakes.tables.tables.remove("sales", "orders");
    const found = await notes([
      { action: "add-snapshot", snapshot: snapshot(live, ODD_ID, null) },
      { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: ODD_ID, type: "branch" } },
      { action: "set-snapshot-ref", refName: "before", ref: { snapshotId: ODD_ID, type: "tag" } },
    ]);
    expect(found).toEqual([expect.stringMatching(/^S3 Tables does not expire snapshots.*tag "before"/)]);
  });

  it.each([
    ["history.expire.max-snapshot-age-ms", "864000000", "may not expire snapshots"],
    ["write.parquet.compression-codec", "lz4", "does not compact"],
    ["write.metadata.compression-codec", "gzip", "without compression by floeplan"],
  ])("the property %s", async (key, value, words) => {
    expect(await notes([setProperty(key, value)])).toEqual([expect.stringContaining(words)]);
  });

  it("a column of a type that its compaction does not know", async () => {
    const schema = {
      schemaId: 0,
      identifierFieldIds: [],
      fields: [{ id: 4, name: "hash", required: false, type: { kind: "fixed" as const, length: 16 } }],
    };
    const updates: readonly TableUpdate[] = [
      { action: "add-schema", schema, lastColumnId: 4 },
      { action: "set-current-schema", schemaId: -1 },
    ];
    expect(await notes(updates)).toEqual([expect.stringContaining('which "hash" is')]);
  });
});

describe("an object API without conditional writes, and one that hides what is missing", () => {
  it.each([400, 405, 501] as const)(
    "refusing them with %i, still takes commits, each file under a name of its own",
    async (status) => {
      await fakes.stop();
      await start({ storage: { refusesConditions: status, missingLooksDenied: true } });
      let live = await create();
      for (let round = 0; round < 3; round++) live = done(await commit(live, setProperty("round", String(round))));
      expect(keys(live)).toHaveLength(4);
      // The refusal is met once, and remembered.
      expect(fakes.s3.calls.filter(({ status: told }) => told === status)).toHaveLength(1);
      expect(fakes.s3.counts()["PutObject"]).toBe(5);
    },
  );

  it("overwrites nothing, and hands on a refusal that has another reason", async () => {
    await fakes.stop();
    await start({ storage: { refusesConditions: 501 } });
    const live = await create();
    const store = catalog.storeFor(live);
    const file = `${live.metadata.location}/data/x`;
    expect(await store.putIfAbsent(file, new Uint8Array([1]))).toBe("written");
    expect(await store.putIfAbsent(file, new Uint8Array([2]))).toBe("exists");
    expect(fakes.s3.objects.get(file)).toEqual(Buffer.from([1]));
    fakes.s3.fault({ on: "PutObject", answer: s3Error(400, "EntityTooLarge") });
    await expect(store.putIfAbsent(`${file}2`, new Uint8Array([2]))).rejects.toMatchObject({ kind: "refused" });
  });

  it("tells what is missing once something was read, and denies until then", async () => {
    await fakes.stop();
    await start({ storage: { missingLooksDenied: true } });
    const live = await create();
    const missing = `${live.metadata.location}/metadata/floeplan-journal.json`;
    expect(await catalog.storeFor(live).head(missing)).toBeNull();
    await expect(openTables(fakes).storeFor(live).head(missing)).rejects.toMatchObject({
      kind: "auth",
      why: expect.stringContaining("s3tables:GetTableData"),
    });
    fakes.s3.fault({ on: ({ target }) => target.endsWith("journal.json"), answer: s3Error(400, "ExpiredToken"), times: 9 });
    await expect(catalog.storeFor(live).head(missing)).rejects.toMatchObject({ kind: "auth" });
  });
});
