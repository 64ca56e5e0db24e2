// The errors of S3 Tables as it words them (REST-JSON), and the headers of its answers: what wrong answers are made from.
// Data.
import { AWS_CODES, AWS_HEADERS, AWS_MESSAGES } from "./glue-words.ts";
import type { Words } from "./wrong-answer.ts";

const ROLE = "arn:aws:sts::999999999999:assumed-role/plan/session";

export const s3TablesWords: Words = {
  errorBody: (code, message) => ({
    headers: { "content-type": "application/json", "x-amzn-errortype": code.replace(/[^\x21-\x7e]/g, "") },
    text: JSON.stringify({ message, code }),
  }),
  codes: [
    ...AWS_CODES,
    "NotFoundException",
    "ConflictException",
    "BadRequestException",
    "ForbiddenException",
    "MethodNotAllowedException",
    "InternalServerErrorException",
    "TooManyRequestsException",
  ],
  messages: [
    ...AWS_MESSAGES,
    `User: ${ROLE} is not authorized to perform: s3tables:GetTableMetadataLocation on resource: "arn:aws:s3tables:us-east-1:011122223333:bucket/lake/table/x" because no resource-based policy allows it`,
    `User: ${ROLE} is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:us-east-1:1:key/x`,
    "The specified table does not exist.",
    "The version token is not valid.",
  ],
  headers: AWS_HEADERS,
};
