// Uploads in parts of the fake S3: begin, part, part copied from another object, end, abort, the list of parts, with
// the limits that S3 holds. Knows no routes.
import { createHash } from "node:crypto";
import type { FakeAnswer, FakeRequest } from "./http-fake.ts";
import { readUpload } from "./s3-body.ts";
import { keptHeaders, writeConditions } from "./s3-objects.ts";
import {
  type Bucket,
  etagOf,
  noSuchKey,
  noSuchUpload,
  putObject,
  type S3State,
  type StoredObject,
  type StoredPart,
  type StoredUpload,
} from "./s3-state.ts";
import { type NamedPart, readPartList, S3Refusal, type Xml, xmlAnswer } from "./s3-xml.ts";

const MOST_PARTS = 10_000;
const SMALLEST_PART_BYTES = 5 << 20;
const LARGEST_PART_BYTES = 5 * 2 ** 30;

export function beginUpload(state: S3State, bucket: Bucket, key: string, request: FakeRequest): FakeAnswer {
  const upload: StoredUpload = {
    uploadId: state.newUploadId(),
    key,
    headers: keptHeaders(request),
    checksumAlgorithm: request.headers["x-amz-checksum-algorithm"]?.toLowerCase() ?? null,
    parts: new Map(),
  };
  bucket.uploads.set(upload.uploadId, upload);
  return xmlAnswer("InitiateMultipartUploadResult", [
    ["Bucket", bucket.name],
    ["Key", key],
    ["UploadId", upload.uploadId],
  ]);
}

export function putPart(bucket: Bucket, key: string, request: FakeRequest): FakeAnswer {
  const { upload, number } = partPlace(bucket, key, request);
  const { bytes, checksums } = readUpload(request);
  if (bytes.length > LARGEST_PART_BYTES)
    throw new S3Refusal(400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
  const [wanted, actual] = [upload.checksumAlgorithm, Object.keys(checksums)[0] ?? null];
  if (wanted !== actual)
    throw new S3Refusal(
      400,
      "InvalidRequest",
      `Checksum Type mismatch occurred, expected checksum Type: ${wanted}, actual checksum Type: ${actual}`,
    );
  const part: StoredPart = { bytes, etag: etagOf(bytes), checksums };
  upload.parts.set(number, part);
  const headers = Object.fromEntries(Object.entries(checksums).map(([name, value]) => [`x-amz-checksum-${name}`, value]));
  return { status: 200, headers: { etag: part.etag, ...headers } };
}

export function copyPart(state: S3State, bucket: Bucket, key: string, request: FakeRequest): FakeAnswer {
  const { upload, number } = partPlace(bucket, key, request);
  const [, sourceBucket = "", sourceKey = ""] =
    /^\/?([^/]+)\/(.+)$/s.exec(decodeURIComponent(request.headers["x-amz-copy-source"] ?? "")) ?? [];
  const source = state.buckets.get(sourceBucket)?.objects.get(sourceKey);
  if (source === undefined) throw noSuchKey(sourceKey);
  let bytes = source.bytes;
  const range = request.headers["x-amz-copy-source-range"];
  if (range !== undefined) {
    const [, from = "", to = ""] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    if (from === "" || Number(to) >= source.bytes.length || Number(from) > Number(to))
      throw new S3Refusal(
        400,
        "InvalidArgument",
        `Range specified is not valid for source object of size: ${source.bytes.length}`,
      );
    if (source.bytes.length <= SMALLEST_PART_BYTES)
      throw new S3Refusal(
        400,
        "InvalidRequest",
        "The specified copy source is smaller than the minimum allowable size for a ranged copy",
      );
    bytes = source.bytes.slice(Number(from), Number(to) + 1);
  }
  const part: StoredPart = { bytes, etag: etagOf(bytes), checksums: {} };
  upload.parts.set(number, part);
  return xmlAnswer("CopyPartResult", [
    ["LastModified", new Date(state.nowMs()).toISOString()],
    ["ETag", part.etag],
  ]);
}

function partPlace(
  bucket: Bucket,
  key: string,
  request: FakeRequest,
): { readonly upload: StoredUpload; readonly number: number } {
  const number = Number(new Map(request.query).get("partNumber"));
  if (!Number.isInteger(number) || number < 1 || number > MOST_PARTS)
    throw new S3Refusal(400, "InvalidArgument", `Part number must be an integer between 1 and ${MOST_PARTS}, inclusive`);
  return { upload: uploadOf(bucket, key, request), number };
}

function uploadOf(bucket: Bucket, key: string, request: FakeRequest): StoredUpload {
  const uploadId = new Map(request.query).get("uploadId") ?? "";
  const upload = bucket.uploads.get(uploadId);
  if (upload === undefined || upload.key !== key) throw noSuchUpload(uploadId);
  return upload;
}

export function endUpload(
  state: S3State,
  bucket: Bucket,
  key: string,
  request: FakeRequest,
  seen: StoredObject | undefined,
): FakeAnswer {
  const upload = uploadOf(bucket, key, request);
  const named = readPartList(request.body);
  if (named.length === 0) throw new S3Refusal(400, "MalformedXML", "You must specify at least one part");
  if (named.some((name, index) => index > 0 && name.number <= (named[index - 1]?.number ?? 0)))
    throw new S3Refusal(
      400,
      "InvalidPartOrder",
      "The list of parts was not in ascending order. Parts must be ordered by part number.",
    );
  const parts = named.map((name, index) => namedPart(upload, name, index === named.length - 1));
  const bytes = Buffer.concat(parts.map((part) => part.bytes));
  const sums = createHash("md5");
  for (const part of parts) sums.update(Buffer.from(part.etag.slice(1, -1), "hex"));
  const object: StoredObject = {
    bytes,
    etag: `"${sums.digest("hex")}-${parts.length}"`,
    headers: upload.headers,
    checksums: {},
    modifiedMs: state.nowMs(),
  };
  putObject(state, bucket, key, object, { ...writeConditions(request), seen });
  bucket.uploads.delete(upload.uploadId);
  return xmlAnswer("CompleteMultipartUploadResult", [
    ["Location", `http://${bucket.name}.s3.amazonaws.com/${encodeURIComponent(key)}`],
    ["Bucket", bucket.name],
    ["Key", key],
    ["ETag", object.etag],
  ]);
}

function namedPart(upload: StoredUpload, name: NamedPart, isLast: boolean): StoredPart {
  const part = upload.parts.get(name.number);
  if (part === undefined || unquoted(part.etag) !== unquoted(name.etag))
    throw new S3Refusal(400, "InvalidPart", "One or more of the specified parts could not be found.");
  const algorithm = upload.checksumAlgorithm;
  if (algorithm !== null && name.checksums[algorithm] === undefined)
    throw new S3Refusal(
      400,
      "InvalidRequest",
      `The upload was created using a ${algorithm} checksum. The complete request must include the checksum for each part. It was missing for part ${name.number} in the request.`,
    );
  if (algorithm !== null && name.checksums[algorithm] !== part.checksums[algorithm])
    throw new S3Refusal(400, "InvalidPart", "One or more of the specified parts could not be found.");
  if (!isLast && part.bytes.length < SMALLEST_PART_BYTES)
    throw new S3Refusal(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");
  return part;
}

function unquoted(etag: string): string {
  return etag.replaceAll('"', "");
}

export function abortUpload(bucket: Bucket, key: string, request: FakeRequest): FakeAnswer {
  bucket.uploads.delete(uploadOf(bucket, key, request).uploadId);
  return { status: 204 };
}

export function listParts(bucket: Bucket, key: string, request: FakeRequest): FakeAnswer {
  const upload = uploadOf(bucket, key, request);
  const parts = [...upload.parts].sort(([a], [b]) => a - b);
  const fields: Xml[] = [
    ["Bucket", bucket.name],
    ["Key", key],
    ["UploadId", upload.uploadId],
    ["IsTruncated", false],
    ...parts.map(
      ([number, part]): Xml => [
        "Part",
        [
          ["PartNumber", number],
          ["ETag", part.etag],
          ["Size", part.bytes.length],
        ],
      ],
    ),
  ];
  return xmlAnswer("ListPartsResult", fields);
}
