// Answers in this process to a client of the AWS SDK, in place of its connection: the right answer of a played service,
// and a wrong one where the input says so. All else of the client is real. Keeps what was asked and answered.
import { Readable } from "node:stream";
import { WrongAcceptance } from "../target.ts";
import type { Answer, Way, WrongAnswer } from "./wrong-answer.ts";

/** A request as the SDK hands it to a connection. */
export interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

// The SDK warns of a Node that this project still supports.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

export interface Exchange {
  readonly operation: string;
  /** The body that was sent, and the one that was answered. */
  readonly sent: string;
  readonly answer: Answer;
  readonly isWrong: boolean;
  readonly hasEffect: boolean;
}

export interface Played {
  readonly operation: string;
  /** Does what is asked, and answers it. */
  readonly answer: () => Answer;
}

interface SdkResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Readable;
}

export interface SdkHandler {
  readonly handle: (request: SdkRequest) => Promise<{ readonly response: SdkResponse }>;
  readonly updateHttpClientConfig: () => void;
  readonly httpHandlerConfigs: () => Record<string, never>;
}

/** More than any scene takes with all its tries. */
const MOST_CALLS = 200;
const TOO_MANY: Answer = { status: 400, headers: {}, body: new Uint8Array() };

/** What was asked of a service in one scene. */
export interface Exchanges {
  readonly all: readonly Exchange[];
  /** Called when the scene is over. */
  readonly mustEnd: () => void;
  readonly handler: SdkHandler;
}

export function playService(play: (request: SdkRequest, sent: string) => Played, wrong: WrongAnswer | null): Exchanges {
  const all: Exchange[] = [];
  let seen = 0;
  const answerTo = (operation: string, right: () => Answer): Pick<Exchange, "answer" | "isWrong" | "hasEffect"> => {
    // What is thrown here would be taken for a failure of the network.
    if (all.length >= MOST_CALLS) return { answer: TOO_MANY, isWrong: false, hasEffect: false };
    const isTurn = operation === wrong?.operation && seen >= wrong.skip && seen < wrong.skip + wrong.times;
    if (operation === wrong?.operation) seen++;
    if (!isTurn) return { answer: right(), isWrong: false, hasEffect: true };
    if (wrong.hasEffect) right();
    return { answer: wrong, isWrong: true, hasEffect: wrong.hasEffect };
  };
  return {
    all,
    mustEnd: () => {
      if (all.length >= MOST_CALLS) throw new WrongAcceptance(`${MOST_CALLS} calls were made, and it went on`);
    },
    handler: {
      handle: async (request) => {
        const sent = bodyOf(request);
        const { operation, answer: right } = play(request, sent);
        const given = answerTo(operation, right);
        all.push({ operation, sent, ...given });
        return { response: responseOf(given.answer, given.isWrong ? (wrong?.way ?? "whole") : "whole") };
      },
      updateHttpClientConfig: () => undefined,
      httpHandlerConfigs: () => ({}),
    },
  };
}

/** The connection of a client that outlives the scenes. */
export function sdkLine(): { readonly handler: SdkHandler; readonly use: (handler: SdkHandler) => void } {
  let current: SdkHandler | null = null;
  return {
    use: (handler) => {
      current = handler;
    },
    handler: {
      handle: async (request) => {
        if (current === null) throw new Error("No service is played");
        return await current.handle(request);
      },
      updateHttpClientConfig: () => undefined,
      httpHandlerConfigs: () => ({}),
    },
  };
}

function bodyOf({ body }: SdkRequest): string {
  if (body instanceof Uint8Array) return Buffer.from(body).toString("utf8");
  return typeof body === "string" ? body : "";
}

function responseOf({ status, headers, body }: Answer, way: Way): SdkResponse {
  if (way === "drop") throw reset();
  return { statusCode: status, headers: { ...headers }, body: way === "cut" ? cut(body) : Readable.from([Buffer.from(body)]) };
}

function cut(body: Uint8Array): Readable {
  return Readable.from(
    (function* () {
      yield Buffer.from(body.subarray(0, body.length >> 1));
      throw reset();
    })(),
  );
}

function reset(): Error {
  return Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
}
