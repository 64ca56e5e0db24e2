// A strict STS in this process, over real HTTP, that knows one call: GetCallerIdentity (the query protocol, XML). Checks
// the signature and the key. `const sts = await startSts({ account: "011122223333" })`
import { type FakeAnswer, type FakeRequest, type HttpFake, startHttpFake } from "./http-fake.ts";
import { FAKE_KEYS } from "./s3.ts";
import { checkSignature } from "./s3-signature.ts";

export interface FakeSts extends Pick<HttpFake, "url" | "calls" | "counts" | "fault" | "stop"> {
  /** For a program whose AWS SDK is to talk to this fake. */
  readonly variables: Readonly<Record<string, string>>;
}

export async function startSts(options: { readonly account: string; readonly arn?: string }): Promise<FakeSts> {
  const { account, arn = `arn:aws:sts::${account}:assumed-role/floeplan-plan/tests` } = options;
  const http = await startHttpFake("The fake STS", {
    name: (request) => (isIdentityCall(request) ? { operation: "GetCallerIdentity", target: account } : null),
    answer: (request) => {
      const check = checkSignature(request, { service: "sts", keys: [FAKE_KEYS], nowMs: Date.now() });
      if (check.state === "bad") {
        return check.problem === "unknown-key"
          ? stsError("InvalidClientTokenId", "The security token included in the request is invalid.")
          : stsError("SignatureDoesNotMatch", check.why);
      }
      const members = `<Arn>${arn}</Arn><UserId>AROAFAKE:tests</UserId><Account>${account}</Account>`;
      return xml(
        200,
        `<GetCallerIdentityResponse ${NAMESPACE}><GetCallerIdentityResult>${members}</GetCallerIdentityResult>${METADATA}</GetCallerIdentityResponse>`,
      );
    },
  });
  const { url, calls, counts, fault, stop } = http;
  return { url, calls, counts, fault, stop, variables: { AWS_ENDPOINT_URL_STS: url } };
}

const NAMESPACE = 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"';
const METADATA = "<ResponseMetadata><RequestId>fake</RequestId></ResponseMetadata>";

/** An error of the service, for faults too. */
export function stsError(code: string, message: string, status = 403): FakeAnswer {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`;
  return xml(status, `<ErrorResponse ${NAMESPACE}>${error}<RequestId>fake</RequestId></ErrorResponse>`);
}

function isIdentityCall({ method, path, body }: FakeRequest): boolean {
  const form = new URLSearchParams(Buffer.from(body).toString("utf8"));
  return method === "POST" && path === "/" && form.get("Action") === "GetCallerIdentity" && form.get("Version") === "2011-06-15";
}

function xml(status: number, body: string): FakeAnswer {
  return { status, headers: { "content-type": "text/xml" }, body };
}
