// A server on the loopback address that plays one AWS service over real HTTP: reads requests whole, asks the service
// for its answer, logs every call, and breaks calls on demand (an error, a cut or silent connection, a delay; before
// the call took effect or after it). A call that the service does not know fails the test at `stop`.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface FakeRequest {
  readonly method: string;
  /** Before the question mark, as sent: not decoded. */
  readonly path: string;
  /** Decoded, in the order sent; a name without "=" has an empty value. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface FakeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** What a request is, in the words of the service's API. */
export interface CallName {
  readonly operation: string;
  /** What it is about, e.g. `bucket/key` or `database.table`. */
  readonly target: string;
}

export interface FakeCall extends CallName {
  readonly request: Omit<FakeRequest, "body"> & { readonly bodyBytes: number };
  /** The status sent; 0 where the connection was dropped or the call never answered. */
  status: number;
}

export interface FakeService {
  /** Null: the service has no such call. */
  name(request: FakeRequest): CallName | null;
  answer(request: FakeRequest, call: CallName): FakeAnswer | Promise<FakeAnswer>;
}

export type FaultAnswer =
  | FakeAnswer
  /** The connection ends without an answer. */
  | "drop"
  /** No answer, and the connection stays. */
  | "hang"
  /** The true answer, its body broken off in the middle. */
  | "cut"
  /** The true answer, later. */
  | { readonly delayMs: number };

export interface FaultRule {
  /** An operation, or a test over the call. */
  readonly on: string | ((call: CallName, request: FakeRequest) => boolean);
  readonly answer: FaultAnswer;
  /** `after`: the call has done its work, and only its answer is lost. Without: `before`. */
  readonly effect?: "before" | "after";
  /** Fitting calls that pass before the first is broken. Without: 0. */
  readonly skip?: number;
  /** How many are broken. Without: 1. */
  readonly times?: number;
}

export interface HttpFake {
  /** Without a slash at the end. */
  readonly url: string;
  readonly calls: readonly FakeCall[];
  /** Calls by operation. */
  readonly counts: () => Readonly<Record<string, number>>;
  readonly clearCalls: () => void;
  /** Breaks calls from now on; the answer ends it. */
  readonly fault: (rule: FaultRule) => () => void;
  /** Added to every call from now on. */
  readonly setLatency: (milliseconds: number) => void;
  /** Throws where a call came that the service does not know, or where the fake itself failed. */
  readonly stop: () => Promise<void>;
}

interface ArmedFault {
  readonly rule: FaultRule;
  seen: number;
}

export async function startHttpFake(title: string, service: FakeService): Promise<HttpFake> {
  const calls: FakeCall[] = [];
  const faults = new Set<ArmedFault>();
  const failures: string[] = [];
  let latencyMs = 0;

  const answerTo = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    const named = service.name(request);
    if (named === null) {
      failures.push(`${request.method} ${message.url ?? ""} is no call that it knows`);
      send(request, response, { status: 501, body: `${title} does not know this call` });
      return;
    }
    const { body, ...head } = request;
    const call: FakeCall = { ...named, request: { ...head, bodyBytes: body.length }, status: 0 };
    calls.push(call);
    if (latencyMs > 0) await sleep(latencyMs);
    const rule = armedRule(faults, named, request);
    const broken = rule?.answer;
    if (rule !== null && broken !== undefined && isInstead(broken) && rule.effect !== "after") {
      call.status = await replace(request, response, broken);
      return;
    }
    const answer = await service.answer(request, named);
    if (broken === undefined) {
      call.status = send(request, response, answer);
    } else if (isInstead(broken)) {
      call.status = await replace(request, response, broken);
    } else if (broken === "cut") {
      call.status = cut(response, answer);
    } else {
      await sleep(broken.delayMs);
      call.status = send(request, response, answer);
    }
  };

  const server = createServer((message, response) => {
    answerTo(message, response).catch((error: unknown) => {
      // A client that gave up its call is no failure of the fake. The message itself ends as soon as it is read.
      if (message.socket.destroyed || response.destroyed) return;
      failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      response.destroy();
    });
  });
  // Kept-alive connections are never closed by the fake: a test says when one breaks.
  server.keepAliveTimeout = 0;
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    counts: () => {
      const counts: Record<string, number> = {};
      for (const { operation } of calls) counts[operation] = (counts[operation] ?? 0) + 1;
      return counts;
    },
    clearCalls: () => {
      calls.length = 0;
    },
    fault: (rule) => {
      const armed: ArmedFault = { rule, seen: 0 };
      faults.add(armed);
      return () => void faults.delete(armed);
    },
    setLatency: (milliseconds) => {
      latencyMs = milliseconds;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((settle) => server.close(() => settle()));
      if (failures.length > 0) throw new Error(`${title}: ${failures.join("\n")}`);
    },
  };
}

async function readRequest(message: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const target = message.url ?? "/";
  const mark = target.indexOf("?");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers))
    headers[name] = Array.isArray(value) ? value.join(",") : (value ?? "");
  return {
    method: message.method ?? "",
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? [] : readQuery(target.slice(mark + 1)),
    headers,
    body: Buffer.concat(chunks),
  };
}

function readQuery(text: string): FakeRequest["query"] {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const sign = pair.indexOf("=");
      const [name, value] = sign < 0 ? [pair, ""] : [pair.slice(0, sign), pair.slice(sign + 1)];
      return [decodeURIComponent(name), decodeURIComponent(value)] as const;
    });
}

function armedRule(faults: ReadonlySet<ArmedFault>, call: CallName, request: FakeRequest): FaultRule | null {
  for (const armed of faults) {
    const { on, skip = 0, times = 1 } = armed.rule;
    const fits = typeof on === "string" ? call.operation === on : on(call, request);
    if (!fits) continue;
    armed.seen += 1;
    if (armed.seen > skip && armed.seen <= skip + times) return armed.rule;
  }
  return null;
}

/** Is it sent in place of the true answer? */
function isInstead(answer: FaultAnswer): answer is FakeAnswer | "drop" | "hang" {
  return answer === "drop" || answer === "hang" || (typeof answer === "object" && "status" in answer);
}

async function replace(request: FakeRequest, response: ServerResponse, answer: FakeAnswer | "drop" | "hang"): Promise<number> {
  if (answer === "hang") return 0;
  if (answer !== "drop") return send(request, response, answer);
  response.destroy();
  return 0;
}

function send(request: FakeRequest, response: ServerResponse, answer: FakeAnswer): number {
  const body = bytesOf(answer);
  response.writeHead(answer.status, { "content-length": String(body.length), ...answer.headers });
  response.end(request.method === "HEAD" ? undefined : body);
  return answer.status;
}

/** Objects are large, and not copied. */
function bytesOf({ body = "" }: FakeAnswer): Buffer {
  return typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
}

/** The client learns the true length, gets half of it, and loses the connection. */
function cut(response: ServerResponse, answer: FakeAnswer): number {
  const body = bytesOf(answer);
  response.writeHead(answer.status, { "content-length": String(body.length), ...answer.headers });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
  return answer.status;
}
