// Every call that a catalog makes to Glue fails in every way, before and after it took effect: the table stays
// readable, nothing that is live is removed, the outcome says what is true, and the same work done again succeeds.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { GlueError } from "../../src/catalog/glue-error.ts";
import type { CommitOutcome } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import { type FakeGlue, glueError } from "../fakes/glue.ts";
import type { FaultAnswer, FaultRule } from "../fakes/http-fake.ts";
import { openGlue, startLake } from "./glue-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
const LOCATION = "s3://lake/sales/orders";

interface FaultClass {
  readonly answer: FaultAnswer;
  /** Glue says that it did nothing. */
  readonly isCertain: boolean;
  /** Sent again by itself where nothing is changed, or where Glue said that it did nothing. */
  readonly passes: boolean;
  readonly kind: string;
}

const CLASSES: Readonly<Record<string, FaultClass>> = {
  throttled: fault("ThrottlingException", 400, { isCertain: true, passes: true, kind: "throttled" }),
  "not ready": fault("ResourceNotReadyException", 400, { isCertain: true, passes: true, kind: "unavailable" }),
  denied: fault("AccessDeniedException", 400, { isCertain: true, passes: false, kind: "auth" }),
  "key denied": fault("GlueEncryptionException", 400, { isCertain: true, passes: false, kind: "auth" }),
  "expired keys": fault("ExpiredTokenException", 400, { isCertain: true, passes: false, kind: "auth" }),
  invalid: fault("InvalidInputException", 400, { isCertain: true, passes: false, kind: "refused" }),
  "over a quota": fault("ResourceNumberLimitExceededException", 400, { isCertain: true, passes: false, kind: "refused" }),
  "an unknown no": fault("BrandNewException", 400, { isCertain: true, passes: false, kind: "refused" }),
  "timed out in Glue": fault("OperationTimeoutException", 400, { isCertain: false, passes: true, kind: "unavailable" }),
  "failed in Glue": fault("InternalServiceException", 500, { isCertain: false, passes: true, kind: "unavailable" }),
  "a gateway's page": {
    answer: { status: 502, headers: { "content-type": "text/html" }, body: "<html>Bad Gateway</html>" },
    isCertain: false,
    passes: true,
    kind: "unavailable",
  },
  dropped: { answer: "drop", isCertain: false, passes: true, kind: "unavailable" },
  hanging: { answer: "hang", isCertain: false, passes: true, kind: "unavailable" },
};

function fault(code: string, status: number, more: Omit<FaultClass, "answer">): FaultClass {
  return { answer: glueError(code, "Said by a test.", status), ...more };
}

let glue: FakeGlue;
let ours: ObjectStore;
let catalog: Catalog;
const armed: (() => void)[] = [];
// One client for all tests; the store behind it is that of the test.
const store: ObjectStore = new Proxy({} as ObjectStore, { get: (_, member) => Reflect.get(ours, member) });
let usual: Catalog;

beforeAll(async () => {
  glue = await startLake({ databases: { sales: { LocationUri: "s3://lake/sales" } } });
  usual = openGlue(glue, { store });
});
afterAll(async () => await glue.stop());
beforeEach(() => {
  ours = createMemoryStore();
  catalog = usual;
  glue.clearCalls();
});
afterEach(() => {
  for (const disarm of armed.splice(0)) disarm();
  if (glue.tables.get("sales", "orders") !== undefined) glue.tables.remove("sales", "orders");
});

const breakCalls = (rule: FaultRule): (() => void) => {
  const disarm = glue.fault(rule);
  armed.push(disarm);
  return disarm;
};
const create = async (): Promise<CommitOutcome> =>
  await catalog.createTable({ identifier: ORDERS, location: LOCATION }, newTableCommit(LOCATION));
const load = async (): Promise<LiveTable> => {
  const live = await usual.loadTable(ORDERS);
  if (live === null) throw new Error("The table is gone");
  return live;
};
const commit = async (live: LiveTable): Promise<CommitOutcome> =>
  await catalog.commit(live, commitOn(live, [setProperty("by", "us")]));
const metadataFiles = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const { location } of store.list(LOCATION)) found.push(location);
  return found.sort();
};
/** What the live table needs. */
const needed = ({ metadata, metadataLocation }: LiveTable): string[] =>
  [metadataLocation, ...metadata.metadataLog.map(({ metadataFile }) => metadataFile)].sort();

const MATRIX = Object.keys(CLASSES).flatMap((name) => [[name, "before"] as const, [name, "after"] as const]);
/** A client that gives up soon, where no answer will come. */
const openFor = (name: string): Catalog => (name === "hanging" ? openGlue(glue, { store, timeoutMs: 500 }) : usual);
const classOf = (name: string): FaultClass => CLASSES[name] ?? fail(name);
function fail(name: string): never {
  throw new Error(`No class ${name}`);
}

describe("UpdateTable fails once", () => {
  it.each(MATRIX)("%s, %s the effect", async (name, effect) => {
    const { answer, isCertain, passes } = classOf(name);
    const base = done(await create());
    catalog = openFor(name);
    breakCalls({ on: "UpdateTable", answer, effect });
    const outcome = await commit(base);
    const live = await load();
    const landed = live.metadata.properties["by"] === "us";

    // Said to have done nothing and yet done: only a call that was sent twice looks like this.
    const isDone = effect === "after" || (isCertain && passes);
    expect(outcome.state).toBe(isDone ? "done" : isCertain ? "refused" : "conflict");
    expect(landed).toBe(isDone);
    const files = await metadataFiles();
    expect(files).toEqual(expect.arrayContaining(needed(live)));
    // On doubt the file stays; after a clear no it goes.
    if (isDone || isCertain) expect(files).toEqual(needed(live));
    else expect(files).toHaveLength(2);

    const again = landed ? live : done(await commit(live));
    expect(again.metadata.properties["by"]).toBe("us");
    expect((await load()).metadata.metadataLog).toHaveLength(1);
  });
});

describe("UpdateTable fails for good", () => {
  it.each(Object.keys(CLASSES).filter((name) => name !== "hanging"))("%s", async (name) => {
    const { answer, isCertain, passes } = classOf(name);
    const base = done(await create());
    const stop = breakCalls({ on: "UpdateTable", answer, times: 99 });
    const outcome = await commit(base);
    expect(outcome.state).toBe(isCertain && !passes ? "refused" : "conflict");
    expect((await load()).metadataLocation).toBe(base.metadataLocation);
    expect(await metadataFiles()).toHaveLength(isCertain ? 1 : 2);
    stop();
    expect(done(await commit(base)).metadata.properties["by"]).toBe("us");
  });

  it("is sent once where it is not clear what became of it, and again only where Glue did nothing", async () => {
    const base = done(await create());
    glue.clearCalls();
    const stop = breakCalls({ on: "UpdateTable", answer: "drop", times: 99 });
    await commit(base);
    expect(glue.counts()["UpdateTable"]).toBe(1);
    stop();
    breakCalls({ on: "UpdateTable", answer: glueError("ThrottlingException", "Rate exceeded"), times: 3 });
    expect((await commit(base)).state).toBe("done");
    expect(glue.counts()["UpdateTable"]).toBe(1 + 4);
  });
});

describe("the reading back fails", () => {
  it.each(MATRIX.filter(([name]) => name !== "hanging"))("%s, %s the effect, once", async (name, effect) => {
    const base = done(await create());
    breakCalls({ on: "GetTable", answer: classOf(name).answer, effect });
    expect(done(await commit(base)).metadata.properties["by"]).toBe("us");
    expect(await metadataFiles()).toEqual(needed(await load()));
  });

  it.each(["denied", "failed in Glue", "dropped"])("%s, for good, after Glue confirmed the commit", async (name) => {
    const base = done(await create());
    const stop = breakCalls({ on: "GetTable", answer: classOf(name).answer, times: 999 });
    const after = done(await commit(base));
    expect(after).toMatchObject({ token: null, metadata: { properties: { by: "us" } } });
    stop();
    // Nothing was read: the next commit is not built on it.
    expect((await commit(after)).state).toBe("conflict");
    expect(await metadataFiles()).toEqual(needed(await load()));
  });

  it.each(["before", "after"] as const)("for good, and no answer came to the commit either (%s the effect)", async (effect) => {
    const base = done(await create());
    breakCalls({ on: "UpdateTable", answer: "drop", effect });
    const stop = breakCalls({ on: "GetTable", answer: classOf("failed in Glue").answer, times: 999 });
    const outcome = await commit(base);
    expect(outcome).toMatchObject({ state: "unknown", written: expect.stringContaining("/metadata/00001-") });
    stop();
    const live = await load();
    expect(await metadataFiles()).toEqual(expect.arrayContaining(needed(live)));
    if (outcome.state === "unknown") expect(await store.head(outcome.written ?? "")).not.toBeNull();
    if (effect === "before") done(await commit(live));
    expect((await load()).metadata.properties["by"]).toBe("us");
  });
});

describe("CreateTable fails once", () => {
  it.each(MATRIX)("%s, %s the effect", async (name, effect) => {
    const { answer, isCertain, passes } = classOf(name);
    catalog = openFor(name);
    breakCalls({ on: "CreateTable", answer, effect });
    const outcome = await create();
    const isDone = effect === "after" || (isCertain && passes);
    expect(outcome.state).toBe(isDone ? "done" : isCertain ? "refused" : "conflict");
    expect(glue.tables.get("sales", "orders") !== undefined).toBe(isDone);
    if (!isDone) {
      expect(await metadataFiles()).toHaveLength(isCertain ? 0 : 1);
      done(await create());
    }
    expect(await metadataFiles()).toEqual(expect.arrayContaining(needed(await load())));
  });
});

describe("a call that changes nothing fails", () => {
  const READS: Readonly<Record<string, () => Promise<unknown>>> = {
    GetTable: async () => (await catalog.loadTable(ORDERS))?.identifier,
    GetDatabase: async () => await catalog.namespaceExists(["sales"]),
    GetTables: async () => await gather(catalog.listTables(["sales"])),
    GetDatabases: async () => await gather(catalog.listTables()),
    CreateDatabase: async () => await catalog.createNamespace(["hr"]),
  };

  for (const [operation, run] of Object.entries(READS)) {
    it.each(MATRIX.filter(([name]) => name !== "hanging"))(`${operation}: %s, %s the effect`, async (name, effect) => {
      const { answer, passes, kind } = classOf(name);
      done(await create());
      const wanted = await run();
      if (operation === "CreateDatabase") expect(await catalog.namespaceExists(["hr"])).toBe(true);
      breakCalls({ on: operation, answer, effect });
      if (passes) {
        expect(await run()).toEqual(wanted);
        return;
      }
      const error = await run().then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(GlueError);
      expect(error).toMatchObject({ kind, why: expect.stringMatching(/\S\.$/) });
      expect(await run()).toEqual(wanted);
    });
  }

  it.each(["hanging", "cut"])("%s: given up and sent again", async (name) => {
    done(await create());
    catalog = openFor(name);
    breakCalls({ on: "GetTable", answer: name === "cut" ? "cut" : "hang" });
    expect((await catalog.loadTable(ORDERS))?.identifier).toEqual(ORDERS);
  });

  it("is given up after some tries, with longer pauses where Glue asks for less", async () => {
    const waits: number[] = [];
    const patient = openGlue(glue, { store, wait: async (milliseconds) => void waits.push(milliseconds) });
    breakCalls({ on: "GetTable", answer: glueError("ThrottlingException", "Rate exceeded"), times: 99 });
    await expect(patient.loadTable(ORDERS)).rejects.toMatchObject({ kind: "throttled", why: "Rate exceeded.", retryable: true });
    expect(glue.counts()).toEqual({ GetTable: 6 });
    expect(waits).toEqual([250, 500, 1000, 2000, 4000]);
  });

  it("is a namespace that was made though its answer was lost, or that another made first", async () => {
    breakCalls({ on: "CreateDatabase", answer: "drop", effect: "after" });
    await catalog.createNamespace(["hr"]);
    await catalog.createNamespace(["hr"]);
    expect(await catalog.namespaceExists(["hr"])).toBe(true);
  });
});

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
