// Every call that a catalog makes to S3 Tables and to its storage fails in every way, before and after it took effect: the
// table stays readable, nothing is deleted, the outcome says what is true, and the same work done again succeeds.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { S3TablesError } from "../../src/catalog/s3-tables-error.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { CommitOutcome } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import type { FaultAnswer, FaultRule } from "../fakes/http-fake.ts";
import { s3Error } from "../fakes/s3.ts";
import { s3TablesError } from "../fakes/s3-tables.ts";
import { type Fakes, nearStoreOf, openTables, startFakes } from "./s3-tables-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
const TABLE = { identifier: ORDERS, location: null };

interface FaultClass {
  readonly answer: FaultAnswer;
  /** The service says that it did nothing. */
  readonly isCertain: boolean;
  /** Sent again by itself where nothing is changed, or where the service said that it did nothing. */
  readonly passes: boolean;
  readonly kind: string;
}

const CLASSES: Readonly<Record<string, FaultClass>> = {
  throttled: fault("TooManyRequestsException", 429, { isCertain: true, passes: true, kind: "throttled" }),
  denied: fault("AccessDeniedException", 403, { isCertain: true, passes: false, kind: "auth" }),
  forbidden: fault("ForbiddenException", 403, { isCertain: true, passes: false, kind: "auth" }),
  "expired keys": fault("ExpiredTokenException", 403, { isCertain: true, passes: false, kind: "auth" }),
  invalid: fault("BadRequestException", 400, { isCertain: true, passes: false, kind: "refused" }),
  "not allowed": fault("MethodNotAllowedException", 405, { isCertain: true, passes: false, kind: "unsupported" }),
  "an unknown no": fault("BrandNewException", 422, { isCertain: true, passes: false, kind: "refused" }),
  "failed in the service": fault("InternalServerErrorException", 500, { isCertain: false, passes: true, kind: "unavailable" }),
  "timed out in the service": fault("RequestTimeout", 408, { isCertain: false, passes: true, kind: "unavailable" }),
  "a gateway's page": {
    answer: { status: 502, headers: { "content-type": "text/html" }, body: "<html>Bad Gateway</html>" },
    isCertain: false,
    passes: true,
    kind: "unavailable",
  },
  dropped: { answer: "drop", isCertain: false, passes: true, kind: "unavailable" },
  hanging: { answer: "hang", isCertain: false, passes: true, kind: "unavailable" },
  "cut off": { answer: "cut", isCertain: false, passes: true, kind: "unavailable" },
};

function fault(code: string, status: number, more: Omit<FaultClass, "answer">): FaultClass {
  return { answer: s3TablesError(code, "Said by a test.", status), ...more };
}

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

const MATRIX = Object.keys(CLASSES).flatMap((name) =>
  // An answer that is cut off is one that was given.
  name === "cut off" ? [[name, "after"] as const] : [[name, "before"] as const, [name, "after"] as const],
);
/** One of each kind of end, where the same sorting serves as above. */
const FEW = new Set(["throttled", "denied", "failed in the service", "dropped", "cut off"]);
const SMALL_MATRIX = MATRIX.filter(([name]) => FEW.has(name));
/** A client that gives up soon, where no answer will come. */
const openFor = (name: string): Catalog =>
  name === "hanging" ? openTables(fakes, { timeoutMs: 500, store: nearStoreOf(fakes) }) : usual;
const classOf = (name: string): FaultClass => CLASSES[name] ?? fail(name);
function fail(name: string): never {
  throw new Error(`No class ${name}`);
}

describe("UpdateTableMetadataLocation fails once", () => {
  it.each(MATRIX)("%s, %s the effect", async (name, effect) => {
    const { answer, isCertain, passes } = classOf(name);
    const base = done(await create());
    catalog = openFor(name);
    breakCalls({ on: "UpdateTableMetadataLocation", answer, effect });
    const outcome = await commit(base);
    const live = await load();
    const landed = live.metadata.properties["by"] === "us";

    // Said to have done nothing and yet done: only a call that was sent twice looks like this.
    const isDone = effect === "after" || (isCertain && passes);
    expect(outcome.state).toBe(isDone ? "done" : isCertain ? "refused" : "conflict");
    expect(landed).toBe(isDone);
    expect(metadataFiles()).toEqual(expect.arrayContaining(needed(live)));
    expect(metadataFiles()).toHaveLength(2);

    const again = landed ? live : done(await commit(live));
    expect(again.metadata.properties["by"]).toBe("us");
    expect((await load()).metadata.metadataLog).toHaveLength(1);
  });
});

describe("UpdateTableMetadataLocation fails for good", () => {
  it.each(Object.keys(CLASSES).filter((name) => name !== "hanging" && name !== "cut off"))("%s", async (name) => {
    const { answer, isCertain, passes } = classOf(name);
    const base = done(await create());
    const stop = breakCalls({ on: "UpdateTableMetadataLocation", answer, times: 99 });
    const outcome = await commit(base);
    expect(outcome.state).toBe(isCertain && !passes ? "refused" : "conflict");
    if (outcome.state === "refused") expect(outcome.why).toContain("Said by a test");
    expect((await load()).metadataLocation).toBe(base.metadataLocation);
    stop();
    expect(done(await commit(base)).metadata.properties["by"]).toBe("us");
  });

  it("is sent once where it is not clear what became of it, and again only where nothing was done", async () => {
    const base = done(await create());
    fakes.tables.clearCalls();
    const stop = breakCalls({ on: "UpdateTableMetadataLocation", answer: "drop", times: 99 });
    await commit(base);
    expect(fakes.tables.counts()["UpdateTableMetadataLocation"]).toBe(1);
    stop();
    const throttled = s3TablesError("TooManyRequestsException", "Rate exceeded", 429);
    breakCalls({ on: "UpdateTableMetadataLocation", answer: throttled, times: 3 });
    expect((await commit(base)).state).toBe("done");
    expect(fakes.tables.counts()["UpdateTableMetadataLocation"]).toBe(1 + 4);
  });
});

describe("the reading back fails", () => {
  it.each(MATRIX.filter(([name]) => name !== "hanging"))("%s, %s the effect, once", async (name, effect) => {
    const base = done(await create());
    breakCalls({ on: "GetTableMetadataLocation", answer: classOf(name).answer, effect });
    expect(done(await commit(base)).metadata.properties["by"]).toBe("us");
    expect(metadataFiles().toSorted()).toEqual(needed(await load()));
  });

  it.each(["denied", "failed in the service", "dropped"])("%s, for good, after the commit was confirmed", async (name) => {
    const base = done(await create());
    const stop = breakCalls({ on: "GetTableMetadataLocation", answer: classOf(name).answer, times: 999 });
    const after = done(await commit(base));
    expect(after.metadata.properties["by"]).toBe("us");
    stop();
    // Nothing was read: the next commit is not built on it.
    expect((await commit(after)).state).toBe("conflict");
  });

  it.each(["before", "after"] as const)("for good, and no answer came to the commit either (%s the effect)", async (effect) => {
    const base = done(await create());
    breakCalls({ on: "UpdateTableMetadataLocation", answer: "drop", effect });
    const stop = breakCalls({ on: "GetTableMetadataLocation", answer: classOf("failed in the service").answer, times: 999 });
    const outcome = await commit(base);
    expect(outcome).toMatchObject({ state: "unknown", written: expect.stringContaining("/metadata/00001-") });
    stop();
    const live = await load();
    if (outcome.state === "unknown") expect(metadataFiles()).toContain(outcome.written);
    if (effect === "before") done(await commit(live));
    expect((await load()).metadata.properties["by"]).toBe("us");
  });
});

describe("creating a table fails once", () => {
  it.each(SMALL_MATRIX)("in CreateTable: %s, %s the effect", async (name, effect) => {
    const { answer, isCertain, passes } = classOf(name);
    catalog = openFor(name);
    breakCalls({ on: "CreateTable", answer, effect });
    const outcome = await create().catch((error: unknown) => error);
    if (passes) expect(outcome).toMatchObject({ state: "done" });
    else expect(outcome).toMatchObject({ name: "S3TablesError", isCertain });
    expect(fakes.tables.tables.get("sales", "orders") !== undefined).toBe(passes || effect === "after");
    // What was cut off there is filled by the next try.
    if (!passes) done(await create());
    expect((await load()).metadata.lastColumnId).toBe(3);
  });

  it.each(SMALL_MATRIX)("in the first swap: %s, %s the effect", async (name, effect) => {
    const { answer, isCertain, passes } = classOf(name);
    catalog = openFor(name);
    breakCalls({ on: "UpdateTableMetadataLocation", answer, effect });
    const outcome = await create();
    const isDone = effect === "after" || (isCertain && passes);
    expect(outcome.state).toBe(isDone ? "done" : isCertain ? "refused" : "conflict");
    expect((await usual.loadTable(ORDERS)) !== null).toBe(isDone);
    if (!isDone) done(await create());
    expect(metadataFiles()).toEqual(expect.arrayContaining(needed(await load())));
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
    armed.push(fakes.s3.fault({ on: operation, answer: STORAGE[name] ?? fail(name), effect }));
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

describe("a call that changes nothing fails", () => {
  const READS: Readonly<Record<string, () => Promise<unknown>>> = {
    GetTableMetadataLocation: async () => (await catalog.loadTable(ORDERS))?.identifier,
    GetNamespace: async () => await catalog.namespaceExists(["sales"]),
    ListTables: async () => await gather(catalog.listTables(["sales"])),
    CreateNamespace: async () => await catalog.createNamespace(["hr"]),
  };

  for (const [operation, run] of Object.entries(READS)) {
    const isWhole = operation === "GetTableMetadataLocation";
    it.each(isWhole ? MATRIX.filter(([name]) => name !== "hanging") : SMALL_MATRIX)(
      `${operation}: %s, %s the effect`,
      async (name, effect) => {
        const { answer, passes, kind } = classOf(name);
        done(await create());
        const wanted = await run();
        if (operation === "CreateNamespace") expect(await catalog.namespaceExists(["hr"])).toBe(true);
        breakCalls({ on: operation, answer, effect });
        if (passes) {
          expect(await run()).toEqual(wanted);
          return;
        }
        const error = await run().then(
          () => null,
          (reason: unknown) => reason,
        );
        expect(error).toBeInstanceOf(S3TablesError);
        expect(error).toMatchObject({ kind, why: expect.stringMatching(/\S\.$/) });
        expect(await run()).toEqual(wanted);
      },
    );
  }

  it("is given up and sent again where no answer comes", async () => {
    done(await create());
    catalog = openFor("hanging");
    breakCalls({ on: "GetTableMetadataLocation", answer: "hang" });
    expect((await catalog.loadTable(ORDERS))?.identifier).toEqual(ORDERS);
  });

  it("is given up after some tries, with longer pauses where the service asks for less", async () => {
    done(await create());
    fakes.tables.clearCalls();
    const waits: number[] = [];
    const patient = openTables(fakes, { wait: async (milliseconds) => void waits.push(milliseconds) });
    const throttled = s3TablesError("TooManyRequestsException", "Rate exceeded", 429);
    breakCalls({ on: "GetTableMetadataLocation", answer: throttled, times: 99 });
    await expect(patient.loadTable(ORDERS)).rejects.toMatchObject({ kind: "throttled", why: "Rate exceeded.", retryable: true });
    expect(fakes.tables.counts()).toEqual({ GetTableMetadataLocation: 6 });
    expect(waits).toEqual([250, 500, 1000, 2000, 4000]);
  });

  it("is a namespace that was made though its answer was lost, or that another made first", async () => {
    breakCalls({ on: "CreateNamespace", answer: "drop", effect: "after" });
    await catalog.createNamespace(["it"]);
    await catalog.createNamespace(["it"]);
    expect(await catalog.namespaceExists(["it"])).toBe(true);
  });
});

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
