// Who AWS takes the credentials for: STS's GetCallerIdentity, which needs no permission and changes nothing. The client
// is made for the one question. Knows no catalog and no account that would be right.
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { AwsKeySource } from "./aws-keys.ts";

export interface AwsIdentity {
  /** As AWS names it, e.g. `arn:aws:sts::444455556666:assumed-role/floeplan-plan/run`. */
  readonly arn: string;
  /** Twelve digits. */
  readonly account: string;
}

const CONNECT_MS = 5000;
const ANSWER_MS = 20_000;

export async function awsIdentity(options: {
  readonly region: string;
  readonly credentials: AwsKeySource;
}): Promise<AwsIdentity> {
  const client = new STSClient({
    ...options,
    customUserAgent: "floeplan",
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
  });
  try {
    const { Arn: arn, Account: account } = await client.send(new GetCallerIdentityCommand({}));
    if (arn === undefined || account === undefined) throw new Error("the answer lacks the account");
    return { arn, account };
  } catch (error) {
    throw identityError(error);
  } finally {
    client.destroy();
  }
}

/** No policy denies the question: what is refused is the key itself, or the way to STS. */
function identityError(error: unknown): ToolError {
  const what = "Cannot ask AWS who the credentials belong to";
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const why = message === "" ? name : message.trim();
  if (/Provider/.test(name)) {
    return new ToolError("auth", what, {
      why: `No usable AWS credentials were found: ${why}`,
      mend: "In GitHub Actions run aws-actions/configure-aws-credentials before this step; elsewhere set AWS_PROFILE, log in with `aws sso login`, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      cause: error,
    });
  }
  if (isClientFault(error)) {
    return new ToolError("auth", what, {
      why,
      mend: /Expired/.test(name)
        ? "Get new credentials, for example by `aws sso login` or by running the workflow again."
        : "Check the access key, the secret and the session token: all come from one place.",
      cause: error,
    });
  }
  return new ToolError("unavailable", what, {
    why,
    mend: "Check the network, and whether a VPC endpoint of STS is needed; run it again later",
    cause: error,
  });
}

function isClientFault(error: unknown): boolean {
  return (
    error instanceof Error && "$fault" in error && error.$fault === "client" && !/Throttl|SlowDown|RequestLimit/.test(error.name)
  );
}
