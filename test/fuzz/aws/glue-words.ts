// Glue's errors as it words them (AWS JSON 1.1), and the headers of its answers: what wrong answers are made from. Data.
import type { Words } from "./wrong-answer.ts";

const ROLE = "arn:aws:sts::999999999999:assumed-role/plan/session";

export const AWS_MESSAGES: readonly string[] = [
  "Rate exceeded",
  `User: ${ROLE} is not authorized to perform: glue:GetTable on resource: arn:aws:glue:eu-west-1:1:catalog because no identity-based policy allows the glue:GetTable action`,
  `User: ${ROLE} is not authorized to perform: glue:UpdateTable on resource: arn:x with an explicit deny in an identity-based policy`,
  "Signature expired: 20261130T101010Z is now earlier than 20261130T110000Z (20261130T111000Z - 5 min.)",
  "Signature not yet current: 20261130T101010Z is still later than 20261130T090000Z",
  "The security token included in the request is expired",
  "Region is missing",
  "",
];

export const AWS_HEADERS: Words["headers"] = [
  ["date", "Mon, 30 Nov 2026 17:00:00 GMT"],
  ["date", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ["content-type", "application/x-amz-json-1.1"],
  ["content-type", "text/html"],
  ["content-encoding", "gzip"],
  ["content-length", "5"],
  ["x-amzn-requestid", "b0c1"],
  ["x-amzn-errortype", "ThrottlingException:http://internal.amazon.com/"],
  ["x-amzn-errortype", "AccessDeniedException"],
  ["retry-after", "3"],
  ["x-amz-retry-after", "3000"],
  ["x-amzn-query-error", "A;Sender"],
  ["location", "http://elsewhere.test/"],
  ["__proto__", "x"],
];

export const AWS_CODES: readonly string[] = [
  "ThrottlingException",
  "AccessDeniedException",
  "ExpiredTokenException",
  "InvalidSignatureException",
  "UnrecognizedClientException",
  "RequestExpired",
  "ServiceUnavailable",
  "InternalFailure",
  "ValidationException",
  "SerializationException",
  "UnknownOperationException",
];

export const glueWords: Words = {
  errorBody: (code, message) => ({
    headers: { "content-type": "application/x-amz-json-1.1" },
    text: JSON.stringify({ __type: code, Message: message }),
  }),
  codes: [
    ...AWS_CODES,
    "EntityNotFoundException",
    "com.amazonaws.glue#EntityNotFoundException",
    "AlreadyExistsException",
    "ConcurrentModificationException",
    "InvalidInputException",
    "ResourceNumberLimitExceededException",
    "GlueEncryptionException",
    "FederationSourceException",
    "OperationTimeoutException",
    "InternalServiceException",
    "ResourceNotReadyException",
  ],
  messages: [
    ...AWS_MESSAGES,
    "Insufficient Lake Formation permission(s): Required Describe on orders",
    "Insufficient Lake Formation permission(s) on s3://lake/sales",
    "Payload size of request exceeded limit",
    "Entity Not Found",
    "Update table failed due to concurrent modifications.",
  ],
  headers: AWS_HEADERS,
};
