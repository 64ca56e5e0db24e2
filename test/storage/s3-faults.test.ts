// Every call of every operation of the store is broken in turn, in every way: once, before its effect or after it, and the
// operation ends as if nothing had been; for ever, and it ends in a ToolError with nothing half done. FLOEPLAN_LONG=1 breaks
// each both before and after.
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolErrorKind } from "../../src/diagnostics/tool-error.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import type { S3Calls } from "../../src/storage/s3-calls.ts";
import { readObject, readObjectRange, streamObjectRange } from "../../src/storage/s3-read.ts";
import type { FakeRequest, FaultAnswer, FaultRule } from "../fakes/http-fake.ts";
import { type FakeS3, s3Error } from "../fakes/s3.ts";
import { inTurn } from "../long.ts";
import { failureOf, listed, patterned, storeOnFake, utf8 } from "./s3-support.ts";

interface Operation {
  readonly name: string;
  readonly run: (store: ObjectStore, at: string) => Promise<unknown>;
  /** In the order sent. Parts go side by side and end in any order. */
  readonly calls: readonly string[];
  /** The key `new` afterwards; null: untouched. */
  readonly written: Uint8Array | null;
  readonly answer: unknown;
  /** Costs too much to be broken in every way. */
  readonly isLarge?: boolean;
}

const OLD = utf8("what was there before");
const LARGE = patterned((8 << 20) + 7);

const OPERATIONS: readonly Operation[] = [
  { name: "read", run: (store, at) => store.read(`${at}/old`), calls: ["GetObject"], written: null, answer: OLD },
  {
    name: "readRange",
    run: (store, at) => store.readRange(`${at}/old`, 5, 8),
    calls: ["GetObject"],
    written: null,
    answer: OLD.slice(5, 13),
  },
  {
    name: "readRange of nothing",
    run: (store, at) => store.readRange(`${at}/old`, 5, 0),
    calls: ["HeadObject"],
    written: null,
    answer: new Uint8Array(),
  },
  {
    name: "head",
    run: async (store, at) => (await store.head(`${at}/old`))?.sizeBytes,
    calls: ["HeadObject"],
    written: null,
    answer: OLD.length,
  },
  { name: "head of nothing", run: (store, at) => store.head(`${at}/none`), calls: ["HeadObject"], written: null, answer: null },
  {
    name: "putIfAbsent",
    run: (store, at) => store.putIfAbsent(`${at}/new`, OLD),
    calls: ["PutObject"],
    written: OLD,
    answer: "written",
  },
  {
    name: "putIfAbsent of a taken name",
    run: (store, at) => store.putIfAbsent(`${at}/old`, utf8("x")),
    calls: ["PutObject", "HeadObject"],
    written: null,
    answer: "exists",
  },
  { name: "replace", run: (store, at) => store.replace(`${at}/new`, OLD), calls: ["PutObject"], written: OLD, answer: undefined },
  {
    name: "list",
    run: async (store, at) => (await listed(store, at)).length,
    calls: ["ListObjectsV2"],
    written: null,
    answer: 1,
  },
  { name: "remove", run: (store, at) => store.remove(`${at}/none`), calls: ["DeleteObject"], written: null, answer: undefined },
  {
    name: "create",
    run: (store, at) =>
      streamed(store, at, async (writer) => {
        await writer.write(utf8("own "));
        await writer.copyFrom(`${at}/old`, 0, OLD.length);
      }),
    calls: ["GetObject", "PutObject"],
    written: Buffer.concat([utf8("own "), OLD]),
    answer: 4 + OLD.length,
  },
  {
    name: "create in parts",
    run: (store, at) => streamed(store, at, (writer) => writer.write(LARGE)),
    calls: ["CreateMultipartUpload", "UploadPart", "UploadPart", "CompleteMultipartUpload"],
    written: LARGE,
    answer: LARGE.length,
    isLarge: true,
  },
];

/** Is the call about this folder? */
function isAbout(at: string, { path, query }: Pick<FakeRequest, "path" | "query">): boolean {
  const folder = new RegExp(`[/=]${at.split("/").at(-1)}/`);
  return folder.test(decodeURIComponent(path)) || query.some(([name, value]) => folder.test(`${name}=${value}`));
}

async function streamed(
  store: ObjectStore,
  at: string,
  fill: (writer: Awaited<ReturnType<ObjectStore["create"]>>) => Promise<void>,
): Promise<number> {
  const writer = await store.create(`${at}/new`);
  try {
    await fill(writer);
    return (await writer.close()).sizeBytes;
  } finally {
    await writer.abort();
  }
}

const TRANSIENT: Readonly<Record<string, FaultAnswer>> = {
  drop: "drop",
  hang: "hang",
  "503 SlowDown": s3Error(503, "SlowDown"),
  "500 InternalError": s3Error(500, "InternalError"),
  "429": { status: 429 },
};

/** Silence costs its whole time, and is the same to the client either way. */
const effects = (name: string): readonly ("before" | "after")[] => (name === "hang" ? ["after"] : ["before", "after"]);

const LASTING: readonly (readonly [string, FaultAnswer, ToolErrorKind])[] = [
  ["drop", "drop", "unavailable"],
  ["503 SlowDown", s3Error(503, "SlowDown"), "throttled"],
  ["500 InternalError", s3Error(500, "InternalError"), "unavailable"],
  ["403 AccessDenied", s3Error(403, "AccessDenied"), "auth"],
  ["ExpiredToken", s3Error(400, "ExpiredToken"), "auth"],
];

describe.each(OPERATIONS.map((operation, number) => [operation.name, operation, number] as const))(
  "%s",
  (_, operation, number) => {
    const { calls, isLarge = false } = operation;
    let s3: FakeS3;
    let store: ObjectStore;
    let turn = 0;

    /** A fresh folder with one object in it, on the same fake. */
    const fresh = (): string => {
      const at = `s3://data/${turn++}`;
      s3.objects.put(`${at}/old`, OLD);
      s3.clearCalls();
      return at;
    };
    const expectState = (at: string, written: Uint8Array | null, lostUploads = 0): void => {
      expect(Buffer.compare(s3.objects.get(`${at}/old`) ?? utf8("none"), OLD)).toBe(0);
      const found = s3.objects.get(`${at}/new`);
      if (written === null) expect(found).toBeUndefined();
      else expect(Buffer.compare(found ?? utf8("none"), written)).toBe(0);
      const uploads = s3.objects.uploads("data").filter(({ key }) => `s3://data/${key}` === `${at}/new`);
      expect(uploads.map(({ parts }) => parts)).toEqual(Array.from({ length: lostUploads }, () => 0));
    };

    beforeAll(async () => {
      ({ s3, store } = await storeOnFake({ idleTimeoutMs: isLarge ? 2000 : 100 }));
    });
    afterAll(async () => await s3.stop());

    it("makes the calls that are broken below", async () => {
      const at = fresh();
      expect(await operation.run(store, at)).toEqual(operation.answer);
      // One that an earlier test gave up may still be under way.
      const ours = s3.calls.filter(({ request }) => isAbout(at, request));
      expect(ours.map((call) => call.operation)).toEqual(calls);
      expectState(at, operation.written);
    });

    const classes = Object.entries(TRANSIENT).filter(([name]) => !isLarge || name === "drop" || name === "500 InternalError");
    /** Breaks calls about this folder alone: one that an earlier test gave up may still be under way. */
    const broken = async (
      at: string,
      { on, ...rule }: Omit<FaultRule, "on"> & { readonly on?: string },
      work: () => Promise<void>,
    ): Promise<void> => {
      const end = s3.fault({ on: (call, request) => (on ?? call.operation) === call.operation && isAbout(at, request), ...rule });
      await work().finally(end);
    };

    const once = calls.flatMap((call, index) =>
      classes.flatMap(([name, answer], kind) =>
        inTurn(effects(name), number + index + kind).map((effect) => ({ call, index, name, answer, effect })),
      ),
    );
    it.each(once)("survives $name $effect call $index ($call)", async ({ call, index, answer, effect }) => {
      const at = fresh();
      await broken(at, { skip: index, answer, effect }, async () => {
        expect(await operation.run(store, at)).toEqual(operation.answer);
      });
      // Nobody knows the upload that was begun by a lost answer. It holds no part, and so costs nothing.
      const lost = call === "CreateMultipartUpload" && effect === "after" ? 1 : 0;
      expectState(at, operation.written, lost);
    });

    const lastingKinds = LASTING.filter(([name]) => !isLarge || name === "403 AccessDenied" || name === "500 InternalError");
    const lasting = calls.flatMap((call, index) =>
      isLarge && calls.indexOf(call) !== index
        ? []
        : inTurn(lastingKinds, number + index).map(([name, answer, kind]) => ({
            call,
            index,
            name,
            answer,
            kind,
          })),
    );
    it.each(lasting)("ends as $kind, nothing half done, when from call $index ($call) on it is $name", async (fault) => {
      const { call, index, answer, kind } = fault;
      const at = fresh();
      // What is left of an upload can be taken away only where S3 still answers that.
      const rule = isLarge ? { on: call, answer } : { skip: index, answer };
      await broken(at, { ...rule, times: Number.POSITIVE_INFINITY }, async () => {
        expect((await failureOf(operation.run(store, at))).kind).toBe(kind);
      });
      expectState(at, null);
    });

    it.runIf(calls.includes("GetObject"))("survives an answer that breaks off in the middle", async () => {
      const at = fresh();
      await broken(at, { on: "GetObject", answer: "cut", times: 4 }, async () => {
        expect(await operation.run(store, at)).toEqual(operation.answer);
      });
      expectState(at, operation.written);
    });
  },
);

it("bytes that were damaged on their way are never handed out", async () => {
  const { s3, store } = await storeOnFake();
  await store.replace("s3://data/x", OLD);
  const damaged = { status: 200, headers: { "x-amz-checksum-crc32": "AAAAAA==", etag: '"x"' }, body: OLD };
  s3.fault({ on: "GetObject", answer: damaged });
  expect(await store.read("s3://data/x")).toEqual(OLD);
  s3.fault({ on: "GetObject", answer: damaged, times: 6 });
  const failure = await failureOf(store.read("s3://data/x"));
  expect([failure.kind, failure.why?.slice(0, 23)]).toEqual(["corrupt", "The bytes that arrived "]);
  await s3.stop();
});

it.each([
  ["fewer bytes", OLD.subarray(0, 4)],
  ["more bytes", Buffer.concat([OLD, OLD])],
])("an answer with %s than it promises is not taken", async (_name, bytes) => {
  const unused = async (): Promise<never> => {
    throw new Error("Only reads are made");
  };
  const calls: S3Calls = {
    get: async (_place, { range }) => ({
      lengthBytes: range?.lengthBytes ?? OLD.length,
      totalBytes: OLD.length,
      etag: null,
      mark: null,
      chunks: Readable.from([bytes]),
      leave: () => {},
    }),
    head: unused,
    put: unused,
    beginUpload: unused,
    putPart: unused,
    endUpload: unused,
    abortUpload: unused,
    list: unused,
    remove: unused,
  };
  const ports = { wait: async (): Promise<void> => {}, random: () => 0 };
  const range = { offset: 0, lengthBytes: OLD.length };
  let takenBytes = 0;
  const take = async (chunk: Uint8Array): Promise<void> => {
    takenBytes += chunk.length;
  };
  expect((await failureOf(readObject(calls, ports, "s3://data/x"))).kind).toBe("unavailable");
  expect((await failureOf(readObjectRange(calls, ports, "s3://data/x", 0, OLD.length))).kind).toBe("unavailable");
  expect((await failureOf(streamObjectRange(calls, ports, "s3://data/x", range, take))).kind).toBe("unavailable");
  expect(takenBytes).toBeLessThan(OLD.length);
});
