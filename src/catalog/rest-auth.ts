// How requests to a REST catalog say who asks: the contract, and its two plain ways, nobody and a fixed token. The others
// are in rest-oauth.ts and rest-sigv4.ts.
import { isJsonObject, type JsonValue } from "../iceberg/json.ts";
import { parseJson } from "../iceberg/json-parse.ts";
import type { RestProperties } from "../iceberg/rest-answers.ts";
import type { HttpAnswer, HttpRequest } from "./rest-http.ts";

export interface RestAuth {
  /** The request with what it needs to be let in. */
  authorize(request: HttpRequest): Promise<HttpRequest>;
  /** The server turned a request away: is it worth to send it once more? */
  renew(answer: HttpAnswer): Promise<boolean>;
  /** After the catalog told its settings; `base` is its address from then on. */
  learn(properties: RestProperties, base: string): void;
  /** What to do where the server says that it does not know who asks. */
  mend(nowMs: number): string;
  /** Texts that must not be shown. */
  readonly secrets: () => readonly string[];
}

export function withBearer(request: HttpRequest, token: string): HttpRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

export function noAuth(): RestAuth {
  return {
    authorize: async (request) => request,
    renew: async () => false,
    learn: () => {},
    mend: () => "The catalog wants to know who asks: write `auth: bearer`, `oauth2` or `sigv4` in the project file.",
    secrets: () => [],
  };
}

/** `variable` is the environment variable that holds the token. */
export function bearerAuth(token: string, variable: string): RestAuth {
  return {
    authorize: async (request) => withBearer(request, token),
    renew: async () => false,
    learn: () => {},
    mend: (nowMs) => {
      const endMs = endOfToken(token);
      const isOver = endMs !== null && endMs <= nowMs;
      const since = isOver ? `The token in ${variable} expired at ${new Date(endMs).toISOString()}. ` : "";
      return `${since}Put a token that the catalog takes into ${variable}; for one that is renewed by itself write \`auth: oauth2\`.`;
    },
    secrets: () => [token],
  };
}

/** When a JSON Web Token ends, by its own word; null for other tokens. */
export function endOfToken(token: string): number | null {
  const [, claims, signature] = token.split(".");
  if (claims === undefined || signature === undefined) return null;
  try {
    const value: JsonValue = parseJson(Buffer.from(claims, "base64url"));
    const end = isJsonObject(value) ? value["exp"] : undefined;
    return typeof end === "number" && Math.abs(end) < 8.64e12 ? end * 1000 : null;
  } catch {
    return null;
  }
}
