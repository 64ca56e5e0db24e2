// Streamed objects: whole at their end or not there, in parts that S3 takes, in bounded memory, and nothing left
// behind when one is given up.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { partSizeBytes } from "../../src/storage/s3-parts.ts";
import { s3Error } from "../fakes/s3.ts";
import { IS_LONG } from "../long.ts";
import { failureOf, patterned, type StoreOnFake, storeOnFake, utf8 } from "./s3-support.ts";

const MIB = 1 << 20;
const PART = 8 * MIB;

/** Calls are counted here: none is sent again because the machine is slow. */
async function patientStore(): Promise<StoreOnFake> {
  return await storeOnFake({ idleTimeoutMs: 30_000 });
}

describe("the sizes of parts", () => {
  it("reach the largest object of S3 within the number of parts that it takes", () => {
    let total = 0n;
    for (let number = 1; number <= 10_000; number += 1) total += BigInt(partSizeBytes(number));
    expect(total).toBeGreaterThan(5n * 2n ** 40n);
    expect(partSizeBytes(1)).toBeGreaterThanOrEqual(5 * MIB);
    expect(partSizeBytes(10_000)).toBeLessThanOrEqual(5 * 2 ** 30);
  });

  it("stay small for objects of common size", () => {
    expect([1, 250, 1000, 1001].map(partSizeBytes)).toEqual([PART, PART, PART, 2 * PART]);
  });
});

describe("an object", () => {
  it.each([
    [0, ["PutObject"]],
    [1, ["PutObject"]],
    [PART - 1, ["PutObject"]],
    [PART, ["PutObject"]],
    [PART + 1, ["CreateMultipartUpload", "UploadPart", "UploadPart", "CompleteMultipartUpload"]],
    [2 * PART, ["CreateMultipartUpload", "UploadPart", "UploadPart", "CompleteMultipartUpload"]],
  ])("of %i bytes takes the fewest calls and arrives byte for byte", async (size, operations) => {
    const { s3, store } = await patientStore();
    const bytes = patterned(size);
    const writer = await store.create("s3://data/x");
    // Pieces that fit no part.
    for (let offset = 0; offset < size; offset += 3_000_001) await writer.write(bytes.subarray(offset, offset + 3_000_001));
    expect(await writer.close()).toEqual({ location: "s3://data/x", sizeBytes: size });
    expect(s3.calls.map(({ operation }) => operation)).toEqual(operations);
    // It would cost a new connection for every part.
    expect(s3.calls.some(({ request }) => request.headers["expect"] !== undefined)).toBe(false);
    expect(Buffer.compare(s3.objects.get("s3://data/x") ?? utf8("none"), bytes)).toBe(0);
    await s3.stop();
  });

  it("is put together from copied stretches and own bytes, also when answers break off", async () => {
    const { s3, store } = await patientStore();
    const source = patterned(20 * MIB);
    s3.objects.put("s3://data/source", source);
    s3.fault({ on: "GetObject", answer: "cut", times: 10 });
    const writer = await store.create("s3://data/x");
    await writer.write(utf8("PAR1"));
    await writer.copyFrom("s3a://data/source", 100, 12 * MIB);
    await writer.write(patterned(5, 9));
    await writer.copyFrom("s3n://data/source", 13 * MIB, 7 * MIB);
    await writer.close();
    const wanted = Buffer.concat([
      utf8("PAR1"),
      source.subarray(100, 100 + 12 * MIB),
      patterned(5, 9),
      source.subarray(13 * MIB),
    ]);
    expect(Buffer.compare(s3.objects.get("s3://data/x") ?? utf8("none"), wanted)).toBe(0);
    const [first, ...resumed] = s3.calls.filter(({ operation }) => operation === "GetObject");
    expect(first?.request.headers["if-match"]).toBeUndefined();
    expect(resumed[0]?.request.headers["if-match"]).toMatch(/^"[0-9a-f]{32}"$/);
    expect(first?.request.headers["range"]).not.toBe(resumed[0]?.request.headers["range"]);
    await s3.stop();
  });

  it("is not put together from two states of its source", async () => {
    const { s3, store } = await patientStore();
    s3.objects.put("s3://data/source", patterned(MIB));
    s3.fault({
      on: ({ operation }, { headers }) => {
        if (operation === "GetObject" && headers["if-match"] !== undefined) s3.objects.put("s3://data/source", patterned(MIB, 2));
        return false;
      },
      answer: "drop",
    });
    s3.fault({ on: "GetObject", answer: "cut" });
    const writer = await store.create("s3://data/x");
    const failure = await failureOf(writer.copyFrom("s3://data/source", 0, MIB));
    expect([failure.kind, failure.why]).toEqual(["corrupt", "The object was overwritten while it was read"]);
    expect(await failureOf(writer.close())).toBe(failure);
    await writer.abort();
    expect(s3.objects.keys("data")).toEqual(["source"]);
    await s3.stop();
  });
});

describe("given up", () => {
  it("with parts on their way, it leaves no upload and no object", async () => {
    const { s3, store } = await patientStore();
    s3.setLatency(20);
    const writer = await store.create("s3://data/x");
    await writer.write(new Uint8Array(2 * PART + 1));
    expect(s3.objects.uploads("data")).toHaveLength(1);
    await writer.abort();
    await writer.abort();
    expect([s3.objects.uploads("data"), s3.objects.keys("data")]).toEqual([[], []]);
    await s3.stop();
  });

  it("after a part that S3 refuses, it leaves nothing and names the permission", async () => {
    const { s3, store } = await patientStore();
    s3.fault({ on: "UploadPart", answer: s3Error(403, "AccessDenied"), skip: 1 });
    const writer = await store.create("s3://data/x");
    const failure = await failureOf(
      (async () => {
        for (let piece = 0; piece < 12; piece += 1) await writer.write(new Uint8Array(PART / 2));
        await writer.close();
      })(),
    );
    expect([failure.kind, failure.message]).toEqual(["auth", 'Cannot write "s3://data/x"']);
    await writer.abort();
    expect([s3.objects.uploads("data"), s3.objects.keys("data")]).toEqual([[], []]);
    await s3.stop();
  });

  it("where it may not begin, it fails at once and again at its end", async () => {
    const { s3, store } = await patientStore();
    s3.fault({ on: "CreateMultipartUpload", answer: s3Error(403, "AccessDenied"), times: 9 });
    const writer = await store.create("s3://data/x");
    expect((await failureOf(writer.write(new Uint8Array(PART + 1)))).kind).toBe("auth");
    expect((await failureOf(writer.close())).kind).toBe("auth");
    expect(s3.objects.keys("data")).toEqual([]);
    await s3.stop();
  });

  it("where it may not begin between two writes, its end fails too", async () => {
    const { s3, store } = await patientStore();
    s3.fault({ on: "CreateMultipartUpload", answer: s3Error(403, "AccessDenied") });
    const writer = await store.create("s3://data/x");
    await writer.write(new Uint8Array(PART));
    expect((await failureOf(writer.write(utf8("x")))).kind).toBe("auth");
    expect((await failureOf(writer.close())).kind).toBe("auth");
    await s3.stop();
  });

  it("where aborting is forbidden, it is given up all the same", async () => {
    const { s3, store } = await patientStore();
    s3.fault({ on: "AbortMultipartUpload", answer: s3Error(403, "AccessDenied") });
    const writer = await store.create("s3://data/x");
    await writer.write(new Uint8Array(PART + 1));
    await writer.abort();
    expect(s3.objects.uploads("data")).toHaveLength(1);
    await s3.stop();
  });
});

describe("the end of an upload", () => {
  const write = async (store: Awaited<ReturnType<typeof patientStore>>["store"]): Promise<number> => {
    const writer = await store.create("s3://data/x");
    await writer.write(patterned(PART + 5));
    return (await writer.close()).sizeBytes;
  };

  it("whose answer was lost is known by the object", async () => {
    const { s3, store } = await patientStore();
    s3.fault({ on: "CompleteMultipartUpload", effect: "after", answer: "drop" });
    expect(await write(store)).toBe(PART + 5);
    expect(s3.counts()).toMatchObject({ CompleteMultipartUpload: 2, HeadObject: 1 });
    expect(s3.objects.uploads("data")).toEqual([]);
    await s3.stop();
  });

  it("that came too late is not taken for done, though a leftover has the same length", async () => {
    const { s3, store } = await patientStore();
    s3.objects.put("s3://data/x", patterned(PART + 5, 2));
    s3.fault({ on: "CompleteMultipartUpload", answer: s3Error(404, "NoSuchUpload") });
    expect((await failureOf(write(store))).context["code"]).toBe("NoSuchUpload");
    await s3.stop();
  });

  it("that S3 answers with an error inside a 200 is sent again", async () => {
    const { s3, store } = await patientStore();
    const late = s3Error(200, "InternalError");
    s3.fault({ on: "CompleteMultipartUpload", answer: late });
    expect(await write(store)).toBe(PART + 5);
    await s3.stop();
  });

  it("names the checksum of every part, or of none where they are switched off", async () => {
    const { s3, store } = await patientStore();
    await write(store);
    const begun = s3.calls.find(({ operation }) => operation === "CreateMultipartUpload");
    expect(begun?.request.headers["x-amz-checksum-algorithm"]).toBe("CRC32");
    await s3.stop();
  });
});

it.runIf(IS_LONG)("no more than three parts are on their way at once, however slow they are", async () => {
  const { s3, store } = await patientStore();
  s3.fault({ on: "UploadPart", answer: { delayMs: 100 }, times: Number.POSITIVE_INFINITY });
  const writer = await store.create("s3://data/x");
  let written = 0;
  let most = 0;
  for (let part = 0; part < 8; part += 1) {
    await writer.write(new Uint8Array(PART));
    written += 1;
    // Parts that were sent and have no answer yet; the last one written is still being filled.
    most = Math.max(
      most,
      written - 1 - s3.calls.filter(({ operation, status }) => operation === "UploadPart" && status === 200).length,
    );
  }
  await writer.close();
  expect(most).toBe(3);
  await s3.stop();
});

it.runIf(IS_LONG)("a large object is copied in bounded memory", async () => {
  const { s3, store } = await patientStore();
  s3.objects.put("s3://data/source", patterned(96 * MIB));
  const program = fileURLToPath(new URL("./s3-memory.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", program], {
    env: { ...process.env, ...s3.variables },
  });
  const { grownBytes } = JSON.parse(stdout) as { readonly grownBytes: number };
  expect(s3.objects.get("s3://data/target")?.length).toBe(96 * MIB);
  // Three parts on their way, one being filled, and what Node holds of bodies that it reads.
  expect(grownBytes).toBeLessThan(80 * MIB);
  expect((await store.head("s3://data/target"))?.sizeBytes).toBe(96 * MIB);
  await s3.stop();
});
