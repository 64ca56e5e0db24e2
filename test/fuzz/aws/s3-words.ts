// The errors of S3 as it words them (XML), and the headers of its answers: what wrong answers are made from. Data.
import { s3ErrorText } from "./s3-world.ts";
import type { Words } from "./wrong-answer.ts";

const ROLE = "arn:aws:sts::999999999999:assumed-role/plan/session";

export const s3Words: Words = {
  errorBody: (code, message) => ({
    headers: { "content-type": "application/xml", "x-amz-request-id": "R" },
    text: `<?xml version="1.0" encoding="UTF-8"?>\n${s3ErrorText(code, message)}`,
  }),
  codes: [
    "NoSuchKey",
    "NoSuchBucket",
    "NotFound",
    "AccessDenied",
    "SlowDown",
    "PreconditionFailed",
    "ConditionalRequestConflict",
    "InternalError",
    "RequestTimeout",
    "ExpiredToken",
    "RequestTimeTooSkewed",
    "InvalidRange",
    "PermanentRedirect",
    "TemporaryRedirect",
    "AuthorizationHeaderMalformed",
    "NotImplemented",
    "BadDigest",
    "InvalidObjectState",
    "KMS.DisabledException",
    "XMinioStorageFull",
  ],
  messages: [
    "Access Denied",
    `User: ${ROLE} is not authorized to perform: s3:GetObject on resource: "arn:aws:s3:::data/t/a" because no identity-based policy allows the s3:GetObject action`,
    `User: ${ROLE} is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:x because of an explicit deny`,
    "Please reduce your request rate.",
    "The bucket is in this region: eu-west-1",
    "",
  ],
  headers: [
    ["content-length", "5"],
    ["content-length", "20"],
    ["content-length", "4000000000"],
    ["content-range", "bytes 0-4/20"],
    ["content-range", "bytes */20"],
    ["content-type", "application/xml"],
    ["content-encoding", "aws-chunked"],
    ["date", "Thu, 01 Jan 1970 00:00:00 GMT"],
    ["etag", '"e"'],
    ["last-modified", "Mon, 30 Nov 2026 17:00:00 GMT"],
    ["x-amz-bucket-region", "eu-west-1"],
    ["x-amz-bucket-region", "us-east-1"],
    ["x-amz-checksum-crc32", "AAAAAA=="],
    ["x-amz-checksum-type", "COMPOSITE"],
    ["x-amz-meta-floeplan-write", "x"],
    ["x-amz-missing-meta", "1"],
    ["x-amz-delete-marker", "true"],
    ["x-amz-expiration", "x"],
    ["retry-after", "3"],
    ["location", "http://elsewhere.test/"],
  ],
};
