// What a failed call of S3 Tables means: the exception's name, whether the service certainly did nothing, and for a person
// what is missing where. Reads the shape of the AWS SDK's errors and knows no client.
import type { ToolErrorKind } from "../diagnostics/tool-error.ts";
import {
  AwsServiceError,
  clockSort,
  credentialSorts,
  isUnreadable,
  LATER,
  messageOf,
  reason,
  type Sort,
  sorted,
  statusOf,
  textOf,
  THROTTLES,
  withoutExchange,
} from "./aws-error.ts";
import { denial, type S3TablesCall } from "./s3-tables-denial.ts";

export class S3TablesError extends AwsServiceError {
  constructor(kind: ToolErrorKind, what: string, parts: ConstructorParameters<typeof AwsServiceError>[3]) {
    super("S3TablesError", kind, what, parts);
  }
}

const CHECK_KEYS = "Check the access key, the secret and the session token: all come from one place";

const SORTS: ReadonlyMap<string, Sort> = sorted({
  NotFoundException: ["not-found"],
  ConflictException: ["conflict"],
  BadRequestException: ["refused"],
  ValidationException: ["refused"],
  SerializationException: ["refused"],
  MethodNotAllowedException: ["unsupported", "A table that an AWS service keeps is changed by that service only."],
  InternalServerErrorException: ["unavailable", LATER],
  TooManyRequestsException: ["throttled", LATER],
  ...credentialSorts(CHECK_KEYS),
});

const S3_TABLES_THROTTLES: ReadonlySet<string> = new Set(THROTTLES);
const DENIALS: ReadonlySet<string> = new Set(["ForbiddenException", "AccessDeniedException", "AccessDenied"]);

export function s3TablesError(error: unknown, call: S3TablesCall): S3TablesError {
  const code = textOf(error, "name") ?? "Error";
  const message = messageOf(error);
  const status = statusOf(error);
  // Of a request that it gave up waiting for, the service does not say what became of it.
  const isCertain = status !== null && status >= 400 && status < 500 && status !== 408;
  const parts = { code, isCertain, cause: withoutExchange(error), context: { call: `s3tables:${call.action}` } };
  if (DENIALS.has(code)) return new S3TablesError("auth", call.what, { ...parts, ...denial(message, call) });
  const [kind, mend] = sortOf(code, message, status);
  return new S3TablesError(kind, call.what, {
    ...parts,
    why: reason(code, message, status, SORTS.has(code)),
    ...(mend === undefined ? {} : { mend }),
  });
}

function sortOf(code: string, message: string, status: number | null): Sort {
  const clock = clockSort(code, message);
  if (clock !== null) return clock;
  if (S3_TABLES_THROTTLES.has(code) || status === 429) return SORTS.get("TooManyRequestsException") ?? ["throttled"];
  const known = SORTS.get(code);
  if (known !== undefined) return known;
  if (isUnreadable(code, status)) return status === 409 ? ["conflict"] : ["unavailable", LATER];
  if (status === null) return ["unavailable", "Check the region in the bucket's ARN and the network, and run it again."];
  return status >= 400 && status < 500 && status !== 408 ? ["refused"] : ["unavailable", LATER];
}
