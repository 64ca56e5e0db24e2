// What the store takes from the answers of S3, as the SDK gives them: lengths, bodies, pages of keys. Refuses an
// answer that lacks what S3 always gives. Knows neither the SDK nor the network.
import { Readable } from "node:stream";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { S3Body, S3Page, S3Part } from "./s3-calls.ts";

/** The object carries its writer's sign under this name of user metadata. */
export const MARK = "floeplan-write";

type UserMetadata = Readonly<Record<string, string>> | undefined;

export function markOf(metadata: UserMetadata): string | null {
  return metadata?.[MARK] ?? null;
}

interface GetAnswer {
  readonly Body?: unknown;
  readonly ContentLength?: number | undefined;
  readonly ContentRange?: string | undefined;
  readonly ETag?: string | undefined;
  readonly Metadata?: UserMetadata;
}

export function bodyOf({ Body, ContentLength, ContentRange, ETag, Metadata }: GetAnswer): S3Body {
  if (!(Body instanceof Readable)) throw unreadable("a body");
  const lengthBytes = sizeOf(ContentLength, "Content-Length");
  const total = /\/(\d+)$/.exec(ContentRange ?? "")?.[1];
  return {
    lengthBytes,
    totalBytes: total === undefined ? lengthBytes : Number(total),
    etag: ETag ?? null,
    mark: markOf(Metadata),
    chunks: Body,
    leave: () => {
      Body.on("error", () => undefined);
      Body.destroy();
    },
  };
}

export function namedPart({ number, etag, checksum }: S3Part): {
  readonly PartNumber: number;
  readonly ETag: string;
  readonly ChecksumCRC32?: string;
} {
  return { PartNumber: number, ETag: etag, ...(checksum === null ? {} : { ChecksumCRC32: checksum }) };
}

interface ListAnswer {
  readonly Contents?: readonly { readonly Key?: string | undefined; readonly Size?: number | undefined }[] | undefined;
  readonly EncodingType?: string | undefined;
  readonly IsTruncated?: boolean | undefined;
  readonly NextContinuationToken?: string | undefined;
}

export function pageOf(answer: ListAnswer): S3Page {
  const decoded = answer.EncodingType === "url" ? decodeKey : (text: string): string => text;
  return {
    objects: (answer.Contents ?? []).map(({ Key, Size }) => ({
      key: decoded(present(Key, "Key")),
      sizeBytes: sizeOf(Size, "Size"),
    })),
    // Any page of another server reads as a list of nothing; one of S3 says whether it is the last.
    next: present(answer.IsTruncated, "IsTruncated") ? present(answer.NextContinuationToken, "NextContinuationToken") : null,
  };
}

/** As S3 writes keys in listings: percent-encoded, a blank as a plus sign. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw unreadable(`the key "${text}"`);
  }
}

/** What stands there may be no number, or none that a size can be. */
export function sizeOf(value: number | undefined, name: string): number {
  const size = present(value, name);
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw unreadable(`a size as ${name}`);
}

export function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw unreadable(name);
  return value;
}

function unreadable(what: string): ToolError {
  return new ToolError("unsupported", "Cannot understand the answer of the store", {
    why: `It lacks ${what}, which S3 always gives`,
    mend: "Check that the endpoint is that of a store that speaks S3",
  });
}
