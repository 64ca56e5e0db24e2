// A small S3 in memory for fuzzing: one bucket, and the calls of the store on single objects and lists, answered right.
// There is no HTTP, and nothing is signed for.
import type { Played, SdkRequest } from "./sdk-handler.ts";
import type { Answer, Headers } from "./wrong-answer.ts";

export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

export type S3World = Map<string, StoredObject>;

const BUCKET = "data";
/** Keys of a page: few, so that there are pages. */
const PAGE = 2;

const text = new TextEncoder();

export function s3World(keys: readonly string[]): S3World {
  return new Map(keys.map((key) => [key, { bytes: text.encode(`what is in ${key}`), headers: {} }]));
}

export function playS3(world: S3World, request: SdkRequest): Played {
  const key = decodeURIComponent(request.path.replace(/^\/[^/]*\/?/, ""));
  const operation = key === "" ? "ListObjectsV2" : (OPERATIONS[request.method] ?? "");
  return { operation, answer: () => run(world, operation, key, request) };
}

const OPERATIONS: Readonly<Record<string, string>> = {
  GET: "GetObject",
  HEAD: "HeadObject",
  PUT: "PutObject",
  DELETE: "DeleteObject",
};

function run(world: S3World, operation: string, key: string, { headers, query, body }: SdkRequest): Answer {
  const found = world.get(key);
  switch (operation) {
    case "GetObject":
      return found === undefined ? error(404, "NoSuchKey") : read(found, headers["range"] ?? headers["Range"]);
    case "HeadObject":
      return { status: found === undefined ? 404 : 200, headers: found === undefined ? {} : headersOf(found), body: NOTHING };
    case "PutObject": {
      const isNew = Object.keys(headers).some((name) => name.toLowerCase() === "if-none-match");
      if (isNew && found !== undefined) return error(412, "PreconditionFailed");
      const kept = Object.entries(headers).filter(([name]) => name.toLowerCase().startsWith("x-amz-meta-"));
      world.set(key, { bytes: body instanceof Uint8Array ? body : NOTHING, headers: Object.fromEntries(kept) });
      return { status: 200, headers: { etag: '"e"' }, body: NOTHING };
    }
    case "DeleteObject":
      world.delete(key);
      return { status: 204, headers: {}, body: NOTHING };
    default:
      return list(world, query);
  }
}

const NOTHING = new Uint8Array();

function headersOf({ bytes, headers }: StoredObject): Headers {
  return { etag: '"e"', "content-length": String(bytes.length), "x-amz-request-id": "R", ...headers };
}

function read(object: StoredObject, range: string | undefined): Answer {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  if (first === undefined || last === undefined) return { status: 200, headers: headersOf(object), body: object.bytes };
  const body = object.bytes.subarray(Number(first), Number(last) + 1);
  const given = { "content-range": `bytes ${first}-${last}/${object.bytes.length}`, "content-length": String(body.length) };
  return { status: 206, headers: { ...headersOf(object), ...given }, body };
}

function list(world: S3World, query: Readonly<Record<string, string>>): Answer {
  const { prefix = "", "continuation-token": token = "" } = query;
  const keys = [...world.keys()].filter((key) => key.startsWith(prefix) && key > token).sort();
  const page = keys.slice(0, PAGE);
  const next = keys.length > PAGE ? `<NextContinuationToken>${page.at(-1) ?? ""}</NextContinuationToken>` : "";
  const contents = page.map((key) => {
    const size = world.get(key)?.bytes.length ?? 0;
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-11-30T10:10:10.000Z</LastModified><Size>${size}</Size></Contents>`;
  });
  const head = `<Name>${BUCKET}</Name><Prefix>${prefix}</Prefix><IsTruncated>${next !== ""}</IsTruncated><EncodingType>url</EncodingType>`;
  return xml(200, `<ListBucketResult>${head}${next}${contents.join("")}</ListBucketResult>`);
}

function error(status: number, code: string): Answer {
  return xml(status, s3ErrorText(code, "No"));
}

export function s3ErrorText(code: string, message: string): string {
  const escaped = (value: string): string => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<Error><Code>${escaped(code)}</Code><Message>${escaped(message)}</Message><Region>eu-west-1</Region><RequestId>R</RequestId></Error>`;
}

function xml(status: number, body: string): Answer {
  return {
    status,
    headers: { "content-type": "application/xml", "x-amz-request-id": "R" },
    body: text.encode(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`),
  };
}
