// Who may call the fake REST catalog: nobody is asked, a fixed token, OAuth tokens that end, or AWS signatures. Knows no
// catalog.
import { randomUUID } from "node:crypto";
import type { FakeAnswer, FakeRequest } from "./http-fake.ts";
import { writeJson } from "./rest-json.ts";
import { checkSignature, type FakeKeys } from "./s3-signature.ts";

export type FakeAccess =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly token: string }
  | {
      readonly kind: "oauth2";
      readonly client: string | null;
      readonly secret: string;
      readonly scope?: string;
      readonly lifetimeSeconds?: number | null;
      /** Without: `/v1/oauth/tokens`. */
      readonly path?: string;
      /** Said instead of 401 where a token is over. */
      readonly overStatus?: 401 | 419;
    }
  | { readonly kind: "sigv4"; readonly service: string; readonly region?: string; readonly keys: readonly FakeKeys[] };

export interface AccessCheck {
  /** Null: the caller is let in. */
  refusal(request: FakeRequest): FakeAnswer | null;
  /** Null: the request is none for a token. */
  tokenAnswer(request: FakeRequest): FakeAnswer | null;
  /** Every token given so far is worth nothing. */
  endTokens(): void;
  /** Tokens of single tables. */
  readonly tableTokens: Set<string>;
}

export function accessCheck(access: FakeAccess, nowMs: () => number): AccessCheck {
  const given = new Map<string, number>();
  const tableTokens = new Set<string>();
  const tokenPath = access.kind === "oauth2" ? (access.path ?? "/v1/oauth/tokens") : null;
  const bearer = ({ headers }: FakeRequest): string | null => /^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1] ?? null;
  return {
    tableTokens,
    endTokens: () => given.clear(),
    tokenAnswer: (request) => {
      if (access.kind !== "oauth2" || request.path !== tokenPath) return null;
      if (request.headers["content-type"] !== "application/x-www-form-urlencoded")
        throw new Error("A token is asked for by a form");
      const form = new URLSearchParams(Buffer.from(request.body).toString("utf8"));
      if (form.get("grant_type") !== "client_credentials") return oauthError("unsupported_grant_type", "Only client credentials");
      if (form.get("client_id") !== access.client || form.get("client_secret") !== access.secret)
        return oauthError("invalid_client", `The client ${form.get("client_secret")} is not known`, 401);
      if (access.scope !== undefined && form.get("scope") !== access.scope)
        return oauthError("invalid_scope", "The scope is not known");
      const token = `token-${randomUUID()}`;
      const { lifetimeSeconds = 3600 } = access;
      given.set(token, lifetimeSeconds === null ? Number.POSITIVE_INFINITY : nowMs() + lifetimeSeconds * 1000);
      return json(200, {
        access_token: token,
        token_type: "bearer",
        ...(lifetimeSeconds === null ? {} : { expires_in: lifetimeSeconds }),
      });
    },
    refusal: (request) => {
      const token = bearer(request);
      if (token !== null && tableTokens.has(token)) return null;
      switch (access.kind) {
        case "none":
          return null;
        case "bearer":
          return token === access.token
            ? null
            : restError(401, "NotAuthorizedException", `The token ${token ?? "(none)"} is not valid`);
        case "oauth2":
          if (token !== null && (given.get(token) ?? 0) > nowMs()) return null;
          return restError(access.overStatus ?? 401, "NotAuthorizedException", "The token is over or not valid");
        case "sigv4":
          return signatureRefusal(request, access, nowMs());
      }
    },
  };
}

function signatureRefusal(
  request: FakeRequest,
  access: FakeAccess & { readonly kind: "sigv4" },
  nowMs: number,
): FakeAnswer | null {
  const check = checkSignature(request, { service: access.service, keys: access.keys, nowMs });
  if (check.state === "good") {
    if (access.region !== undefined && check.region !== access.region)
      return restError(403, "SignatureDoesNotMatch", `Credential should be scoped to a valid region, not '${check.region}'`);
    return null;
  }
  if (check.problem === "skewed")
    return restError(403, "InvalidSignatureException", "Signature expired: it is now later than that");
  if (check.problem === "unknown-key" || check.problem === "wrong-token")
    return restError(403, "UnrecognizedClientException", "The security token included in the request is invalid");
  return restError(403, "InvalidSignatureException", `The request signature does not match: ${check.why}`);
}

export function json(
  status: number,
  body: Parameters<typeof writeJson>[0],
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: writeJson(body) };
}

/** As servers on Java write it, for faults too. */
export function restError(
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  const stack = Array.from({ length: 50 }, (_, line) => `org.apache.iceberg.rest.Handlers.call(Handlers.java:${line})`);
  return json(status, { error: { message, type, code: status, stack } }, headers);
}

function oauthError(error: string, description: string, status = 400): FakeAnswer {
  return json(status, { error, error_description: description });
}
