// Whether the bucket stands in the path or in the host of a request. AWS wants it in the host, and the SDK sees to
// that; most other stores know only the path. Reads no configuration file.
import { isIP } from "node:net";

export interface EndpointVariables {
  readonly AWS_ENDPOINT_URL_S3?: string | undefined;
  readonly AWS_ENDPOINT_URL?: string | undefined;
  readonly AWS_IGNORE_CONFIGURED_ENDPOINT_URLS?: string | undefined;
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
