// Answers that S3 never gives, as a proxy or a store that only looks like S3 may: sizes that are none, lists of other folders
// and lists without end, lengths that are only claimed, codes that are members of every object.
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { bodyOf, pageOf } from "../../src/storage/s3-answers.ts";
import type { S3Body, S3Calls, S3Page } from "../../src/storage/s3-calls.ts";
import { s3ToolError } from "../../src/storage/s3-errors.ts";
import { listObjects } from "../../src/storage/s3-list.ts";
import { readObject } from "../../src/storage/s3-read.ts";
import { failureOf, patterned } from "./s3-support.ts";

const NO_PAUSES = { wait: async (): Promise<void> => {}, random: () => 0.5 };
const NOT_ASKED = async (): Promise<never> => {
  throw new Error("This is not asked");
};
const NO_CALLS: S3Calls = {
  get: NOT_ASKED,
  head: NOT_ASKED,
  put: NOT_ASKED,
  beginUpload: NOT_ASKED,
  putPart: NOT_ASKED,
  endUpload: NOT_ASKED,
  abortUpload: NOT_ASKED,
  list: NOT_ASKED,
  remove: NOT_ASKED,
};

async function readOf(lengthBytes: number, bytes: Uint8Array): Promise<Uint8Array> {
  const get = async (): Promise<S3Body> => ({
    lengthBytes,
    totalBytes: lengthBytes,
    etag: null,
    mark: null,
    chunks: Readable.from(chunksOf(bytes)),
    leave: () => undefined,
  });
  return await readObject({ ...NO_CALLS, get }, NO_PAUSES, "s3://data/t/a");
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1 << 20) yield bytes.subarray(at, at + (1 << 20));
}

async function listOf(page: (token: string | null) => S3Page): Promise<readonly string[]> {
  const locations: string[] = [];
  const calls = { ...NO_CALLS, list: async (_bucket: string, _prefix: string, token: string | null) => page(token) };
  for await (const { location } of listObjects(calls, NO_PAUSES, "s3://data/t")) locations.push(location);
  return locations;
}

describe("a size", () => {
  it.each([Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, 2 ** 60])("is not %s", (size) => {
    const fault = expect.objectContaining({ kind: "unsupported" });
    expect(() => bodyOf({ Body: Readable.from([]), ContentLength: size })).toThrow(fault);
    expect(() => pageOf({ IsTruncated: false, Contents: [{ Key: "a", Size: size }] })).toThrow(fault);
  });

  it("that is only claimed takes no memory", async () => {
    const before = process.memoryUsage().arrayBuffers;
    expect((await failureOf(readOf(4_000_000_000, patterned(100)))).kind).toBe("unavailable");
    expect((await failureOf(readOf(Number.MAX_SAFE_INTEGER, patterned(100)))).kind).toBe("unavailable");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 30);
  });

  it("beyond what is set aside at once is read whole", async () => {
    const bytes = patterned((64 << 20) + 12_345);
    expect(Buffer.compare(await readOf(bytes.length, bytes), bytes)).toBe(0);
  });
});

describe("a list", () => {
  it.each(["u/a", "t%2Fa", "tt/a", "T/a"])("does not name %s, which is in another folder", async (key) => {
    const page = {
      objects: [
        { key: "t/a", sizeBytes: 1 },
        { key, sizeBytes: 1 },
      ],
      next: null,
    };
    const failure = await failureOf(listOf(() => page));
    expect([failure.kind, failure.message]).toEqual(["unsupported", 'Cannot list "s3://data/t"']);
    expect(failure.why).toContain(`"${key}"`);
  });

  it("that leads in a circle ends", async () => {
    const next = (token: string | null): string => (token === "b" ? "c" : "b");
    const failure = await failureOf(listOf((token) => ({ objects: [], next: next(token) })));
    expect(failure.why).toContain("the same page again and again");
  });
});

describe("an error", () => {
  it.each(["constructor", "toString", "hasOwnProperty", "__proto__"])("of the code %s is one like any other", (code) => {
    const error = Object.assign(new Error("No"), { name: code, Code: code, $metadata: { httpStatusCode: 400 } });
    const told = s3ToolError({ verb: "read", location: "s3://data/t/a", action: "s3:GetObject" }, error);
    expect(told).toBeInstanceOf(ToolError);
    expect(told).toMatchObject({ kind: "refused", why: "S3 refuses it: No" });
  });

  it("of many words is read in the time that its length takes", () => {
    const message = `no${" because x".repeat(20_000)}\n y`;
    const error = Object.assign(new Error(message), { name: "AccessDenied", $metadata: { httpStatusCode: 403 } });
    const before = process.cpuUsage();
    expect(s3ToolError({ verb: "read", location: "s3://data/t/a", action: "s3:GetObject" }, error)).toMatchObject({
      kind: "auth",
    });
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});
