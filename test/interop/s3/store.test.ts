// The store suite and what the fake cannot prove, on a real server that speaks S3. Started by run.ts, which says by the
// standard variables where the server is, and which bucket is there.
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createS3Store } from "../../../src/storage/s3.ts";
import { openStore } from "../../../src/storage/open-store.ts";
import { storeConformance } from "../../conformance/store-suite.ts";
import { type LossyProxy, startLossyProxy } from "./lossy-proxy.ts";

const ROOT = `s3://${process.env["FLOEPLAN_S3_BUCKET"] ?? ""}`;
const ENDPOINT = process.env["AWS_ENDPOINT_URL_S3"] ?? "";
const MIB = 1 << 20;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const fresh = (): string => `${ROOT}/${randomUUID()}`;

storeConformance("S3", async () => ({ store: openStore(ROOT), root: fresh(), cleanUp: async () => {} }));

describe("a server that speaks S3", () => {
  const store = openStore(ROOT);

  it("takes uploads in parts with a checksum each", async () => {
    const at = fresh();
    const bytes = new Uint8Array(20 * MIB).map((_, index) => (index * 31) ^ (index >> 11));
    const writer = await store.create(`${at}/big`);
    await writer.write(bytes);
    expect((await writer.close()).sizeBytes).toBe(bytes.length);
    expect(Buffer.compare(await store.read(`${at}/big`), bytes)).toBe(0);
    const copy = await store.create(`${at}/copy`);
    await copy.write(utf8("head"));
    await copy.copyFrom(`${at}/big`, 5, 17 * MIB);
    await copy.close();
    expect(Buffer.compare(await store.readRange(`${at}/copy`, 4, 17 * MIB), bytes.subarray(5, 5 + 17 * MIB))).toBe(0);
  });

  it("forgets an upload that is given up", async () => {
    const at = fresh();
    const writer = await store.create(`${at}/big`);
    await writer.write(new Uint8Array(9 * MIB));
    await writer.abort();
    expect(await store.head(`${at}/big`)).toBeNull();
  });

  it("keeps names of every kind apart, and lists them as they are", async () => {
    const part = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
      fc.constantFrom("a b", "a+b", "a%20b", "%2F", "?x=1&y", "#f", "d=2024-01-01", "&amp;<x>", "ünï", "😀", "~'()*!$"),
    );
    const key = fc
      .array(part, { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join("/"))
      .filter((text) => !text.split("/").some((one) => one === "" || one === "." || one === ".."));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(key, { minLength: 1, maxLength: 3 }), async (keys) => {
        // Where folders are real, a name cannot be an object and a folder at once.
        fc.pre(!keys.some((one) => keys.some((other) => other.startsWith(`${one}/`))));
        const at = fresh();
        for (const name of keys) expect(await store.putIfAbsent(`${at}/${name}`, utf8(name))).toBe("written");
        const found: string[] = [];
        for await (const { location } of store.list(at)) found.push(location.slice(at.length + 1));
        expect(found.sort()).toEqual([...keys].sort());
        for (const name of keys) expect(await store.read(`${at}/${name}`)).toEqual(utf8(name));
      }),
      { numRuns: 25 },
    );
  });

  it("lists more than a page", async () => {
    const at = fresh();
    await Promise.all(Array.from({ length: 1_050 }, (_, index) => store.replace(`${at}/${index}`, utf8(String(index)))));
    const found = new Set<string>();
    for await (const { location } of store.list(at)) found.add(location);
    expect(found.size).toBe(1_050);
  });

  it("says what is wrong with keys that it does not know", async () => {
    const stranger = createS3Store({ credentials: { accessKeyId: "AKIASTRANGER", secretAccessKey: "none" } });
    await expect(stranger.read(`${fresh()}/x`)).rejects.toMatchObject({ kind: "auth" });
  });

  it("says that a bucket is not there", async () => {
    await expect(store.read("s3://floeplan-no-such-bucket/x")).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("a server whose answers get lost", () => {
  let proxy: LossyProxy;
  let store: ReturnType<typeof createS3Store>;
  beforeAll(async () => {
    proxy = await startLossyProxy(ENDPOINT);
    store = createS3Store({ endpoint: proxy.url });
  });
  afterAll(async () => await proxy.stop());
  const isPut = (method: string): boolean => method === "PUT";

  it("shows our own object as ours, and another's of the same bytes as another's", async () => {
    const at = fresh();
    proxy.lose(isPut, 1);
    expect(await store.putIfAbsent(`${at}/x`, utf8("x"))).toBe("written");
    proxy.lose(isPut, 1);
    expect(await store.putIfAbsent(`${at}/x`, utf8("x"))).toBe("exists");
  });

  it("shows our own object as ours also without marks", async () => {
    const at = fresh();
    const unmarked = createS3Store({ endpoint: proxy.url, canMark: false });
    proxy.lose(isPut, 1);
    expect(await unmarked.putIfAbsent(`${at}/x`, utf8("x"))).toBe("written");
    expect(await unmarked.putIfAbsent(`${at}/x`, utf8("x"))).toBe("exists");
  });

  it("has one winner among many", async () => {
    const at = fresh();
    proxy.lose(isPut, 8);
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.putIfAbsent(`${at}/x`, utf8("x"))));
    expect(answers.filter((answer) => answer === "written")).toHaveLength(1);
  });

  it("ends an upload in parts once", async () => {
    const at = fresh();
    const writer = await store.create(`${at}/big`);
    await writer.write(new Uint8Array(9 * MIB).fill(7));
    proxy.lose((method, path) => method === "POST" && path.includes("uploadId"), 1);
    expect((await writer.close()).sizeBytes).toBe(9 * MIB);
    expect((await store.head(`${at}/big`))?.sizeBytes).toBe(9 * MIB);
  });
});
