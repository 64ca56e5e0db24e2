// A strict S3 in this process, over real HTTP: path style and virtual hosts, signatures proved, conditional writes
// that exactly one wins, parts, pages, regions. What it does not know fails the test. Used by every suite that needs
// a store: `const s3 = await startS3({ buckets: ["data"] })`, the product pointed at it by its endpoint.
import { randomUUID } from "node:crypto";
import { type CallName, type FakeAnswer, type FakeRequest, type FaultRule, type HttpFake, startHttpFake } from "./http-fake.ts";
import { abortUpload, beginUpload, copyPart, endUpload, listParts, putPart } from "./s3-multipart.ts";
import { deleteObject, listObjects, putWhole, readObject } from "./s3-objects.ts";
import { type S3Operation, s3Operation } from "./s3-routes.ts";
import { checkSignature, type FakeKeys, type SignatureProblem } from "./s3-signature.ts";
import { type Bucket, type BucketOptions, etagOf, newBucket, type S3State, type StoredObject } from "./s3-state.ts";
import { refusedByTableStorage } from "./s3-table-storage.ts";
import { S3Refusal, s3Error } from "./s3-xml.ts";

export { s3Error } from "./s3-xml.ts";

export const FAKE_KEYS: FakeKeys = { accessKeyId: "AKIAFAKEFAKEFAKEFAKE", secretAccessKey: "fake/secret+for/tests" };

export interface S3Options {
  readonly buckets: readonly string[] | Readonly<Record<string, BucketOptions>>;
  /** The keys that may sign. Without: FAKE_KEYS. */
  readonly keys?: readonly FakeKeys[];
  /** A conditional write that another write overtook gets 409 where it could also get 412. */
  readonly hasRaceConflicts?: boolean;
}

/** Objects looked at and set from outside, past HTTP. Locations are `s3://bucket/key`. */
export interface S3Objects {
  get(location: string): Uint8Array | undefined;
  headers(location: string): Readonly<Record<string, string>> | undefined;
  put(location: string, bytes: Uint8Array | string): void;
  remove(location: string): void;
  keys(bucket: string): readonly string[];
  /** Uploads in parts that were neither ended nor aborted. */
  uploads(bucket: string): readonly { readonly key: string; readonly uploadId: string; readonly parts: number }[];
}

export interface FakeS3 extends Pick<HttpFake, "url" | "calls" | "counts" | "clearCalls" | "setLatency" | "stop"> {
  readonly objects: S3Objects;
  /** Breaks calls, by operation (`PutObject`) or by a test. Errors are written with `s3Error`. */
  readonly fault: (rule: FaultRule) => () => void;
  /** A bucket more. */
  readonly addBucket: (name: string, options?: BucketOptions) => void;
  /** From now on, who may sign. */
  readonly setKeys: (keys: readonly FakeKeys[]) => void;
  /** Keys that S3 knows, and whose time is over. */
  readonly expire: (accessKeyId: string) => void;
  /** Sets the clock by which signatures are judged. */
  readonly setClock: (offsetMs: number) => void;
  /** For a program whose AWS SDK is to talk to this fake. */
  readonly variables: Readonly<Record<string, string>>;
}

export async function startS3(options: S3Options): Promise<FakeS3> {
  let keys = options.keys ?? [FAKE_KEYS];
  const expired = new Set<string>();
  let offsetMs = 0;
  const named = Array.isArray(options.buckets)
    ? Object.fromEntries(options.buckets.map((name: string) => [name, {}]))
    : options.buckets;
  const state: S3State = {
    buckets: new Map(Object.entries(named).map(([name, options]) => [name, newBucket(name, options as BucketOptions)])),
    hasRaceConflicts: options.hasRaceConflicts ?? false,
    nowMs: () => Date.now() + offsetMs,
    newUploadId: () => randomUUID().replaceAll("-", ""),
  };

  const answer = (request: FakeRequest, call: CallName): FakeAnswer => {
    const { operation, bucketName, key } = s3Operation(request, state.buckets) ?? missing(call);
    const bucket = state.buckets.get(bucketName);
    const isRead = operation === "GetObject" || operation === "HeadObject";
    if (bucket?.isPublic === true && isRead && request.headers["authorization"] === undefined)
      return run(state, bucket, operation, key, request, seenAtStart.get(request));
    const check = checkSignature(request, { service: "s3", keys, nowMs: state.nowMs() });
    if (check.state === "bad") return refuseSignature(check.problem, check.why, state.nowMs());
    if (expired.has(check.accessKeyId)) return s3Error(400, "ExpiredToken", { message: "The provided token has expired." });
    if (bucket === undefined)
      return s3Error(404, "NoSuchBucket", {
        message: "The specified bucket does not exist",
        fields: [["BucketName", bucketName]],
      });
    if (check.region !== bucket.region) return elsewhere(bucket, check.region);
    const refused = refusedByTableStorage(bucket, operation, key, request);
    if (refused !== null) return refused;
    // What stands there when the call begins; it may be overtaken while the answer is on its way through the tests' hooks.
    return run(state, bucket, operation, key, request, seenAtStart.get(request));
  };
  // The whole request is read before a call is named, so this is the moment at which the call begins.
  const seenAtStart = new WeakMap<FakeRequest, StoredObject | undefined>();
  const http = await startHttpFake("The fake S3", {
    name: (request) => {
      const found = s3Operation(request, state.buckets);
      if (found === null) return null;
      seenAtStart.set(request, state.buckets.get(found.bucketName)?.objects.get(found.key));
      return { operation: found.operation, target: found.key === "" ? found.bucketName : `${found.bucketName}/${found.key}` };
    },
    answer: (request, call) => {
      try {
        return dated(answer(request, call), state.nowMs());
      } catch (error) {
        if (error instanceof S3Refusal) return dated(error.answer, state.nowMs());
        throw error;
      }
    },
  });
  return {
    url: http.url,
    calls: http.calls,
    counts: http.counts,
    clearCalls: http.clearCalls,
    setLatency: http.setLatency,
    stop: http.stop,
    fault: http.fault,
    objects: objectsOf(state),
    addBucket: (name, more = {}) => void state.buckets.set(name, newBucket(name, more)),
    setKeys: (changed) => {
      keys = changed;
    },
    expire: (accessKeyId) => void expired.add(accessKeyId),
    setClock: (milliseconds) => {
      offsetMs = milliseconds;
    },
    variables: {
      AWS_ENDPOINT_URL_S3: http.url,
      AWS_ACCESS_KEY_ID: keys[0]?.accessKeyId ?? "",
      AWS_SECRET_ACCESS_KEY: keys[0]?.secretAccessKey ?? "",
      ...(keys[0]?.sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: keys[0].sessionToken }),
      AWS_REGION: "us-east-1",
      AWS_EC2_METADATA_DISABLED: "true",
    },
  };
}

function run(
  state: S3State,
  bucket: Bucket,
  operation: S3Operation,
  key: string,
  request: FakeRequest,
  seen: StoredObject | undefined,
): FakeAnswer {
  switch (operation) {
    case "GetObject":
    case "HeadObject":
      return readObject(bucket, key, request);
    case "PutObject":
      return putWhole(state, bucket, key, request, seen);
    case "DeleteObject":
      return deleteObject(bucket, key);
    case "ListObjectsV2":
      return listObjects(bucket, request);
    case "HeadBucket":
      return { status: 200, headers: { "x-amz-bucket-region": bucket.region } };
    case "CreateMultipartUpload":
      return beginUpload(state, bucket, key, request);
    case "UploadPart":
      return putPart(bucket, key, request);
    case "UploadPartCopy":
      return copyPart(state, bucket, key, request);
    case "CompleteMultipartUpload":
      return endUpload(state, bucket, key, request, seen);
    case "AbortMultipartUpload":
      return abortUpload(bucket, key, request);
    case "ListParts":
      return listParts(bucket, key, request);
  }
}

function missing(call: CallName): never {
  throw new Error(`${call.operation} was named and is not known`);
}

const REFUSALS: Readonly<Record<SignatureProblem, readonly [status: number, code: string, message: string]>> = {
  missing: [403, "AccessDenied", "Access Denied"],
  malformed: [400, "AuthorizationHeaderMalformed", "The authorization header is malformed."],
  "unknown-key": [403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records."],
  "wrong-token": [400, "InvalidToken", "The provided token is malformed or otherwise invalid."],
  "wrong-service": [400, "AuthorizationHeaderMalformed", "The authorization header is malformed; incorrect service."],
  skewed: [403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large."],
  "wrong-payload-hash": [
    400,
    "XAmzContentSHA256Mismatch",
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
  mismatch: [403, "SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided."],
};

function refuseSignature(problem: SignatureProblem, why: string, nowMs: number): FakeAnswer {
  const [status, code, message] = REFUSALS[problem];
  return s3Error(status, code, {
    message,
    fields: problem === "skewed" ? [["ServerTime", new Date(nowMs).toISOString()]] : [["Why", why]],
  });
}

function elsewhere(bucket: Bucket, region: string): FakeAnswer {
  const headers = { "x-amz-bucket-region": bucket.region };
  const endpoint = `${bucket.name}.s3.${bucket.region}.amazonaws.com`;
  switch (bucket.elsewhere) {
    case 301:
      return s3Error(301, "PermanentRedirect", {
        message:
          "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.",
        fields: [
          ["Endpoint", endpoint],
          ["Bucket", bucket.name],
        ],
        headers,
      });
    case 307:
      return s3Error(307, "TemporaryRedirect", {
        message:
          "Please re-send this request to the specified temporary endpoint. Continue to use the original request endpoint for future requests.",
        fields: [
          ["Endpoint", endpoint],
          ["Bucket", bucket.name],
        ],
        headers: { ...headers, location: `https://${endpoint}/` },
      });
    case 400:
      return s3Error(400, "AuthorizationHeaderMalformed", {
        message: `The authorization header is malformed; the region '${region}' is wrong; expecting '${bucket.region}'`,
        fields: [["Region", bucket.region]],
        headers,
      });
  }
}

function dated(answer: FakeAnswer, nowMs: number): FakeAnswer {
  return { ...answer, headers: { date: new Date(nowMs).toUTCString(), ...answer.headers } };
}

function objectsOf(state: S3State): S3Objects {
  const place = (location: string): { readonly bucket: Bucket; readonly key: string } => {
    const [, name = "", key = ""] = /^s3[an]?:\/\/([^/]+)\/(.*)$/s.exec(location) ?? [];
    return { bucket: bucketOf(state, name), key };
  };
  const look = (location: string): StoredObject | undefined => {
    const { bucket, key } = place(location);
    return bucket.objects.get(key);
  };
  return {
    get: (location) => look(location)?.bytes,
    headers: (location) => look(location)?.headers,
    put: (location, content) => {
      const { bucket, key } = place(location);
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      bucket.objects.set(key, { bytes, etag: etagOf(bytes), headers: {}, checksums: {}, modifiedMs: state.nowMs() });
    },
    remove: (location) => {
      const { bucket, key } = place(location);
      bucket.objects.delete(key);
    },
    keys: (name) => [...bucketOf(state, name).objects.keys()].sort(),
    uploads: (name) =>
      [...bucketOf(state, name).uploads.values()].map(({ key, uploadId, parts }) => ({ key, uploadId, parts: parts.size })),
  };
}

function bucketOf(state: S3State, name: string): Bucket {
  const bucket = state.buckets.get(name);
  if (bucket === undefined) throw new Error(`The fake S3 has no bucket "${name}"`);
  return bucket;
}
