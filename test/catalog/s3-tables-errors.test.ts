// What a person is told when S3 Tables says no: the missing action, where it is missing, and the mend. The texts of AWS are
// those seen in the open; account numbers and names are invented.
import { describe, expect, it } from "vitest";
import { parseTableBucket } from "../../src/catalog/s3-tables-names.ts";
import { s3TablesError } from "../../src/catalog/s3-tables-error.ts";

const ARN = "arn:aws:s3tables:eu-west-1:011122223333:bucket/events";
const CALL = {
  action: "UpdateTableMetadataLocation",
  what: 'Cannot commit "sales.orders" to S3 Tables',
  bucket: parseTableBucket(ARN, "events"),
};
const ROLE = "arn:aws:sts::011122223333:assumed-role/floeplan-apply/run";
const said = (name: string, message: string, status = 403): unknown =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });
const told = (name: string, message: string, status = 403): readonly (string | undefined)[] => {
  const { kind, why, mend } = s3TablesError(said(name, message, status), CALL);
  return [kind, why, mend];
};

describe("a denial", () => {
  it.each(["AccessDeniedException", "ForbiddenException"])("names the action, the resource and the reason: %s", (name) => {
    const resource = `${ARN}/table/5ac1b4f2-0000-4000-8000-3c1c0b5f6a11`;
    const message = `User: ${ROLE} is not authorized to perform: s3tables:UpdateTableMetadataLocation on resource: ${resource} because no identity-based policy allows the s3tables:UpdateTableMetadataLocation action`;
    expect(told(name, message)).toEqual([
      "auth",
      `"${ROLE}" lacks s3tables:UpdateTableMetadataLocation on "${resource}" (no identity-based policy allows the s3tables:UpdateTableMetadataLocation action)`,
      `Add s3tables:UpdateTableMetadataLocation on "${ARN}" and "${ARN}/table/*" to the policy of the role; see docs/aws.md`,
    ]);
  });

  it("without words names the action of the call", () => {
    expect(told("ForbiddenException", "The caller isn't authorized to make the request")).toEqual([
      "auth",
      "The role lacks s3tables:UpdateTableMetadataLocation (The caller isn't authorized to make the request)",
      `Add s3tables:UpdateTableMetadataLocation on "${ARN}" and "${ARN}/table/*" to the policy of the role; see docs/aws.md`,
    ]);
  });

  it("of credentials of another account says whose they are, and whose the bucket is", () => {
    const other = ROLE.replace("011122223333", "444455556666");
    const message = `User: ${other} is not authorized to perform: s3tables:GetTableMetadataLocation on resource: ${ARN} because no resource-based policy allows the s3tables:GetTableMetadataLocation action`;
    const [, why, mend] = told("AccessDeniedException", message);
    expect(why).toContain("The credentials are of account 444455556666, and the table bucket belongs to 011122223333");
    expect(mend).toBe(
      "Run with a role of account 011122223333, or name the role in the policy of the table bucket with s3tables:GetTableMetadataLocation",
    );
  });

  it("by an explicit deny says that no other policy helps", () => {
    const message = `User: ${ROLE} is not authorized to perform: s3tables:CreateTable on resource: ${ARN} with an explicit deny in a service control policy`;
    expect(told("AccessDeniedException", message)[2]).toBe(
      "Lift that deny of s3tables:CreateTable: no policy of the role outweighs it",
    );
  });

  it("of the key says which action is missing on it", () => {
    const key = "arn:aws:kms:eu-west-1:011122223333:key/0";
    const message = `User: ${ROLE} is not authorized to perform: kms:GenerateDataKey on resource: ${key} because no identity-based policy allows the kms:GenerateDataKey action`;
    expect(told("AccessDeniedException", message).slice(1)).toEqual([
      `"${ROLE}" lacks kms:GenerateDataKey on "${key}" (no identity-based policy allows the kms:GenerateDataKey action)`,
      "Allow kms:GenerateDataKey on the key of the table bucket for the role that runs this; see docs/aws.md",
    ]);
  });
});

describe("another failure", () => {
  it.each([
    ["MethodNotAllowedException", 405, "The requested operation is not allowed", "unsupported", "that service only"],
    ["TooManyRequestsException", 429, "Rate exceeded", "throttled", "later"],
    ["ThrottlingException", 400, "Rate exceeded", "throttled", "later"],
    ["InternalServerErrorException", 500, "The request failed", "unavailable", "later"],
    ["ExpiredTokenException", 403, "The security token included in the request is expired", "auth", "new credentials"],
    ["InvalidSignatureException", 403, "Signature expired: 20261130T080000Z is now earlier than", "auth", "Set the clock"],
    ["InvalidSignatureException", 403, "The request signature we calculated does not match", "auth", "Check the access key"],
    ["UnrecognizedClientException", 403, "The security token included in the request is invalid", "auth", "Check the access key"],
  ])("says how to mend it: %s %i", (name, status, message, kind, mend) => {
    const [found, why, how] = told(name, message, status);
    expect([found, why]).toEqual([kind, `${message.replace(/\.$/, "")}`]);
    expect(how).toContain(mend);
  });

  it.each([
    ["BadRequestException", 400, "refused"],
    ["NotFoundException", 404, "not-found"],
    ["ConflictException", 409, "conflict"],
    ["BrandNewException", 422, "refused"],
    ["BrandNewException", 503, "unavailable"],
    ["SyntaxError", 409, "conflict"],
    ["SyntaxError", 404, "unavailable"],
    ["Error", 200, "unavailable"],
  ])("is sorted: %s %i", (name, status, kind) => {
    expect(told(name, "It says so", status)[0]).toBe(kind);
  });

  it("without an answer says so, and leaves open what the service did", () => {
    const error = s3TablesError(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }), CALL);
    expect(error).toMatchObject({ kind: "unavailable", isCertain: false, why: "No answer came: socket hang up" });
    const unable = s3TablesError(Object.assign(new Error("No keys"), { name: "CredentialsProviderError" }), CALL);
    expect(unable).toMatchObject({ kind: "auth", why: "No keys", mend: expect.stringContaining("AWS_PROFILE") });
  });

  it("is certain only where the service answered that it did nothing", () => {
    const certain = (name: string, status: number): boolean => s3TablesError(said(name, "x", status), CALL).isCertain;
    expect(certain("TooManyRequestsException", 429)).toBe(true);
    expect(certain("BrandNewException", 403)).toBe(true);
    expect(certain("RequestTimeout", 408)).toBe(false);
    expect(certain("InternalServerErrorException", 500)).toBe(false);
    expect(certain("SyntaxError", 200)).toBe(false);
  });

  it("carries nothing of the exchange, which holds the session token", () => {
    const withExchange = Object.assign(said("ForbiddenException", "no") as Error, {
      $response: { headers: { "x-amz-security-token": "secret" } },
    });
    const { cause } = s3TablesError(withExchange, CALL);
    expect(cause).toBeInstanceOf(Error);
    expect(Object.keys(cause as object)).not.toContain("$response");
  });
});
