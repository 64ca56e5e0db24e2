// The bucket and key that a location means. `s3:`, `s3a:` and `s3n:` are one store under three names, and a key is
// every character after the bucket's slash, taken as it is. Knows no network.
import { ToolError } from "../diagnostics/tool-error.ts";
import { stripTrailingSlashes } from "../iceberg/metadata-file.ts";

export interface S3Place {
  readonly bucket: string;
  readonly key: string;
}

/** The place of one object. */
export function placeOf(location: string): S3Place {
  const place = split(location);
  if (place.key !== "") return place;
  throw notS3(location, "It names a bucket and no object.");
}

export interface S3Folder {
  readonly bucket: string;
  /** What the keys begin with: empty for a whole bucket, else it ends with a slash. */
  readonly keyPrefix: string;
  /** What is put before a key to spell its location as the caller does. */
  readonly locationPrefix: string;
}

/** A folder-like prefix; slashes at its end do not count. */
export function folderOf(prefix: string): S3Folder {
  const { bucket, key } = split(prefix);
  const stem = stripTrailingSlashes(key);
  return {
    bucket,
    keyPrefix: stem === "" ? "" : `${stem}/`,
    locationPrefix: `${prefix.slice(0, prefix.indexOf("://"))}://${bucket}/`,
  };
}

function split(location: string): S3Place {
  const match = /^s3[an]?:\/\/([^/]+)(?:\/(.*))?$/is.exec(location);
  if (match === null) throw notS3(location, "Such a location is `s3://BUCKET/KEY`.");
  const [, bucket = "", key = ""] = match;
  if (/\p{Surrogate}/u.test(key)) throw notS3(location, "Its key is no valid text (half a surrogate pair).");
  return { bucket, key };
}

function notS3(location: string, why: string): ToolError {
  return new ToolError("unsupported", `Cannot use ${JSON.stringify(location)} as a location in S3`, { why });
}
