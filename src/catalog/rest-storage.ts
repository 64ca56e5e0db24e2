// The stores of a REST catalog's tables: local files, or S3 with what the catalog gives for it, place by place. Tables
// whose files lie elsewhere can be loaded and changed, and their files cannot be read. Knows no call of the catalog.
import { ToolError } from "../diagnostics/tool-error.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { localPath, locationScheme } from "../iceberg/location.ts";
import type { RestProperties } from "../iceberg/rest-answers.ts";
import type { TableAccess } from "../iceberg/rest-table.ts";
import type { AwsKeySource } from "../storage/aws-keys.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { openStore } from "../storage/open-store.ts";
import type { S3Options } from "../storage/s3.ts";
import { createLazyS3Store } from "../storage/s3-lazy.ts";
import { isInTableBucket } from "../storage/s3-table-bucket.ts";
import { type S3Place, s3PlaceOf, vendedKeySource } from "./rest-credentials.ts";
import { routedStore, unservedStore } from "./rest-stores.ts";

export interface RestStorage {
  /** What the catalog gave with a table, newest last; `properties` are the catalog's own. */
  remember(identifier: TableIdentifier, access: TableAccess, properties: RestProperties): void;
  /** A token of the table's own, in place of the catalog's. */
  tokenOf(identifier: TableIdentifier): string | null;
  storeOf(identifier: TableIdentifier, location: string): ObjectStore;
}

export interface RestStorageParts {
  /** Asks the catalog for the access to a table again. */
  readonly renew: (identifier: TableIdentifier) => Promise<TableAccess>;
  readonly nowMs: () => number;
  readonly openS3?: (options: S3Options) => ObjectStore;
}

interface Known {
  readonly access: TableAccess;
  readonly properties: RestProperties;
}

/** Of stores that serve one table each: every one holds connections. */
const MOST_OWN_STORES = 32;
const NOTHING: TableAccess = { config: {}, credentials: [] };

export function restStorage(parts: RestStorageParts): RestStorage {
  const { openS3 = createLazyS3Store } = parts;
  const known = new Map<string, Known>();
  const shared = new Map<string, ObjectStore>();
  const own = new Map<string, ObjectStore>();
  const knownOf = (identifier: TableIdentifier): Known => known.get(keyOf(identifier)) ?? { access: NOTHING, properties: {} };
  const placeOf = (identifier: TableIdentifier, location: string): S3Place => {
    const { access, properties } = knownOf(identifier);
    return s3PlaceOf(location, properties, access);
  };
  const renewed = async (identifier: TableIdentifier): Promise<void> => {
    const { access, properties } = knownOf(identifier);
    const { config, credentials } = await parts.renew(identifier);
    known.set(keyOf(identifier), { access: { config: { ...access.config, ...config }, credentials }, properties });
  };
  const keysFor = (identifier: TableIdentifier, location: string): AwsKeySource =>
    vendedKeySource(
      { nowMs: parts.nowMs, now: () => placeOf(identifier, location).keys, renew: async () => await renewed(identifier) },
      () => noMoreKeys(identifier),
    );

  const s3Store = (identifier: TableIdentifier, location: string): ObjectStore => {
    const { endpoint, region, pathStyle, keys, prefix, isPublic, signsRemotely } = placeOf(identifier, location);
    const isOfTable = keys?.sessionToken !== undefined || keys?.expiration !== undefined || signsRemotely;
    const inTableBucket = isInTableBucket(location);
    const scope = isOfTable ? [keyOf(identifier), prefix] : (keys?.accessKeyId ?? null);
    const stores = isOfTable ? own : shared;
    const key = JSON.stringify([endpoint, region, pathStyle, inTableBucket, isPublic, scope]);
    const store =
      stores.get(key) ??
      openS3({
        ...(endpoint === null ? {} : { endpoint }),
        ...(region === null ? {} : { region }),
        ...(pathStyle === null ? {} : { pathStyle }),
        ...(keys !== null ? { credentials: keysFor(identifier, location) } : {}),
        ...(keys === null && isPublic ? { anonymous: true } : {}),
        ...(keys === null && !isPublic && signsRemotely ? { credentials: ownKeysOr(() => remoteSigning(identifier)) } : {}),
        ...(inTableBucket ? { canList: false, canRemove: false, plainPuts: true } : {}),
      });
    // The newest stands last, so that the first is the one that was not used for longest.
    stores.delete(key);
    stores.set(key, store);
    const [oldest] = own.keys();
    if (own.size > MOST_OWN_STORES && oldest !== undefined) own.delete(oldest);
    return store;
  };

  const pick = (identifier: TableIdentifier, location: string): ObjectStore => {
    const scheme = localPath(location) === null ? locationScheme(location) : "file";
    if (scheme === "s3" || scheme === "s3a" || scheme === "s3n") return s3Store(identifier, location);
    if (scheme !== "file") return unservedStore();
    const store = shared.get("file") ?? openStore("/");
    shared.set("file", store);
    return store;
  };

  return {
    remember: (identifier, { config, credentials }, properties) =>
      void known.set(keyOf(identifier), { access: { config, credentials }, properties }),
    tokenOf: (identifier) => {
      const { token } = knownOf(identifier).access.config;
      return token === undefined || !/^[\u0021-\u007e]+$/.test(token) ? null : token;
    },
    storeOf: (identifier, location) => {
      const canChange = !isInTableBucket(location);
      return routedStore((place) => pick(identifier, place), { canList: canChange, canRemove: canChange });
    },
  };
}

/** The standard chain, which is loaded with its SDK. */
function ownKeysOr(otherwise: () => ToolError): AwsKeySource {
  let chain: Promise<AwsKeySource> | null = null;
  return async (options) => {
    chain ??= import("../storage/aws-credentials.ts").then(({ awsCredentials }) => awsCredentials());
    try {
      return await (await chain)(options);
    } catch {
      throw otherwise();
    }
  };
}

function remoteSigning(identifier: TableIdentifier): ToolError {
  return new ToolError("unsupported", `Cannot reach the files of "${nameOf(identifier)}"`, {
    why: "The catalog wants to sign each request for them by itself (remote signing), which this version does not do, and no AWS credentials are set here",
    mend: "Have the catalog hand out keys for the table (vended credentials), or set AWS credentials that may read and write the files",
  });
}

function noMoreKeys(identifier: TableIdentifier): ToolError {
  return new ToolError("auth", `Cannot reach the files of "${nameOf(identifier)}"`, {
    why: "The keys that the catalog gave for them have ended, and it gives no others",
    mend: "Run the same command again; what is written so far is taken up",
  });
}

function keyOf({ namespace, name }: TableIdentifier): string {
  return JSON.stringify([...namespace, name]);
}

function nameOf({ namespace, name }: TableIdentifier): string {
  return formatPath([...namespace, name]);
}
