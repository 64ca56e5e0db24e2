// Whatever the key and whatever the range: an object is found under its own name and nowhere else, and any run of
// calls gives the same answers in S3 as in memory.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import type { FakeS3 } from "../fakes/s3.ts";
import { failureOf, listed, patterned, storeOnFake, utf8 } from "./s3-support.ts";

let s3: FakeS3;
let store: ObjectStore;
let turn = 0;
beforeAll(async () => {
  ({ s3, store } = await storeOnFake());
});
afterAll(async () => await s3.stop());

const segment = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    ".",
    "..",
    "",
    "a b",
    "a+b",
    "a%20b",
    "%2F",
    "%",
    "?x=1&y",
    "#frag",
    "day=2024-01-01",
    "~'()*!$",
    '&amp;<x>"',
    "\u0000",
    "\u0001\u001f",
    "\n\r\t",
    "ünï",
    "😀",
    "\u202e",
    "\uffff",
  ),
);
/** Any key but one that ends with a slash: that is a folder's name. */
const key = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("/"))
  .filter((text) => text.replace(/\/+$/, "") === text && text !== "" && !/\p{Surrogate}/u.test(text));

it("finds an object of any name under that name, and lists it so", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(key, { minLength: 1, maxLength: 4 }), async (keys) => {
      const at = `s3://data/keys-${turn++}`;
      for (const name of keys) expect(await store.putIfAbsent(`${at}/${name}`, utf8(name))).toBe("written");
      for (const name of keys) {
        expect(await store.read(`${at}/${name}`)).toEqual(utf8(name));
        expect(Buffer.from(s3.objects.get(`${at}/${name}`) ?? [])).toEqual(Buffer.from(utf8(name)));
      }
      const names = (await listed(store, at)).map((location) => location.slice(at.length + 1));
      expect([...names].sort()).toEqual([...keys].sort());
      for (const name of keys) await store.remove(`${at}/${name}`);
      expect(await listed(store, at)).toEqual([]);
    }),
    { numRuns: 60, examples: [[["\u0000"]], [["//x", "/x", "x"]], [["..", "../..", "."]]] },
  );
});

describe("a range", () => {
  it("is exactly what is asked for, or corrupt", async () => {
    const bytes = patterned(5000);
    await store.replace("s3://data/range", bytes);
    await fc.assert(
      fc.asyncProperty(fc.nat(5200), fc.nat(5200), async (offset, length) => {
        const reading = store.readRange("s3://data/range", offset, length);
        if (offset + length > bytes.length) expect((await failureOf(reading)).kind).toBe("corrupt");
        else expect(Buffer.compare(await reading, bytes.subarray(offset, offset + length))).toBe(0);
      }),
      {
        numRuns: 80,
        examples: [
          [0, 5000],
          [4999, 1],
          [5000, 0],
          [5000, 1],
          [5001, 0],
          [0, 5001],
        ],
      },
    );
  });
});

const name = fc.constantFrom("a", "b", "f/a", "f/b", "f/g/c");
const content = fc.uint8Array({ maxLength: 12 });
const step = fc.oneof(
  fc.record({ call: fc.constant("putIfAbsent" as const), name, content }),
  fc.record({ call: fc.constant("replace" as const), name, content }),
  fc.record({ call: fc.constant("create" as const), name, content, from: name, length: fc.nat(12), keep: fc.boolean() }),
  fc.record({ call: fc.constant("read" as const), name }),
  fc.record({ call: fc.constant("readRange" as const), name, offset: fc.nat(14), length: fc.nat(14) }),
  fc.record({ call: fc.constant("head" as const), name }),
  fc.record({ call: fc.constant("remove" as const), name }),
  fc.record({ call: fc.constant("list" as const), name: fc.constantFrom("f", "f/g", "a", "none") }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function run(on: ObjectStore, root: string, one: Step): Promise<unknown> {
  const location = `${root}/${one.name}`;
  switch (one.call) {
    case "putIfAbsent":
      return await on.putIfAbsent(location, one.content);
    case "replace":
      return await on.replace(location, one.content);
    case "create": {
      const writer = await on.create(location);
      try {
        await writer.write(one.content);
        await writer.copyFrom(`${root}/${one.from}`, 0, one.length);
        if (one.keep) return (await writer.close()).sizeBytes;
      } finally {
        await writer.abort();
      }
      return null;
    }
    case "read":
      return [...(await on.read(location))];
    case "readRange":
      return [...(await on.readRange(location, one.offset, one.length))];
    case "head":
      return (await on.head(location))?.sizeBytes ?? null;
    case "remove":
      return await on.remove(location);
    case "list": {
      const found: string[] = [];
      for await (const info of on.list(location)) found.push(`${info.location.slice(root.length)} ${info.sizeBytes}`);
      return found.sort();
    }
  }
}

async function answer(on: ObjectStore, root: string, one: Step): Promise<unknown> {
  try {
    return await run(on, root, one);
  } catch (error) {
    if (error instanceof Error && "kind" in error) return error.kind;
    throw error;
  }
}

it("gives the same answers in S3 as in memory", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const root = `s3://data/model-${turn++}`;
      const memory = createMemoryStore();
      for (const one of steps) expect([one, await answer(store, root, one)]).toEqual([one, await answer(memory, root, one)]);
    }),
    { numRuns: 40 },
  );
});
