// What every store promises (src/storage/object-store.ts), as tests that any store can join. A store is given
// with a fresh folder-like location of its own; the suite knows nothing else of it.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolError, type ToolErrorKind } from "../../src/diagnostics/tool-error.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";

export interface StoreUnderTest {
  readonly store: ObjectStore;
  /** A location below which nothing is, without a trailing slash. */
  readonly root: string;
  readonly cleanUp: () => Promise<void>;
}

/** The kind of ToolError that the promise ends in; anything else that is thrown fails the test. */
export async function errorKind(promise: Promise<unknown>): Promise<ToolErrorKind | "none"> {
  try {
    await promise;
    return "none";
  } catch (error) {
    if (error instanceof ToolError) return error.kind;
    throw error;
  }
}

export function storeConformance(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`${name} store`, () => {
    let subject: StoreUnderTest;
    let store: ObjectStore;
    const at = (key: string): string => `${subject.root}/${key}`;
    const text = async (key: string): Promise<string> => new TextDecoder().decode(await store.read(at(key)));
    const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);
    const listed = async (prefix: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const { location } of store.list(prefix)) found.push(location.slice(subject.root.length + 1));
      return found.sort();
    };

    beforeEach(async () => {
      subject = await makeStore();
      store = subject.store;
    });
    afterEach(async () => await subject.cleanUp());

    describe("putIfAbsent", () => {
      it("writes what is then read, byte for byte", async () => {
        const all = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256);
        expect(await store.putIfAbsent(at("deep/in/a/folder.bin"), all)).toBe("written");
        expect(Buffer.compare(await store.read(at("deep/in/a/folder.bin")), all)).toBe(0);
        expect(await store.head(at("deep/in/a/folder.bin"))).toEqual({ location: at("deep/in/a/folder.bin"), sizeBytes: 70_000 });
      });

      it("writes an empty object", async () => {
        expect(await store.putIfAbsent(at("empty"), new Uint8Array())).toBe("written");
        expect((await store.read(at("empty"))).length).toBe(0);
        expect((await store.head(at("empty")))?.sizeBytes).toBe(0);
      });

      it("says that a name is taken and leaves what is there", async () => {
        await store.putIfAbsent(at("once"), bytes("first"));
        expect(await store.putIfAbsent(at("once"), bytes("second"))).toBe("exists");
        expect(await text("once")).toBe("first");
      });

      it("lets exactly one of many at once win, and keeps the winner's bytes", async () => {
        const answers = await Promise.all(
          Array.from({ length: 30 }, (_, index) => store.putIfAbsent(at("race"), bytes(`writer ${index}`))),
        );
        const winners = answers.flatMap((answer, index) => (answer === "written" ? [index] : []));
        expect(winners).toHaveLength(1);
        expect(await text("race")).toBe(`writer ${winners[0]}`);
      });

      it("is never seen in part", async () => {
        const whole = new Uint8Array(3_000_000).fill(7);
        const writing = store.putIfAbsent(at("large"), whole);
        const sizes = new Set<number | undefined>();
        let done = false;
        const ended = writing.then(() => (done = true));
        while (!done) {
          sizes.add((await store.head(at("large")))?.sizeBytes);
          await new Promise((resume) => setImmediate(resume));
        }
        await ended;
        sizes.delete(undefined);
        expect([...sizes].every((size) => size === whole.length)).toBe(true);
      });

      it("takes a copy of the bytes", async () => {
        const given = bytes("before");
        await store.putIfAbsent(at("copy"), given);
        given.fill(0);
        const read = await store.read(at("copy"));
        read.fill(1);
        expect(await text("copy")).toBe("before");
      });
    });

    describe("read", () => {
      it("says not-found for what is not there", async () => {
        expect(await errorKind(store.read(at("none")))).toBe("not-found");
        expect(await errorKind(store.readRange(at("none"), 0, 1))).toBe("not-found");
        expect(await store.head(at("none"))).toBeNull();
      });

      it("says not-found for a name that only others begin with", async () => {
        await store.putIfAbsent(at("folder/file"), bytes("x"));
        expect(await errorKind(store.read(at("folder")))).toBe("not-found");
        expect(await store.head(at("folder"))).toBeNull();
      });

      it("gives exactly the range that is asked for", async () => {
        await store.putIfAbsent(at("range"), bytes("0123456789"));
        const part = async (offset: number, length: number): Promise<string> =>
          new TextDecoder().decode(await store.readRange(at("range"), offset, length));
        expect(await part(0, 10)).toBe("0123456789");
        expect(await part(3, 4)).toBe("3456");
        expect(await part(9, 1)).toBe("9");
        expect(await part(10, 0)).toBe("");
        expect(await part(4, 0)).toBe("");
      });

      it("calls a range corrupt that ends beyond the object", async () => {
        await store.putIfAbsent(at("range"), bytes("0123456789"));
        expect(await errorKind(store.readRange(at("range"), 5, 6))).toBe("corrupt");
        expect(await errorKind(store.readRange(at("range"), 11, 1))).toBe("corrupt");
        expect(await errorKind(store.readRange(at("range"), 11, 0))).toBe("corrupt");
        expect(await errorKind(store.readRange(at("range"), 0, 1_000_000_000_000))).toBe("corrupt");
      });
    });

    describe("replace", () => {
      it("writes what is new and overwrites what is there", async () => {
        await store.replace(at("hint"), bytes("1"));
        expect(await text("hint")).toBe("1");
        await store.replace(at("hint"), bytes("22"));
        expect(await text("hint")).toBe("22");
        await store.replace(at("hint"), bytes("3"));
        expect(await text("hint")).toBe("3");
      });

      it("is never seen in part while it changes", async () => {
        const size = 200_000;
        await store.replace(at("hint"), new Uint8Array(size).fill(0));
        let writing = true;
        const writer = (async () => {
          for (let value = 1; value <= 15; value++) await store.replace(at("hint"), new Uint8Array(size).fill(value));
          writing = false;
        })();
        let reads = 0;
        while (writing) {
          const seen = await store.read(at("hint"));
          expect(seen.length).toBe(size);
          const first = seen[0] ?? 0;
          expect(Buffer.compare(seen, new Uint8Array(size).fill(first))).toBe(0);
          reads++;
        }
        await writer;
        expect(reads).toBeGreaterThan(0);
      });
    });

    describe("create", () => {
      it("shows nothing before close and everything after it", async () => {
        const writer = await store.create(at("data/new.parquet"));
        await writer.write(bytes("PAR1"));
        await writer.write(bytes(" and more"));
        expect(await store.head(at("data/new.parquet"))).toBeNull();
        if (store.canList) expect(await listed(at("data"))).toEqual([]);
        expect(await writer.close()).toEqual({ location: at("data/new.parquet"), sizeBytes: 13 });
        expect(await text("data/new.parquet")).toBe("PAR1 and more");
      });

      it("copies ranges of other objects between own bytes", async () => {
        const source = new Uint8Array(3_000_000).map((_, index) => (index * 7 + (index >> 8)) % 256);
        await store.putIfAbsent(at("source"), source);
        const writer = await store.create(at("target"));
        await writer.write(bytes("head"));
        await writer.copyFrom(at("source"), 10, 2_500_000);
        await writer.copyFrom(at("source"), 0, 0);
        await writer.write(bytes("middle"));
        await writer.copyFrom(at("source"), 2_999_999, 1);
        expect((await writer.close()).sizeBytes).toBe(4 + 2_500_000 + 6 + 1);
        const wanted = Buffer.concat([
          bytes("head"),
          source.subarray(10, 2_500_010),
          bytes("middle"),
          source.subarray(2_999_999),
        ]);
        expect(Buffer.compare(await store.read(at("target")), wanted)).toBe(0);
      });

      it("overwrites a leftover of the same name", async () => {
        await store.putIfAbsent(at("left"), bytes("a longer leftover"));
        const writer = await store.create(at("left"));
        await writer.write(bytes("new"));
        await writer.close();
        expect(await text("left")).toBe("new");
      });

      it("keeps what is there when it is given up", async () => {
        await store.putIfAbsent(at("kept"), bytes("old"));
        const writer = await store.create(at("kept"));
        await writer.write(bytes("new"));
        await writer.abort();
        await writer.abort();
        expect(await text("kept")).toBe("old");
      });

      it("leaves nothing behind when it is given up, also after a failure", async () => {
        await store.putIfAbsent(at("data/source"), bytes("short"));
        const writer = await store.create(at("data/target"));
        await writer.write(bytes("some"));
        expect(await errorKind(writer.copyFrom(at("data/source"), 0, 6))).toBe("corrupt");
        expect(await errorKind(writer.copyFrom(at("data/none"), 0, 6))).toBe("not-found");
        await writer.abort();
        expect(await store.head(at("data/target"))).toBeNull();
        if (store.canList) expect(await listed(at("data"))).toEqual(["data/source"]);
      });

      it("stays as it is when given up after close", async () => {
        const writer = await store.create(at("done"));
        await writer.write(bytes("whole"));
        await writer.close();
        await writer.abort();
        expect(await text("done")).toBe("whole");
        expect(await errorKind(writer.write(bytes("more")))).toBe("internal");
        expect(await errorKind(writer.close())).toBe("internal");
      });

      it("takes a copy of each chunk", async () => {
        const chunk = bytes("abc");
        const writer = await store.create(at("chunk"));
        await writer.write(chunk);
        chunk.fill(0);
        await writer.close();
        expect(await text("chunk")).toBe("abc");
      });
    });

    it("takes every character of a name literally", async () => {
      const names = ["a b", "a%20b", "a+b", "q?x=1", "h#ash", "day=2024-01-01", "ts=10%3A00", "ünï", "_under", "quo'te\"s"];
      for (const name of names) await store.putIfAbsent(at(`odd/${name}`), bytes(name));
      for (const name of names) expect(await text(`odd/${name}`)).toBe(name);
      if (store.canList) expect(await listed(at("odd"))).toEqual(names.map((name) => `odd/${name}`).sort());
    });

    describe("list", () => {
      it("gives everything below a folder and nothing beside it", async ({ skip }) => {
        skip(!store.canList, "this store does not list");
        for (const key of ["t/metadata/v1", "t/metadata/v2", "t/data/x/1", "t2/other", "t/metadata2/no"]) {
          await store.putIfAbsent(at(key), bytes(key));
        }
        expect(await listed(at("t"))).toEqual(["t/data/x/1", "t/metadata/v1", "t/metadata/v2", "t/metadata2/no"]);
        expect(await listed(at("t/metadata"))).toEqual(["t/metadata/v1", "t/metadata/v2"]);
        expect(await listed(at("t/metadata/"))).toEqual(["t/metadata/v1", "t/metadata/v2"]);
        expect(await listed(at("t/metadata/v1"))).toEqual([]);
        expect(await listed(at("none"))).toEqual([]);
      });

      it("tells sizes", async ({ skip }) => {
        skip(!store.canList, "this store does not list");
        await store.putIfAbsent(at("s/a"), bytes("1234"));
        await store.replace(at("s/b"), bytes("12"));
        const sizes: number[] = [];
        for await (const { sizeBytes } of store.list(at("s"))) sizes.push(sizeBytes);
        expect(sizes.sort((a, b) => a - b)).toEqual([2, 4]);
      });
    });

    describe("remove", () => {
      it("takes one object away and frees its name", async ({ skip }) => {
        skip(!store.canRemove, "this store does not remove");
        await store.putIfAbsent(at("r/a"), bytes("a"));
        await store.putIfAbsent(at("r/b"), bytes("b"));
        await store.remove(at("r/a"));
        expect(await store.head(at("r/a"))).toBeNull();
        expect(await text("r/b")).toBe("b");
        expect(await store.putIfAbsent(at("r/a"), bytes("again"))).toBe("written");
      });

      it("is content when nothing is there", async ({ skip }) => {
        skip(!store.canRemove, "this store does not remove");
        await store.putIfAbsent(at("r/a"), bytes("a"));
        await store.remove(at("r/none"));
        await store.remove(at("none/none"));
        await store.remove(at("r"));
        await store.remove(at("r/a/b"));
        expect(await text("r/a")).toBe("a");
      });
    });
  });
}
