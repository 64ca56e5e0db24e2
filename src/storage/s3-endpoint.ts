// Where and how a request is sent by what the environment says: to which endpoint, with the bucket in the path or in the
// host (AWS wants it in the host, and the SDK sees to that; most other stores know only the path), signed or not. Reads no
// configuration file.
import { isIP } from "node:net";

export interface EndpointVariables {
  readonly AWS_ENDPOINT_URL_S3?: string | undefined;
  readonly AWS_ENDPOINT_URL?: string | undefined;
  readonly AWS_IGNORE_CONFIGURED_ENDPOINT_URLS?: string | undefined;
}

export interface SignatureVariables {
  readonly AWS_NO_SIGN_REQUEST?: string | undefined;
  readonly AWS_SKIP_SIGNATURE?: string | undefined;
}

/** The endpoint that was asked for; null: AWS's own, or one that a configuration file names. */
export function configuredEndpoint(given: string | undefined, variables: EndpointVariables): string | null {
  if (given !== undefined) return given;
  if (variables.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === "true") return null;
  return textOf(variables.AWS_ENDPOINT_URL_S3) ?? textOf(variables.AWS_ENDPOINT_URL);
}

/** For every store but AWS's own hosts. */
export function wantsPathStyle(endpoint: string | null): boolean {
  if (endpoint === null) return false;
  const host = hostOf(endpoint);
  return isIP(host) !== 0 || !/\.amazonaws\.(?:com|com\.cn|eu)$/i.test(host);
}

/** The SDK has no variable for it; these are those of GDAL and of the readers built on Rust's object_store. */
export function wantsNoSignature(variables: SignatureVariables): boolean {
  const texts = [variables.AWS_NO_SIGN_REQUEST, variables.AWS_SKIP_SIGNATURE];
  return texts.some((text) => text !== undefined && /^(?:true|yes|on|1)$/i.test(text));
}

function hostOf(endpoint: string): string {
  try {
    return new URL(endpoint).hostname.replace(/^\[|\]$/g, "");
  } catch {
    // The SDK says what is wrong with it.
    return endpoint;
  }
}

function textOf(value: string | undefined): string | null {
  return value === undefined || value === "" ? null : value;
}
