// What S3's error codes mean to a person, and how each is mended. Data only; codes whose words depend on the call
// are in s3-errors.ts.
import type { ToolErrorKind } from "../diagnostics/tool-error.ts";

export interface S3Words {
  readonly kind: ToolErrorKind;
  readonly why: string;
  readonly mend?: string;
}

export const WAIT = "Wait some minutes and run the same command again.";

const RENEW =
  "Get new credentials and run the same command again: it goes on where it stopped. In GitHub Actions raise " +
  "`role-duration-seconds` of aws-actions/configure-aws-credentials if the run is long.";

const EXPIRED: S3Words = { kind: "auth", why: "The AWS credentials in use have expired", mend: RENEW };

const WRONG_KEYS: S3Words = {
  kind: "auth",
  why: "The secret access key does not belong to the access key, or the session token is missing",
  mend: "Check `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`: all three come from one place",
};

const CLOCK: S3Words = {
  kind: "auth",
  why: "The clock of this machine differs from that of S3 by more than 15 minutes",
  mend: "Set the clock, or let it be kept by NTP",
};

const FULL: S3Words = {
  kind: "storage-full",
  why: "There is no room left in the store",
  mend: "Free some space and run again",
};

const WORDS: Readonly<Record<string, S3Words>> = {
  NoSuchBucket: {
    kind: "not-found",
    why: "There is no such bucket",
    mend: "Correct the location, create the bucket, or use the account that owns it",
  },
  ExpiredToken: EXPIRED,
  ExpiredTokenException: EXPIRED,
  RequestExpired: CLOCK,
  RequestTimeTooSkewed: CLOCK,
  InvalidAccessKeyId: {
    kind: "auth",
    why: "S3 does not know the access key in use",
    mend: "Check `AWS_ACCESS_KEY_ID`: the key was deleted, is of another store, or its session token is missing",
  },
  SignatureDoesNotMatch: WRONG_KEYS,
  InvalidToken: WRONG_KEYS,
  InvalidObjectState: {
    kind: "refused",
    why: "The object lies in an archive class of S3 and cannot be read from there",
    mend: "Restore the object, and take the table's folder out of the lifecycle rule that archives it",
  },
  SlowDown: {
    kind: "throttled",
    why: "S3 asks to slow down: the bucket gets more requests than it serves now",
    mend: WAIT,
  },
  KeyTooLongError: { kind: "refused", why: "The object's name is longer than the 1,024 bytes that S3 takes" },
  EntityTooLarge: { kind: "refused", why: "The object is larger than S3 takes" },
  NotImplemented: {
    kind: "unsupported",
    why: "The store does not know a part of S3 that is needed (conditional writes, checksums or multipart uploads)",
    mend:
      "Update the store. Where only checksums are unknown, set `AWS_REQUEST_CHECKSUM_CALCULATION=WHEN_REQUIRED`; without " +
      "conditional writes two writers could overwrite each other.",
  },
  QuotaExceeded: FULL,
  XMinioStorageFull: FULL,
  InsufficientStorage: FULL,
};

/** Codes come from the answer: an object has members that are no codes. */
export const S3_WORDS: ReadonlyMap<string, S3Words> = new Map(Object.entries(WORDS));
