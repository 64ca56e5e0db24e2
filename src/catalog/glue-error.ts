// What a failed Glue call means: the exception's name, whether Glue certainly did nothing, and for a person what is
// missing where. Reads the shape of the AWS SDK's errors and knows no client.
import { ToolError, type ToolErrorKind, type ToolErrorParts } from "../diagnostics/tool-error.ts";
import { denial, type GlueCall } from "./glue-denial.ts";

export class GlueError extends ToolError {
  /** The exception's name, or the error's where there was no answer. */
  readonly code: string;
  /** Glue answered that it did nothing. Else it may or may not have done what it was asked. */
  readonly isCertain: boolean;

  constructor(kind: ToolErrorKind, what: string, parts: ToolErrorParts & { readonly code: string; readonly isCertain: boolean }) {
    const { code, isCertain, ...rest } = parts;
    super(kind, what, rest);
    this.name = "GlueError";
    this.code = code;
    this.isCertain = isCertain;
  }
}

type Sort = readonly [kind: ToolErrorKind, mend?: string];

const NEW_KEYS = "Get new credentials, for example by `aws sso login` or by running the workflow again.";
const CHECK_KEYS = "Check the access key, the secret, the session token and the region: all come from one place.";
const SET_CLOCK = "Set the clock of this machine, or let it be kept by NTP.";
const LATER = "Run it again later.";

const SORTS: Readonly<Record<string, Sort>> = {
  EntityNotFoundException: ["not-found"],
  AlreadyExistsException: ["conflict"],
  ConcurrentModificationException: ["conflict"],
  InvalidInputException: ["refused"],
  ValidationException: ["refused"],
  SerializationException: ["refused"],
  ResourceNumberLimitExceededException: [
    "refused",
    "Delete old versions of the table in Glue, or ask AWS for a higher quota; floeplan itself archives none.",
  ],
  GlueEncryptionException: [
    "auth",
    "The catalog is encrypted: give the role kms:Decrypt and kms:GenerateDataKey on the key of the catalog's settings.",
  ],
  FederationSourceException: ["refused", "Look at the connection of the federated catalog."],
  FederationSourceRetryableException: ["unavailable", LATER],
  ResourceNotReadyException: ["unavailable", LATER],
  OperationTimeoutException: ["unavailable", LATER],
  InternalServiceException: ["unavailable", LATER],
  ThrottlingException: ["throttled", "Run it again later, or ask AWS for a higher rate of Glue calls."],
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

/** Said by Glue without a word on whether it did what it was asked. */
const UNCERTAIN: ReadonlySet<string> = new Set(["OperationTimeoutException", "InternalServiceException", "RequestTimeout"]);
const THROTTLES: ReadonlySet<string> = new Set([
  "ThrottlingException",
  "Throttling",
  "ThrottledException",
  "TooManyRequestsException",
  "RequestLimitExceeded",
  "RequestThrottledException",
  "ProvisionedThroughputExceededException",
  "SlowDown",
]);
const DENIALS: ReadonlySet<string> = new Set(["AccessDeniedException", "AccessDenied", "UnauthorizedException"]);

export function glueError(error: unknown, call: GlueCall): GlueError {
  const code = textOf(error, "name") ?? "Error";
  const message = textOf(error, "message") ?? textOf(error, "Message") ?? "";
  const status = statusOf(error);
  const isCertain = status !== null && status >= 400 && status < 500 && !UNCERTAIN.has(code);
  const parts = { code, isCertain, cause: error, context: { call: `glue:${call.action}` } };
  if (DENIALS.has(code)) return new GlueError("auth", call.what, { ...parts, ...denial(message, call) });
  if (/region is missing/i.test(message)) {
    return new GlueError("config", call.what, {
      ...parts,
      why: "No region is set.",
      mend: "Write `region:` of the catalog in the project file, or set AWS_REGION.",
    });
  }
  const [kind, mend] = sortOf(code, message, status);
  return new GlueError(kind, call.what, {
    ...parts,
    why: sentence(status === null && SORTS[code] === undefined ? `No answer came: ${message || code}` : message || code),
    ...(mend === undefined ? {} : { mend }),
  });
}

/** The clocks differ; the client has taken note of the difference from the answer. */
export function isSkewed({ mend }: GlueError): boolean {
  return mend === SET_CLOCK;
}

function sortOf(code: string, message: string, status: number | null): Sort {
  // The one name serves a wrong secret and a wrong clock.
  if (code === "InvalidSignatureException" && /expired|not yet current/i.test(message)) return ["auth", SET_CLOCK];
  if (THROTTLES.has(code) || status === 429) return SORTS["ThrottlingException"] ?? ["throttled"];
  const known = SORTS[code];
  if (known !== undefined) return known;
  if (status === null) return ["unavailable", "Check the region and the network, and run it again."];
  return status >= 400 && status < 500 ? ["refused"] : ["unavailable", LATER];
}

/** Trying again may help: a call that changes nothing, or one of which Glue said that it did nothing. */
export function isPassing(error: GlueError): boolean {
  return error.retryable && error.kind !== "conflict";
}

/** What happened, within a sentence. */
export function clauseOf(error: GlueError): string {
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
