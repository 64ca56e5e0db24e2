// What a failed call of S3 Tables means: the exception's name, whether the service certainly did nothing, and for a person
// what is missing where. Reads the shape of the AWS SDK's errors and knows no client.
import { ToolError, type ToolErrorKind, type ToolErrorParts } from "../diagnostics/tool-error.ts";
import { denial, type S3TablesCall } from "./s3-tables-denial.ts";

export class S3TablesError extends ToolError {
  /** The exception's name, or the error's where there was no answer. */
  readonly code: string;
  /** The service answered that it did nothing. Else it may or may not have done what it was asked. */
  readonly isCertain: boolean;

  constructor(kind: ToolErrorKind, what: string, parts: ToolErrorParts & { readonly code: string; readonly isCertain: boolean }) {
    const { code, isCertain, ...rest } = parts;
    super(kind, what, rest);
    this.name = "S3TablesError";
    this.code = code;
    this.isCertain = isCertain;
  }
}

type Sort = readonly [kind: ToolErrorKind, mend?: string];

const NEW_KEYS = "Get new credentials, for example by `aws sso login` or by running the workflow again.";
const CHECK_KEYS = "Check the access key, the secret and the session token: all come from one place.";
const SET_CLOCK = "Set the clock of this machine, or let it be kept by NTP.";
const LATER = "Run it again later.";

const SORTS: Readonly<Record<string, Sort>> = {
  NotFoundException: ["not-found"],
  ConflictException: ["conflict"],
  BadRequestException: ["refused"],
  ValidationException: ["refused"],
  SerializationException: ["refused"],
  MethodNotAllowedException: ["unsupported", "A table that an AWS service keeps is changed by that service only."],
  InternalServerErrorException: ["unavailable", LATER],
  TooManyRequestsException: ["throttled", LATER],
  ExpiredTokenException: ["auth", NEW_KEYS],
  ExpiredToken: ["auth", NEW_KEYS],
  RequestExpired: ["auth", SET_CLOCK],
  RequestTimeTooSkewed: ["auth", SET_CLOCK],
  UnrecognizedClientException: ["auth", CHECK_KEYS],
  InvalidClientTokenId: ["auth", CHECK_KEYS],
  InvalidSignatureException: ["auth", CHECK_KEYS],
  IncompleteSignatureException: ["auth", CHECK_KEYS],
  MissingAuthenticationTokenException: ["auth", CHECK_KEYS],
  CredentialsProviderError: [
    "auth",
    "In GitHub Actions run aws-actions/configure-aws-credentials before this step; elsewhere set AWS_PROFILE, log in with `aws sso login`, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
  ],
  TokenProviderError: ["auth", NEW_KEYS],
};

const THROTTLES: ReadonlySet<string> = new Set([
  "TooManyRequestsException",
  "ThrottlingException",
  "Throttling",
  "ThrottledException",
  "RequestLimitExceeded",
  "RequestThrottledException",
  "SlowDown",
]);
const DENIALS: ReadonlySet<string> = new Set(["ForbiddenException", "AccessDeniedException", "AccessDenied"]);

export function s3TablesError(error: unknown, call: S3TablesCall): S3TablesError {
  const code = textOf(error, "name") ?? "Error";
  const message = textOf(error, "message") ?? "";
  const status = statusOf(error);
  // Of a request that it gave up waiting for, the service does not say what became of it.
  const isCertain = status !== null && status >= 400 && status < 500 && status !== 408;
  const parts = { code, isCertain, cause: withoutExchange(error), context: { call: `s3tables:${call.action}` } };
  if (DENIALS.has(code)) return new S3TablesError("auth", call.what, { ...parts, ...denial(message, call) });
  const [kind, mend] = sortOf(code, message, status);
  return new S3TablesError(kind, call.what, {
    ...parts,
    why: sentence(status === null && SORTS[code] === undefined ? `No answer came: ${message || code}` : message || code),
    ...(mend === undefined ? {} : { mend }),
  });
}

/** The SDK's errors hold the whole exchange, with its session token: of no use to a person, and not to be printed. */
function withoutExchange(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const plain = new Error(error.message);
  plain.name = error.name;
  if (error.stack !== undefined) plain.stack = error.stack;
  return plain;
}

/** An answer that was cut off, or is a page of something in between: its status is all there is. */
const UNREADABLE: ReadonlySet<string> = new Set(["Error", "SyntaxError"]);

function sortOf(code: string, message: string, status: number | null): Sort {
  // The one name serves a wrong secret and a wrong clock.
  if (code === "InvalidSignatureException" && /expired|not yet current/i.test(message)) return ["auth", SET_CLOCK];
  if (THROTTLES.has(code) || status === 429) return SORTS["TooManyRequestsException"] ?? ["throttled"];
  const known = SORTS[code];
  if (known !== undefined) return known;
  if (UNREADABLE.has(code) && status === 409) return ["conflict"];
  if (UNREADABLE.has(code) && status !== null) return ["unavailable", LATER];
  if (status === null) return ["unavailable", "Check the region in the bucket's ARN and the network, and run it again."];
  return status >= 400 && status < 500 && status !== 408 ? ["refused"] : ["unavailable", LATER];
}

/** The clocks differ; the client has taken note of the difference from the answer. */
export function isSkewed({ mend }: S3TablesError): boolean {
  return mend === SET_CLOCK;
}

/** Trying again may help: a call that changes nothing, or one of which the service said that it did nothing. */
export function isPassing(error: S3TablesError): boolean {
  return error.retryable && error.kind !== "conflict";
}

/** What happened, within a sentence. */
export function clauseOf(error: S3TablesError): string {
  return (error.why ?? error.message).replace(/\.$/, "");
}

function sentence(message: string): string {
  const text = message.trim().replace(/\s+/g, " ");
  return text.endsWith(".") ? text : `${text}.`;
}

function statusOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("$metadata" in error)) return null;
  const { $metadata: metadata } = error;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return null;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : null;
}

function textOf(error: unknown, member: string): string | undefined {
  if (typeof error !== "object" || error === null || !(member in error)) return undefined;
  const value: unknown = Reflect.get(error, member);
  return typeof value === "string" ? value : undefined;
}
