// What a failed Glue call means: the exception's name, whether Glue certainly did nothing, and for a person what is
// missing where. Reads the shape of the AWS SDK's errors and knows no client.
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
import { denial, type GlueCall } from "./glue-denial.ts";

export class GlueError extends AwsServiceError {
  constructor(kind: ToolErrorKind, what: string, parts: ConstructorParameters<typeof AwsServiceError>[3]) {
    super("GlueError", kind, what, parts);
  }
}

const CHECK_KEYS = "Check the access key, the secret, the session token and the region: all come from one place";

const SORTS: ReadonlyMap<string, Sort> = sorted({
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
  ...credentialSorts(CHECK_KEYS),
});

/** Said by Glue without a word on whether it did what it was asked. */
const UNCERTAIN: ReadonlySet<string> = new Set(["OperationTimeoutException", "InternalServiceException", "RequestTimeout"]);
const GLUE_THROTTLES: ReadonlySet<string> = new Set([...THROTTLES, "ProvisionedThroughputExceededException"]);
const DENIALS: ReadonlySet<string> = new Set(["AccessDeniedException", "AccessDenied", "UnauthorizedException"]);

export function glueError(error: unknown, call: GlueCall): GlueError {
  const code = textOf(error, "name") ?? "Error";
  const message = messageOf(error);
  const status = statusOf(error);
  const isCertain = status !== null && status >= 400 && status < 500 && !UNCERTAIN.has(code);
  const parts = { code, isCertain, cause: withoutExchange(error), context: { call: `glue:${call.action}` } };
  if (DENIALS.has(code)) return new GlueError("auth", call.what, { ...parts, ...denial(message, call) });
  if (/region is missing/i.test(message)) {
    return new GlueError("config", call.what, {
      ...parts,
      why: "No region is set",
      mend: "Write `region:` of the catalog in the project file, or set AWS_REGION",
    });
  }
  const [kind, mend] = sortOf(code, message, status);
  return new GlueError(kind, call.what, {
    ...parts,
    why: reason(code, message, status, SORTS.has(code)),
    ...(mend === undefined ? {} : { mend }),
  });
}

function sortOf(code: string, message: string, status: number | null): Sort {
  const clock = clockSort(code, message);
  if (clock !== null) return clock;
  if (GLUE_THROTTLES.has(code) || status === 429) return SORTS.get("ThrottlingException") ?? ["throttled"];
  const known = SORTS.get(code);
  if (known !== undefined) return known;
  if (isUnreadable(code, status)) return ["unavailable", LATER];
  if (status === null) return ["unavailable", "Check the region and the network, and run it again."];
  return status >= 400 && status < 500 ? ["refused"] : ["unavailable", LATER];
}
