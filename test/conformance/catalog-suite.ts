// What every catalog promises (src/catalog/catalog.ts), as tests that any catalog can join: what it cannot do is
// asked of `capabilities` and of its store, never of its kind.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { CommitOutcome, TableCommit } from "../../src/iceberg/commit.ts";
import type { LiveTable, TableIdentifier } from "../../src/iceberg/live-table.ts";
import { writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema, snapshotById } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import { IS_LONG } from "../long.ts";
import {
  columnCommit,
  commitOn,
  LARGEST_ID,
  newTableCommit,
  ODD_ID,
  setProperty,
  snapshot,
  UNMET_REQUIREMENTS,
  UPDATE_CASES,
} from "./table-commits.ts";

export interface CatalogUnderTest {
  readonly catalog: Catalog;
  /** Another client of the same tables, as another process would be one. */
  readonly another: () => Promise<Catalog>;
  readonly cleanUp: () => Promise<void>;
}

const ORDERS: TableIdentifier = { namespace: ["sales"], name: "orders" };
/** Of one table at once. */
const WRITERS = IS_LONG ? 30 : 6;

export function catalogConformance(name: string, makeCatalog: () => Promise<CatalogUnderTest>): void {
  describe(`${name} catalog`, () => {
    let subject: CatalogUnderTest;
    let catalog: Catalog;

    beforeEach(async () => {
      subject = await makeCatalog();
      catalog = subject.catalog;
      await catalog.createNamespace(["sales"]);
    });
    afterEach(async () => await subject.cleanUp());

    const load = async (identifier: TableIdentifier = ORDERS, from: Catalog = catalog): Promise<LiveTable> => {
      const live = await from.loadTable(identifier);
      if (live === null) throw new Error(`${identifier.name} is not there`);
      return live;
    };
    const create = async (identifier: TableIdentifier = ORDERS, properties: Record<string, string> = {}): Promise<LiveTable> => {
      const table = { identifier, location: null };
      return done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table), properties)));
    };
    const apply = async (live: LiveTable, ...updates: readonly TableUpdate[]): Promise<LiveTable> =>
      done(await catalog.commit(live, commitOn(live, updates)));
    // A service that writes the metadata itself lets two commits follow each other where no requirement speaks against it.
    const rival = (live: LiveTable, updates: readonly TableUpdate[]): TableCommit =>
      catalog.capabilities.serverWritesMetadata ? columnCommit(live, updates) : commitOn(live, updates);
    const files = async (live: LiveTable): Promise<string[] | null> => {
      const store = catalog.storeFor(live);
      if (!store.canList) return null;
      const found: string[] = [];
      for await (const { location } of store.list(live.metadata.location)) found.push(location);
      return found.sort();
    };
    const listed = async (namespace?: readonly string[]): Promise<string[]> => {
      const found: string[] = [];
      for await (const identifier of catalog.listTables(namespace)) {
        found.push([...identifier.namespace, identifier.name].join("."));
      }
      return found;
    };

    describe("namespaces", () => {
      it("are made, found, and made again without an error", async () => {
        expect(await catalog.namespaceExists(["hr"])).toBe(false);
        await catalog.createNamespace(["hr"]);
        await catalog.createNamespace(["hr"]);
        expect(await catalog.namespaceExists(["hr"])).toBe(true);
        expect(await catalog.namespaceExists(["h"])).toBe(false);
      });

      it("nest where the catalog says so", async ({ skip }) => {
        skip(!catalog.capabilities.nestedNamespaces, "one level only");
        await catalog.createNamespace(["hr", "emea"]);
        expect(await catalog.namespaceExists(["hr", "emea"])).toBe(true);
        expect(await catalog.namespaceExists(["hr"])).toBe(true);
        expect(await catalog.namespaceExists(["emea"])).toBe(false);
      });
    });

    describe("creating a table", () => {
      it("makes what is then loaded, also by another client", async () => {
        const table = { identifier: ORDERS, location: null };
        const location = await catalog.newTableLocation(table);
        expect(await catalog.loadTable(ORDERS)).toBeNull();
        const created = done(await catalog.createTable(table, newTableCommit(location, { comment: "One row per order" })));
        for (const live of [created, await load(), await load(ORDERS, await subject.another())]) {
          expect(live.identifier).toEqual(ORDERS);
          expect(live.metadata.location).toBe(location);
          expect(live.metadata.formatVersion).toBe(2);
          expect(live.metadata.properties["comment"]).toBe("One row per order");
          expect(currentSchema(live.metadata).fields.map(({ id, name, doc }) => [id, name, doc])).toEqual([
            [1, "order_id", "Unique order number"],
            [2, "customer", undefined],
            [3, "ordered_at", undefined],
          ]);
          expect(live.metadata.currentSnapshotId).toBeNull();
          expect(live.metadata.metadataLog).toEqual([]);
        }
      });

      it("is a conflict when the name is taken, and leaves the table", async () => {
        const first = await create(ORDERS, { by: "first" });
        const table = { identifier: ORDERS, location: null };
        const before = await files(first);
        const outcome = await catalog.createTable(table, newTableCommit(first.metadata.location, { by: "second" }));
        expect(outcome.state).toBe("conflict");
        expect((await load()).metadata.properties["by"]).toBe("first");
        expect(await files(first)).toEqual(before);
      });

      it("lets exactly one of many at once win", async () => {
        const table = { identifier: ORDERS, location: null };
        const location = await catalog.newTableLocation(table);
        const clients = await Promise.all(Array.from({ length: 8 }, () => subject.another()));
        const outcomes = await Promise.all(
          clients.map((client, index) => client.createTable(table, newTableCommit(location, { by: String(index) }))),
        );
        const winners = outcomes.flatMap(({ state }, index) => (state === "done" ? [String(index)] : []));
        expect(outcomes.filter(({ state }) => state === "conflict")).toHaveLength(7);
        expect(winners).toEqual([(await load()).metadata.properties["by"]]);
      });

      it("is refused where there is no such namespace", async () => {
        // A catalog may have no place of its own for a namespace that it does not know.
        const known = await catalog.newTableLocation({ identifier: ORDERS, location: null });
        const location = catalog.capabilities.tableLocation ? `${known}_nowhere` : null;
        const table = { identifier: { namespace: ["nowhere"], name: "orders" }, location };
        // One whose service alone knows the place says so already when it is asked for it.
        const place = await catalog.newTableLocation(table).catch((error: unknown) => error);
        if (typeof place === "string") expect((await catalog.createTable(table, newTableCommit(place))).state).toBe("refused");
        else expect(place).toBeInstanceOf(ToolError);
        expect(await catalog.namespaceExists(["nowhere"])).toBe(false);
      });

      it("follows a wish for a location, or says no to it", async () => {
        const chosen = await catalog.newTableLocation({ identifier: ORDERS, location: null });
        const table = { identifier: ORDERS, location: `${chosen}_elsewhere` };
        if (catalog.capabilities.tableLocation) {
          expect(await catalog.newTableLocation(table)).toBe(table.location);
          const live = done(await catalog.createTable(table, newTableCommit(table.location)));
          expect(live.metadata.location).toBe(table.location);
        } else {
          await expect(catalog.newTableLocation(table)).rejects.toBeInstanceOf(ToolError);
        }
      });
    });

    describe("listing tables", () => {
      it("gives all in order, and those of one namespace", async () => {
        await catalog.createNamespace(["hr"]);
        for (const [namespace, table] of [
          ["sales", "returns"],
          ["hr", "people"],
          ["sales", "orders"],
        ] as const) {
          await create({ namespace: [namespace], name: table });
        }
        expect(await listed()).toEqual(["hr.people", "sales.orders", "sales.returns"]);
        expect(await listed(["sales"])).toEqual(["sales.orders", "sales.returns"]);
        expect(await listed(["none"])).toEqual([]);
      });

      it("finds tables at every depth, and only a namespace's own ones in it", async ({ skip }) => {
        skip(!catalog.capabilities.nestedNamespaces, "one level only");
        await catalog.createNamespace(["sales", "emea", "dach"]);
        await create();
        await create({ namespace: ["sales", "emea", "dach"], name: "orders" });
        expect(await listed()).toEqual(["sales.emea.dach.orders", "sales.orders"]);
        expect(await listed(["sales"])).toEqual(["sales.orders"]);
        expect(await listed(["sales", "emea", "dach"])).toEqual(["sales.emea.dach.orders"]);
      });
    });

    describe("a commit", () => {
      it.each(Object.entries(UPDATE_CASES))("carries out %s", async (_, { before, updates, seen, wanted, needsSetLocation }) => {
        let live = await create();
        for (const step of before ?? []) live = await apply(live, ...step(live));
        const outcome = await catalog.commit(live, commitOn(live, updates(live)));
        if (needsSetLocation === true && !catalog.capabilities.setLocation) {
          expect(outcome.state).toBe("refused");
          expect((await load()).metadataLocation).toBe(live.metadataLocation);
          return;
        }
        expect(seen(done(outcome).metadata, live)).toEqual(wanted);
        expect(seen((await load()).metadata, live)).toEqual(wanted);
      });

      it("carries out many updates at once", async () => {
        const live = await create();
        const after = await apply(
          live,
          ...UPDATE_CASES["add-schema"].updates(live),
          ...UPDATE_CASES["add-spec"].updates(live),
          ...UPDATE_CASES["add-snapshot"].updates(live),
          setProperty("done", "all"),
        );
        expect(after.metadata.metadataLog).toHaveLength(1);
        for (const key of ["add-schema", "add-spec", "add-snapshot"] as const) {
          expect(UPDATE_CASES[key].seen(after.metadata, live)).toEqual(UPDATE_CASES[key].wanted);
        }
      });

      it("can follow on the state that the one before gave back", async () => {
        let live = await create();
        for (let round = 1; round <= 5; round++) live = await apply(live, setProperty("round", String(round)));
        const loaded = await load();
        expect(loaded.metadata.properties["round"]).toBe("5");
        expect([live.metadataLocation, live.token]).toEqual([loaded.metadataLocation, loaded.token]);
      });

      it("puts the file before into the log, with its time, and leaves it as it was", async ({ skip }) => {
        skip(catalog.capabilities.serverWritesMetadata, "the service keeps its own log");
        const first = await create();
        const store = catalog.storeFor(first);
        const bytes = await store.read(first.metadataLocation);
        const second = await apply(first, setProperty("a", "1"));
        const third = await apply(second, setProperty("a", "2"));
        expect(third.metadata.metadataLog).toEqual([
          { timestampMs: first.metadata.lastUpdatedMs, metadataFile: first.metadataLocation },
          { timestampMs: second.metadata.lastUpdatedMs, metadataFile: second.metadataLocation },
        ]);
        expect(Buffer.compare(await store.read(first.metadataLocation), bytes)).toBe(0);
        expect(third.metadata.lastUpdatedMs).toBeGreaterThanOrEqual(second.metadata.lastUpdatedMs);
      });

      it("keeps 64-bit ids exact", async () => {
        let live = await create();
        live = await apply(
          live,
          { action: "add-snapshot", snapshot: snapshot(live, ODD_ID, null) },
          { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: ODD_ID, type: "branch" } },
        );
        live = await apply(
          live,
          { action: "add-snapshot", snapshot: snapshot(live, LARGEST_ID, ODD_ID) },
          { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: LARGEST_ID, type: "branch" } },
        );
        const { metadata } = await load();
        expect(metadata.currentSnapshotId).toBe(LARGEST_ID);
        expect(snapshotById(metadata, LARGEST_ID)?.parentSnapshotId).toBe(ODD_ID);
        expect([...metadata.snapshotLog].map(({ snapshotId }) => snapshotId)).toEqual([ODD_ID, LARGEST_ID]);
        const text = new TextDecoder().decode(await catalog.storeFor(live).read(live.metadataLocation));
        expect(text).toContain(String(LARGEST_ID));
      });

      it("keeps what it does not know", async ({ skip }) => {
        skip(catalog.capabilities.serverWritesMetadata, "the service writes the file");
        const live = await create();
        const text = new TextDecoder().decode(writeMetadata(live.metadata));
        const foreign = text.replace(/^\s*\{/, '{ "vendor-note" : {"n": 12345678901234567890, "s": "é"},');
        await catalog.storeFor(live).replace(live.metadataLocation, new TextEncoder().encode(foreign));
        const read = await load();
        const after = await apply(read, ...UPDATE_CASES["add-schema"].updates(read));
        const written = new TextDecoder().decode(await catalog.storeFor(after).read(after.metadataLocation));
        expect(written).toContain('"vendor-note" : {"n": 12345678901234567890, "s": "é"}');
        expect(currentSchema(after.metadata).fields).toHaveLength(4);
      });

      it("writes nothing when nothing changes", async () => {
        const live = await create(ORDERS, { a: "1" });
        const before = await files(live);
        const after = await apply(live, setProperty("a", "1"));
        expect(after.metadataLocation).toBe(live.metadataLocation);
        expect((await load()).metadataLocation).toBe(live.metadataLocation);
        expect(await files(live)).toEqual(before);
      });

      it("removes files that fell out of the log, where the table asks for it", async ({ skip }) => {
        skip(catalog.capabilities.serverWritesMetadata, "the service cleans up");
        let live = await create(ORDERS, {
          "write.metadata.previous-versions-max": "2",
          "write.metadata.delete-after-commit.enabled": "true",
        });
        const made = [live.metadataLocation];
        for (let round = 1; round <= 4; round++) {
          live = await apply(live, setProperty("round", String(round)));
          made.push(live.metadataLocation);
        }
        expect(live.metadata.metadataLog.map(({ metadataFile }) => metadataFile)).toEqual(made.slice(2, 4));
        const store = catalog.storeFor(live);
        if (!store.canRemove) return;
        const left = await Promise.all(made.map(async (location) => (await store.head(location)) !== null));
        expect(left).toEqual([false, false, true, true, true]);
        expect((await load()).metadata.properties["round"]).toBe("4");
      });

      it("leaves old files where the table does not ask for their removal", async ({ skip }) => {
        skip(catalog.capabilities.serverWritesMetadata, "the service cleans up");
        let live = await create(ORDERS, { "write.metadata.previous-versions-max": "1" });
        const first = live.metadataLocation;
        for (let round = 1; round <= 3; round++) live = await apply(live, setProperty("round", String(round)));
        expect(live.metadata.metadataLog).toHaveLength(1);
        expect(await catalog.storeFor(live).head(first)).not.toBeNull();
      });
    });

    describe("a commit that must not land", () => {
      it.each(Object.entries(UNMET_REQUIREMENTS))("is a conflict when %s does not hold", async (_, requirement) => {
        const live = await create();
        const before = await files(live);
        const commit: TableCommit = { attempt: "x", requirements: [requirement], updates: [setProperty("a", "1")] };
        const outcome = await catalog.commit(live, commit);
        expect(outcome).toMatchObject({ state: "conflict", why: expect.stringMatching(/\S/) });
        expect((await load()).metadataLocation).toBe(live.metadataLocation);
        expect(await files(live)).toEqual(before);
      });

      it("is a conflict on a state that is no longer the live one", async () => {
        const stale = await create();
        const fresh = await apply(stale, setProperty("by", "another"));
        const before = await files(fresh);
        const outcome = await catalog.commit(stale, commitOn(stale, [setProperty("by", "us"), setProperty("ours", "yes")]));
        expect(outcome.state).toBe("conflict");
        const { metadata, metadataLocation } = await load();
        expect(metadataLocation).toBe(fresh.metadataLocation);
        expect([metadata.properties["by"], metadata.properties["ours"]]).toEqual(["another", undefined]);
        expect(await files(fresh)).toEqual(before);
      });

      it("is a conflict on a state that was followed by many others and cleaned away", async () => {
        const stale = await create(ORDERS, {
          "write.metadata.previous-versions-max": "1",
          "write.metadata.delete-after-commit.enabled": "true",
        });
        let live = stale;
        for (let round = 1; round <= 5; round++) live = await apply(live, setProperty("round", String(round)));
        expect((await catalog.commit(stale, commitOn(stale, [setProperty("round", "lost")]))).state).toBe("conflict");
        expect((await load()).metadata.properties["round"]).toBe("5");
      });

      it("is refused when the table cannot be like that, and nothing is left of it", async () => {
        const live = await create();
        const before = await files(live);
        const outcome = await catalog.commit(live, commitOn(live, [{ action: "set-current-schema", schemaId: 99 }]));
        expect(outcome).toMatchObject({ state: "refused", why: expect.stringMatching(/\S/) });
        expect((await load()).metadataLocation).toBe(live.metadataLocation);
        expect(await files(live)).toEqual(before);
      });
    });

    describe("a race", () => {
      it("of two commits ends with one done and one conflict, and nothing lost", async () => {
        await create();
        for (let round = 0; round < 5; round++) {
          const [one, other] = [await subject.another(), await subject.another()];
          const [first, second] = [await load(ORDERS, one), await load(ORDERS, other)];
          const outcomes = await Promise.all([
            one.commit(first, rival(first, [setProperty(`round-${round}`, "one")])),
            other.commit(second, rival(second, [setProperty(`round-${round}`, "other")])),
          ]);
          expect(outcomes.map(({ state }) => state).sort()).toEqual(["conflict", "done"]);
          const winner = outcomes[0].state === "done" ? "one" : "other";
          const { metadata } = await load();
          expect(metadata.properties[`round-${round}`]).toBe(winner);
          for (let earlier = 0; earlier < round; earlier++) expect(metadata.properties).toHaveProperty(`round-${earlier}`);
        }
      });

      it("of many that try again lets all of them land, once each", { timeout: 60_000 }, async () => {
        const live = await create();
        const tries = await Promise.all(
          Array.from({ length: WRITERS }, async (_, index) => {
            const client = await subject.another();
            for (let attempt = 1; attempt <= 200; attempt++) {
              const base = await load(ORDERS, client);
              const count = Number(base.metadata.properties["count"] ?? "0");
              const updates = [setProperty(`writer-${index}`, String(attempt)), setProperty("count", String(count + 1))];
              const outcome = await client.commit(base, rival(base, updates));
              if (outcome.state === "done") return attempt;
              if (outcome.state !== "conflict") throw new Error(`${outcome.state}: ${outcome.why}`);
              await new Promise((resume) => setTimeout(resume, Math.random() * 20));
            }
            throw new Error(`writer ${index} never landed`);
          }),
        );
        const { metadata, metadataLocation } = await load();
        expect(metadata.properties["count"]).toBe(String(WRITERS));
        for (const [index, attempt] of tries.entries()) expect(metadata.properties[`writer-${index}`]).toBe(String(attempt));
        expect(metadata.metadataLog).toHaveLength(WRITERS);
        const left = await files(live);
        const named = [metadataLocation, ...metadata.metadataLog.map(({ metadataFile }) => metadataFile)].sort();
        if (left !== null) expect(left.filter((location) => location.endsWith(".metadata.json"))).toEqual(named);
      });
    });

    it("takes names with unusual characters, or refuses them", async () => {
      for (const odd of ["with blank", "ünï", "a.b", "q?x", "100%20"]) {
        const identifier = { namespace: ["sales"], name: odd };
        const table = { identifier, location: null };
        try {
          const outcome = await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table)));
          if (outcome.state === "refused") continue;
          expect((await load(identifier)).metadataLocation).toBe(done(outcome).metadataLocation);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }
    });
  });
}

/** The live table of a commit that must have landed. */
export function done(outcome: CommitOutcome): LiveTable {
  if (outcome.state === "done") return outcome.live;
  throw new Error(`The commit ended as ${outcome.state}: ${outcome.why}`);
}
