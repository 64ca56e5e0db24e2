// The S3 store keeps the promises of every store, against the strict fake: plainly, under another name of the
// scheme in another region with conflicts in races, and as the program opens it.
import { afterEach, describe, expect, it, vi } from "vitest";
import type { S3Options } from "../../src/storage/s3.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { storeConformance } from "../conformance/store-suite.ts";
import { FAKE_KEYS, startS3, type S3Options as FakeOptions } from "../fakes/s3.ts";
import { failureOf, listed, storeOnFake, utf8 } from "./s3-support.ts";

function conformance(name: string, root: string, options: S3Options = {}, fake: Partial<FakeOptions> = {}): void {
  storeConformance(name, async () => {
    const { s3, store } = await storeOnFake(options, fake);
    return { store, root, cleanUp: s3.stop };
  });
}

conformance("S3", "s3://data/root");
conformance(
  "S3 in a bucket of another region, without marks, with conflicts in races",
  "s3a://data/a//root",
  { canMark: false },
  { buckets: { data: { region: "eu-central-1", elsewhere: 400 } }, hasRaceConflicts: true },
);

describe("S3 as the program opens it", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("takes endpoint, region and credentials from the standard variables", async () => {
    const s3 = await startS3({ buckets: ["data"] });
    for (const [name, value] of Object.entries(s3.variables)) vi.stubEnv(name, value);
    const store = openStore("s3://data/table");
    expect(await store.putIfAbsent("s3://data/table/x", utf8("x"))).toBe("written");
    expect(await listed(store, "s3a://data/table")).toEqual(["s3a://data/table/x"]);
    expect((await openStore("s3n://data").readRange("s3n://data/table/x", 0, 1))[0]).toBe(0x78);
    await s3.stop();
  });

  it("takes AWS_ENDPOINT_URL, and a session token, and no region at all", async () => {
    const keys = { ...FAKE_KEYS, sessionToken: "session/token+1==" };
    const s3 = await startS3({ buckets: { data: { region: "ap-south-1" } }, keys: [keys] });
    vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
    for (const [name, value] of Object.entries(s3.variables)) vi.stubEnv(name, value);
    vi.stubEnv("AWS_ENDPOINT_URL_S3", undefined);
    vi.stubEnv("AWS_ENDPOINT_URL", s3.url);
    vi.stubEnv("AWS_REGION", undefined);
    const store = openStore("s3://data");
    await store.replace("s3://data/hint", utf8("1"));
    await store.replace("s3://data/hint", utf8("2"));
    expect(s3.calls.map(({ status }) => status)).toEqual([301, 200, 200]);
    await s3.stop();
  });
});

describe("S3 without listing and deleting", () => {
  it("says so and asks S3 for neither", async () => {
    const { s3, store } = await storeOnFake({ canList: false, canRemove: false });
    expect([store.canList, store.canRemove]).toEqual([false, false]);
    expect((await failureOf(store.remove("s3://data/x"))).kind).toBe("unsupported");
    expect((await failureOf(listed(store, "s3://data/x"))).kind).toBe("unsupported");
    expect(s3.calls).toEqual([]);
    await s3.stop();
  });
});

describe("locations in S3", () => {
  it.each(["s3://data", "s3://data/", "s3:///key", "s3:data/key", "file:///x", "/x", "gs://data/x", "s3://data/\ud800"])(
    "refuses %j as an object",
    async (location) => {
      const { s3, store } = await storeOnFake();
      expect((await failureOf(store.read(location))).kind).toBe("unsupported");
      expect((await failureOf(store.putIfAbsent(location, utf8("x")))).kind).toBe("unsupported");
      expect((await failureOf(store.create(location))).kind).toBe("unsupported");
      expect(s3.calls).toEqual([]);
      await s3.stop();
    },
  );

  it("lists a whole bucket, and leaves folder markers out", async () => {
    const { s3, store } = await storeOnFake();
    for (const key of ["a", "t/", "t/x", "/lead", "t/y/"]) s3.objects.put(`s3://data/${key}`, key.endsWith("/") ? "" : key);
    s3.objects.put("s3://data/t/full/", "not empty");
    const all = ["s3://data//lead", "s3://data/a", "s3://data/t/full/", "s3://data/t/x"];
    expect(await listed(store, "s3://data")).toEqual(all);
    expect(await listed(store, "s3://data/")).toEqual(all);
    expect(await listed(store, "s3://data/t//")).toEqual(all.slice(2));
    await s3.stop();
  });

  it("lists page after page, and asks for no page more than it is asked for", async () => {
    const { s3, store } = await storeOnFake();
    const keys = Array.from({ length: 2_345 }, (_, index) => `s3://data/many/${String(index).padStart(5, "0")}`);
    for (const key of keys) s3.objects.put(key, "");
    expect(await listed(store, "s3://data/many")).toEqual(keys);
    expect(s3.counts()).toEqual({ ListObjectsV2: 3 });
    for await (const { location } of store.list("s3://data/many")) if (location === keys[999]) break;
    expect(s3.counts()).toEqual({ ListObjectsV2: 4 });
    await s3.stop();
  });
});

describe("calls that are made", () => {
  it("are one for each thing asked of the store", async () => {
    const { s3, store } = await storeOnFake();
    await store.putIfAbsent("s3://data/x", utf8("0123456789"));
    await store.read("s3://data/x");
    await store.readRange("s3://data/x", 2, 3);
    await store.head("s3://data/x");
    await store.replace("s3://data/y", utf8("y"));
    const writer = await store.create("s3://data/z");
    await writer.copyFrom("s3://data/x", 0, 5);
    await writer.close();
    await store.remove("s3://data/y");
    expect(s3.calls.map(({ operation, target }) => `${operation} ${target}`)).toEqual([
      "PutObject data/x",
      "GetObject data/x",
      "GetObject data/x",
      "HeadObject data/x",
      "PutObject data/y",
      "GetObject data/x",
      "PutObject data/z",
      "DeleteObject data/y",
    ]);
    expect(s3.calls[2]?.request.headers["range"]).toBe("bytes=2-4");
    expect(s3.calls[0]?.request.headers["if-none-match"]).toBe("*");
    await s3.stop();
  });

  it("run side by side, and no more than the store's measure at once", async () => {
    const { s3, store } = await storeOnFake();
    s3.fault({ on: "HeadObject", answer: "hang", times: 32 });
    const looks = Promise.all(Array.from({ length: 50 }, () => store.head("s3://data/x")));
    while (s3.calls.length < 32) await new Promise((resume) => setTimeout(resume, 5));
    await new Promise((resume) => setTimeout(resume, 50));
    expect(s3.calls).toHaveLength(32);
    expect(await looks).toHaveLength(50);
    await s3.stop();
  });
});
