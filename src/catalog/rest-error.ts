// What a failed call of a REST catalog means: which kind it is, whether the server certainly did nothing, and for a
// person what to do. The server's words are hostile: cut, cleaned, without secrets. Knows no endpoint.
import { redact } from "../diagnostics/redact.ts";
import { ToolError, type ToolErrorKind, type ToolErrorParts } from "../diagnostics/tool-error.ts";
import { readServerError, type ServerError } from "../iceberg/rest-answers.ts";
import { type HttpAnswer, isTlsCode, type NoAnswer } from "./rest-http.ts";

interface RestErrorParts extends ToolErrorParts {
  /** Null where no answer came. */
  readonly status: number | null;
  /** The exception's name as the server writes it. */
  readonly type: string | null;
  /** The server did nothing, and will not. Else it may or may not have done, or still do, what it was asked. */
  readonly isCertain: boolean;
  readonly afterMs?: number | null;
}

export class RestError extends ToolError {
  readonly status: number | null;
  readonly type: string | null;
  readonly isCertain: boolean;
  /** The server's own word on when to come back. */
  readonly afterMs: number | null;

  constructor(kind: ToolErrorKind, what: string, parts: RestErrorParts) {
    const { status, type, isCertain, afterMs = null, ...rest } = parts;
    super(kind, what, rest);
    this.name = "RestError";
    this.status = status;
    this.type = type;
    this.isCertain = isCertain;
    this.afterMs = afterMs;
  }
}

/** The same, after an earlier try of the same call that may have had its effect. */
export function afterUnclear(error: ToolError): RestError {
  const { kind, message, why, mend, context, cause } = error;
  const { status, type } = error instanceof RestError ? error : { status: null, type: null };
  return new RestError(kind, message, {
    ...(why === undefined ? {} : { why }),
    ...(mend === undefined ? {} : { mend }),
    context,
    cause,
    status,
    type,
    isCertain: false,
  });
}

/** Takes secrets that are known by their text out of words. */
export type Hide = (text: string) => string;

const LATER = "Run it again later";
const MOST_CHARACTERS = 400;

interface Sort {
  readonly kind: ToolErrorKind;
  readonly mend?: string;
}

const BY_STATUS: ReadonlyMap<number, Sort> = new Map([
  [400, { kind: "refused" }],
  [401, { kind: "auth" }],
  [403, { kind: "auth", mend: "Give the principal that floeplan uses the right to do this in the catalog" }],
  [404, { kind: "not-found" }],
  [405, { kind: "unsupported" }],
  [406, { kind: "unsupported" }],
  [408, { kind: "unavailable", mend: LATER }],
  [409, { kind: "conflict" }],
  [413, { kind: "refused" }],
  [419, { kind: "auth" }],
  [422, { kind: "refused" }],
  [429, { kind: "throttled", mend: LATER }],
  [501, { kind: "unsupported" }],
] as const);

/** An answer that is no success. */
export function answerError(what: string, answer: HttpAnswer, hide: Hide): RestError {
  const { status } = answer;
  const said = readServerError(answer.body);
  const parts = {
    status,
    type: said?.type === undefined || said.type === null ? null : clean(said.type, hide),
    isCertain: status < 500 && status !== 408,
    afterMs: retryAfterMs(answer.header("retry-after")),
    context: { status },
  };
  if (status >= 300 && status < 400) {
    const to = answer.header("location");
    return new RestError("config", what, {
      ...parts,
      why: `The server sends the call elsewhere${to === null ? "" : `, to "${clean(to, hide)}"`}.`,
      mend: "Write the address that answers by itself as `uri:` of the catalog",
    });
  }
  const sort =
    BY_STATUS.get(status) ?? (status < 500 ? { kind: "refused" as const } : { kind: "unavailable" as const, mend: LATER });
  return new RestError(sort.kind, what, {
    ...parts,
    why: said === null ? `The server answers ${status}, and not as a catalog does.` : sentence(said, status, hide),
    ...(sort.mend === undefined ? {} : { mend: sort.mend }),
  });
}

/** An answer of success that is not what it must be. */
export function garbledError(what: string, answer: HttpAnswer, cause: unknown): RestError {
  const parts = { status: answer.status, type: null, isCertain: false, context: { status: answer.status }, cause };
  const isPage = /html/i.test(answer.header("content-type") ?? "") || answer.body[0] === 0x3c;
  if (isPage) {
    return new RestError("config", what, {
      ...parts,
      why: "The server answers with a web page, so that it is no catalog, or a login stands before it",
      mend: "Check `uri:` of the catalog: it is the address to which /v1/config is added",
    });
  }
  const isNew = cause instanceof ToolError && cause.kind === "unsupported";
  const reason = cause instanceof ToolError ? [cause.message, cause.why].filter((one) => one !== undefined).join(": ") : "";
  return new RestError(isNew ? "unsupported" : "corrupt", what, {
    ...parts,
    why: `The answer is not what the protocol asks for${reason === "" ? "" : ` (${reason.replace(/\.$/, "")})`}.`,
  });
}

const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: "The name of the server is not known",
  EAI_AGAIN: "The name of the server could not be looked up",
  ECONNREFUSED: "Nothing listens there",
  EHOSTUNREACH: "There is no way to the server",
  ENETUNREACH: "There is no network",
  UND_ERR_CONNECT_TIMEOUT: "The server does not take the connection",
};

export function networkError(what: string, failure: NoAnswer, hide: Hide): RestError {
  const { code, mayHaveArrived } = failure;
  const parts = { status: null, type: null, isCertain: !mayHaveArrived, cause: failure };
  const said = clean(failure.message, hide);
  if (isTlsCode(code)) {
    return new RestError("config", what, {
      ...parts,
      why: `No secure connection came about (${said})`,
      mend: "Where a company signs its own certificates, set NODE_EXTRA_CA_CERTS to the file with its root; and check whether `uri:` needs http or another port",
    });
  }
  if (code === "TOO_LARGE") return new RestError("unsupported", what, { ...parts, why: said, retryable: false });
  const words = NETWORK_WORDS[code];
  return new RestError("unavailable", what, {
    ...parts,
    why: words === undefined ? `No whole answer came: ${said}.` : `${words} (${said}).`,
    mend: words === undefined ? LATER : "Check `uri:` of the catalog and the network; a proxy is told as docs/rest.md says.",
  });
}

function sentence({ type, message }: ServerError, status: number, hide: Hide): string {
  const said = clean(message, hide);
  const name = type === null ? `status ${status}` : clean(type, hide);
  return said === "" ? `The server answers ${name}` : `${said} (${name})`;
}

/** One line, of a length to be read, without control characters and secrets. */
function clean(text: string, hide: Hide): string {
  const line = redact(hide(text.slice(0, 100_000)))
    // oxlint-disable-next-line no-control-regex -- they are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS)}…`;
}

/** Seconds, or a date that this machine's clock may not agree with: only seconds count. */
function retryAfterMs(header: string | null): number | null {
  return header !== null && /^\d{1,5}$/.test(header.trim()) ? Number(header) * 1000 : null;
}
