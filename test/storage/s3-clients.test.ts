// Buckets are found in whatever region they are, once; credentials are renewed where their source can, once for all.
import { describe, expect, it } from "vitest";
import { type AwsKeys, sharedKeys } from "../../src/storage/aws-keys.ts";
import { regionalCalls } from "../../src/storage/s3-clients.ts";
import type { BucketOptions } from "../fakes/s3-state.ts";
import { FAKE_KEYS, s3Error, startS3 } from "../fakes/s3.ts";
import { failureOf, storeAt, storeOnFake, utf8 } from "./s3-support.ts";

describe.each([301, 307, 400] as const)("a bucket in another region, told with %i,", (elsewhere) => {
  const buckets: Readonly<Record<string, BucketOptions>> = {
    data: {},
    far: { region: "eu-west-1", elsewhere },
    farther: { region: "ap-south-1", elsewhere },
  };

  it.each([
    ["a read", (store) => store.read("s3://far/x")],
    ["a range", (store) => store.readRange("s3://far/x", 0, 1)],
    ["a look", (store) => store.head("s3://far/x")],
    ["a conditional write", (store) => store.putIfAbsent("s3://far/new", utf8("x"))],
    ["a write", (store) => store.replace("s3://far/new", utf8("x"))],
    ["a deletion", (store) => store.remove("s3://far/x")],
  ] satisfies readonly [string, (store: ReturnType<typeof storeAt>) => Promise<unknown>][])(
    "is found by %s",
    async (_name, call) => {
      const s3 = await startS3({ buckets });
      s3.objects.put("s3://far/x", "x");
      await call(storeAt(s3));
      expect(s3.calls.map(({ status }) => Math.floor(status / 100))).toEqual([Math.floor(elsewhere / 100), 2]);
      await s3.stop();
    },
  );

  it("is found by many calls at once", async () => {
    const s3 = await startS3({ buckets });
    s3.objects.put("s3://far/x", "x");
    s3.setLatency(5);
    const store = storeAt(s3);
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.read("s3://far/x")));
    expect(answers).toHaveLength(20);
    await s3.stop();
  });

  it("is remembered, each by itself", async () => {
    const s3 = await startS3({ buckets });
    const store = storeAt(s3);
    for (const bucket of ["data", "far", "farther"]) await store.replace(`s3://${bucket}/x`, utf8(bucket));
    s3.clearCalls();
    for (const bucket of ["data", "far", "farther"]) expect(await store.read(`s3://${bucket}/x`)).toEqual(utf8(bucket));
    expect(s3.counts()).toEqual({ GetObject: 3 });
    await s3.stop();
  });

  it("takes an upload in parts and a copy from a third region", async () => {
    const s3 = await startS3({ buckets });
    s3.objects.put("s3://farther/x", new Uint8Array(9 << 20).fill(7));
    const writer = await storeAt(s3).create("s3://far/big");
    await writer.copyFrom("s3://farther/x", 0, 9 << 20);
    expect((await writer.close()).sizeBytes).toBe(9 << 20);
    expect(s3.objects.get("s3://far/big")?.length).toBe(9 << 20);
    await s3.stop();
  });
});

describe("a bucket that is sent around", () => {
  it("in a circle is told as a wrong region, not followed for ever", async () => {
    const { s3, store } = await storeOnFake();
    let turn = 0;
    s3.fault({
      on: () => {
        turn += 1;
        return false;
      },
      answer: "drop",
    });
    for (const region of ["eu-west-1", "eu-west-2"]) {
      s3.fault({
        on: () => turn % 2 === (region === "eu-west-1" ? 1 : 0),
        answer: s3Error(301, "PermanentRedirect", { headers: { "x-amz-bucket-region": region } }),
        times: Number.POSITIVE_INFINITY,
      });
    }
    const failure = await failureOf(store.read("s3://data/x"));
    expect([failure.kind, failure.why?.includes("eu-west-")]).toEqual(["config", true]);
    expect(turn).toBe(4);
    await s3.stop();
  });
});

describe("credentials", () => {
  const NEXT: AwsKeys = { accessKeyId: "AKIANEXT", secretAccessKey: "next", sessionToken: "next-token" };

  it("that expired are renewed by their source, once for all calls", async () => {
    const s3 = await startS3({ buckets: ["data"], keys: [FAKE_KEYS, { ...NEXT, sessionToken: "next-token" }] });
    s3.objects.put("s3://data/x", "x");
    let asked = 0;
    const store = storeAt(s3, {
      credentials: async () => {
        asked += 1;
        return asked === 1 ? FAKE_KEYS : NEXT;
      },
    });
    await store.read("s3://data/x");
    s3.expire(FAKE_KEYS.accessKeyId);
    const looks = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? store.read("s3://data/x") : store.head("s3://data/x"),
    );
    await Promise.all(looks);
    expect(asked).toBe(2);
    await s3.stop();
  });

  it("that expired for good are told so, with the mend", async () => {
    const { s3, store } = await storeOnFake();
    s3.expire(FAKE_KEYS.accessKeyId);
    for (const work of [store.read("s3://data/x"), store.head("s3://data/x"), store.putIfAbsent("s3://data/x", utf8("x"))]) {
      const failure = await failureOf(work);
      expect([failure.kind, failure.why]).toEqual(["auth", "The AWS credentials in use have expired"]);
      expect(failure.mend).toContain("goes on where it stopped");
    }
    await s3.stop();
  });

  it("that end soon are renewed before they do, without a failed call", async () => {
    const s3 = await startS3({ buckets: ["data"], keys: [FAKE_KEYS, NEXT] });
    s3.objects.put("s3://data/x", "x");
    let asked = 0;
    const store = storeAt(s3, {
      credentials: async () => {
        asked += 1;
        return asked === 1
          ? { ...FAKE_KEYS, expiration: new Date(Date.now() + 50) }
          : { ...NEXT, expiration: new Date(Date.now() + 3_600_000) };
      },
    });
    await store.read("s3://data/x");
    await new Promise((resume) => setTimeout(resume, 50));
    await store.read("s3://data/x");
    await store.read("s3://data/x");
    expect([asked, s3.calls.map(({ status }) => status)]).toEqual([2, [200, 200, 200]]);
    await s3.stop();
  });

  it("whose source fails are told with its words", async () => {
    const { s3, store } = await storeOnFake({
      credentials: async () => {
        throw Object.assign(new Error("the SSO session has expired"), { name: "CredentialsProviderError" });
      },
    });
    const failure = await failureOf(store.read("s3://data/x"));
    expect([failure.kind, failure.why]).toEqual(["auth", "No usable AWS credentials were found: the SSO session has expired"]);
    expect(s3.calls).toEqual([]);
    await s3.stop();
  });
});

describe("a clock that differs", () => {
  it.each([-5, 5])("by %i hours is corrected by the answer", async (hours) => {
    const { s3, store } = await storeOnFake();
    s3.setClock(hours * 3_600_000);
    expect(await store.putIfAbsent("s3://data/x", utf8("x"))).toBe("written");
    await store.read("s3://data/x");
    expect(s3.calls.map(({ status }) => status)).toEqual([403, 404, 200, 200]);
    await s3.stop();
  });
});

describe("renewing", () => {
  it("is asked for once by all who fail of the same credentials, and not again by those who come late", async () => {
    const expired = Object.assign(new Error("expired"), { name: "ExpiredToken", $metadata: { httpStatusCode: 400 } });
    let renewals = 0;
    const keys = sharedKeys(async (options) => {
      await new Promise((resume) => setTimeout(resume, 5));
      if (options?.forceRefresh === true) renewals += 1;
      return { accessKeyId: `AKIA${renewals}`, secretAccessKey: "s" };
    });
    await keys();
    const run = regionalCalls(() => ({ config: { credentials: keys } }));
    const call = (delayMs: number): Promise<number> =>
      run("data", async () => {
        const mine = renewals;
        await new Promise((resume) => setTimeout(resume, delayMs));
        if (mine === 0) throw expired;
        return mine;
      });
    expect(await Promise.all([call(0), call(1), call(3), call(20)])).toEqual([1, 1, 1, 1]);
    expect(renewals).toBe(1);
  });
});
