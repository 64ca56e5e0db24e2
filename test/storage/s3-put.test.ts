// The conditional write says "written" for its own object and for no other, whatever is lost on the way.
import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { FAKE_KEYS, type FakeS3, s3Error } from "../fakes/s3.ts";
import type { FaultAnswer, FaultRule } from "../fakes/http-fake.ts";
import { failureOf, storeAt, storeOnFake, utf8 } from "./s3-support.ts";

const AT = "s3://data/metadata/00001.metadata.json";
const OURS = utf8("the same bytes for all");

/** What may happen to a PUT whose end stays open. */
const UNCLEAR: Readonly<Record<string, FaultAnswer>> = {
  "a dropped connection": "drop",
  silence: "hang",
  "an internal error": s3Error(500, "InternalError"),
  "a bare 502": { status: 502, body: "<html>Bad Gateway</html>" },
  "a bare 503": { status: 503 },
  "a request to slow down": s3Error(503, "SlowDown"),
  "a lost upload": s3Error(400, "RequestTimeout"),
};

async function using(
  work: (s3: FakeS3, store: ObjectStore) => Promise<void>,
  options: Parameters<typeof storeOnFake>[0] = {},
  fake: Parameters<typeof storeOnFake>[1] = {},
): Promise<void> {
  const { s3, store } = await storeOnFake(options, fake);
  try {
    await work(s3, store);
  } finally {
    await s3.stop();
  }
}

describe.each(Object.entries(UNCLEAR))("after %s", (_name, answer) => {
  it.each(["before", "after"] as const)("%s the effect, our object is ours", async (effect) => {
    await using(async (s3, store) => {
      s3.fault({ on: "PutObject", answer, effect });
      expect(await store.putIfAbsent(AT, OURS)).toBe("written");
      expect(s3.objects.get(AT)).toEqual(Buffer.from(OURS));
      expect(s3.counts()).toEqual({ PutObject: effect === "after" ? 1 : 2, HeadObject: 1 });
    });
  });

  it("another's object is not ours, even of the same bytes", async () => {
    await using(async (s3, store) => {
      s3.objects.put(AT, OURS);
      s3.fault({ on: "PutObject", answer, times: 2 });
      expect(await store.putIfAbsent(AT, OURS)).toBe("exists");
    });
  });

  it("another's object that arrives meanwhile is not ours", async () => {
    await using(async (s3, store) => {
      s3.fault({ on: "PutObject", answer });
      s3.fault({ on: (call) => (call.operation === "HeadObject" ? arrive(s3) : false), answer: "drop" });
      expect(await store.putIfAbsent(AT, OURS)).toBe("exists");
    });
  });

  it("and no end of it, the caller is told that it is not clear", async () => {
    await using(
      async (s3, store) => {
        s3.fault({ on: "PutObject", answer, times: Number.POSITIVE_INFINITY });
        const failure = await failureOf(store.putIfAbsent(AT, OURS));
        expect(["unavailable", "throttled"]).toContain(failure.kind);
        expect(failure.retryable).toBe(true);
        expect(s3.counts()["PutObject"]).toBe(6);
        expect(s3.objects.keys("data")).toEqual([]);
      },
      { idleTimeoutMs: 60 },
    );
  });
});

/** Another writer puts the same bytes; the call that lets it in goes on as it is. */
function arrive(s3: FakeS3): false {
  s3.objects.put(AT, OURS);
  return false;
}

describe("a name that is taken", () => {
  it("is told at once, by one look", async () => {
    await using(async (s3, store) => {
      s3.objects.put(AT, OURS);
      expect(await store.putIfAbsent(AT, OURS)).toBe("exists");
      expect(s3.counts()).toEqual({ PutObject: 1, HeadObject: 1 });
    });
  });

  it("by our own object of an earlier call is told as taken", async () => {
    await using(async (_s3, store) => {
      expect(await store.putIfAbsent(AT, OURS)).toBe("written");
      expect(await store.putIfAbsent(AT, OURS)).toBe("exists");
    });
  });

  it("by our own object, which something on the way sent twice, is ours", async () => {
    await using(async (s3, store) => {
      // A proxy that repeats the request hands on the second answer.
      s3.fault({ on: "PutObject", effect: "after", answer: s3Error(412, "PreconditionFailed") });
      expect(await store.putIfAbsent(AT, OURS)).toBe("written");
    });
  });

  it("and free again when looked at is written", async () => {
    await using(async (s3, store) => {
      s3.fault({ on: "PutObject", answer: s3Error(412, "PreconditionFailed") });
      expect(await store.putIfAbsent(AT, OURS)).toBe("written");
      expect(s3.counts()).toEqual({ PutObject: 2, HeadObject: 1 });
    });
  });
});

describe("a race that S3 does not decide (409)", () => {
  const conflict = (times: number): FaultRule => ({ on: "PutObject", times, answer: s3Error(409, "ConditionalRequestConflict") });

  it("is run again until it is decided", async () => {
    await using(async (s3, store) => {
      s3.fault(conflict(3));
      expect(await store.putIfAbsent(AT, OURS)).toBe("written");
      expect(s3.counts()["PutObject"]).toBe(4);
    });
  });

  it("is a race as well where the answer has no words", async () => {
    await using(async (s3, store) => {
      s3.fault({ on: "PutObject", answer: { status: 409 } });
      expect(await store.putIfAbsent(AT, OURS)).toBe("written");
    });
  });

  it("is lost when the other's object stands there", async () => {
    await using(async (s3, store) => {
      s3.fault(conflict(1));
      s3.objects.put(AT, "theirs");
      expect(await store.putIfAbsent(AT, OURS)).toBe("exists");
    });
  });

  it("is given up as a conflict that may be tried again", async () => {
    await using(async (s3, store) => {
      s3.fault(conflict(Number.POSITIVE_INFINITY));
      const failure = await failureOf(store.putIfAbsent(AT, OURS));
      expect([failure.kind, failure.retryable]).toEqual(["conflict", true]);
    });
  });

  it("has one winner among many, whatever S3 answers the others", async () => {
    await using(
      async (s3, store) => {
        s3.setLatency(5);
        const answers = await Promise.all(Array.from({ length: 40 }, () => store.putIfAbsent(AT, OURS)));
        expect(answers.filter((answer) => answer === "written")).toHaveLength(1);
        expect(s3.calls.some(({ status }) => status === 409)).toBe(true);
      },
      {},
      { hasRaceConflicts: true },
    );
  });

  it("has one winner among many whose answers get lost", async () => {
    await using(async (s3, store) => {
      let turn = 0;
      const lost: FaultAnswer[] = ["drop", s3Error(500, "InternalError"), s3Error(503, "SlowDown")];
      for (const [index, answer] of lost.entries()) {
        const effect = index === 1 ? "before" : "after";
        s3.fault({ on: ({ operation }) => operation === "PutObject" && turn++ % 7 === index, effect, answer, times: 30 });
      }
      const answers = await Promise.all(Array.from({ length: 40 }, () => store.putIfAbsent(AT, OURS)));
      expect(answers.filter((answer) => answer === "written")).toHaveLength(1);
    });
  });
});

describe("where objects carry no marks", () => {
  it("our object after a lost answer is known by its bytes", async () => {
    await using(
      async (s3, store) => {
        s3.fault({ on: "PutObject", effect: "after", answer: "drop" });
        expect(await store.putIfAbsent(AT, OURS)).toBe("written");
        expect(s3.counts()).toEqual({ PutObject: 1, HeadObject: 1, GetObject: 1 });
        expect(Object.keys(s3.calls[0]?.request.headers ?? {}).filter((name) => name.startsWith("x-amz-meta"))).toEqual([]);
      },
      { canMark: false },
    );
  });

  it.each(["of the same length 123", "shorter"])("another's object after a lost answer is not ours: %s", async (theirs) => {
    await using(
      async (s3, store) => {
        s3.objects.put(AT, theirs);
        s3.fault({ on: "PutObject", answer: "drop" });
        expect(await store.putIfAbsent(AT, OURS)).toBe("exists");
        expect(s3.counts()["GetObject"]).toBe(theirs.length === OURS.length ? 1 : undefined);
      },
      { canMark: false },
    );
  });

  it("a taken name is told without reading it", async () => {
    await using(
      async (s3, store) => {
        s3.objects.put(AT, OURS);
        expect(await store.putIfAbsent(AT, OURS)).toBe("exists");
        expect(s3.counts()).toEqual({ PutObject: 1, HeadObject: 1 });
      },
      { canMark: false },
    );
  });
});

describe("without s3:ListBucket, where what is not there looks forbidden,", () => {
  const FORBIDDEN = s3Error(403, "AccessDenied");
  const forbidMissing = (s3: FakeS3): void => {
    const isMissing = (target: string): boolean => s3.objects.get(`s3://${target}`) === undefined;
    s3.fault({
      on: ({ operation, target }) => (operation === "HeadObject" || operation === "GetObject") && isMissing(target),
      answer: FORBIDDEN,
      times: Number.POSITIVE_INFINITY,
    });
  };

  it.each(["before", "after"] as const)("a lost answer %s the effect is settled by writing again", async (effect) => {
    await using(async (s3, store) => {
      forbidMissing(s3);
      s3.fault({ on: "PutObject", effect, answer: "drop" });
      expect(await store.putIfAbsent(AT, OURS)).toBe("written");
    });
  });

  it("a taken name that may not be read is a refusal", async () => {
    await using(async (s3, store) => {
      s3.objects.put(AT, OURS);
      s3.fault({ on: "HeadObject", answer: { status: 403 } });
      s3.fault({ on: "GetObject", answer: FORBIDDEN });
      const failure = await failureOf(store.putIfAbsent(AT, OURS));
      expect([failure.kind, failure.why?.includes("s3:GetObject")]).toEqual(["auth", true]);
    });
  });
});

describe("a clear no", () => {
  it.each([
    [s3Error(403, "AccessDenied"), "auth"],
    [s3Error(400, "KeyTooLongError"), "refused"],
    [s3Error(404, "NoSuchBucket"), "not-found"],
    [s3Error(501, "NotImplemented"), "unsupported"],
    [s3Error(507, "XMinioStorageFull"), "storage-full"],
  ])("ends it without a second try: %#", async (answer, kind) => {
    await using(async (s3, store) => {
      s3.fault({ on: "PutObject", answer });
      expect((await failureOf(store.putIfAbsent(AT, OURS))).kind).toBe(kind);
      expect(s3.counts()).toEqual({ PutObject: 1 });
    });
  });
});

it.each(["BadDigest", "IncompleteBody", "XAmzContentSHA256Mismatch"])(
  "bytes that were changed on their way are sent again: %s",
  async (code) => {
    await using(async (s3, store) => {
      s3.fault({ on: "PutObject", answer: s3Error(400, code), times: 2 });
      expect(await store.putIfAbsent(AT, OURS)).toBe("written");
    });
  },
);

it("the store's signature, checksum and mark go with it", async () => {
  await using(async (s3) => {
    await storeAt(s3, { credentials: async () => FAKE_KEYS }).putIfAbsent(AT, OURS);
    const headers = s3.calls[0]?.request.headers ?? {};
    expect(headers["x-amz-checksum-crc32"]).toMatch(/^[\w+/]{6}==$/);
    expect(headers["x-amz-meta-floeplan-write"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers["user-agent"]).toContain("floeplan");
  });
});
