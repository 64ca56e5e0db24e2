// Every call that a catalog makes to its service fails in every way, before and after it took effect: the table stays
// readable, nothing that is live is removed, the outcome says what is true, and the same work done again succeeds.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import type { CommitOutcome } from "../../../src/iceberg/commit.ts";
import type { LiveTable } from "../../../src/iceberg/live-table.ts";
import { done } from "../../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../../conformance/table-commits.ts";
import type { FaultRule } from "../../fakes/http-fake.ts";
import { type CallSubject, classIn, type FaultClass, matrixInTurn, ORDERS } from "./subject.ts";

/** `turn`: which of a failure's effects are tried here in the short form; others at other turns. */
export function brokenCalls(title: string, subject: CallSubject, turn: number): void {
  const { classes, commitCall, createCall, loadCall, namespaceCall, files } = subject;
  const classOf = (name: string): FaultClass => classIn(classes, name);
  const isAnswered = (name: string): boolean => name !== "hanging";

  let usual: Catalog;
  let catalog: Catalog;
  const armed: (() => void)[] = [];
  const breakCalls = (rule: FaultRule): (() => void) => {
    const disarm = subject.fault(rule);
    armed.push(disarm);
    return disarm;
  };
  /** A client that gives up soon, where no answer will come. */
  const openFor = async (name: string): Promise<Catalog> => (name === "hanging" ? await subject.open({ timeoutMs: 400 }) : usual);
  const create = async (): Promise<CommitOutcome> => {
    const table = { identifier: ORDERS, location: subject.location };
    return await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table)));
  };
  const make = async (): Promise<LiveTable> => {
    const live = done(await create());
    subject.clearCalls();
    return live;
  };
  const load = async (): Promise<LiveTable> => {
    const live = await usual.loadTable(ORDERS);
    if (live === null) throw new Error("The table is gone");
    return live;
  };
  const commit = async (live: LiveTable): Promise<CommitOutcome> =>
    await catalog.commit(live, commitOn(live, [setProperty("by", "us")]));
  /** What the live table needs. */
  const needed = ({ metadata, metadataLocation }: LiveTable): string[] =>
    [metadataLocation, ...metadata.metadataLog.map(({ metadataFile }) => metadataFile)].sort();
  /** On doubt a file stays; after a clear no it goes where files can be removed. */
  const expectFiles = (live: LiveTable, isClear: boolean): void => {
    if (files === null) return;
    expect(files()).toEqual(expect.arrayContaining(needed(live)));
    if (isClear && subject.discards) expect(files()).toEqual(needed(live));
  };

  describe(`a call to ${title} that fails`, () => {
    beforeAll(async () => {
      usual = await subject.open();
    });
    afterAll(async () => await subject.stop());
    beforeEach(() => {
      catalog = usual;
      subject.clearCalls();
    });
    afterEach(() => {
      for (const disarm of armed.splice(0)) disarm();
      subject.clear();
    });

    describe("once, in a commit", () => {
      it.each(matrixInTurn(classes, turn))("%s, %s the effect", async (name, effect) => {
        const { answer, isCertain, passes } = classOf(name);
        const base = await make();
        catalog = await openFor(name);
        breakCalls({ on: commitCall, answer, effect });
        const outcome = await commit(base);
        // Sent again only where the service said that it did nothing.
        expect(subject.counts()[commitCall]).toBe(isCertain && passes ? 2 : 1);
        const live = await load();
        const landed = live.metadata.properties["by"] === "us";

        // Said to have done nothing and yet done: only a call that was sent twice looks like this.
        const isDone = effect === "after" || (isCertain && passes);
        expect(outcome.state).toBe(isDone ? "done" : isCertain ? "refused" : "conflict");
        expect(landed).toBe(isDone);
        expectFiles(live, isDone || isCertain);
        const again = landed ? live : done(await commit(live));
        expect(again.metadata.properties["by"]).toBe("us");
        expect((await load()).metadata.metadataLog).toHaveLength(1);
      });
    });

    describe("for good, in a commit", () => {
      it.each(Object.keys(classes).filter((name) => name !== "hanging" && name !== "cut off"))("%s", async (name) => {
        const { answer, isCertain, passes } = classOf(name);
        const base = await make();
        const stop = breakCalls({ on: commitCall, answer, times: 99 });
        const outcome = await commit(base);
        expect(outcome.state).toBe(isCertain && !passes ? "refused" : "conflict");
        if (outcome.state === "refused") expect(outcome.why).toMatch(/Said by a test|lacks/);
        expect(subject.counts()[commitCall]).toBe(isCertain && passes ? subject.commitTries : 1);
        const live = await load();
        expect(live.metadataLocation).toBe(base.metadataLocation);
        expectFiles(live, isCertain);
        stop();
        expect(done(await commit(base)).metadata.properties["by"]).toBe("us");
      });
    });

    describe.runIf(subject.readsBack)("in the reading back of a commit", () => {
      it.each(matrixInTurn(classes, 0, isAnswered))("%s, %s the effect, once", async (name, effect) => {
        const base = await make();
        breakCalls({ on: loadCall, answer: classOf(name).answer, effect });
        expect(done(await commit(base)).metadata.properties["by"]).toBe("us");
        expect(files?.()).toEqual(needed(await load()));
      });

      it.each(["denied", "failed", "dropped"])("%s, for good, after the commit was confirmed", async (name) => {
        const base = await make();
        const stop = breakCalls({ on: loadCall, answer: classOf(name).answer, times: 999 });
        const after = done(await commit(base));
        expect(after.metadata.properties["by"]).toBe("us");
        stop();
        // Nothing was read: the next commit is not built on it.
        expect((await commit(after)).state).toBe("conflict");
        expect(files?.()).toEqual(expect.arrayContaining(needed(await load())));
      });

      it.each(["before", "after"] as const)(
        "for good, and no answer came to the commit either (%s the effect)",
        async (effect) => {
          const base = await make();
          breakCalls({ on: commitCall, answer: "drop", effect });
          const stop = breakCalls({ on: loadCall, answer: classOf("failed").answer, times: 999 });
          const outcome = await commit(base);
          expect(outcome).toMatchObject({ state: "unknown", written: expect.stringContaining("/metadata/00001-") });
          stop();
          const live = await load();
          expect(files?.()).toEqual(expect.arrayContaining(needed(live)));
          if (outcome.state === "unknown") expect(files?.()).toContain(outcome.written);
          if (effect === "before") done(await commit(live));
          expect((await load()).metadata.properties["by"]).toBe("us");
        },
      );
    });

    describe("once, in the creation of a table", () => {
      it.each(matrixInTurn(classes, turn + 1))("%s, %s the effect", async (name, effect) => {
        const { answer, isCertain, passes } = classOf(name);
        catalog = await openFor(name);
        breakCalls({ on: createCall, answer, effect });
        const outcome = await create();
        const isDone = effect === "after" || (isCertain && passes);
        expect(outcome.state).toBe(isDone ? "done" : isCertain ? "refused" : "conflict");
        expect((await usual.loadTable(ORDERS)) !== null).toBe(isDone);
        if (!isDone) {
          if (subject.discards) expect(files?.()).toHaveLength(isCertain ? 0 : 1);
          done(await create());
        }
        const live = await load();
        expect(live.metadata.lastColumnId).toBe(3);
        expectFiles(live, isDone);
      });
    });

    for (const [index, { operation, run, classes: isTried, times }] of subject.safeCalls.entries()) {
      describe(`in ${operation}`, () => {
        const tried = matrixInTurn(classes, turn + index, (name) => isAnswered(name) && isTried?.(name) !== false);
        it.each(tried)("%s, %s the effect", async (name, effect) => {
          const { answer, passes, kind } = classOf(name);
          await make();
          const wanted = await run(catalog);
          breakCalls({ on: operation, answer, effect, times: times?.(name) ?? 1 });
          if (passes) {
            expect(await run(catalog)).toEqual(wanted);
            return;
          }
          const error = await run(catalog).then(
            () => null,
            (reason: unknown) => reason,
          );
          expect(error).toMatchObject({ name: subject.errorName, kind, why: expect.stringMatching(/\S/) });
          expect(await run(catalog)).toEqual(wanted);
        });
      });
    }

    it("by its silence is given up and sent again", async () => {
      await make();
      catalog = await openFor("hanging");
      breakCalls({ on: loadCall, answer: "hang" });
      expect((await catalog.loadTable(ORDERS))?.identifier).toEqual(ORDERS);
    });

    it("is given up after some tries, with longer pauses where the service asks for less", async () => {
      await make();
      const waits: number[] = [];
      const patient = await subject.open({ wait: async (milliseconds) => void waits.push(milliseconds) });
      await patient.loadTable(ORDERS);
      subject.clearCalls();
      breakCalls({ on: loadCall, answer: classOf("throttled").answer, times: 99 });
      await expect(patient.loadTable(ORDERS)).rejects.toMatchObject({ kind: "throttled", retryable: true });
      expect(subject.counts()).toEqual({ [loadCall]: 6 });
      expect(waits).toEqual([250, 500, 1000, 2000, 4000]);
    });

    it("is a namespace that was made though its answer was lost, or that another made first", async () => {
      breakCalls({ on: namespaceCall, answer: "drop", effect: "after" });
      await catalog.createNamespace(["it"]);
      await catalog.createNamespace(["it"]);
      expect(await catalog.namespaceExists(["it"])).toBe(true);
    });
  });
}
