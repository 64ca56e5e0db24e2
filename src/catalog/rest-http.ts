// One request over HTTP, once: Node's own fetch, with an end to waiting and to what is taken in. Redirections are not
// followed, so that no token travels to another place. Knows no catalog; what an answer means is rest-error.ts's.

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  /** By its lower-case name. */
  readonly header: (name: string) => string | null;
  /** Unpacked. */
  readonly body: Uint8Array;
}

export interface HttpTimes {
  /** Until the answer begins. */
  readonly answerMs: number;
  /** Without a byte of it. */
  readonly idleMs: number;
}

export type SendHttp = (request: HttpRequest, times: HttpTimes) => Promise<HttpAnswer>;

/** No answer, or no whole one. */
export class NoAnswer extends Error {
  /** The network's code, e.g. ECONNREFUSED; empty where there is none. */
  readonly code: string;
  /** May the server have got the request, and acted on it? */
  readonly mayHaveArrived: boolean;

  constructor(code: string, message: string, mayHaveArrived: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "NoAnswer";
    this.code = code;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** The contract's limit of a metadata document, and room for what stands around it. */
const MAX_BODY_BYTES = 2 ** 30 + 2 ** 20;
/** Of an error: the rest is a stack of calls. */
const MAX_ERROR_BYTES = 2 ** 20;

export async function sendHttp(request: HttpRequest, times: HttpTimes): Promise<HttpAnswer> {
  const { method, url, headers, body } = request;
  const stop = new AbortController();
  const watch = watchdog(stop);
  watch.expect(times.answerMs, `no answer came within ${times.answerMs / 1000} s`);
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: stop.signal,
      ...(body === undefined ? {} : { body }),
    });
    const more = (): void => watch.expect(times.idleMs, `the answer broke off for ${times.idleMs / 1000} s`);
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      body: await readBody(response, more),
    };
  } catch (error) {
    throw noAnswer(error);
  } finally {
    watch.end();
  }
}

interface Watchdog {
  readonly expect: (milliseconds: number, otherwise: string) => void;
  readonly end: () => void;
}

function watchdog(stop: AbortController): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearTimeout(timer);
  return {
    end,
    expect: (milliseconds, otherwise) => {
      end();
      timer = setTimeout(() => stop.abort(new NoAnswer("TIMEOUT", otherwise, true)), milliseconds);
    },
  };
}

async function readBody(response: Response, more: () => void): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const isError = response.status >= 400;
  const limit = isError ? MAX_ERROR_BYTES : MAX_BODY_BYTES;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  more();
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    more();
    chunks.push(part.value);
    bytes += part.value.byteLength;
    if (bytes <= limit) continue;
    await reader.cancel();
    if (isError) break;
    throw new NoAnswer("TOO_LARGE", `the answer is larger than ${MAX_BODY_BYTES} bytes`, true);
  }
  return Buffer.concat(chunks);
}

/** Said before a connection stands: nothing was sent. */
const UNSENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Of TLS, before anything is sent: certificates, and servers that speak something else. */
export function isTlsCode(code: string): boolean {
  return /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_|^HOSTNAME_MISMATCH$/.test(code);
}

function noAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = codeOf(reason);
  const message = reason instanceof Error && reason.message !== "" ? reason.message : code;
  return new NoAnswer(code, message, !(UNSENT.has(code) || isTlsCode(code)), reason);
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
