// A bounded store runs a limited number of calls at once and loses none.
import { describe, expect, it } from "vitest";
import { boundedStore } from "../../src/storage/bounded.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import { openStore } from "../../src/storage/open-store.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { errorKind } from "../conformance/store-suite.ts";

describe("boundedStore", () => {
  it("never runs more calls at once than it may, and runs them all", async () => {
    let running = 0;
    let most = 0;
    const inner = createMemoryStore();
    const slow: ObjectStore = {
      ...inner,
      head: async (location) => {
        most = Math.max(most, ++running);
        await new Promise((resume) => setTimeout(resume, 1));
        running--;
        return await inner.head(location);
      },
    };
    const store = boundedStore(slow, 3);
    let answers = 0;
    const caller = async (): Promise<void> => {
      for (let call = 0; call < 5; call++) {
        await store.head(`m:/${call}`);
        answers++;
      }
    };
    await Promise.all(Array.from({ length: 10 }, caller));
    expect([answers, most]).toEqual([50, 3]);
  });

  it("gives the turn back after a failure", async () => {
    const store = boundedStore(createMemoryStore(), 1);
    for (let round = 0; round < 5; round++) expect(await errorKind(store.read("m:/none"))).toBe("not-found");
    expect(await store.putIfAbsent("m:/a", new Uint8Array())).toBe("written");
  });

  it("does not wait for itself while writers are open", async () => {
    const store = boundedStore(createMemoryStore(), 1);
    await store.putIfAbsent("m:/a", new Uint8Array(4));
    const one = await store.create("m:/b");
    const two = await store.create("m:/c");
    await Promise.all([one.copyFrom("m:/a", 0, 4), two.copyFrom("m:/a", 1, 2), store.read("m:/a")]);
    expect([(await one.close()).sizeBytes, (await two.close()).sizeBytes]).toEqual([4, 2]);
  });
});

describe("openStore", () => {
  it("serves local locations in every spelling", async () => {
    for (const location of ["/x", "file:/x", "file:///x", "//x"]) expect(openStore(location).canList).toBe(true);
  });

  it("says which schemes are served when one is not", async () => {
    const error = await Promise.resolve()
      .then(() => openStore("gs://bucket/key"))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      kind: "unsupported",
      message: 'Cannot open "gs://bucket/key"',
      why: 'Locations with "gs:" are not served by this version; served are "file:", "s3:", "s3a:", "s3n:" and absolute paths',
    });
    expect(await errorKind((async () => openStore("relative/path"))())).toBe("unsupported");
  });
});
