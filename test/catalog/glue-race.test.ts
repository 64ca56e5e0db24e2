// Writers of ours and others commit to one table at once, while answers get lost: every commit that was told as done
// is in the table, none that was told otherwise is, and every file that the table names is there.
import { afterEach, beforeEach, expect, it } from "vitest";
import { GlueError } from "../../src/catalog/glue-error.ts";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { readMetadata, writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import type { FakeGlue } from "../fakes/glue.ts";
import { IS_LONG } from "../long.ts";
import { openGlue, serviceOf, startLake } from "./glue-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
const LOCATION = "s3://lake/sales/orders";
const OUR_WRITERS = 4;
const FOREIGN_WRITERS = 2;
const COMMITS_EACH = IS_LONG ? 20 : 4;

let glue: FakeGlue;
let store: ObjectStore;
let removed: Set<string>;

beforeEach(async () => {
  glue = await startLake({ databases: ["sales"] });
  const memory = createMemoryStore();
  removed = new Set();
  store = {
    ...memory,
    remove: async (location) => {
      removed.add(location);
      await memory.remove(location);
    },
  };
});
afterEach(async () => await glue.stop());

const load = async (): Promise<LiveTable> => {
  const live = await openGlue(glue, { store }).loadTable(ORDERS);
  if (live === null) throw new Error("The table is gone");
  return live;
};
const pause = async (): Promise<void> => await new Promise((resume) => setTimeout(resume, Math.random() * 10));

async function makeTable(): Promise<void> {
  const table = { identifier: ORDERS, location: LOCATION };
  done(await openGlue(glue, { store }).createTable(table, newTableCommit(LOCATION)));
}

/** As the product does: reads, builds, commits, and reads again after a conflict. Gives back the tokens that it was told. */
async function writeOurs(writer: number): Promise<void> {
  const catalog = openGlue(glue, { store });
  for (let round = 1; round <= COMMITS_EACH; ) {
    const live = await catalog.loadTable(ORDERS);
    if (live === null) throw new Error("The table is gone");
    const count = Number(live.metadata.properties["count"] ?? "0");
    const updates = [setProperty(`ours-${writer}`, String(round)), setProperty("count", String(count + 1))];
    const outcome = await catalog.commit(live, commitOn(live, updates));
    if (outcome.state === "done") round++;
    else if (outcome.state === "conflict") await pause();
    else throw new Error(`${outcome.state}: ${outcome.why}`);
  }
}

/** As Java's GlueCatalog does, with the VersionId of its read. */
async function writeForeign(writer: number): Promise<void> {
  const service = serviceOf(glue);
  for (let round = 1; round <= COMMITS_EACH; ) {
    const entry = await service.getTable("sales", "orders");
    const before = entry?.Parameters?.["metadata_location"];
    if (entry === null || before === undefined) throw new Error("The table is gone");
    const base = readMetadata(await store.read(before), before);
    const count = Number(base.properties["count"] ?? "0");
    const updates = [setProperty(`foreign-${writer}`, String(round)), setProperty("count", String(count + 1))];
    const next = applyUpdates(base, updates, { nowMs: Date.now(), previousMetadataLocation: before });
    const location = `${LOCATION}/metadata/foreign-${writer}-${round}-${crypto.randomUUID()}.metadata.json`;
    await store.putIfAbsent(location, writeMetadata(next));
    const Parameters = { ...entry.Parameters, metadata_location: location, previous_metadata_location: before };
    const input = { Name: "orders", TableType: "EXTERNAL_TABLE", Parameters, StorageDescriptor: entry.StorageDescriptor };
    try {
      await service.updateTable("sales", input, entry.VersionId ?? "");
      round++;
    } catch (error) {
      if (!(error instanceof GlueError) || error.code !== "ConcurrentModificationException") throw error;
      await pause();
    }
  }
}

async function expectNothingLost(foreign: number): Promise<void> {
  const { metadata, metadataLocation } = await load();
  expect(metadata.properties["count"]).toBe(String((OUR_WRITERS + foreign) * COMMITS_EACH));
  for (let writer = 0; writer < OUR_WRITERS; writer++) expect(metadata.properties[`ours-${writer}`]).toBe(String(COMMITS_EACH));
  for (let writer = 0; writer < foreign; writer++) expect(metadata.properties[`foreign-${writer}`]).toBe(String(COMMITS_EACH));
  const named = [metadataLocation, ...metadata.metadataLog.map(({ metadataFile }) => metadataFile)];
  for (const location of named) expect(await store.head(location), location).not.toBeNull();
  expect(named.filter((location) => removed.has(location))).toEqual([]);
}

const each = async (count: number, write: (writer: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
};

it("loses no commit of writers of ours and others", { timeout: 120_000 }, async () => {
  await makeTable();
  await Promise.all([each(OUR_WRITERS, writeOurs), each(FOREIGN_WRITERS, writeForeign)]);
  await expectNothingLost(FOREIGN_WRITERS);
  expect(glue.tables.versions("sales", "orders")).toEqual([(OUR_WRITERS + FOREIGN_WRITERS) * COMMITS_EACH]);
});

it.runIf(IS_LONG)("loses no commit while answers get lost, before and after their effect", { timeout: 120_000 }, async () => {
  await makeTable();
  let updates = 0;
  const every = (step: number, offset: number) => (call: { readonly operation: string }) =>
    call.operation === "UpdateTable" && ++updates % step === offset;
  glue.fault({ on: every(7, 0), answer: "drop", effect: "after", times: 9999 });
  glue.fault({ on: every(11, 3), answer: "drop", effect: "before", times: 9999 });
  await each(OUR_WRITERS, writeOurs);
  await expectNothingLost(0);
  expect(glue.calls.filter(({ operation, status }) => operation === "UpdateTable" && status === 0).length).toBeGreaterThan(
    COMMITS_EACH,
  );
});
