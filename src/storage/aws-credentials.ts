// Where AWS credentials come from: the standard chain (variables, profiles, SSO, web identity tokens, containers,
// instances), a role assumed on top of it, or a role for a token of an identity provider. Each is read when first
// needed and held until shortly before its end. Knows no service but STS, and that only through the SDK.
import { fromNodeProviderChain, fromTemporaryCredentials, fromWebToken } from "@aws-sdk/credential-providers";
import { type AwsKeySource, sharedKeys } from "./aws-keys.ts";

export interface AwsCredentialOptions {
  /** Of STS. Without: the environment's. */
  readonly region?: string;
  /** A profile of the AWS configuration files. Without: `AWS_PROFILE`. */
  readonly profile?: string;
  readonly role?: AwsRole;
}

export interface AwsRole {
  /** `arn:aws:iam::ACCOUNT:role/NAME` */
  readonly arn: string;
  /** As it stands in CloudTrail. */
  readonly sessionName?: string;
  /** What the trust policy of a role in another account may ask for. */
  readonly externalId?: string;
  readonly durationSeconds?: number;
  /** A token of an OIDC provider, fetched anew whenever the role is assumed. Without: the standard chain assumes it. */
  readonly webToken?: () => Promise<string>;
}

const SESSION_NAME = "floeplan";

export function awsCredentials(options: AwsCredentialOptions = {}): AwsKeySource {
  return sharedKeys(sourceOf(options));
}

function sourceOf({ region, profile, role }: AwsCredentialOptions): AwsKeySource {
  const clientConfig = region === undefined ? {} : { clientConfig: { region } };
  // Without a cache, since another program may have put fresh ones into the files.
  const chain = fromNodeProviderChain({ ignoreCache: true, ...clientConfig, ...(profile === undefined ? {} : { profile }) });
  if (role === undefined) return chain;
  const { arn, sessionName = SESSION_NAME, externalId, durationSeconds, webToken } = role;
  if (webToken !== undefined) {
    return async () => {
      const webIdentityToken = await webToken();
      const assume = fromWebToken({
        roleArn: arn,
        roleSessionName: sessionName,
        webIdentityToken,
        ...(durationSeconds === undefined ? {} : { durationSeconds }),
        ...clientConfig,
      });
      return await assume();
    };
  }
  const assume = fromTemporaryCredentials({
    masterCredentials: chain,
    params: {
      RoleArn: arn,
      RoleSessionName: sessionName,
      ...(externalId === undefined ? {} : { ExternalId: externalId }),
      ...(durationSeconds === undefined ? {} : { DurationSeconds: durationSeconds }),
    },
    ...clientConfig,
  });
  return async () => await assume();
}
