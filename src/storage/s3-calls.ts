// The calls of S3 that the store is made of, each one request without a retry of its own. Fulfilled by s3.ts with the
// AWS SDK; what they throw is read by s3-failure.ts. Types only.
import type { S3Place } from "./s3-location.ts";

export interface S3Body {
  /** Bytes of this answer. */
  readonly lengthBytes: number;
  /** Bytes of the whole object. */
  readonly totalBytes: number;
  readonly etag: string | null;
  readonly mark: string | null;
  /** May fail in the middle. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** For an answer that is not read. */
  readonly leave: () => void;
}

export interface GetRequest {
  /** First byte and how many (at least 1); null: the whole. */
  readonly range: { readonly offset: number; readonly lengthBytes: number } | null;
  /** Only this state of the object. */
  readonly ifMatch: string | null;
}

export interface S3Head {
  readonly sizeBytes: number;
  /** The writer's sign, see PutRequest. */
  readonly mark: string | null;
}

export interface PutRequest {
  readonly onlyIfAbsent: boolean;
  /** A sign that the object carries, by which its writer knows it again; null: none. */
  readonly mark: string | null;
}

export interface S3Upload {
  readonly place: S3Place;
  readonly uploadId: string;
  /** The parts carry checksums, which the end repeats. */
  readonly hasChecksums: boolean;
}

export interface S3Part {
  readonly number: number;
  readonly etag: string;
  readonly checksum: string | null;
}

export interface S3Page {
  readonly objects: readonly { readonly key: string; readonly sizeBytes: number }[];
  /** Asks for the next page; null: this was the last. */
  readonly next: string | null;
}

export interface S3Calls {
  get(place: S3Place, request: GetRequest): Promise<S3Body>;
  head(place: S3Place): Promise<S3Head>;
  put(place: S3Place, body: Uint8Array, request: PutRequest): Promise<void>;
  beginUpload(place: S3Place, mark: string | null): Promise<S3Upload>;
  putPart(upload: S3Upload, number: number, body: Uint8Array, signal: AbortSignal): Promise<S3Part>;
  endUpload(upload: S3Upload, parts: readonly S3Part[]): Promise<void>;
  abortUpload(upload: S3Upload): Promise<void>;
  list(bucket: string, keyPrefix: string, page: string | null): Promise<S3Page>;
  remove(place: S3Place): Promise<void>;
}
