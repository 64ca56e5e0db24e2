// Turns a failure of S3 into a ToolError that names the permission, the bucket and the mend. The words of single
// error codes are in s3-error-words.ts. Knows nothing of tables or of what the object was for.
import { ToolError } from "../diagnostics/tool-error.ts";
import { S3_WORDS, type S3Words, WAIT } from "./s3-error-words.ts";
import { readFailure, type S3Failure } from "./s3-failure.ts";
import { actionAt, isInTableBucket } from "./s3-table-bucket.ts";

/** What was tried, for the message. */
export interface S3Attempt {
  /** As in "Cannot <verb> "s3://x/y"". */
  readonly verb: string;
  readonly location: string;
  /** The permission that the call needs. */
  readonly action: string;
}

/** Runs one piece of work in S3 and turns its failure into a ToolError. */
export async function withS3Errors<T>(attempt: S3Attempt, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw s3ToolError(attempt, error);
  }
}

/** A ToolError, and an error of the program itself, is handed on as it is. */
export function s3ToolError(attempt: S3Attempt, error: unknown): unknown {
  if (error instanceof ToolError) return error;
  const failure = readFailure(error);
  const words = wordsFor(failure, attempt);
  if (words === null) return error;
  return new ToolError(words.kind, `Cannot ${attempt.verb} "${attempt.location}"`, {
    why: words.why,
    ...(words.mend === undefined ? {} : { mend: words.mend }),
    context: contextOf(failure),
    cause: withoutRequest(failure.cause),
  });
}

/** The SDK's errors hold the whole exchange, with its session token: of no use to a person, and not to be printed. */
function withoutRequest(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const plain = new Error(cause.message);
  plain.name = cause.name;
  if (cause.stack !== undefined) plain.stack = cause.stack;
  return plain;
}

function contextOf(failure: S3Failure): Readonly<Record<string, string | number>> {
  return {
    ...(failure.code === "" ? {} : { code: failure.code }),
    ...(failure.status === null ? {} : { status: failure.status }),
    ...(failure.requestId === null ? {} : { request: failure.requestId }),
  };
}

function wordsFor(failure: S3Failure, attempt: S3Attempt): S3Words | null {
  if (failure.case === "unsent") return unsentWords(failure);
  const known = S3_WORDS.get(failure.code);
  if (known !== undefined) return known;
  if (failure.code.startsWith("KMS.")) return kmsKeyWords(failure);
  switch (failure.case) {
    case "missing":
      return { kind: "not-found", why: "Nothing has this name" };
    case "elsewhere":
      return {
        kind: "config",
        why: `The bucket is in the region "${failure.region}", and S3 sends every call there away again`,
        mend: "Check the endpoint (`AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`): it must serve the bucket's region",
      };
    case "race":
    case "exists":
      return {
        kind: "conflict",
        why: "Another writer writes the same object at this moment",
        mend: "Run the same command again",
      };
    case "unclear":
      return { kind: "unavailable", why: unclearWhy(failure), mend: unclearMend(failure) };
    case "throttled":
      return { kind: "throttled", why: "The store asks to slow down, or is not available", mend: WAIT };
    default:
      return failure.status === 403 ? deniedWords(failure, attempt) : otherWords(failure);
  }
}

/** S3 names the action, the resource and the reason in the newer of its two texts; the older is "Access Denied". */
function deniedWords({ message }: S3Failure, { action: asked, location }: S3Attempt): S3Words {
  const action = actionAt(location, asked);
  const [, named] = /not authorized to perform: ([\w-]+:\w+)/.exec(message) ?? [];
  const [, resource] = /on resource: "?([^\s"]+)/.exec(message) ?? [];
  const [, reason] = /because (.+?)\.?$/.exec(message) ?? [];
  const isKey = /\bKMS\b|customer master key/i.test(message);
  const missing = named ?? (isKey ? KEY_ACTIONS : action);
  const target = resource ?? (isKey ? "the key of the bucket" : `"${location}"`);
  const hints: string[] = [];
  if (missing === action) {
    if (isRead(asked)) hints.push(isInTableBucket(location) ? MAY_BE_MISSING_HINT : NEEDS_LIST_HINT);
    if (named === undefined) hints.push(`A bucket that is encrypted with a KMS key needs ${KEY_ACTIONS} on the key as well.`);
  }
  return {
    kind: "auth",
    why: [`The credentials in use lack ${missing} on ${target}${reason === undefined ? "" : ` (${reason})`}.`, ...hints].join(
      " ",
    ),
    mend: `Allow ${missing} on ${target} for the role that runs this, and look for a bucket policy that denies it`,
  };
}

const NEEDS_LIST_HINT = "Without s3:ListBucket on the bucket, S3 says the same of an object that does not exist";
const MAY_BE_MISSING_HINT = "S3 may say the same of an object that does not exist";

const KEY_ACTIONS = "kms:Decrypt (to read) and kms:GenerateDataKey (to write)";

function isRead(action: string): boolean {
  return action === "s3:GetObject";
}

function kmsKeyWords({ message }: S3Failure): S3Words {
  return {
    kind: "auth",
    why: `The KMS key of the bucket cannot be used: ${message.trim()}`,
    mend: `Enable the key, and allow ${KEY_ACTIONS} on it for the role that runs this`,
  };
}

function unsentWords({ message, cause }: S3Failure): S3Words | null {
  if (!(cause instanceof Error)) return null;
  if (cause.message === "Region is missing")
    return { kind: "config", why: "No AWS region is known", mend: "Set `AWS_REGION`, or write `region:` in the project file" };
  if (cause.name === "InvalidBucketName") return { kind: "config", why: message.trim() };
  if (!/Provider/.test(cause.name)) return null;
  return {
    kind: "auth",
    why: `No usable AWS credentials were found: ${message.trim()}`,
    mend:
      "In GitHub Actions run aws-actions/configure-aws-credentials before this step; elsewhere set `AWS_PROFILE`, log in " +
      "with `aws sso login`, or set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
  };
}

function otherWords(failure: S3Failure): S3Words {
  const { status, message, code } = failure;
  if (status === 405 || status === 501) return { kind: "unsupported", why: `The store does not offer this: ${message.trim()}` };
  if (status === 507) return { kind: "storage-full", why: "There is no room left in the store" };
  if (failure.case === "garbled")
    return { kind: "corrupt", why: `The bytes that arrived are not those that were sent: ${message.trim()}` };
  if (code === "" && message === "UnknownError")
    return { kind: "refused", why: `S3 answered ${status ?? "nothing"} without a reason` };
  return { kind: "refused", why: `S3 refuses it: ${message.trim()}` };
}

const NETWORK_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ENOTFOUND: "The name of the server is not known",
    EAI_AGAIN: "The name of the server could not be looked up",
    ECONNREFUSED: "Nothing listens there",
    EHOSTUNREACH: "There is no way to the server",
    ENETUNREACH: "There is no network",
  }),
);

function unclearWhy({ status, code, message }: S3Failure): string {
  if (status !== null && status >= 300) return `S3 failed (status ${status}${code === "" ? "" : `, ${code}`})`;
  const words = NETWORK_WORDS.get(code);
  return words === undefined ? `No whole answer came: ${message.trim()}` : `${words} (${message.trim()})`;
}

function unclearMend({ code }: S3Failure): string {
  return !NETWORK_WORDS.has(code)
    ? "Run the same command again"
    : "Check the network, and the endpoint and region in use (`AWS_ENDPOINT_URL_S3`, `AWS_REGION`)";
}
