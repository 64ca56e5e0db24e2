// What an error of a call to S3 says: which of the few cases that the store tells apart, with the code, the status
// and the region from wherever the answer carries them. Reads errors by their shape; words for people are made in
// s3-errors.ts.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { RetryAdvice } from "./aws-retry.ts";

export type S3FailureCase =
  | "missing" // no such object (or bucket: see the code)
  | "exists" // a condition did not hold
  | "race" // another write to the same key was under way
  | "throttled"
  | "unclear" // no answer, or a server-side failure: the call may have taken effect
  | "garbled" // the bytes changed on their way
  | "elsewhere" // the bucket is in another region
  | "expired" // the credentials were good once
  | "skewed" // the clocks differ; the SDK has taken note of the difference
  | "wordless" // refused by a bare status: the answer to a HEAD has no body
  | "refused" // any other clear no
  | "unsent"; // nothing was sent: no credentials, no region, a bad argument

export interface S3Failure {
  readonly case: S3FailureCase;
  /** S3's error code, or the network's; empty when there is none. */
  readonly code: string;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly message: string;
  /** Where the bucket is, when the answer says so. */
  readonly region: string | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly cause: unknown;
}

// Codes come from the answer: an object has members that are no codes.
const CASES: ReadonlyMap<string, S3FailureCase> = new Map(
  Object.entries<S3FailureCase>({
    NoSuchKey: "missing",
    NoSuchBucket: "missing",
    NotFound: "missing",
    PreconditionFailed: "exists",
    ConditionalRequestConflict: "race",
    OperationAborted: "race",
    SlowDown: "throttled",
    Throttling: "throttled",
    ThrottlingException: "throttled",
    RequestLimitExceeded: "throttled",
    TooManyRequestsException: "throttled",
    BandwidthLimitExceeded: "throttled",
    RequestTimeout: "unclear",
    BadDigest: "garbled",
    XAmzContentSHA256Mismatch: "garbled",
    IncompleteBody: "garbled",
    ExpiredToken: "expired",
    ExpiredTokenException: "expired",
    RequestExpired: "expired",
    RequestTimeTooSkewed: "skewed",
  }),
);

/** S3 has no more to say; patterns that look for words in it take longer than its length. */
const MOST_SAID = 4000;

/** A ToolError is no failure of a call: it is handed on as it is. */
export function readFailure(error: unknown): S3Failure {
  if (error instanceof ToolError) throw error;
  const status = numberAt(at(error, "$metadata"), "httpStatusCode");
  const headers = at(at(error, "$response"), "headers");
  const code = codeOf(error);
  const region = textAt(headers, "x-amz-bucket-region") ?? textAt(error, "Region");
  return {
    case: caseOf(error, code, status, region),
    code,
    status,
    message: (error instanceof Error ? error.message : String(error)).slice(0, MOST_SAID),
    region,
    requestId: textAt(at(error, "$metadata"), "requestId"),
    retryAfterMs: retryAfter(textAt(headers, "retry-after")),
    cause: error,
  };
}

/** For calls that may be sent twice without harm. */
export function adviseRetry(error: unknown): RetryAdvice | null {
  if (error instanceof ToolError) return null;
  const failure = readFailure(error);
  switch (failure.case) {
    case "throttled":
    case "unclear":
    case "garbled":
    case "race":
    case "skewed":
      return { isThrottled: failure.case === "throttled", afterMs: failure.retryAfterMs };
    default:
      return null;
  }
}

function caseOf(error: unknown, code: string, status: number | null, region: string | null): S3FailureCase {
  if (status === null) return isUnsent(error) ? "unsent" : isMismatch(error) ? "garbled" : "unclear";
  const known = CASES.get(code);
  if (known !== undefined) return known;
  if (region !== null && tellsRegion(code, status)) return "elsewhere";
  if (status === 404 && code === "") return "missing";
  if (status === 412) return "exists";
  if (status === 409) return "race";
  // To a HEAD, S3 says "slow down" by the bare status.
  if (status === 429 || (status === 503 && code === "")) return "throttled";
  // 501 and 507 are final: not implemented, no room. An error in an answer of 200 is one that cannot be read.
  if (status === 408 || (status >= 500 && status !== 501 && status !== 507) || status < 300) return "unclear";
  return code === "" && (status === 400 || status === 403) ? "wordless" : "refused";
}

/** S3 names the bucket's region in many answers; in these it is the reason. A HEAD of any reason has status 400. */
function tellsRegion(code: string, status: number): boolean {
  if (status >= 301 && status <= 308) return true;
  return (
    status === 400 && (code === "" || code === "AuthorizationHeaderMalformed" || code === "IllegalLocationConstraintException")
  );
}

const UNSENT_NAMES = new Set(["CredentialsProviderError", "TokenProviderError", "ProviderError", "InvalidBucketName"]);

/** Errors of the SDK before it sends, and errors of the program. */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const isOfProgram = error instanceof TypeError || error instanceof RangeError || error instanceof URIError;
  return UNSENT_NAMES.has(error.name) || error.message === "Region is missing" || isOfProgram;
}

function isMismatch(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Checksum mismatch");
}

/** Errors of S3 are named by their code; the SDK names one without a body "Unknown", the network's have a `code`. */
function codeOf(error: unknown): string {
  const code = textAt(error, "Code") ?? textAt(error, "code") ?? textAt(error, "name") ?? "";
  return code === "Unknown" || code === "Error" ? "" : code;
}

/** Seconds, or a date that this machine's clock may not agree with: only seconds count. */
function retryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,4}$/.test(header) ? Number(header) * 1000 : null;
}

function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textAt(value: unknown, name: string): string | null {
  const found = at(value, name);
  return typeof found === "string" && found !== "" ? found : null;
}

function numberAt(value: unknown, name: string): number | null {
  const found = at(value, name);
  return typeof found === "number" ? found : null;
}
