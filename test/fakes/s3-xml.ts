// The XML of S3's answers, as text: elements, errors, and the one request body that is read. Knows no state.
import type { FakeAnswer } from "./http-fake.ts";

export type XmlValue = string | number | boolean | readonly Xml[];
export type Xml = readonly [name: string, value: XmlValue];

/** What S3 refuses a call with. Thrown by the fake's operations and answered as XML. */
export class S3Refusal extends Error {
  readonly answer: FakeAnswer;

  constructor(status: number, code: string, message: string, more: S3ErrorParts = {}) {
    super(`${code}: ${message}`);
    this.answer = s3Error(status, code, { message, ...more });
  }
}

export interface S3ErrorParts {
  readonly message?: string;
  readonly fields?: readonly Xml[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error as S3 words it, also for faults. */
export function s3Error(status: number, code: string, parts: S3ErrorParts = {}): FakeAnswer {
  const fields: readonly Xml[] = [
    ["Code", code],
    ["Message", parts.message ?? code],
    ...(parts.fields ?? []),
    ["RequestId", REQUEST_ID],
  ];
  return xmlAnswer("Error", fields, { status, ...(parts.headers === undefined ? {} : { headers: parts.headers }) });
}

const REQUEST_ID = "FAKE0123456789AB";

export function xmlAnswer(
  root: string,
  fields: readonly Xml[],
  more: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): FakeAnswer {
  return {
    status: more.status ?? 200,
    headers: { "content-type": "application/xml", "x-amz-request-id": REQUEST_ID, ...more.headers },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${element([root, fields])}`,
  };
}

function element([name, value]: Xml): string {
  const inside = typeof value === "object" ? value.map(element).join("") : escaped(String(value));
  return `<${name}>${inside}</${name}>`;
}

/** As S3: what XML 1.0 cannot hold goes out as a character reference, which strict parsers refuse. */
function escaped(text: string): string {
  const markup = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  return markup.replaceAll(/\p{Cc}/gu, (control) => `&#${control.codePointAt(0)};`);
}

export interface NamedPart {
  readonly number: number;
  readonly etag: string;
  readonly checksums: Readonly<Record<string, string>>;
}

/** The parts that a CompleteMultipartUpload names, in its order. */
export function readPartList(body: Uint8Array): readonly NamedPart[] {
  const text = new TextDecoder().decode(body);
  if (!/^(?:<\?xml[^>]*\?>)?\s*<CompleteMultipartUpload[ >]/.test(text)) {
    throw new S3Refusal(
      400,
      "MalformedXML",
      "The XML you provided was not well-formed or did not validate against our published schema",
    );
  }
  return [...text.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => {
    const fields = new Map([...part.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name = "", value = ""]) => [name, plain(value)]));
    const checksums: Record<string, string> = {};
    for (const [name, value] of fields)
      if (name.startsWith("Checksum")) checksums[name.slice("Checksum".length).toLowerCase()] = value;
    return { number: Number(fields.get("PartNumber")), etag: fields.get("ETag") ?? "", checksums };
  });
}

function plain(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
