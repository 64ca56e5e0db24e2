// What the storage of a table of S3 Tables refuses of the calls of S3. The user guide names the calls that it offers
// (GetObject, HeadObject, ListParts, PutObject and the four of an upload in parts); of conditions, user metadata and copies
// by the server it says nothing, so the fake plays the strictest reading. Knows no state but the bucket.
import type { FakeAnswer, FakeRequest } from "./http-fake.ts";
import type { S3Operation } from "./s3-routes.ts";
import type { Bucket } from "./s3-state.ts";
import { s3Error } from "./s3-xml.ts";

const OFFERED: ReadonlySet<S3Operation> = new Set([
  "GetObject",
  "HeadObject",
  "ListParts",
  "PutObject",
  "CreateMultipartUpload",
  "UploadPart",
  "CompleteMultipartUpload",
  "AbortMultipartUpload",
]);

const REFUSALS = {
  400: s3Error(400, "InvalidRequest", { message: "Conditional requests are not supported for this bucket." }),
  405: s3Error(405, "MethodNotAllowed", { message: "The specified method is not allowed against this resource." }),
  501: s3Error(501, "NotImplemented", {
    message: "A header you provided implies functionality that is not implemented",
    fields: [["Header", "If-None-Match"]],
  }),
} as const;

export function refusedByTableStorage(
  { tableStorage, objects }: Bucket,
  operation: S3Operation,
  key: string,
  { headers }: FakeRequest,
): FakeAnswer | null {
  if (tableStorage === null) return null;
  if (!OFFERED.has(operation)) return REFUSALS[405];
  if (Object.keys(headers).some((name) => name.startsWith("x-amz-meta-")))
    return s3Error(400, "InvalidRequest", { message: "User metadata is not supported for this bucket." });
  const { refusesConditions, missingLooksDenied = false } = tableStorage;
  const isRead = operation === "GetObject" || operation === "HeadObject";
  if (isRead && missingLooksDenied && !objects.has(key)) return s3Error(403, "AccessDenied", { message: "Access Denied" });
  const isConditional = headers["if-none-match"] !== undefined || headers["if-match"] !== undefined;
  return !isRead && isConditional && refusesConditions !== undefined ? REFUSALS[refusesConditions] : null;
}
