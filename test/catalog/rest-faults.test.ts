// What only a REST catalog has of broken calls: snapshots whose files must not be given up, a look before each commit, keys
// by which a server knows calls, the server's own words. The calls that all catalogs have are in call-faults.test.ts.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { CommitOutcome } from "../../src/iceberg/commit.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { done } from "../conformance/catalog-suite.ts";
import { columnCommit, commitOn, newTableCommit, ODD_ID, setProperty, snapshot } from "../conformance/table-commits.ts";
import type { FaultRule } from "../fakes/http-fake.ts";
import { restError } from "../fakes/rest.ts";
import { REST_FAULTS } from "./call-faults/rest.ts";
import { classIn, type FaultClass, matrixOf } from "./call-faults/subject.ts";
import { ORDERS, openRest, startRestLake, type TestRest } from "./rest-support.ts";

const LOCATION = "s3://lake/wh/sales/orders";

const MATRIX = matrixOf(REST_FAULTS);
const classOf = (name: string): FaultClass => classIn(REST_FAULTS, name);

let rest: TestRest;
let catalog: Catalog;
let usual: Catalog;
const armed: (() => void)[] = [];

beforeAll(async () => {
  rest = await startRestLake();
  rest.tables.namespace("sales");
  usual = await openRest(rest);
});
afterAll(async () => await rest.stop());
beforeEach(() => {
  catalog = usual;
  rest.clearCalls();
});
afterEach(() => {
  for (const disarm of armed.splice(0)) disarm();
  rest.tables.remove("sales", "orders");
});

const breakCalls = (rule: FaultRule): (() => void) => {
  const disarm = rest.fault(rule);
  armed.push(disarm);
  return disarm;
};
/** A client that gives up soon, where no answer will come. */
const openFor = async (name: string): Promise<Catalog> => (name === "hanging" ? await openRest(rest, { timeoutMs: 300 }) : usual);
const create = async (): Promise<CommitOutcome> =>
  await catalog.createTable({ identifier: ORDERS, location: LOCATION }, newTableCommit(LOCATION, { by: "us" }));
const load = async (): Promise<LiveTable> => {
  const live = await usual.loadTable(ORDERS);
  if (live === null) throw new Error("The table is gone");
  return live;
};
const make = async (): Promise<LiveTable> => {
  const live = done(await create());
  rest.clearCalls();
  return live;
};
const commit = async (live: LiveTable): Promise<CommitOutcome> =>
  await catalog.commit(live, commitOn(live, [setProperty("mark", "ours")]));
const commitSnapshot = async (live: LiveTable): Promise<CommitOutcome> =>
  await catalog.commit(
    live,
    commitOn(
      live,
      [
        { action: "add-snapshot", snapshot: snapshot(live, ODD_ID, null) },
        { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: ODD_ID, type: "branch" } },
      ],
      [{ type: "assert-ref-snapshot-id", ref: "main", snapshotId: null }],
    ),
  );

describe("a commit fails once", () => {
  it.each(MATRIX)("with a snapshot, whose files must not be given up: %s, %s the effect", async (name, effect) => {
    const { answer, isCertain, passes } = classOf(name);
    const base = await make();
    catalog = await openFor(name);
    breakCalls({ on: "CommitTable", answer, effect });
    const outcome = await commitSnapshot(base);
    const isDone = effect === "after" || (isCertain && passes);
    expect(outcome.state).toBe(isDone ? "done" : isCertain ? "refused" : "unknown");
    expect((await load()).metadata.currentSnapshotId).toBe(isDone ? ODD_ID : null);
    if (outcome.state === "unknown")
      expect(outcome).toMatchObject({ written: null, why: expect.stringContaining("may still land") });
  });
});

describe("a commit that is refused", () => {
  it("is told with the server's words and what to do", async () => {
    const base = await make();
    breakCalls({ on: "CommitTable", answer: restError(403, "ForbiddenException", "Principal ci lacks TABLE_WRITE") });
    expect(await commit(base)).toMatchObject({
      state: "refused",
      why: "Principal ci lacks TABLE_WRITE (ForbiddenException). Give the principal that floeplan uses the right to do this in the catalog",
      cause: { kind: "auth", status: 403 },
    });
  });
});

describe("the look before a commit fails", () => {
  it.each(MATRIX.filter(([name]) => name !== "hanging"))("%s, %s the effect", async (name, effect) => {
    const { answer, passes, isCertain, kind } = classOf(name);
    const base = await make();
    breakCalls({ on: "LoadTable", answer, effect });
    const ended = await commit(base).catch((error: unknown) => error);
    if (passes) expect(ended).toMatchObject({ state: "done" });
    else if (isCertain || kind === "config") expect(ended).toMatchObject({ state: "refused" });
    expect(rest.counts()["CommitTable"] ?? 0).toBe(passes ? 1 : 0);
  });
});

describe("no clear answer came to a commit, and the reading fails too", () => {
  it.each(["before", "after"] as const)("for good (%s the effect)", async (effect) => {
    const base = await make();
    breakCalls({ on: "CommitTable", answer: "drop", effect });
    // The look before passes.
    const stop = breakCalls({ on: "LoadTable", answer: restError(500, "InternalServerError", "Down."), skip: 1, times: 999 });
    expect(await commit(base)).toMatchObject({ state: "unknown", written: null, why: expect.stringContaining("reading") });
    stop();
    const live = await load();
    if (effect === "before") done(await commit(live));
    expect((await load()).metadata.properties["mark"]).toBe("ours");
  });

  it("once, and is read again", async () => {
    const base = await make();
    breakCalls({ on: "CommitTable", answer: "drop", effect: "after" });
    breakCalls({ on: "LoadTable", answer: "drop", skip: 1, times: 7 });
    expect((await commit(base)).state).toBe("done");
  });
});

describe("no clear answer came, and another committed in between", () => {
  it("on top of ours: ours is found by its attempt", async () => {
    const base = await make();
    const attempt = "3f0e2a52-6a5b-4a3e-8f07-1a2b3c4d5e6f";
    breakCalls({ on: "CommitTable", answer: { delayMs: 0 }, effect: "after" });
    breakCalls({ on: "CommitTable", answer: "drop", effect: "after", skip: 0 });
    const sent = { ...commitOn(base, [setProperty("floeplan.applied.attempt", attempt), setProperty("a", "1")]), attempt };
    const going = catalog.commit(base, sent);
    const outcome = await going;
    await rest.tables.commit(["sales", "orders"], { action: "set-properties", updates: { a: "2" } });
    expect(outcome.state).toBe("done");
    expect((await load()).metadata.properties).toMatchObject({ a: "2", "floeplan.applied.attempt": attempt });
  });

  it("instead of ours: a conflict", async () => {
    const base = await make();
    breakCalls({ on: "CommitTable", answer: restError(504, "GatewayTimeout", "Too late") });
    const going = catalog.commit(base, columnCommit(base, []));
    await rest.tables.commit(["sales", "orders"], { action: "set-properties", updates: { theirs: "yes" } });
    expect((await going).state).toBe("conflict");
    expect((await load()).metadata.properties["theirs"]).toBe("yes");
  });
});

describe("no clear answer came to a creation", () => {
  it("and another's table of the name is there: a conflict", async () => {
    breakCalls({ on: "CreateTable", answer: "drop" });
    await rest.tables.create(["sales", "orders"]);
    expect((await create()).state).toBe("conflict");
  });
});

describe("a call that changes nothing fails", () => {
  it("is given up after some tries, with longer pauses where the server asks for less, or for as long as it says", async () => {
    const waits: number[] = [];
    const patient = await openRest(rest, { wait: async (milliseconds) => void waits.push(milliseconds) });
    await patient.namespaceExists(["sales"]);
    breakCalls({ on: "LoadTable", answer: restError(429, "TooManyRequests", "Slow down", { "retry-after": "3" }), times: 99 });
    rest.clearCalls();
    await expect(patient.loadTable(ORDERS)).rejects.toMatchObject({ kind: "throttled", retryable: true });
    expect(rest.counts()).toEqual({ LoadTable: 6 });
    expect(waits).toEqual([3000, 3000, 3000, 3000, 4000]);
  });
});

describe("a namespace is made", () => {
  it.each(MATRIX)("%s, %s the effect", async (name, effect) => {
    const { answer, isCertain, passes, kind } = classOf(name);
    catalog = await openFor(name);
    const namespace = [`${name.replaceAll(/\W/g, "-")}-${effect}`];
    breakCalls({ on: "CreateNamespace", answer, effect });
    const ended = await catalog.createNamespace(namespace).catch((error: unknown) => error);
    if (effect === "after" || (isCertain && passes)) expect(ended).toBeUndefined();
    else expect(ended).toMatchObject({ kind });
    await usual.createNamespace(namespace);
    expect(await usual.namespaceExists(namespace)).toBe(true);
  });
});

describe("a server that knows calls by keys", () => {
  let keyed: TestRest;
  beforeAll(async () => {
    keyed = await startRestLake({ keyLifetime: "PT30M" });
    keyed.tables.namespace("sales");
  });
  afterAll(async () => await keyed.stop());
  afterEach(() => keyed.tables.remove("sales", "orders"));

  it.each(["before", "after"] as const)(
    "is sent a commit again by the same key, and does it once (%s the effect)",
    async (effect) => {
      const ours = await openRest(keyed);
      const base = done(await ours.createTable({ identifier: ORDERS, location: LOCATION }, newTableCommit(LOCATION)));
      keyed.clearCalls();
      const before = keyed.effects();
      const stop = keyed.fault({ on: "CommitTable", answer: "drop", effect, times: 3 });
      const outcome = await ours.commit(base, columnCommit(base, [setProperty("mark", "ours")]));
      stop();
      expect(done(outcome).metadata.properties["mark"]).toBe("ours");
      expect(keyed.effects() - before).toBe(1);
      const keys = keyed.calls
        .filter(({ operation }) => operation === "CommitTable")
        .map(({ request }) => request.headers["idempotency-key"]);
      expect(keys).toHaveLength(4);
      expect(new Set(keys).size).toBe(1);
      expect((await ours.loadTable(ORDERS))?.metadata.metadataLog).toHaveLength(1);
    },
  );

  it("is not trusted where it says no to a call that it may have carried out", async () => {
    const ours = await openRest(keyed);
    const base = done(await ours.createTable({ identifier: ORDERS, location: LOCATION }, newTableCommit(LOCATION)));
    const refusal = restError(409, "CommitFailedException", "Requirement failed");
    const stops = [
      keyed.fault({ on: "CommitTable", answer: "drop", effect: "after" }),
      keyed.fault({ on: "CommitTable", answer: refusal, skip: 1 }),
    ];
    const outcome = await ours.commit(base, columnCommit(base, [setProperty("mark", "ours")]));
    for (const stop of stops) stop();
    expect(outcome.state).toBe("done");
  });
});
