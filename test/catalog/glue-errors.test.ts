// What a person is told when Glue says no: the missing action or permission, where it is missing, and the mend. The
// texts of AWS are those seen in the open; account numbers and names are invented.
import { describe, expect, it } from "vitest";
import { glueError } from "../../src/catalog/glue-error.ts";
import type { GlueCall } from "../../src/catalog/glue-denial.ts";

const UPDATE: GlueCall = {
  action: "UpdateTable",
  what: 'Cannot commit "sales.orders" to Glue',
  database: "sales",
  table: "orders",
};
const said = (name: string, message: string, status = 400): unknown =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });
const told = (name: string, message: string, call: GlueCall = UPDATE): readonly (string | undefined)[] => {
  const { kind, why, mend } = glueError(said(name, message), call);
  return [kind, why, mend];
};
const ROLE = "arn:aws:sts::011122223333:assumed-role/floeplan-apply/run";

describe("a denial", () => {
  it("of IAM names the action, the resource and the reason", () => {
    const resource = "arn:aws:glue:eu-west-1:011122223333:table/sales/orders";
    const message = `User: ${ROLE} is not authorized to perform: glue:UpdateTable on resource: ${resource} because no identity-based policy allows the glue:UpdateTable action`;
    expect(told("AccessDeniedException", message)).toEqual([
      "auth",
      `"${ROLE}" lacks glue:UpdateTable on "${resource}" (no identity-based policy allows the glue:UpdateTable action)`,
      "Add glue:UpdateTable on the catalog, database/sales and table/sales/orders to the policy of the role; see docs/aws.md",
    ]);
  });

  it("of another account says that its policy lacks it", () => {
    const message = `User: ${ROLE} is not authorized to perform: glue:GetDatabase on resource: arn:aws:glue:eu-west-1:444455556666:catalog because no resource-based policy allows the glue:GetDatabase action`;
    const [, why, mend] = told("AccessDeniedException", message, { ...UPDATE, action: "GetDatabase" });
    expect(why).toContain("(no resource-based policy allows the glue:GetDatabase action)");
    expect(mend).toContain("Add glue:GetDatabase");
  });

  it("by an explicit deny says that no other policy helps", () => {
    const message = `User: ${ROLE} is not authorized to perform: glue:UpdateTable on resource: arn:aws:glue:eu-west-1:011122223333:catalog with an explicit deny in a service control policy`;
    const [, why, mend] = told("AccessDeniedException", message);
    expect(why).toContain("(an explicit deny in a service control policy)");
    expect(mend).toBe("Lift that deny of glue:UpdateTable: no policy of the role outweighs it");
  });

  it("without words names the action of the call", () => {
    expect(told("AccessDeniedException", "Access Denied")).toEqual([
      "auth",
      "The role lacks glue:UpdateTable",
      "Add glue:UpdateTable on the catalog, database/sales and table/sales/orders to the policy of the role; see docs/aws.md",
    ]);
  });

  it.each([
    ["Insufficient Lake Formation permission(s): Required Alter on orders", "ALTER", '"orders"'],
    ["Insufficient Lake Formation permission(s): Required Create Table on sales", "CREATE_TABLE", '"sales"'],
    ["Insufficient Lake Formation permission(s) on orders", "ALTER", '"orders"'],
    ["Insufficient Lake Formation permission(s)", "ALTER", '"sales.orders"'],
    [
      "Insufficient Lake Formation permission(s) on s3://lake/sales/orders",
      "DATA_LOCATION_ACCESS",
      'the location "s3://lake/sales/orders"',
    ],
    [
      "Insufficient Lake Formation permission(s): Required Data Location Access on arn:aws:s3:::lake/sales",
      "DATA_LOCATION_ACCESS",
      'the location "arn:aws:s3:::lake/sales"',
    ],
  ])("of Lake Formation names its permission: %s", (message, permission, where) => {
    expect(told("AccessDeniedException", message)).toEqual([
      "auth",
      `Lake Formation guards the catalog, and the role lacks ${permission} on ${where}`,
      `Grant ${permission} on ${where} to the role in Lake Formation (aws lakeformation grant-permissions); IAM alone does not do`,
    ]);
  });

  it("of Lake Formation on reading says that the table may not be there at all", () => {
    const message = "Insufficient Lake Formation permission(s): Required Describe on orders";
    const [, why] = told("AccessDeniedException", message, { ...UPDATE, action: "GetTable" });
    expect(why).toBe(
      'Lake Formation guards the catalog, and the role lacks DESCRIBE on "orders". It answers the same where there is no such table',
    );
  });
});

describe("another failure", () => {
  it.each([
    ["GlueEncryptionException", "User is not authorized to perform: kms:Decrypt", "auth", "kms:Decrypt and kms:GenerateDataKey"],
    ["ExpiredTokenException", "The security token included in the request is expired", "auth", "new credentials"],
    ["InvalidSignatureException", "Signature expired: 20261130T080000Z is now earlier than", "auth", "Set the clock"],
    ["InvalidSignatureException", "The request signature we calculated does not match", "auth", "Check the access key"],
    ["UnrecognizedClientException", "The security token included in the request is invalid", "auth", "Check the access key"],
    ["ResourceNumberLimitExceededException", "Number of TABLE_VERSION resources exceeds", "refused", "old versions"],
    ["ThrottlingException", "Rate exceeded", "throttled", "higher rate"],
    ["FederationSourceException", "Remote catalog failed", "refused", "connection of the federated catalog"],
  ])("says how to mend it: %s", (name, message, kind, mend) => {
    const [told_, why, how] = told(name, message);
    expect(told_).toBe(kind);
    expect(why).toBe(`${message.replace(/\.$/, "")}`);
    expect(how).toContain(mend);
  });

  it("without an answer says so, and leaves open what Glue did", () => {
    const error = glueError(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }), UPDATE);
    expect(error).toMatchObject({ kind: "unavailable", isCertain: false, why: "No answer came: socket hang up" });
    const unable = glueError(Object.assign(new Error("No keys"), { name: "CredentialsProviderError" }), UPDATE);
    expect(unable).toMatchObject({ kind: "auth", why: "No keys", mend: expect.stringContaining("AWS_PROFILE") });
    const nowhere = glueError(new Error("Region is missing"), UPDATE);
    expect(nowhere).toMatchObject({ kind: "config", mend: expect.stringContaining("`region:`") });
  });

  it("is certain only where Glue answered that it did nothing", () => {
    const certain = (name: string, status: number): boolean => glueError(said(name, "x", status), UPDATE).isCertain;
    expect(certain("ThrottlingException", 400)).toBe(true);
    expect(certain("BrandNewException", 403)).toBe(true);
    expect(certain("OperationTimeoutException", 400)).toBe(false);
    expect(certain("InternalServiceException", 500)).toBe(false);
    expect(certain("SyntaxError", 200)).toBe(false);
    expect(certain("BrandNewException", 503)).toBe(false);
  });
});
