// What only a catalog of S3 Tables has of broken calls: a table that is made in two steps, and storage whose calls break.
// The calls that all catalogs have are in call-faults.test.ts.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { CommitOutcome } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import type { FaultAnswer, FaultRule } from "../fakes/http-fake.ts";
import { s3Error } from "../fakes/s3.ts";
import { few, S3_TABLES_FAULTS } from "./call-faults/s3-tables.ts";
import { classIn, matrixOf, ORDERS } from "./call-faults/subject.ts";
import { type Fakes, nearStoreOf, openTables, startFakes } from "./s3-tables-support.ts";

const TABLE = { identifier: ORDERS, location: null };

let fakes: Fakes;
let catalog: Catalog;
let usual: Catalog;
const armed: (() => void)[] = [];

beforeAll(async () => {
  fakes = await startFakes({ namespaces: ["sales"] });
  // Past HTTP to the objects, but where it is the storage that fails.
  usual = openTables(fakes, { store: nearStoreOf(fakes) });
});
afterAll(async () => await fakes.stop());
beforeEach(() => {
  catalog = usual;
  fakes.tables.clearCalls();
  fakes.s3.clearCalls();
});
afterEach(() => {
  for (const disarm of armed.splice(0)) disarm();
  fakes.tables.tables.remove("sales", "orders");
  expect(fakes.s3.counts()).not.toHaveProperty("DeleteObject");
  expect(fakes.s3.counts()).not.toHaveProperty("ListObjectsV2");
});

const breakCalls = (rule: FaultRule): (() => void) => {
  const disarm = fakes.tables.fault(rule);
  armed.push(disarm);
  return disarm;
};
const create = async (): Promise<CommitOutcome> =>
  await catalog.createTable(TABLE, newTableCommit(await catalog.newTableLocation(TABLE)));
const load = async (): Promise<LiveTable> => {
  const live = await usual.loadTable(ORDERS);
  if (live === null) throw new Error("The table is gone");
  return live;
};
const commit = async (live: LiveTable): Promise<CommitOutcome> =>
  await catalog.commit(live, commitOn(live, [setProperty("by", "us")]));
const metadataFiles = (): readonly string[] => {
  const warehouse = fakes.tables.tables.get("sales", "orders")?.warehouse ?? "";
  return fakes.s3.objects.keys(warehouse.slice("s3://".length)).map((key) => `${warehouse}/${key}`);
};
/** What the live table needs. */
const needed = ({ metadata, metadataLocation }: LiveTable): string[] =>
  [metadataLocation, ...metadata.metadataLog.map(({ metadataFile }) => metadataFile)].sort();

describe("the making of the empty entry fails once", () => {
  it.each(matrixOf(S3_TABLES_FAULTS, few))("%s, %s the effect", async (name, effect) => {
    const { answer, isCertain, passes } = classIn(S3_TABLES_FAULTS, name);
    breakCalls({ on: "CreateTable", answer, effect });
    const outcome = await create().catch((error: unknown) => error);
    if (passes) expect(outcome).toMatchObject({ state: "done" });
    else expect(outcome).toMatchObject({ name: "S3TablesError", isCertain });
    expect(fakes.tables.tables.get("sales", "orders") !== undefined).toBe(passes || effect === "after");
    // What was cut off there is filled by the next try.
    if (!passes) done(await create());
    expect((await load()).metadata.lastColumnId).toBe(3);
  });
});

describe("a call to the storage fails once", () => {
  beforeEach(() => {
    catalog = openTables(fakes);
  });
  const STORAGE: Readonly<Record<string, FaultAnswer>> = {
    "slow down": s3Error(503, "SlowDown"),
    "an internal error": s3Error(500, "InternalError"),
    "a bare 502": { status: 502 },
    dropped: "drop",
  };
  const cases = Object.keys(STORAGE).flatMap((name) =>
    (["PutObject", "GetObject"] as const).flatMap((operation) => [
      [operation, name, "before"] as const,
      [operation, name, "after"] as const,
    ]),
  );

  it.each(cases)("%s: %s, %s the effect", async (operation, name, effect) => {
    const base = done(await create());
    armed.push(fakes.s3.fault({ on: operation, answer: STORAGE[name] ?? "drop", effect }));
    expect(done(await commit(base)).metadata.properties["by"]).toBe("us");
    expect(metadataFiles().toSorted()).toEqual(needed(await load()));
  });

  it.each(["PutObject", "GetObject"])(
    "%s for good: the table stays as it is, or the commit is found later",
    async (operation) => {
      const base = done(await create());
      const stop = fakes.s3.fault({ on: operation, answer: s3Error(500, "InternalError"), times: 999 });
      const outcome = await commit(base).catch((error: unknown) => error);
      stop();
      if (operation === "PutObject") expect(outcome).toBeInstanceOf(ToolError);
      else expect(outcome).toMatchObject({ state: "done" });
      const live = await load();
      if (operation === "PutObject") expect(live.metadataLocation).toBe(base.metadataLocation);
      else expect(live.metadata.properties["by"]).toBe("us");
    },
  );
});
