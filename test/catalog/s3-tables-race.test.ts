// Writers of ours, of others and the service's own maintenance commit to one table at once, while answers get lost: every
// commit that was told as done is in the table, none that was told otherwise is, and every file that it names is there.
import { UpdateTableMetadataLocationCommand } from "@aws-sdk/client-s3tables";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { readMetadata, writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import { IS_LONG } from "../long.ts";
import { clientOf, type Fakes, nearStoreOf, openTables, serviceOf, startFakes } from "./s3-tables-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
const OUR_WRITERS = 4;
const FOREIGN_WRITERS = 2;
const COMMITS_EACH = IS_LONG ? 20 : 4;
const MAINTENANCE_COMMITS = IS_LONG ? 15 : 4;

let fakes: Fakes;
beforeEach(async () => {
  fakes = await startFakes({ namespaces: ["sales"] });
});
afterEach(async () => await fakes.stop());

const openNear = (): Catalog => openTables(fakes, { store: nearStoreOf(fakes) });
const pause = async (): Promise<void> => await new Promise((resume) => setTimeout(resume, Math.random() * 30));

async function makeTable(): Promise<void> {
  const catalog = openNear();
  const table = { identifier: ORDERS, location: null };
  done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
}

/** The next state on what is live, counted up, in a file that nothing points to yet. */
function next(base: LiveTable["metadata"], location: string, who: string, round: number): Uint8Array {
  const count = Number(base.properties["count"] ?? "0");
  const updates = [setProperty(who, String(round)), setProperty("count", String(count + 1))];
  return writeMetadata(applyUpdates(base, updates, { nowMs: Date.now(), previousMetadataLocation: location }));
}

/** As the product does: reads, builds, commits, and reads again after a conflict. */
async function writeOurs(writer: number): Promise<void> {
  const catalog = openNear();
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

/** As an engine does, with the token of its read. */
async function writeForeign(writer: number): Promise<void> {
  const [service, store, client] = [serviceOf(fakes), nearStoreOf(fakes), clientOf(fakes)];
  for (let round = 1; round <= COMMITS_EACH; ) {
    const pointer = await service.getPointer("sales", "orders");
    const before = pointer?.metadataLocation ?? null;
    if (pointer === null || before === null) throw new Error("The table is gone");
    const { versionToken, warehouseLocation } = pointer;
    const base = readMetadata(await store.read(before), before);
    const location = `${warehouseLocation}/metadata/foreign-${writer}-${round}-${crypto.randomUUID()}.metadata.json`;
    await store.putIfAbsent(location, next(base, before, `foreign-${writer}`, round));
    const at = { tableBucketARN: fakes.tables.arn, namespace: "sales", name: "orders" };
    try {
      await client.send(new UpdateTableMetadataLocationCommand({ ...at, versionToken, metadataLocation: location }));
      round++;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "ConflictException") throw error;
      await pause();
    }
  }
}

/** Inside the service: nobody's token holds it up, and everybody's is stale after it. */
async function maintain(): Promise<void> {
  for (let round = 1; round <= MAINTENANCE_COMMITS; round++) {
    const { metadataLocation = null } = fakes.tables.tables.get("sales", "orders") ?? {};
    if (metadataLocation === null) throw new Error("The table is gone");
    const base = readMetadata(fakes.s3.objects.get(metadataLocation) ?? new Uint8Array(), metadataLocation);
    fakes.tables.tables.commit("sales", "orders", next(base, metadataLocation, "maintenance", round));
    await new Promise((resume) => setTimeout(resume, 20 + Math.random() * 40));
  }
}

async function expectNothingLost(foreign: number, maintenance: number): Promise<void> {
  const live = await openNear().loadTable(ORDERS);
  if (live === null) throw new Error("The table is gone");
  const { metadata, metadataLocation } = live;
  expect(metadata.properties["count"]).toBe(String((OUR_WRITERS + foreign) * COMMITS_EACH + maintenance));
  for (let writer = 0; writer < OUR_WRITERS; writer++) expect(metadata.properties[`ours-${writer}`]).toBe(String(COMMITS_EACH));
  for (let writer = 0; writer < foreign; writer++) expect(metadata.properties[`foreign-${writer}`]).toBe(String(COMMITS_EACH));
  if (maintenance > 0) expect(metadata.properties["maintenance"]).toBe(String(maintenance));
  for (const location of [metadataLocation, ...metadata.metadataLog.map(({ metadataFile }) => metadataFile)])
    expect(fakes.s3.objects.get(location), location).toBeDefined();
  expect(fakes.s3.counts()).not.toHaveProperty("DeleteObject");
}

const each = async (count: number, write: (writer: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
};

it("loses no commit of writers of ours, of others and of the service", { timeout: 120_000 }, async () => {
  await makeTable();
  await Promise.all([each(OUR_WRITERS, writeOurs), each(FOREIGN_WRITERS, writeForeign), maintain()]);
  await expectNothingLost(FOREIGN_WRITERS, MAINTENANCE_COMMITS);
});

it("loses no commit while answers get lost, before and after their effect", { timeout: 120_000 }, async () => {
  await makeTable();
  let updates = 0;
  const every = (step: number, offset: number) => (call: { readonly operation: string }) =>
    call.operation === "UpdateTableMetadataLocation" && ++updates % step === offset;
  fakes.tables.fault({ on: every(7, 0), answer: "drop", effect: "after", times: 9999 });
  fakes.tables.fault({ on: every(11, 3), answer: "drop", effect: "before", times: 9999 });
  await each(OUR_WRITERS, writeOurs);
  await expectNothingLost(0, 0);
  const lost = fakes.tables.calls.filter(({ operation, status }) => operation === "UpdateTableMetadataLocation" && status === 0);
  expect(lost.length).toBeGreaterThan(COMMITS_EACH);
});
