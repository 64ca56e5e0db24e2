// Sends calls to a REST catalog: with what lets them in, again where that is safe and may help, and with every failure as
// a RestError. Knows neither endpoints nor tables.
import { type RetryAdvice, type RetryPorts, withRetries } from "../storage/aws-retry.ts";
import type { JsonObject } from "../iceberg/json.ts";
import { writeJson } from "../iceberg/json-write.ts";
import { type RestAuth, withBearer } from "./rest-auth.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { afterUnclear, answerError, garbledError, type Hide, networkError, RestError } from "./rest-error.ts";
import { type HttpAnswer, type HttpRequest, type HttpTimes, NoAnswer, type SendHttp } from "./rest-http.ts";

export interface RestCall {
  /** `Cannot load "sales.orders"`. */
  readonly what: string;
  readonly method: HttpRequest["method"];
  readonly url: string;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** `always`: it changes nothing, or the server knows it again. `unless-unclear`: only where the server certainly did nothing. */
  readonly repeats: "always" | "unless-unclear";
  /** A table's own token, in place of the catalog's. */
  readonly token?: string | null;
  /** Beside 2xx, e.g. 304. */
  readonly alsoGood?: readonly number[];
}

export interface RestClient {
  /** The answer of a success; null for a HEAD or GET of what is not there is the caller's to make of `not-found`. */
  send(call: RestCall): Promise<HttpAnswer>;
  /** The same, read. What cannot be read is sent again where the call may be. */
  read<T>(call: RestCall, reader: (answer: HttpAnswer) => T): Promise<T>;
}

export interface ClientParts {
  readonly auth: RestAuth;
  readonly http: SendHttp;
  readonly ports: RetryPorts;
  readonly nowMs: () => number;
  readonly times: { readonly read: HttpTimes; readonly write: HttpTimes };
  readonly hide: Hide;
}

const COMMON_HEADERS = { accept: "application/json", "user-agent": "floeplan" };

export function restClient(parts: ClientParts): RestClient {
  const { ports } = parts;
  const read = async <T>(call: RestCall, reader: (answer: HttpAnswer) => T): Promise<T> => {
    let isUnclear = false;
    try {
      return await withRetries(ports, adviceFor(call), async () => {
        try {
          return readOrThrow(call, await sendOnce(parts, call), reader);
        } catch (error) {
          if (error instanceof RestError && !error.isCertain) isUnclear = true;
          throw error;
        }
      });
    } catch (error) {
      throw isUnclear && error instanceof ToolError ? afterUnclear(error) : error;
    }
  };
  return { read, send: async (call) => await read(call, (answer) => answer) };
}

function readOrThrow<T>(call: RestCall, answer: HttpAnswer, reader: (answer: HttpAnswer) => T): T {
  try {
    return reader(answer);
  } catch (error) {
    throw garbledError(call.what, answer, error);
  }
}

function adviceFor({ repeats }: RestCall): (error: unknown) => RetryAdvice | null {
  return (error) => {
    if (!(error instanceof RestError) || !error.retryable || error.kind === "conflict") return null;
    if (repeats === "unless-unclear" && !error.isCertain) return null;
    return { isThrottled: error.kind === "throttled", afterMs: error.afterMs };
  };
}

async function sendOnce(parts: ClientParts, call: RestCall): Promise<HttpAnswer> {
  const { auth, hide, nowMs } = parts;
  const request = requestOf(call);
  const token = call.token ?? null;
  let answer = await exchange(parts, call, request, token);
  if (isTurnedAway(answer) && (token !== null || (await auth.renew(answer)))) {
    answer = await exchange(parts, call, request, null);
  }
  const { status } = answer;
  if ((status >= 200 && status < 300) || call.alsoGood?.includes(status) === true) return answer;
  const error = answerError(call.what, answer, hide);
  if (!doesNotKnowCaller(error)) throw error;
  throw new RestError("auth", call.what, {
    ...(error.why === undefined ? {} : { why: error.why }),
    mend: auth.mend(nowMs()),
    context: error.context,
    status,
    type: error.type,
    isCertain: true,
  });
}

/** AWS says 403 of keys and signatures too. */
function doesNotKnowCaller({ status, type }: RestError): boolean {
  if (status === 403) return /Signature|UnrecognizedClient|ExpiredToken|InvalidClientTokenId|MissingAuth/.test(type ?? "");
  return status === 401 || status === 419;
}

/** 403 too: AWS says so of keys and clocks. */
function isTurnedAway({ status }: HttpAnswer): boolean {
  return status === 401 || status === 403 || status === 419;
}

async function exchange(
  { auth, http, times, hide }: ClientParts,
  call: RestCall,
  request: HttpRequest,
  token: string | null,
): Promise<HttpAnswer> {
  const authorized = token === null ? await auth.authorize(request) : withBearer(request, token);
  try {
    return await http(authorized, call.method === "POST" ? times.write : times.read);
  } catch (error) {
    throw error instanceof NoAnswer ? networkError(call.what, error, hide) : error;
  }
}

function requestOf({ method, url, headers, body }: RestCall): HttpRequest {
  const common = { ...COMMON_HEADERS, ...headers };
  if (body === undefined) return { method, url, headers: common };
  return { method, url, headers: { ...common, "content-type": "application/json" }, body: writeJson(body) };
}
