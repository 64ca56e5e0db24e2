// The fake S3 is strict: it refuses what S3 refuses, plays what S3 does to others than our own store, and fails the
// test on what it does not know. Requests are built by hand here, so that the fake is not proved by the SDK alone.
import { createHash, createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FAKE_KEYS, type FakeS3, s3Error, startS3 } from "../fakes/s3.ts";
import { patterned, utf8 } from "./s3-support.ts";

interface Sent {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly payloadHash?: string;
  readonly region?: string;
  readonly unsigned?: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const sha256 = (data: Uint8Array | string): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** One signed request. `target` is written as it goes over the wire. */
async function send(s3: FakeS3, target: string, sent: Sent = {}): Promise<Answer> {
  const { method = "GET", body = "", region = "us-east-1" } = sent;
  const url = new URL(s3.url);
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const payloadHash = sent.payloadHash ?? sha256(body);
  const headers: Record<string, string> = {
    host: sent.host ?? url.host,
    "x-amz-date": stamp,
    "x-amz-content-sha256": payloadHash,
    ...sent.headers,
  };
  const names = Object.keys(headers).sort();
  const [path = "", query = ""] = target.split("?");
  const pairs = query === "" ? [] : query.split("&").map((pair) => (pair.includes("=") ? pair : `${pair}=`));
  const canonical = [
    method,
    path,
    pairs.sort().join("&"),
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    payloadHash,
  ];
  const day = stamp.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(hmac, `AWS4${FAKE_KEYS.secretAccessKey}`);
  const signature = hmac(key, ["AWS4-HMAC-SHA256", stamp, scope, sha256(canonical.join("\n"))].join("\n")).toString("hex");
  if (sent.unsigned !== true)
    headers["authorization"] =
      `AWS4-HMAC-SHA256 Credential=${FAKE_KEYS.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return await new Promise<Answer>((settle, fail) => {
    const outgoing = httpRequest({
      host: url.hostname,
      port: url.port,
      method,
      path: target,
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
    });
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        settle({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.on("error", fail);
    outgoing.end(body);
  });
}

async function on(work: (s3: FakeS3) => Promise<void>, options: Partial<Parameters<typeof startS3>[0]> = {}): Promise<void> {
  const s3 = await startS3({ buckets: ["data"], ...options });
  await work(s3);
  await s3.stop();
}

const code = ({ body }: Answer): string => /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? "";

describe("a call that the fake does not know", () => {
  it.each([
    ["GET", "/data?acl", {}],
    ["GET", "/data", {}],
    ["POST", "/data?delete", {}],
    ["PUT", "/data", {}],
    ["DELETE", "/data/x?versionId=1", {}],
    ["PUT", "/data/x", { "x-amz-copy-source": "/data/y" }],
    ["PUT", "/data/x", { "x-amz-acl": "private" }],
    ["PATCH", "/data/x", {}],
    ["GET", "/data/x?x-id=PutObject", {}],
  ])("fails the test: %s %s %j", async (method, target, headers) => {
    const s3 = await startS3({ buckets: ["data"] });
    expect((await send(s3, target, { method, headers })).status).toBe(501);
    await expect(s3.stop()).rejects.toThrow("no call that it knows");
  });
});

describe("a signature", () => {
  it("is needed, and proved with every header, the query and the body", async () => {
    await on(async (s3) => {
      s3.objects.put("s3://data/a b/+ü", "x");
      const target = "/data/a%20b/%2B%C3%BC?x-id=GetObject";
      expect((await send(s3, target)).body).toBe("x");
      expect(code(await send(s3, target, { unsigned: true }))).toBe("AccessDenied");
      expect(code(await send(s3, target, { payloadHash: sha256("other") }))).toBe("XAmzContentSHA256Mismatch");
      expect(code(await send(s3, target, { headers: { authorization: "Basic x" } }))).not.toBe("");
      s3.setKeys([{ ...FAKE_KEYS, secretAccessKey: "other" }]);
      expect(code(await send(s3, target))).toBe("SignatureDoesNotMatch");
      s3.setKeys([{ ...FAKE_KEYS, sessionToken: "t" }]);
      expect(code(await send(s3, target))).toBe("InvalidToken");
      s3.setKeys([]);
      expect(code(await send(s3, target))).toBe("InvalidAccessKeyId");
      s3.setKeys([FAKE_KEYS]);
      s3.setClock(16 * 60_000);
      expect(code(await send(s3, target))).toBe("RequestTimeTooSkewed");
    });
  });
});

describe("the place of a bucket", () => {
  it("is the path or the host, and a longer name wins", async () => {
    await on(
      async (s3) => {
        s3.objects.put("s3://data/x", "of data");
        s3.objects.put("s3://data.more/x", "of data.more");
        expect((await send(s3, "/data/x")).body).toBe("of data");
        expect((await send(s3, "/x", { host: "data.s3.us-east-1.amazonaws.com" })).body).toBe("of data");
        expect((await send(s3, "/x", { host: "data.more.s3.us-east-1.amazonaws.com" })).body).toBe("of data.more");
        expect((await send(s3, "/data/x", { host: "s3.us-east-1.amazonaws.com" })).body).toBe("of data");
        expect(code(await send(s3, "/none/x"))).toBe("NoSuchBucket");
      },
      { buckets: ["data", "data.more"] },
    );
  });

  it("in another region is told by header, and to a HEAD by nothing else", async () => {
    await on(
      async (s3) => {
        for (const [bucket, status] of [
          ["a", 301],
          ["b", 307],
          ["c", 400],
        ] as const) {
          const answer = await send(s3, `/${bucket}/x`, { method: "HEAD" });
          expect([answer.status, answer.headers["x-amz-bucket-region"], answer.body]).toEqual([status, "eu-west-1", ""]);
          expect((await send(s3, `/${bucket}/x`, { region: "eu-west-1" })).status).toBe(404);
        }
        expect((await send(s3, "/c/x")).body).toContain("<Region>eu-west-1</Region>");
      },
      {
        buckets: {
          a: { region: "eu-west-1" },
          b: { region: "eu-west-1", elsewhere: 307 },
          c: { region: "eu-west-1", elsewhere: 400 },
        },
      },
    );
  });
});

describe("an upload", () => {
  const CRC = ((): string => {
    const value = Buffer.alloc(4);
    value.writeUInt32BE(crc32("Hello, S3"));
    return value.toString("base64");
  })();

  it("in chunks with a trailer is put together and proved", async () => {
    await on(async (s3) => {
      const chunked = (trailer: string): Sent => ({
        method: "PUT",
        payloadHash: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        headers: {
          "content-encoding": "aws-chunked",
          "x-amz-decoded-content-length": "9",
          "x-amz-trailer": "x-amz-checksum-crc32",
        },
        body: `5\r\nHello\r\n4\r\n, S3\r\n0\r\n${trailer}\r\n\r\n`,
      });
      expect((await send(s3, "/data/x", chunked(`x-amz-checksum-crc32:${CRC}`))).status).toBe(200);
      expect(Buffer.from(s3.objects.get("s3://data/x") ?? []).toString()).toBe("Hello, S3");
      expect(code(await send(s3, "/data/x", chunked("x-amz-checksum-crc32:AAAAAA==")))).toBe("BadDigest");
      expect(code(await send(s3, "/data/x", chunked("")))).toBe("IncompleteBody");
    });
  });

  it("with a wrong checksum is refused", async () => {
    await on(async (s3) => {
      const put = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
        send(s3, "/data/x", { method: "PUT", body: "Hello, S3", headers });
      expect((await put({ "x-amz-checksum-crc32": CRC })).status).toBe(200);
      expect((await put({ "x-amz-checksum-sha256": createHash("sha256").update("Hello, S3").digest("base64") })).status).toBe(
        200,
      );
      for (const wrong of [
        { "x-amz-checksum-crc32": "AAAAAA==" },
        { "x-amz-checksum-sha256": "AAAA" },
        { "content-md5": "AAAA" },
      ])
        expect(code(await put(wrong))).toBe("BadDigest");
      expect(code(await put({ "x-amz-sdk-checksum-algorithm": "CRC32" }))).toBe("InvalidRequest");
    });
  });

  it("on a condition is refused where it does not hold", async () => {
    await on(async (s3) => {
      const put = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
        send(s3, "/data/x", { method: "PUT", body: "1", headers });
      expect(code(await put({ "if-match": '"0"' }))).toBe("NoSuchKey");
      const { headers } = await put({ "if-none-match": "*" });
      expect(code(await put({ "if-none-match": "*" }))).toBe("PreconditionFailed");
      expect(code(await put({ "if-none-match": '"0"' }))).toBe("NotImplemented");
      expect(code(await put({ "if-match": '"0"' }))).toBe("PreconditionFailed");
      expect((await put({ "if-match": String(headers["etag"]) })).status).toBe(200);
    });
  });
});

describe("an upload in parts", () => {
  const MIB = 1 << 20;
  const begin = async (s3: FakeS3): Promise<string> =>
    /<UploadId>(\w+)<\/UploadId>/.exec((await send(s3, "/data/big?uploads", { method: "POST" })).body)?.[1] ?? "";
  const part = (s3: FakeS3, id: string, number: number, body: Uint8Array): Promise<Answer> =>
    send(s3, `/data/big?partNumber=${number}&uploadId=${id}`, { method: "PUT", body });
  const end = (
    s3: FakeS3,
    id: string,
    parts: readonly (readonly [number, unknown])[],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    send(s3, `/data/big?uploadId=${id}`, {
      method: "POST",
      headers,
      body: `<CompleteMultipartUpload>${parts.map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${String(etag)}</ETag></Part>`).join("")}</CompleteMultipartUpload>`,
    });

  it("is put together from parts and copied stretches, and listed while it runs", async () => {
    await on(async (s3) => {
      const source = patterned(6 * MIB);
      s3.objects.put("s3://data/source ü", source);
      s3.objects.put("s3://data/small", "small");
      const id = await begin(s3);
      const copy = (from: string, range: string): Promise<Answer> =>
        send(s3, `/data/big?partNumber=1&uploadId=${id}`, {
          method: "PUT",
          headers: { "x-amz-copy-source": from, "x-amz-copy-source-range": range },
        });
      expect(code(await copy("/data/small", "bytes=0-2"))).toBe("InvalidRequest");
      expect(code(await copy("/data/source%20%C3%BC", `bytes=0-${6 * MIB}`))).toBe("InvalidArgument");
      expect(code(await copy("/data/none", "bytes=0-2"))).toBe("NoSuchKey");
      const copied = /<ETag>(.*?)<\/ETag>/.exec((await copy("/data/source%20%C3%BC", `bytes=1-${5 * MIB}`)).body)?.[1];
      const own = (await part(s3, id, 2, utf8("tail"))).headers["etag"];
      expect((await send(s3, `/data/big?uploadId=${id}`)).body).toContain("<PartNumber>2</PartNumber>");
      expect(
        (
          await end(s3, id, [
            [1, copied],
            [2, own],
          ])
        ).status,
      ).toBe(200);
      expect(
        Buffer.compare(
          s3.objects.get("s3://data/big") ?? utf8(""),
          Buffer.concat([source.subarray(1, 5 * MIB + 1), utf8("tail")]),
        ),
      ).toBe(0);
      expect(s3.objects.uploads("data")).toEqual([]);
    });
  });

  it("is held to S3's limits", async () => {
    await on(async (s3) => {
      const id = await begin(s3);
      const [one, two] = [
        (await part(s3, id, 1, utf8("small"))).headers["etag"],
        (await part(s3, id, 2, utf8("tail"))).headers["etag"],
      ];
      expect(
        code(
          await end(s3, id, [
            [1, one],
            [2, two],
          ]),
        ),
      ).toBe("EntityTooSmall");
      expect(
        code(
          await end(s3, id, [
            [2, two],
            [1, one],
          ]),
        ),
      ).toBe("InvalidPartOrder");
      expect(code(await end(s3, id, [[1, two]]))).toBe("InvalidPart");
      expect(code(await end(s3, id, []))).toBe("MalformedXML");
      expect(code(await part(s3, id, 10_001, utf8("x")))).toBe("InvalidArgument");
      expect(code(await part(s3, "none", 1, utf8("x")))).toBe("NoSuchUpload");
      s3.objects.put("s3://data/big", "there");
      expect(code(await end(s3, id, [[1, one]], { "if-none-match": "*" }))).toBe("PreconditionFailed");
      expect((await send(s3, `/data/big?uploadId=${id}`, { method: "DELETE" })).status).toBe(204);
      expect(code(await send(s3, `/data/big?uploadId=${id}`, { method: "DELETE" }))).toBe("NoSuchUpload");
    });
  });
});

describe("reading", () => {
  it("gives ranges as S3 does", async () => {
    await on(async (s3) => {
      s3.objects.put("s3://data/x", "0123456789");
      s3.objects.put("s3://data/empty", "");
      const range = async (text: string, key = "x"): Promise<readonly unknown[]> => {
        const answer = await send(s3, `/data/${key}`, { headers: { range: text } });
        return answer.status === 416 ? [416, code(answer)] : [answer.status, answer.body, answer.headers["content-range"]];
      };
      expect(await range("bytes=2-4")).toEqual([206, "234", "bytes 2-4/10"]);
      expect(await range("bytes=8-99")).toEqual([206, "89", "bytes 8-9/10"]);
      expect(await range("bytes=8-")).toEqual([206, "89", "bytes 8-9/10"]);
      expect(await range("bytes=-3")).toEqual([206, "789", "bytes 7-9/10"]);
      expect(await range("bytes=10-11")).toEqual([416, "InvalidRange"]);
      expect(await range("bytes=0-0", "empty")).toEqual([416, "InvalidRange"]);
      expect(await range("lines=1-2")).toEqual([200, "0123456789", undefined]);
      expect(code(await send(s3, "/data/x", { headers: { "if-match": '"0"' } }))).toBe("PreconditionFailed");
    });
  });
});

describe("faults", () => {
  it("break the calls that they name, as often as they say, before or after the effect", async () => {
    await on(async (s3) => {
      const put = (): Promise<Answer> => send(s3, "/data/x", { method: "PUT", body: "1" });
      s3.fault({ on: "PutObject", answer: s3Error(503, "SlowDown"), skip: 1, times: 2 });
      expect([(await put()).status, (await put()).status, (await put()).status, (await put()).status]).toEqual([
        200, 503, 503, 200,
      ]);
      s3.objects.remove("s3://data/x");
      s3.fault({ on: "PutObject", answer: "drop", effect: "before" });
      await expect(put()).rejects.toThrow();
      expect(s3.objects.keys("data")).toEqual([]);
      s3.fault({ on: "PutObject", answer: "drop", effect: "after" });
      await expect(put()).rejects.toThrow();
      expect(s3.objects.keys("data")).toEqual(["x"]);
      const end = s3.fault({ on: ({ target }) => target === "data/x", answer: s3Error(500, "InternalError"), times: 9 });
      expect((await put()).status).toBe(500);
      end();
      expect((await put()).status).toBe(200);
      expect(s3.counts()).toEqual({ PutObject: 8 });
    });
  });
});
