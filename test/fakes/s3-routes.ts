// Which operation of S3 a request is: by method, path, query and headers, in path style and with the bucket in the
// host. Anything that S3 would take and the fake does not play is no operation at all. Knows no state but the names.
import { isIP } from "node:net";
import type { FakeRequest } from "./http-fake.ts";

export type S3Operation =
  | "GetObject"
  | "HeadObject"
  | "PutObject"
  | "DeleteObject"
  | "ListObjectsV2"
  | "HeadBucket"
  | "CreateMultipartUpload"
  | "UploadPart"
  | "UploadPartCopy"
  | "CompleteMultipartUpload"
  | "AbortMultipartUpload"
  | "ListParts";

interface Route {
  readonly method: string;
  readonly onKey: boolean;
  /** Query names that make it this operation. */
  readonly needs: readonly string[];
  readonly takes?: readonly string[];
  readonly copies?: boolean;
}

const ROUTES: Readonly<Record<S3Operation, Route>> = {
  GetObject: { method: "GET", onKey: true, needs: [] },
  HeadObject: { method: "HEAD", onKey: true, needs: [] },
  PutObject: { method: "PUT", onKey: true, needs: [] },
  DeleteObject: { method: "DELETE", onKey: true, needs: [] },
  ListObjectsV2: {
    method: "GET",
    onKey: false,
    needs: ["list-type"],
    takes: ["prefix", "continuation-token", "start-after", "max-keys", "encoding-type"],
  },
  HeadBucket: { method: "HEAD", onKey: false, needs: [] },
  CreateMultipartUpload: { method: "POST", onKey: true, needs: ["uploads"] },
  UploadPart: { method: "PUT", onKey: true, needs: ["partNumber", "uploadId"] },
  UploadPartCopy: { method: "PUT", onKey: true, needs: ["partNumber", "uploadId"], copies: true },
  CompleteMultipartUpload: { method: "POST", onKey: true, needs: ["uploadId"] },
  AbortMultipartUpload: { method: "DELETE", onKey: true, needs: ["uploadId"] },
  ListParts: { method: "GET", onKey: true, needs: ["uploadId"] },
};

/** Headers of S3 that change what a call does, as far as the fake plays them. */
const HEADERS =
  /^x-amz-(?:date|api-version|content-sha256|security-token|user-agent|decoded-content-length|trailer|sdk-checksum-algorithm|checksum-(?:mode|algorithm|type|crc32|sha1|sha256)|meta-[\w-]+|copy-source(?:-range)?)$/;

export interface FoundOperation {
  readonly operation: S3Operation;
  readonly bucketName: string;
  /** Decoded; empty where the call is about the bucket. */
  readonly key: string;
}

export function s3Operation(request: FakeRequest, buckets: ReadonlyMap<string, unknown>): FoundOperation | null {
  if (Object.keys(request.headers).some((name) => name.startsWith("x-amz-") && !HEADERS.test(name))) return null;
  const place = placeOf(request, buckets);
  const names = new Set(request.query.map(([name]) => name));
  names.delete("x-id");
  for (const [operation, route] of Object.entries(ROUTES) as [S3Operation, Route][]) {
    const rest = [...names].filter((name) => !route.needs.includes(name) && !(route.takes ?? []).includes(name));
    const fits =
      request.method === route.method &&
      route.onKey === (place.key !== "") &&
      route.needs.every((name) => names.has(name)) &&
      rest.length === 0 &&
      (route.copies ?? false) === (request.headers["x-amz-copy-source"] !== undefined);
    if (!fits) continue;
    const claimed = request.query.find(([name]) => name === "x-id")?.[1];
    return claimed === undefined || claimed === operation ? { operation, ...place } : null;
  }
  return null;
}

function placeOf(
  request: FakeRequest,
  buckets: ReadonlyMap<string, unknown>,
): { readonly bucketName: string; readonly key: string } {
  const host = (request.headers["host"] ?? "").replace(/:\d+$/, "");
  if (isIP(host) === 0) {
    const byHost = [...buckets.keys()].filter((name) => host.startsWith(`${name}.`)).sort((a, b) => b.length - a.length)[0];
    if (byHost !== undefined) return { bucketName: byHost, key: decodeURIComponent(request.path.slice(1)) };
  }
  const slash = request.path.indexOf("/", 1);
  if (slash < 0) return { bucketName: decodeURIComponent(request.path.slice(1)), key: "" };
  return { bucketName: decodeURIComponent(request.path.slice(1, slash)), key: decodeURIComponent(request.path.slice(slash + 1)) };
}
