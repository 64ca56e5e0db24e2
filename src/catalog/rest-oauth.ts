// OAuth 2.0 client credentials: a token from the authorization server, held until shortly before its end and fetched once
// for all who wait. Knows no catalog but the one question where its tokens come from.
import { clauseOf, ToolError } from "../diagnostics/tool-error.ts";
import { readCatalogConfig, readTokenAnswer, type TokenAnswer } from "../iceberg/rest-answers.ts";
import { type RetryPorts, withRetries } from "../storage/aws-retry.ts";
import { endOfToken, type RestAuth, withBearer } from "./rest-auth.ts";
import { answerError, garbledError, type Hide, networkError, RestError } from "./rest-error.ts";
import { type HttpAnswer, type HttpRequest, type HttpTimes, NoAnswer, type SendHttp } from "./rest-http.ts";

export interface OAuthOptions {
  /** `CLIENT:SECRET`, or the secret alone. */
  readonly credential: string;
  /** The environment variable that holds it. */
  readonly variable: string;
  /** The one for `server`, for messages. */
  readonly serverVariable: string;
  /** Where tokens come from; null: the catalog itself, or whom it names. */
  readonly server: string | null;
  /** Of the catalog, without a slash at the end. */
  readonly base: string;
  /** For the question where tokens come from. */
  readonly configUrl: string;
  readonly scope: string;
  readonly http: SendHttp;
  readonly times: HttpTimes;
  readonly ports: RetryPorts;
  readonly nowMs: () => number;
  readonly hide: Hide;
}

interface HeldToken {
  readonly token: string;
  readonly renewAtMs: number;
}

const WHAT = "Cannot get a token for the catalog";
/** Renewed so long before its end, or in the last tenth of a shorter life. */
const EARLY_MS = 5 * 60_000;
const SERVER = "oauth2-server-uri";

export function oauth(options: OAuthOptions): RestAuth {
  const { nowMs, variable } = options;
  let server = options.server;
  let held: HeldToken | null = null;
  let asking: Promise<string> | null = null;

  const ask = (): Promise<string> => {
    asking ??= fetchToken(options, server)
      .then((answer) => {
        held = { token: answer.token, renewAtMs: renewalOf(answer, nowMs()) };
        return answer.token;
      })
      .finally(() => {
        asking = null;
      });
    return asking;
  };

  return {
    authorize: async (request) => {
      const token = held !== null && nowMs() < held.renewAtMs ? held.token : await ask();
      return withBearer(request, token);
    },
    renew: async ({ status }) => {
      if (status === 403) return false;
      const before = held?.token;
      return (await ask()) !== before;
    },
    learn: (properties, base) => {
      const named = properties[SERVER];
      if (options.server === null && named !== undefined && named !== "") server = trustedServer(named, base);
    },
    mend: () => `Check the client and secret in ${variable}, and what the authorization server lets this client do.`,
    secrets: () => [secretOf(options.credential), ...(held === null ? [] : [held.token])],
  };
}

async function fetchToken(options: OAuthOptions, server: string | null): Promise<TokenAnswer> {
  if (server !== null) return await requestToken(options, server);
  try {
    return await requestToken(options, `${options.base}/v1/oauth/tokens`);
  } catch (error) {
    if (!(error instanceof RestError) || !isNoTokenServer(error)) throw error;
    const named = await askCatalog(options);
    if (named !== null) return await requestToken(options, named);
    throw new ToolError("config", WHAT, {
      why: `The catalog gives no tokens itself (${clauseOf(error)}), and does not say who does`,
      mend: `Put the address of the authorization server's token endpoint into ${options.serverVariable}; where the catalog does give tokens, check the client and secret in ${options.variable}`,
      cause: error,
    });
  }
}

/** A server that asks who comes before it says that it has no such call answers 401, and not in the words of OAuth. */
function isNoTokenServer({ status, type }: RestError): boolean {
  if (status === 401) return !/^(?:invalid|unauthorized|unsupported)_/.test(type ?? "");
  return status !== null && [403, 404, 405, 406, 410, 501].includes(status);
}

/** Some catalogs tell their settings to everybody, and with them who gives tokens. */
async function askCatalog({ configUrl, http, times, base }: OAuthOptions): Promise<string | null> {
  try {
    const answer = await http({ method: "GET", url: configUrl, headers: { accept: "application/json" } }, times);
    if (answer.status !== 200) return null;
    const { defaults, overrides } = readCatalogConfig(answer.body);
    const named = overrides[SERVER] ?? defaults[SERVER];
    return named === undefined || named === "" ? null : trustedServer(named, base);
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof ToolError) return null;
    throw error;
  }
}

/** A path counts from the catalog. A secret never goes over an open line because a server says so. */
function trustedServer(named: string, base: string): string {
  const url = /^https?:\/\//i.test(named) ? named : `${base}/${named.replace(/^\/+/, "")}`;
  if (base.startsWith("https:") && !/^https:/i.test(url)) {
    throw new ToolError("config", WHAT, {
      why: `The catalog names "${url}" for tokens, which is not encrypted as the catalog itself is`,
      mend: "Have the catalog name an https address",
    });
  }
  return url;
}

async function requestToken(options: OAuthOptions, url: string): Promise<TokenAnswer> {
  const { ports, http, times, hide, variable } = options;
  const request = tokenRequest(options, url);
  return await withRetries(
    ports,
    (error) =>
      error instanceof RestError && error.retryable ? { isThrottled: error.kind === "throttled", afterMs: error.afterMs } : null,
    async () => {
      let answer: HttpAnswer;
      try {
        answer = await http(request, times);
      } catch (error) {
        throw error instanceof NoAnswer ? networkError(WHAT, error, hide) : error;
      }
      if (answer.status !== 200) throw tokenError(answer, url, variable, hide);
      try {
        return readTokenAnswer(answer.body);
      } catch (error) {
        throw garbledError(WHAT, answer, error);
      }
    },
  );
}

function tokenRequest({ credential, scope }: OAuthOptions, url: string): HttpRequest {
  const client = clientOf(credential);
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    ...(client === null ? {} : { client_id: client }),
    client_secret: secretOf(credential),
    scope,
  });
  return {
    method: "POST",
    url,
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded", "user-agent": "floeplan" },
    body: form.toString(),
  };
}

/** Servers answer 400 and 401 alike where they do not know the client. */
function tokenError(answer: HttpAnswer, url: string, variable: string, hide: Hide): RestError {
  const error = answerError(WHAT, answer, hide);
  const isClient = answer.status === 400 || answer.status === 401;
  if (!isClient) return error;
  const isScope = error.type === "invalid_scope";
  return new RestError("auth", WHAT, {
    ...(error.why === undefined ? {} : { why: error.why }),
    mend: isScope
      ? "Write the scope that the authorization server wants as `scope:` of the catalog."
      : `Check the client and secret in ${variable}, written as CLIENT:SECRET.`,
    status: answer.status,
    type: error.type,
    isCertain: true,
    context: { status: answer.status, server: url },
  });
}

function renewalOf({ token, lifetimeMs }: TokenAnswer, nowMs: number): number {
  const endMs = lifetimeMs === null ? endOfToken(token) : nowMs + lifetimeMs;
  if (endMs === null) return Number.POSITIVE_INFINITY;
  return endMs - Math.min(EARLY_MS, Math.max(0, endMs - nowMs) / 10);
}

function clientOf(credential: string): string | null {
  const colon = credential.indexOf(":");
  return colon < 0 ? null : credential.slice(0, colon);
}

function secretOf(credential: string): string {
  return credential.slice(credential.indexOf(":") + 1);
}
