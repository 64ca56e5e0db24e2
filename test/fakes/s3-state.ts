// What the fake S3 holds: buckets, objects, unfinished uploads; and the bare steps on them that are atomic in S3.
// Node runs each of them without a break, so that is all it takes. Knows no HTTP.
import { createHash } from "node:crypto";
import { S3Refusal } from "./s3-xml.ts";

export interface BucketOptions {
  /** Without: us-east-1. */
  readonly region?: string;
  /** How a call signed for another region is turned away. Without: 301. */
  readonly elsewhere?: 301 | 307 | 400;
  /** It is the storage of one table of S3 Tables, and of these AWS does not tell all. Without: an ordinary bucket. */
  readonly tableStorage?: TableStorage;
  /** Anybody may read its objects, also without a signature. Without: false. */
  readonly isPublic?: boolean;
}

/** Objects of a table are read and written; nothing is listed, deleted, copied by the server or given metadata. */
export interface TableStorage {
  /** What a conditional write is answered with. Without: the condition is held. */
  readonly refusesConditions?: 400 | 405 | 501;
  /** Without the right to list, which nobody has, a missing object may look forbidden. Without: 404. */
  readonly missingLooksDenied?: boolean;
}

export interface StoredObject {
  readonly bytes: Uint8Array;
  /** With its quotes. */
  readonly etag: string;
  /** `x-amz-meta-…` and `content-type`, as given. */
  readonly headers: Readonly<Record<string, string>>;
  /** By algorithm; of an object made of parts it ends in `-N` and is no checksum of the whole. */
  readonly checksums: Readonly<Record<string, string>>;
  readonly modifiedMs: number;
}

export interface StoredPart {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly checksums: Readonly<Record<string, string>>;
}

export interface StoredUpload {
  readonly uploadId: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: the parts carry none that the end must name. */
  readonly checksumAlgorithm: string | null;
  readonly parts: Map<number, StoredPart>;
}

export interface Bucket {
  readonly name: string;
  readonly region: string;
  readonly elsewhere: 301 | 307 | 400;
  readonly tableStorage: TableStorage | null;
  readonly isPublic: boolean;
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, StoredUpload>;
}

export interface S3State {
  readonly buckets: Map<string, Bucket>;
  /** Answer 409 to a conditional write that was overtaken while it ran, as S3 may. */
  readonly hasRaceConflicts: boolean;
  readonly nowMs: () => number;
  readonly newUploadId: () => string;
}

export function newBucket(name: string, options: BucketOptions): Bucket {
  const { region = "us-east-1", elsewhere = 301, tableStorage = null, isPublic = false } = options;
  return { name, region, elsewhere, tableStorage, isPublic, objects: new Map(), uploads: new Map() };
}

export function etagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

export interface WriteConditions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** What stood there when the call began. */
  readonly seen: StoredObject | undefined;
}

/** The step that makes an object visible, whole, if its conditions hold. */
export function putObject(state: S3State, bucket: Bucket, key: string, object: StoredObject, conditions: WriteConditions): void {
  const current = bucket.objects.get(key);
  const { ifMatch, ifNoneMatch, seen } = conditions;
  if (ifNoneMatch !== undefined && ifNoneMatch !== "*")
    throw new S3Refusal(501, "NotImplemented", "A header you provided implies functionality that is not implemented");
  if ((ifNoneMatch ?? ifMatch) !== undefined && current !== seen && state.hasRaceConflicts)
    throw new S3Refusal(
      409,
      "ConditionalRequestConflict",
      "The conditional request cannot succeed due to a conflicting operation against this resource.",
    );
  if (ifNoneMatch === "*" && current !== undefined) throw preconditionFailed("If-None-Match");
  if (ifMatch !== undefined && current === undefined) throw noSuchKey(key);
  if (ifMatch !== undefined && current?.etag !== ifMatch) throw preconditionFailed("If-Match");
  bucket.objects.set(key, object);
}

export function preconditionFailed(condition: string): S3Refusal {
  return new S3Refusal(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold", {
    fields: [["Condition", condition]],
  });
}

export function noSuchKey(key: string): S3Refusal {
  return new S3Refusal(404, "NoSuchKey", "The specified key does not exist.", { fields: [["Key", key]] });
}

export function noSuchUpload(uploadId: string): S3Refusal {
  return new S3Refusal(
    404,
    "NoSuchUpload",
    "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.",
    { fields: [["UploadId", uploadId]] },
  );
}
