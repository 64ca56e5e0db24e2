// What the services of AWS that hold catalogs have in common in their failures: errors with a name, the words for
// credentials and clocks, and the shape of the SDK's errors. Each service's own names are in its own file.
import { ToolError, type ToolErrorKind, type ToolErrorParts } from "../diagnostics/tool-error.ts";

export class AwsServiceError extends ToolError {
  /** The exception's name, or the error's where there was no answer. */
  readonly code: string;
  /** The service answered that it did nothing. Else it may or may not have done what it was asked. */
  readonly isCertain: boolean;

  constructor(
    name: string,
    kind: ToolErrorKind,
    what: string,
    parts: ToolErrorParts & { readonly code: string; readonly isCertain: boolean },
  ) {
    const { code, isCertain, ...rest } = parts;
    super(kind, what, rest);
    this.name = name;
    this.code = code;
    this.isCertain = isCertain;
  }
}

export type Sort = readonly [kind: ToolErrorKind, mend?: string];

/** Names come from the answer: an object has some that are no errors. */
export function sorted(sorts: Readonly<Record<string, Sort>>): ReadonlyMap<string, Sort> {
  return new Map(Object.entries(sorts));
}

export const LATER = "Run it again later";
const NEW_KEYS = "Get new credentials, for example by `aws sso login` or by running the workflow again";
const SET_CLOCK = "Set the clock of this machine, or let it be kept by NTP";

/** `checkKeys`: where to look when the keys are not accepted. */
export function credentialSorts(checkKeys: string): Readonly<Record<string, Sort>> {
  return {
    ExpiredTokenException: ["auth", NEW_KEYS],
    ExpiredToken: ["auth", NEW_KEYS],
    RequestExpired: ["auth", SET_CLOCK],
    RequestTimeTooSkewed: ["auth", SET_CLOCK],
    UnrecognizedClientException: ["auth", checkKeys],
    InvalidClientTokenId: ["auth", checkKeys],
    InvalidSignatureException: ["auth", checkKeys],
    IncompleteSignatureException: ["auth", checkKeys],
    MissingAuthenticationTokenException: ["auth", checkKeys],
    CredentialsProviderError: [
      "auth",
      "In GitHub Actions run aws-actions/configure-aws-credentials before this step; elsewhere set AWS_PROFILE, log in with `aws sso login`, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
    ],
    TokenProviderError: ["auth", NEW_KEYS],
  };
}

export const THROTTLES: readonly string[] = [
  "ThrottlingException",
  "Throttling",
  "ThrottledException",
  "TooManyRequestsException",
  "RequestLimitExceeded",
  "RequestThrottledException",
  "SlowDown",
];

const UNREADABLE: ReadonlySet<string> = new Set(["Error", "SyntaxError"]);

/** An answer that was cut off, or is a page of something in between: its status is all there is. */
export function isUnreadable(code: string, status: number | null): boolean {
  return status !== null && UNREADABLE.has(code);
}

/** The one name serves a wrong secret and a wrong clock: null where it is not the clock. */
export function clockSort(code: string, message: string): Sort | null {
  return code === "InvalidSignatureException" && /expired|not yet current/i.test(message) ? ["auth", SET_CLOCK] : null;
}

/** The clocks differ; the client has taken note of the difference from the answer. */
export function isSkewed({ mend }: AwsServiceError): boolean {
  return mend === SET_CLOCK;
}

/** Trying again may help: a call that changes nothing, or one of which the service said that it did nothing. */
export function isPassing(error: AwsServiceError): boolean {
  return error.retryable && error.kind !== "conflict";
}

/** `isKnown`: is the name one that the service is known to answer with? */
export function reason(code: string, message: string, status: number | null, isKnown: boolean): string {
  const said = message || code;
  return (status === null && !isKnown ? `No answer came: ${said}` : said).trim().replace(/\s+/g, " ");
}

export function statusOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("$metadata" in error)) return null;
  const { $metadata: metadata } = error;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return null;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : null;
}

export function textOf(error: unknown, member: string): string | undefined {
  if (typeof error !== "object" || error === null || !(member in error)) return undefined;
  const value: unknown = Reflect.get(error, member);
  return typeof value === "string" ? value : undefined;
}

/** No service has more to say; patterns that look for words in it take longer than its length. */
const MOST_SAID = 4000;

export function messageOf(error: unknown): string {
  return (textOf(error, "message") ?? textOf(error, "Message") ?? "").slice(0, MOST_SAID);
}

/** The SDK's errors hold the whole exchange, with its session token: of no use to a person, and not to be printed. */
export function withoutExchange(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const plain = new Error(error.message);
  plain.name = error.name;
  if (error.stack !== undefined) plain.stack = error.stack;
  return plain;
}
