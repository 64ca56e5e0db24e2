// Checks AWS Signature Version 4 of a request against known keys, as the service does: every signed header, the
// scope, the payload's hash, the clock. Written from the published algorithm; serves any service by its name.
import { createHash, createHmac } from "node:crypto";
import type { FakeRequest } from "./http-fake.ts";

export interface FakeKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Where given, requests must carry it. */
  readonly sessionToken?: string;
}

export type SignatureProblem =
  | "missing"
  | "malformed"
  | "unknown-key"
  | "wrong-token"
  | "wrong-service"
  | "skewed"
  | "wrong-payload-hash"
  | "mismatch";

export type SignatureCheck =
  | { readonly state: "good"; readonly accessKeyId: string; readonly region: string }
  | { readonly state: "bad"; readonly problem: SignatureProblem; readonly why: string };

const ALGORITHM = "AWS4-HMAC-SHA256";
const SKEW_MS = 15 * 60_000;

export function checkSignature(
  request: FakeRequest,
  expected: { readonly service: string; readonly keys: readonly FakeKeys[]; readonly nowMs: number },
): SignatureCheck {
  const header = request.headers["authorization"];
  if (header === undefined) return bad("missing", "no Authorization header");
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (match === null) return bad("malformed", `not a Signature Version 4: ${header}`);
  const [, accessKeyId = "", day = "", region = "", service = "", signed = "", signature = ""] = match;
  const keys = expected.keys.find((one) => one.accessKeyId === accessKeyId);
  if (keys === undefined) return bad("unknown-key", `no such access key: ${accessKeyId}`);
  if (request.headers["x-amz-security-token"] !== keys.sessionToken)
    return bad("wrong-token", "the session token is not that of the key");
  if (service !== expected.service) return bad("wrong-service", `signed for "${service}"`);

  const stamp = request.headers["x-amz-date"] ?? "";
  const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp);
  if (time === null || !stamp.startsWith(day)) return bad("malformed", `x-amz-date is "${stamp}"`);
  const [, year = "", month = "", date = "", hour = "", minute = "", second = ""] = time;
  const signedMs = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`);
  if (Math.abs(signedMs - expected.nowMs) > SKEW_MS) return bad("skewed", `signed at ${stamp}`);

  const names = signed.split(";");
  const unsigned = Object.keys(request.headers).filter(
    (name) =>
      (name === "host" || name.startsWith("x-amz-") || name === "content-md5") &&
      !names.includes(name) &&
      name !== "x-amz-user-agent",
  );
  if (unsigned.length > 0) return bad("malformed", `headers that are not signed: ${unsigned.join(", ")}`);
  const payloadHash = request.headers["x-amz-content-sha256"] ?? sha256(request.body);
  if (/^[0-9a-f]{64}$/.test(payloadHash) && payloadHash !== sha256(request.body))
    return bad("wrong-payload-hash", "x-amz-content-sha256 is not that of the body");

  const canonical = [
    request.method,
    expected.service === "s3" ? strictPath(request.path) : twiceEscapedPath(request.path),
    canonicalQuery(request),
    ...names.map((name) => `${name}:${(request.headers[name] ?? "").trim().replaceAll(/ +/g, " ")}`),
    "",
    signed,
    payloadHash,
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = [ALGORITHM, stamp, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<Buffer | string>(hmac, `AWS4${keys.secretAccessKey}`);
  if (hmac(key, toSign).toString("hex") !== signature) return bad("mismatch", `canonical request:\n${canonical}`);
  return { state: "good", accessKeyId, region };
}

function bad(problem: SignatureProblem, why: string): SignatureCheck {
  return { state: "bad", problem, why };
}

/** The path with every byte but unreserved characters and slashes escaped once, however the client wrote it. */
function strictPath(path: string): string {
  return path
    .split("/")
    .map((segment) => strict(decodeURIComponent(segment)))
    .join("/");
}

/** Every service but S3 signs the path as it is sent, escaped once more. */
function twiceEscapedPath(path: string): string {
  return path.split("/").map(strict).join("/");
}

function canonicalQuery(request: FakeRequest): string {
  return request.query
    .map(([name, value]) => `${strict(name)}=${strict(value)}`)
    .sort()
    .join("&");
}

function strict(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
