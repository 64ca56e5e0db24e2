// Single objects of the fake S3: GetObject with ranges and conditions, HeadObject, PutObject, DeleteObject, and
// ListObjectsV2 in pages. Knows no routes.
import type { FakeAnswer, FakeRequest } from "./http-fake.ts";
import { readUpload } from "./s3-body.ts";
import { type Bucket, etagOf, noSuchKey, preconditionFailed, putObject, type S3State, type StoredObject } from "./s3-state.ts";
import { S3Refusal, type Xml, xmlAnswer } from "./s3-xml.ts";

export function readObject(bucket: Bucket, key: string, request: FakeRequest): FakeAnswer {
  const object = bucket.objects.get(key);
  if (object === undefined) throw noSuchKey(key);
  const { headers } = request;
  if (headers["if-match"] !== undefined && headers["if-match"] !== object.etag) throw preconditionFailed("If-Match");
  if (headers["if-none-match"] === object.etag) return { status: 304 };
  const range = byteRange(headers["range"], object.bytes.length);
  const wantsChecksum = headers["x-amz-checksum-mode"] === "ENABLED" && range === null;
  const common = {
    "accept-ranges": "bytes",
    etag: object.etag,
    "last-modified": new Date(object.modifiedMs).toUTCString(),
    ...object.headers,
    ...(wantsChecksum ? checksumHeaders(object.checksums) : {}),
  };
  if (range === null) return { status: 200, headers: common, body: object.bytes };
  const [from, to] = range;
  return {
    status: 206,
    headers: { ...common, "content-range": `bytes ${from}-${to}/${object.bytes.length}` },
    body: object.bytes.subarray(from, to + 1),
  };
}

/** First and last byte; null where the whole is asked for. A range that cannot be read is ignored, as S3 does. */
function byteRange(header: string | undefined, size: number): readonly [number, number] | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null) return null;
  const [, first = "", last = ""] = match;
  const [from, to] =
    first === "" ? [Math.max(0, size - Number(last)), size - 1] : [Number(first), last === "" ? size - 1 : Number(last)];
  if (first === "" && last === "") return null;
  if (from >= size || (first === "" && Number(last) === 0))
    throw new S3Refusal(416, "InvalidRange", "The requested range is not satisfiable", {
      fields: [
        ["RangeRequested", header ?? ""],
        ["ActualObjectSize", size],
      ],
      headers: { "content-range": `bytes */${size}` },
    });
  return [from, Math.min(to, size - 1)];
}

function checksumHeaders(checksums: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(checksums).map(([algorithm, value]) => [`x-amz-checksum-${algorithm}`, value]));
}

export function putWhole(
  state: S3State,
  bucket: Bucket,
  key: string,
  request: FakeRequest,
  seen: StoredObject | undefined,
): FakeAnswer {
  const { bytes, checksums } = readUpload(request);
  const object: StoredObject = {
    bytes,
    etag: etagOf(bytes),
    headers: keptHeaders(request),
    checksums,
    modifiedMs: state.nowMs(),
  };
  putObject(state, bucket, key, object, { ...writeConditions(request), seen });
  return { status: 200, headers: { etag: object.etag, ...checksumHeaders(checksums) } };
}

export function writeConditions(request: FakeRequest): { readonly ifMatch?: string; readonly ifNoneMatch?: string } {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = request.headers;
  return { ...(ifMatch === undefined ? {} : { ifMatch }), ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }) };
}

export function keptHeaders(request: FakeRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name.startsWith("x-amz-meta-") || name === "content-type"),
  );
}

export function deleteObject(bucket: Bucket, key: string): FakeAnswer {
  bucket.objects.delete(key);
  return { status: 204 };
}

const LARGEST_PAGE = 1000;

export function listObjects(bucket: Bucket, request: FakeRequest): FakeAnswer {
  const asked = new Map(request.query);
  const prefix = asked.get("prefix") ?? "";
  const token = asked.get("continuation-token");
  const after = token === undefined ? (asked.get("start-after") ?? "") : Buffer.from(token, "base64").toString("utf8");
  const most = Math.min(LARGEST_PAGE, Number(asked.get("max-keys") ?? LARGEST_PAGE));
  const encoded = asked.get("encoding-type") === "url" ? urlEncoded : (text: string): string => text;
  const fitting = [...bucket.objects]
    .filter(([key]) => key.startsWith(prefix) && bytewise(key, after) > 0)
    .sort(([a], [b]) => bytewise(a, b));
  const page = fitting.slice(0, most);
  const last = page.at(-1)?.[0];
  const isTruncated = fitting.length > page.length;
  const fields: Xml[] = [
    ["Name", bucket.name],
    ["Prefix", encoded(prefix)],
    ["KeyCount", page.length],
    ["MaxKeys", most],
    ["IsTruncated", isTruncated],
  ];
  if (asked.get("encoding-type") === "url") fields.push(["EncodingType", "url"]);
  if (isTruncated && last !== undefined) fields.push(["NextContinuationToken", Buffer.from(last).toString("base64")]);
  for (const [key, object] of page) {
    fields.push([
      "Contents",
      [
        ["Key", encoded(key)],
        ["LastModified", new Date(object.modifiedMs).toISOString()],
        ["ETag", object.etag],
        ["Size", object.bytes.length],
        ["StorageClass", "STANDARD"],
      ],
    ]);
  }
  return xmlAnswer("ListBucketResult", fields);
}

function bytewise(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** As S3 writes keys in listings: a blank is a plus sign, a slash stays. */
function urlEncoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replaceAll("%2F", "/")
    .replaceAll(/[!'()]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
