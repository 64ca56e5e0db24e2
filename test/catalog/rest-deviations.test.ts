// Servers that go other ways than the protocol: what they lose, renumber or pass over is seen in what they answer, taken
// back where that is certain, and told else. Each way is one that some server goes or went.
import { afterEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { CommitOutcome } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import { LAST_ADDED, type TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Field, Type } from "../../src/iceberg/type.ts";
import { done } from "../conformance/catalog-suite.ts";
import { columnCommit, commitOn, newTableCommit, ODD_ID, setProperty, snapshot } from "../conformance/table-commits.ts";
import type { RestOptions } from "../fakes/rest.ts";
import type { RestWays } from "../fakes/rest-ways.ts";
import { ORDERS, openRest, startRestLake, type TestRest } from "./rest-support.ts";

const LOCATION = "s3://lake/wh/sales/orders";

let rest: TestRest;
let catalog: Catalog;
afterEach(async () => await rest.stop());

/** A table that a right server made; from then on the server goes its ways. */
async function tableThen(ways: RestWays, options: Partial<RestOptions> = {}): Promise<LiveTable> {
  rest = await startRestLake(options);
  rest.tables.namespace("sales");
  catalog = await openRest(rest);
  const live = done(await catalog.createTable({ identifier: ORDERS, location: LOCATION }, newTableCommit(LOCATION)));
  Object.assign(rest.ways, ways);
  return live;
}

const load = async (): Promise<LiveTable> => {
  const live = await catalog.loadTable(ORDERS);
  if (live === null) throw new Error("The table is gone");
  return live;
};

const STRING: Type = { kind: "string" };

async function addField(
  live: LiveTable,
  field: Field,
  lastColumnId: number,
  more: readonly TableUpdate[] = [],
): Promise<CommitOutcome> {
  const { fields } = currentSchema(live.metadata);
  const schema = { schemaId: 0, identifierFieldIds: [], fields: [...fields, field] };
  return await catalog.commit(
    live,
    commitOn(live, [
      { action: "add-schema", schema, lastColumnId },
      { action: "set-current-schema", schemaId: LAST_ADDED },
      ...more,
    ]),
  );
}

const address: Field = {
  id: 4,
  name: "address",
  required: false,
  type: { kind: "struct", fields: [{ id: 5, name: "city", required: false, type: STRING, doc: "Where it goes" }] },
};
const snapshotUpdates = (live: LiveTable): readonly TableUpdate[] => [
  { action: "add-snapshot", snapshot: snapshot(live, ODD_ID, null) },
  { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: ODD_ID, type: "branch" } },
];

describe("a server that keeps something else than it was sent", () => {
  it("loses the docs of nested fields: taken back, and told", async () => {
    const live = await tableThen({ dropsNestedDocs: true });
    const outcome = await addField(live, address, 5, [setProperty("by", "us")]);
    expect(outcome).toMatchObject({
      state: "refused",
      why: expect.stringMatching(/did not do what it was sent: .*"address\.city".*taken back, and the table is as it was before/),
    });
    const { metadata } = await load();
    expect(currentSchema(metadata).fields.map(({ name }) => name)).toEqual(["order_id", "customer", "ordered_at"]);
    expect(metadata.properties["by"]).toBeUndefined();
  });

  it("loses defaults of fields, beside what does not go back: it stays, and is told", async () => {
    const live = await tableThen({ dropsDefaults: true });
    const field: Field = { id: 4, name: "channel", required: false, type: STRING, initialDefault: "web", writeDefault: "web" };
    const { fields } = currentSchema(live.metadata);
    const updates: readonly TableUpdate[] = [
      { action: "upgrade-format-version", formatVersion: 3 },
      { action: "add-schema", schema: { schemaId: 0, identifierFieldIds: [], fields: [...fields, field] }, lastColumnId: 4 },
      { action: "set-current-schema", schemaId: LAST_ADDED },
    ];
    expect(await catalog.commit(live, commitOn(live, updates))).toMatchObject({
      state: "done",
      differences: ['the initial default of "channel" is lost', 'the write default of "channel" is lost'],
    });
    expect((await load()).metadata.formatVersion).toBe(3);
  });

  it.each([
    [
      "set-properties",
      [setProperty("mark", "ours"), { action: "set-location", location: `${LOCATION}_b` }],
      'the property "mark" is missing',
    ],
    ["set-location", [setProperty("mark", "ours"), { action: "set-location", location: `${LOCATION}_b` }], "the location is"],
    ["set-current-schema", null, "address"],
  ] as const)("takes %s and does nothing of it: taken back, and told", async (action, updates, told) => {
    const live = await tableThen({ ignoresUpdates: [action] });
    const outcome =
      updates === null
        ? await addField(live, address, 5, [setProperty("by", "us")])
        : await catalog.commit(live, commitOn(live, updates));
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining(told) });
    const { metadata } = await load();
    expect([metadata.properties["mark"], metadata.properties["by"], metadata.location, metadata.currentSchemaId]).toEqual([
      undefined,
      undefined,
      LOCATION,
      0,
    ]);
  });

  it("rounds 64-bit ids: taken back, and told", async () => {
    const live = await tableThen({ roundsLongs: true });
    const outcome = await catalog.commit(live, commitOn(live, snapshotUpdates(live)));
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining(`the snapshot ${ODD_ID} is missing`) });
    const { metadata } = await load();
    expect([metadata.currentSnapshotId, [...metadata.snapshots]]).toEqual([null, []]);
  });

  it("keeps no log of its states: it stays, since nobody knows what it landed on, and is told", async () => {
    const live = await tableThen({ dropsNestedDocs: true, keepsNoLog: true });
    const outcome = await addField(live, address, 5);
    expect(outcome).toMatchObject({ state: "done", differences: [expect.stringContaining("city")] });
    expect(currentSchema((await load()).metadata).fields).toHaveLength(4);
  });

  it("does not take it back: it stays, and is told", async () => {
    const live = await tableThen({ dropsNestedDocs: true });
    const broken = rest.fault({ on: "CommitTable", answer: "drop", skip: 1, times: 99 });
    expect(await addField(live, address, 5)).toMatchObject({ state: "done", differences: [expect.stringContaining("city")] });
    broken();
  });
});

describe("a server with its own rule for schema ids", () => {
  it("is taken as it is where no file names them", async () => {
    const live = await tableThen({ renumbersSchemas: true });
    const outcome = await catalog.commit(live, columnCommit(live, []));
    expect(outcome).not.toHaveProperty("differences");
    expect(done(outcome).metadata.currentSchemaId).toBe(7);
  });

  it("is not given a snapshot that names the wrong one: taken back, and told", async () => {
    const live = await tableThen({ renumbersSchemas: true });
    const outcome = await catalog.commit(live, columnCommit(live, snapshotUpdates(live)));
    expect(outcome).toMatchObject({ state: "refused", why: expect.stringContaining("the current schema has the id 7, not 1") });
    const { metadata } = await load();
    expect([metadata.currentSchemaId, metadata.currentSnapshotId, [...metadata.snapshots]]).toEqual([0, null, []]);
  });

  it("is asked for the id before files are written, and not asked where it is known to keep the rule", async () => {
    const live = await tableThen({ renumbersSchemas: true });
    const change = { ...columnCommit(live, []), schema: { ...currentSchema(live.metadata), schemaId: 1 } };
    const added = change.updates[0];
    if (added?.action !== "add-schema") throw new Error("The commit adds no schema");
    const settled = await catalog.settleIds?.(live, { ...change, schema: { ...added.schema, schemaId: 1 } });
    if (settled?.state !== "settled") throw new Error(`The ids ended as ${settled?.state}`);
    expect([settled.change.schema.schemaId, settled.live.metadata.currentSchemaId]).toEqual([7, 0]);
    const { updates, requirements } = settled.change;
    const final = { ...commitOn(settled.live, [...updates, ...snapshotUpdates(settled.live)]), requirements };
    const { metadata } = done(await catalog.commit(settled.live, final));
    expect([metadata.currentSchemaId, metadata.currentSnapshotId]).toEqual([7, ODD_ID]);
    await rest.stop();

    const plain = await tableThen({});
    const next = done(await catalog.commit(plain, columnCommit(plain, [])));
    rest.clearCalls();
    const second = columnCommit(next, []);
    const known = await catalog.settleIds?.(next, { ...second, schema: currentSchema(next.metadata) });
    expect(known).toMatchObject({ state: "settled", live: next });
    expect(rest.counts()).toEqual({});
  });

  it("gives a new table's fields its own ids: told", async () => {
    rest = await startRestLake({ ways: { numbersDepthFirst: true } });
    rest.tables.namespace("sales");
    catalog = await openRest(rest);
    const commit = newTableCommit(LOCATION);
    const updates = commit.updates.map((update): TableUpdate => {
      if (update.action !== "add-schema") return update;
      const inner: Type = { kind: "struct", fields: [{ id: 3, name: "city", required: false, type: STRING }] };
      const fields: readonly Field[] = [
        { id: 1, name: "address", required: false, type: inner },
        { id: 2, name: "note", required: false, type: STRING },
      ];
      return { ...update, schema: { ...update.schema, fields }, lastColumnId: 3 };
    });
    const remembered = [...updates, setProperty("floeplan.applied.attempt", commit.attempt)];
    const outcome = await catalog.createTable({ identifier: ORDERS, location: LOCATION }, { ...commit, updates: remembered });
    expect(outcome).toMatchObject({
      state: "done",
      differences: ['the field "address.city" has the id 2, not 3', 'the field "note" has the id 3, not 2'],
    });
  });
});

describe("a server that answers a creation with the table that has the name", () => {
  it.each([true, false])("does not make it ours (with an attempt id: %s)", async (isRemembered) => {
    await tableThen({ answersTakenNames: true });
    const commit = newTableCommit(LOCATION, { by: "another of us" });
    const updates = isRemembered ? [...commit.updates, setProperty("floeplan.applied.attempt", commit.attempt)] : commit.updates;
    const outcome = await catalog.createTable({ identifier: ORDERS, location: LOCATION }, { ...commit, updates });
    expect(outcome).toEqual({ state: "conflict", why: 'A table "sales.orders" exists already' });
    expect((await load()).metadata.properties).toEqual({});
  });
});

describe("a catalog of AWS's table buckets", () => {
  it("is asked for no place, and moves nothing", async () => {
    rest = await startRestLake();
    rest.tables.namespace("sales");
    await rest.tables.create(["sales", "orders"]);
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" });
    catalog = await openRest(rest, { settings: { auth: "sigv4", signingName: "s3tables", region: "eu-west-1" } });
    await expect(catalog.newTableLocation({ identifier: ORDERS, location: LOCATION })).rejects.toMatchObject({
      kind: "unsupported",
    });
    const live = await load();
    const moved = commitOn(live, [{ action: "set-location", location: `${LOCATION}_b` }]);
    expect(await catalog.commit(live, moved)).toMatchObject({
      state: "refused",
      why: expect.stringContaining("does not move tables"),
    });
    expect(rest.counts()["CommitTable"]).toBeUndefined();
  });
});

describe("a server that passes over requirements", () => {
  /** Another's commit, after the look and before ours is sent. */
  const meanwhile = async (live: LiveTable): Promise<CommitOutcome> => {
    const { schemas } = rest.tables.metadata("sales", "orders") ?? {};
    const [first] = schemas as unknown as { fields: object[] }[];
    const theirs = { id: 4, name: "theirs", required: false, type: "string" };
    const held = rest.fault({ on: "LoadTable", answer: { delayMs: 60 } });
    const going = catalog.commit(live, columnCommit(live, [setProperty("by", "us")]));
    while ((rest.counts()["LoadTable"] ?? 0) === 0) await new Promise((resume) => setTimeout(resume, 1));
    await rest.tables.commit(
      ["sales", "orders"],
      { action: "add-schema", schema: JSON.parse(JSON.stringify({ ...first, fields: [...(first?.fields ?? []), theirs] })) },
      { action: "set-current-schema", "schema-id": -1 },
    );
    held();
    return await going;
  };

  it("is a conflict where they are checked", async () => {
    const live = await tableThen({});
    rest.clearCalls();
    expect((await meanwhile(live)).state).toBe("conflict");
  });

  it("is seen by what the commit landed on, and another's column is brought back", async () => {
    const live = await tableThen({ ignoresRequirements: ["assert-current-schema-id", "assert-last-assigned-field-id"] });
    rest.clearCalls();
    expect(await meanwhile(live)).toMatchObject({
      state: "refused",
      why: expect.stringContaining("a requirement was not checked (the last assigned field id is 4, expected 3)"),
    });
    const { metadata } = await load();
    expect(currentSchema(metadata).fields.map(({ name }) => name)).toEqual(["order_id", "customer", "ordered_at", "theirs"]);
    expect(metadata.properties["by"]).toBeUndefined();
  });
});
