// What goes wrong in S3 is told with the permission, the bucket and the mend.
import { createServer } from "node:http";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import type { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { FakeAnswer } from "../fakes/http-fake.ts";
import { FAKE_KEYS, s3Error } from "../fakes/s3.ts";
import { failureOf, listed, storeAt, storeOnFake, utf8 } from "./s3-support.ts";

type Call = (store: ObjectStore) => Promise<unknown>;

const READ: Call = (store) => store.read("s3://data/t/x");
const WRITE: Call = (store) => store.putIfAbsent("s3://data/t/x", utf8("x"));

async function failing(answer: FakeAnswer, call: Call): Promise<ToolError> {
  const { s3, store } = await storeOnFake();
  s3.fault({ on: () => true, answer, times: Number.POSITIVE_INFINITY });
  const failure = await failureOf(call(store));
  await s3.stop();
  return failure;
}

const denied = (message: string): FakeAnswer => s3Error(403, "AccessDenied", { message });

describe("a missing permission", () => {
  it.each([
    ["s3:GetObject", 'Cannot read "s3://data/t/x"', READ],
    ["s3:GetObject", 'Cannot read "s3://data/t/x"', (store) => store.readRange("s3://data/t/x", 0, 4)],
    ["s3:GetObject", 'Cannot look at "s3://data/t/x"', (store) => store.head("s3://data/t/x")],
    ["s3:PutObject", 'Cannot write "s3://data/t/x"', WRITE],
    ["s3:PutObject", 'Cannot write "s3://data/t/x"', (store) => store.replace("s3://data/t/x", utf8("x"))],
    ["s3:PutObject", 'Cannot write "s3://data/t/x"', async (store) => (await store.create("s3://data/t/x")).close()],
    ["s3:ListBucket", 'Cannot list "s3://data/t"', (store) => listed(store, "s3://data/t")],
    ["s3:DeleteObject", 'Cannot remove "s3://data/t/x"', (store) => store.remove("s3://data/t/x")],
  ] satisfies readonly [string, string, Call][])("%s is named: %s", async (action, message, call) => {
    const failure = await failing(denied("Access Denied"), call);
    expect([failure.kind, failure.message, failure.retryable]).toEqual(["auth", message, false]);
    expect(failure.why).toContain(`The credentials in use lack ${action} on `);
    expect(failure.mend).toContain(`Allow ${action} on `);
    expect(failure.context).toMatchObject({ code: "AccessDenied", status: 403, request: "FAKE0123456789AB" });
  });

  it("is named as S3 names it, with its reason", async () => {
    const failure = await failing(
      denied(
        "User: arn:aws:sts::111122223333:assumed-role/plan/run is not authorized to perform: s3:PutObject on resource: " +
          '"arn:aws:s3:::data/t/x" because no identity-based policy allows the s3:PutObject action',
      ),
      WRITE,
    );
    expect(failure.why).toContain(
      "The credentials in use lack s3:PutObject on arn:aws:s3:::data/t/x (no identity-based policy allows the s3:PutObject action)",
    );
  });

  it.each([
    ["kms:GenerateDataKey", WRITE],
    ["kms:Decrypt", READ],
  ] satisfies readonly [string, Call][])("on the key of the bucket is named: %s", async (action, call) => {
    const key = "arn:aws:kms:eu-west-1:111122223333:key/0e3d-11";
    const failure = await failing(
      denied(
        `User: arn:aws:iam::1:user/u is not authorized to perform: ${action} on resource: ${key} because no resource-based policy allows it`,
      ),
      call,
    );
    expect(failure.why).toBe(`The credentials in use lack ${action} on ${key} (no resource-based policy allows it)`);
    expect(failure.mend).toContain(`Allow ${action} on ${key}`);
  });

  it("on a key that S3 does not name is named in general", async () => {
    const failure = await failing(
      denied(
        "The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are not allowed to access",
      ),
      READ,
    );
    expect(failure.why).toContain("kms:Decrypt (to read) and kms:GenerateDataKey (to write) on the key of the bucket");
  });

  it("to list the bucket may hide behind one to read, and is mentioned", async () => {
    expect((await failing(denied("Access Denied"), READ)).why).toContain("Without s3:ListBucket on the bucket");
    expect((await failing(denied("Access Denied"), WRITE)).why).toContain("A bucket that is encrypted with a KMS key");
  });

  it("is told for a look as well, whose answer has no words of its own", async () => {
    const { s3, store } = await storeOnFake();
    s3.fault({ on: "GetObject", answer: denied("not authorized to perform: kms:Decrypt on resource: KEY because of nothing") });
    s3.fault({ on: "HeadObject", answer: { status: 403 } });
    expect((await failureOf(store.head("s3://data/t/x"))).why).toContain("lack kms:Decrypt on KEY");
    expect(s3.counts()).toEqual({ HeadObject: 1, GetObject: 1 });
    await s3.stop();
  });

  it("is told for a look that names the region, where the bucket already is", async () => {
    const { s3, store } = await storeOnFake();
    s3.fault({ on: "HeadObject", answer: { status: 400, headers: { "x-amz-bucket-region": "us-east-1" } }, times: 9 });
    s3.fault({
      on: "GetObject",
      answer: s3Error(400, "ExpiredToken", { headers: { "x-amz-bucket-region": "us-east-1" } }),
      times: 9,
    });
    expect((await failureOf(store.head("s3://data/t/x"))).why).toBe("The AWS credentials in use have expired");
    expect(s3.counts()["HeadObject"]).toBe(2);
    await s3.stop();
  });

  it("for a look alone does not keep it from seeing", async () => {
    const { s3, store } = await storeOnFake();
    s3.fault({ on: "HeadObject", answer: { status: 403 }, times: 3 });
    s3.objects.put("s3://data/t/x", "12345");
    s3.objects.put("s3://data/t/empty", "");
    expect((await store.head("s3://data/t/x"))?.sizeBytes).toBe(5);
    expect((await store.head("s3://data/t/empty"))?.sizeBytes).toBe(0);
    expect(await store.head("s3://data/t/none")).toBeNull();
    await s3.stop();
  });
});

describe("an error code", () => {
  it.each([
    [404, "NoSuchBucket", "not-found", "There is no such bucket"],
    [400, "InvalidToken", "auth", "session token"],
    [403, "InvalidAccessKeyId", "auth", "does not know the access key"],
    [403, "SignatureDoesNotMatch", "auth", "secret access key"],
    [403, "InvalidObjectState", "refused", "archive class"],
    [400, "KMS.DisabledException", "auth", "The KMS key of the bucket cannot be used"],
    [503, "SlowDown", "throttled", "slow down"],
    [429, "TooManyRequests", "throttled", "slow down"],
    [500, "InternalError", "unavailable", "status 500, InternalError"],
    [504, "GatewayTimeout", "unavailable", "status 504"],
    [405, "MethodNotAllowed", "unsupported", "does not offer this"],
    [507, "XMinioStorageFull", "storage-full", "no room left"],
    [400, "InvalidRequest", "refused", "S3 refuses it: InvalidRequest"],
    [403, "RequestTimeTooSkewed", "auth", "clock"],
    [400, "BadDigest", "corrupt", "not those that were sent"],
  ])("%i %s is told as %s", async (status, code, kind, why) => {
    const failure = await failing(s3Error(status, code), READ);
    expect(failure.kind).toBe(kind);
    expect(failure.why).toContain(why);
    expect(failure.context["code"]).toBe(code);
  });

  it("that is not known keeps S3's words", async () => {
    const failure = await failing(s3Error(400, "SomethingNew", { message: "Something new happened." }), WRITE);
    expect([failure.kind, failure.why]).toEqual(["refused", "S3 refuses it: Something new happened"]);
  });
});

describe("the network", () => {
  it("without a server there is told with the endpoint to check", async () => {
    const { s3 } = await storeOnFake();
    await s3.stop();
    const failure = await failureOf(storeAt(s3).read("s3://data/x"));
    expect([failure.kind, failure.why?.slice(0, 21)]).toEqual(["unavailable", "Nothing listens there"]);
    expect(failure.mend).toContain("AWS_ENDPOINT_URL_S3");
  });

  it("with a name that nobody knows is told", async () => {
    const { s3 } = await storeOnFake();
    await s3.stop();
    const failure = await failureOf(storeAt(s3, { endpoint: "http://store.invalid" }).read("s3://data/x"));
    expect([failure.kind, failure.why?.slice(0, 27)]).toEqual(
      ["unavailable", "The name of the server "].map((text) => expect.stringContaining(text)),
    );
  });

  it("with silence is given up after the idle time, and told", async () => {
    const { s3 } = await storeOnFake();
    s3.fault({ on: "GetObject", answer: "hang", times: Number.POSITIVE_INFINITY });
    const failure = await failureOf(storeAt(s3, { idleTimeoutMs: 20 }).read("s3://data/x"));
    expect([failure.kind, s3.counts()["GetObject"]]).toEqual(["unavailable", 6]);
    await s3.stop();
  });

  it("with another kind of server at its end is told", async () => {
    const server = createServer((_request, response) => response.end("<html>Welcome</html>"));
    await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const { s3 } = await storeOnFake();
    const store = storeAt(s3, { endpoint: `http://127.0.0.1:${port}` });
    expect((await failureOf(listed(store, "s3://data/x"))).kind).toBe("unsupported");
    expect((await failureOf(store.readRange("s3://data/x", 0, 5))).kind).toBe("unsupported");
    server.closeAllConnections();
    server.close();
    await s3.stop();
  });
});

it("no error carries the request, with its session token, along", async () => {
  const { s3, store } = await storeOnFake({}, { keys: [] });
  const failure = await failureOf(READ(store));
  expect(failure.cause).toMatchObject({
    name: "InvalidAccessKeyId",
    message: expect.stringContaining("does not exist") as string,
  });
  expect(inspect(failure, { depth: null, showHidden: true })).not.toContain(FAKE_KEYS.accessKeyId);
  await s3.stop();
});

it("a bug is no failure of the world", async () => {
  const { s3, store } = await storeOnFake({ credentials: FAKE_KEYS });
  expect((await failureOf(store.readRange("s3://data/x", -1, 5))).kind).toBe("internal");
  expect((await failureOf(store.readRange("s3://data/x", 0, 0.5))).kind).toBe("internal");
  expect(s3.calls).toEqual([]);
  await s3.stop();
});
