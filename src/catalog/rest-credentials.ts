// Which properties of the catalog hold for a place in S3, and the keys among them: those of the table before those of the
// catalog, those of the longest prefix first; renewed when they end. Knows no client.
import { locationKey } from "../iceberg/location.ts";
import type { RestProperties } from "../iceberg/rest-answers.ts";
import type { StorageCredential, TableAccess } from "../iceberg/rest-table.ts";
import type { AwsKeys, AwsKeySource } from "../storage/aws-keys.ts";

/** What a catalog says of the S3 in which a place lies. */
export interface S3Place {
  readonly endpoint: string | null;
  readonly region: string | null;
  /** Null: it does not say. */
  readonly pathStyle: boolean | null;
  /** Null: it gives none. */
  readonly keys: AwsKeys | null;
  /** The prefix that the keys are for; empty: the whole table. */
  readonly prefix: string;
  /** Anybody may read there. */
  readonly isPublic: boolean;
  /** It would sign each request by itself. */
  readonly signsRemotely: boolean;
}

export function s3PlaceOf(location: string, catalog: RestProperties, { config, credentials }: TableAccess): S3Place {
  const credential = credentialFor(location, credentials);
  const properties = { ...catalog, ...config, ...credential?.config };
  const text = (key: string): string | null => {
    const value = properties[key];
    return value === undefined || value === "" ? null : value;
  };
  const isTrue = (key: string): boolean => text(key)?.toLowerCase() === "true";
  const pathStyle = text("s3.path-style-access");
  return {
    endpoint: text("s3.endpoint"),
    region: text("client.region") ?? text("s3.region"),
    pathStyle: pathStyle === null ? null : pathStyle.toLowerCase() === "true",
    keys: keysIn(properties),
    prefix: credential?.prefix ?? "",
    // PyIceberg's name for it, and that of Iceberg's Rust library.
    isPublic: isTrue("s3.anonymous") || isTrue("s3.allow-anonymous"),
    signsRemotely: isTrue("s3.remote-signing-enabled"),
  };
}

/** Of the longest prefix; `s3://bucket/a` is none of `s3://bucket/ab`. */
function credentialFor(location: string, credentials: readonly StorageCredential[]): StorageCredential | undefined {
  const key = locationKey(location);
  const fitting = credentials.filter(({ prefix }) => covers(prefix, key));
  return fitting.sort((a, b) => b.prefix.length - a.prefix.length)[0];
}

/** Prefixes are places, and bare schemes: `s3`, `s3://`. */
function covers(prefix: string, key: string): boolean {
  if (/^s3[an]?(?::\/{0,2})?$/i.test(prefix)) return key.startsWith("s3://");
  const own = locationKey(prefix);
  return key === own || key.startsWith(`${own}/`);
}

function keysIn(properties: RestProperties): AwsKeys | null {
  const accessKeyId = properties["s3.access-key-id"];
  const secretAccessKey = properties["s3.secret-access-key"];
  if (accessKeyId === undefined || accessKeyId === "" || secretAccessKey === undefined || secretAccessKey === "") return null;
  const sessionToken = properties["s3.session-token"];
  const endMs = Number(properties["s3.session-token-expires-at-ms"]);
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined || sessionToken === "" ? {} : { sessionToken }),
    ...(Number.isSafeInteger(endMs) && endMs > 0 ? { expiration: new Date(endMs) } : {}),
  };
}

export interface VendedKeys {
  /** As the catalog gave them last; null: it gave none for this place. */
  readonly now: () => AwsKeys | null;
  /** Asks the catalog; they are there afterwards. */
  readonly renew: () => Promise<void>;
  readonly nowMs: () => number;
}

/** Keys about to end are asked for anew, so long before. */
const EARLY_MS = 60_000;

/** Asked again where the keys given are over, and where S3 says that they are. */
export function vendedKeySource({ now, renew, nowMs }: VendedKeys, missing: () => Error): AwsKeySource {
  return async (options) => {
    const keys = now();
    const endMs = keys?.expiration?.getTime();
    const isOver = keys === null || (endMs !== undefined && endMs <= nowMs() + EARLY_MS);
    if (!isOver && options?.forceRefresh !== true) return keys;
    await renew();
    const fresh = now();
    if (fresh === null) throw missing();
    return fresh;
  };
}
