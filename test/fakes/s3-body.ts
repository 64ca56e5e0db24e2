// The bytes that an upload means: aws-chunked framing taken off, lengths and checksums proved as S3 proves them.
// Knows nothing of objects.
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { FakeRequest } from "./http-fake.ts";
import { S3Refusal } from "./s3-xml.ts";

export interface Upload {
  readonly bytes: Uint8Array;
  /** By algorithm, in base64, as S3 keeps and returns them. */
  readonly checksums: Readonly<Record<string, string>>;
}

export function readUpload(request: FakeRequest): Upload {
  const { bytes, trailers } = unframe(request);
  const given = { ...request.headers, ...trailers };
  const md5 = given["content-md5"];
  if (md5 !== undefined && md5 !== digest("md5", bytes)) throw badDigest("Content-MD5");
  const checksums: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const algorithm = /^x-amz-checksum-(?!algorithm$|type$|mode$)(\w+)$/.exec(name)?.[1];
    if (algorithm === undefined) continue;
    if (checksumOf(algorithm, bytes) !== value) throw badDigest(algorithm.toUpperCase());
    checksums[algorithm] = value;
  }
  const promised = request.headers["x-amz-sdk-checksum-algorithm"]?.toLowerCase();
  if (promised !== undefined && checksums[promised] === undefined)
    throw new S3Refusal(
      400,
      "InvalidRequest",
      `x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* header was found`,
    );
  return { bytes, checksums };
}

function checksumOf(algorithm: string, bytes: Uint8Array): string {
  switch (algorithm) {
    case "crc32": {
      const value = Buffer.alloc(4);
      value.writeUInt32BE(crc32(bytes));
      return value.toString("base64");
    }
    case "sha1":
    case "sha256":
      return digest(algorithm, bytes);
    default:
      throw new S3Refusal(501, "NotImplemented", `The fake has no checksum "${algorithm}"`);
  }
}

function digest(algorithm: string, bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest("base64");
}

function badDigest(what: string): S3Refusal {
  return new S3Refusal(400, "BadDigest", `The ${what} you specified did not match what we received.`);
}

interface Unframed {
  readonly bytes: Uint8Array;
  readonly trailers: Readonly<Record<string, string>>;
}

/** Chunks `SIZE[;chunk-signature=…]\r\n…\r\n`, a last one of size 0, trailers, an empty line. */
function unframe(request: FakeRequest): Unframed {
  const hash = request.headers["x-amz-content-sha256"] ?? "";
  const isChunked = (request.headers["content-encoding"] ?? "").split(",").some((word) => word.trim() === "aws-chunked");
  if (!hash.startsWith("STREAMING-") && !isChunked) return { bytes: request.body, trailers: {} };
  if (!hash.startsWith("STREAMING-")) throw malformed("aws-chunked without a STREAMING- payload hash");
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.length);
  const chunks: Buffer[] = [];
  let place = 0;
  const line = (): string => {
    const end = body.indexOf("\r\n", place);
    if (end < 0) throw malformed("a chunk has no end of line");
    const text = body.toString("latin1", place, end);
    place = end + 2;
    return text;
  };
  for (;;) {
    const head = /^([0-9a-fA-F]+)(?:;chunk-signature=[0-9a-f]{64})?$/.exec(line());
    if (head === null) throw malformed("a chunk's head cannot be read");
    const size = Number.parseInt(head[1] ?? "", 16);
    if (size === 0) break;
    chunks.push(body.subarray(place, place + size));
    place += size;
    if (line() !== "") throw malformed("a chunk is longer than it says");
  }
  const trailers: Record<string, string> = {};
  while (place < body.length) {
    const text = line();
    const colon = text.indexOf(":");
    if (colon > 0) trailers[text.slice(0, colon).trim().toLowerCase()] = text.slice(colon + 1).trim();
  }
  for (const name of (request.headers["x-amz-trailer"] ?? "").split(",").filter((one) => one !== ""))
    if (trailers[name.trim()] === undefined) throw malformed(`the trailer ${name} is missing`);
  const bytes = Buffer.concat(chunks);
  if (request.headers["x-amz-decoded-content-length"] !== String(bytes.length))
    throw malformed("x-amz-decoded-content-length differs");
  return { bytes, trailers };
}

function malformed(why: string): S3Refusal {
  return new S3Refusal(400, "IncompleteBody", why);
}
