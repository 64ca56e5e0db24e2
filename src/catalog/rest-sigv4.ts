// Signature Version 4: requests signed with AWS credentials of the standard chain. Loaded only where a catalog asks for
// it. Knows the services by whose names catalogs are signed to, and no catalog.
import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import { ToolError } from "../diagnostics/tool-error.ts";
import { readServerError } from "../iceberg/rest-answers.ts";
import type { AwsKeySource } from "../storage/aws-keys.ts";
import type { RestAuth } from "./rest-auth.ts";
import type { HttpAnswer, HttpRequest } from "./rest-http.ts";

export interface SigV4Options {
  readonly credentials: AwsKeySource;
  readonly service: string;
  readonly region: string;
  readonly nowMs: () => number;
}

/** Clocks further apart than this are told by AWS; less is let be. */
const SKEW_MS = 4 * 60_000;

export function sigV4Auth(options: SigV4Options): RestAuth {
  const { service, region, nowMs } = options;
  let offsetMs = 0;
  const credentials = async (): ReturnType<AwsKeySource> => await keysOf(options.credentials);
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  return {
    authorize: async (request) => {
      const signed = await signer.sign(signable(request), { signingDate: new Date(nowMs() + offsetMs) });
      const { host: _, ...headers } = signed.headers;
      return { ...request, headers };
    },
    renew: async (answer) => {
      const skewMs = skewOf(answer, nowMs());
      if (skewMs !== null && Math.abs(skewMs - offsetMs) > SKEW_MS) {
        offsetMs = skewMs;
        return true;
      }
      return await hasOtherKeys(options.credentials, answer);
    },
    learn: () => {},
    mend: () =>
      `Check the AWS credentials in use, the region (${region}) and \`signing-name:\` (${service}) of the catalog, and the role's rights on it.`,
    secrets: () => [],
  };
}

interface Signable {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

function signable({ method, url, headers, body }: HttpRequest): Signable {
  const { protocol, hostname, host, pathname, searchParams } = new URL(url);
  return {
    method,
    protocol,
    hostname,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: { ...headers, host },
    ...(body === undefined ? {} : { body }),
  };
}

async function keysOf(source: AwsKeySource, options?: Parameters<AwsKeySource>[0]): ReturnType<AwsKeySource> {
  try {
    return await source(options);
  } catch (error) {
    throw new ToolError("auth", "Cannot sign a request to the catalog", {
      why: `No usable AWS credentials were found: ${error instanceof Error ? error.message.replace(/\.$/, "") : "the source failed"}`,
      mend: "In GitHub Actions run aws-actions/configure-aws-credentials before this step; elsewhere set AWS_PROFILE, log in with `aws sso login`, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      cause: error,
    });
  }
}

/** How far the server's clock is ahead, where it says that the signature's time is the fault. */
function skewOf(answer: HttpAnswer, nowMs: number): number | null {
  if (!/expired|not yet current|skew/i.test(readServerError(answer.body)?.message ?? "")) return null;
  const serverMs = Date.parse(answer.header("date") ?? "");
  return Number.isNaN(serverMs) ? null : serverMs - nowMs;
}

async function hasOtherKeys(source: AwsKeySource, answer: HttpAnswer): Promise<boolean> {
  const said = readServerError(answer.body);
  if (!/expired|security token/i.test(`${said?.type ?? ""} ${said?.message ?? ""}`)) return false;
  const before = await keysOf(source);
  const after = await keysOf(source, { forceRefresh: true });
  return before.accessKeyId !== after.accessKeyId || before.sessionToken !== after.sessionToken;
}

/** The hash that the signer asks for, by Node. */
class Sha256 {
  #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;
  readonly #secret: Uint8Array | string | null;

  constructor(secret?: unknown) {
    this.#secret = secret instanceof Uint8Array || typeof secret === "string" ? secret : null;
    this.#hash = this.#start();
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#start();
  }

  #start(): ReturnType<typeof createHash> | ReturnType<typeof createHmac> {
    return this.#secret === null ? createHash("sha256") : createHmac("sha256", this.#secret);
  }
}
