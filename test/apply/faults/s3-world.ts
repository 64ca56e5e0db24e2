// What the worlds over a fake S3 have in common: one table's objects, a source of credentials that has fresh ones, the
// product's own client of S3 without real pauses. Knows no catalog.
import { sharedKeys, type AwsKeySource } from "../../../src/storage/aws-keys.ts";
import { exampleTable, type BucketTable } from "../../blackbox/glue-tables.ts";
import { FAKE_KEYS, type FakeS3 } from "../../fakes/s3.ts";
import type { FakeKeys } from "../../fakes/s3-signature.ts";
import { type JsonMap, mapOf, parseJson } from "../../fakes/rest-json.ts";
import { PATIENCE_MS } from "./http-calls.ts";

// The SDK warns of a Node that this project still supports.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

export const NO_PAUSES = { wait: async (): Promise<void> => {}, random: () => 0.5 };
export const S3 = { region: "us-east-1", ports: NO_PAUSES, idleTimeoutMs: PATIENCE_MS };

export interface RenewableKeys {
  /** All that were given so far, and what the services know. */
  readonly known: readonly FakeKeys[];
  readonly source: AwsKeySource;
  /** Others than before. */
  readonly next: () => FakeKeys;
}

/** Others whenever fresh ones are asked for, as from a role that is assumed again. */
export function renewableKeys(): RenewableKeys {
  const known = [FAKE_KEYS];
  const next = (): FakeKeys => {
    const number = String(known.length).padStart(6, "0");
    const keys = { accessKeyId: `AKIAFRESH${number}`, secretAccessKey: `fresh/${number}`, sessionToken: `token-${number}` };
    known.push(keys);
    return keys;
  };
  let now: FakeKeys = FAKE_KEYS;
  const source = sharedKeys(async (options) => {
    if (options?.forceRefresh === true) now = next();
    return now;
  });
  return { known, source, next };
}

export interface StoredExample {
  readonly table: BucketTable;
  readonly put: () => void;
  /** All of it goes, whoever wrote it. */
  readonly clear: () => void;
  readonly objects: () => ReadonlyMap<string, Uint8Array>;
  /** Uploads in parts that were begun and neither ended nor given up. */
  readonly uploads: () => readonly string[];
  readonly document: (location: string) => JsonMap;
}

/** The example's table below a location of a bucket. */
export function storedExample(s3: FakeS3, location: string): StoredExample {
  const table = exampleTable("iceberg_employee", location);
  const bucket = location.slice("s3://".length).split("/")[0] ?? "";
  const locations = (): readonly string[] =>
    s3.objects
      .keys(bucket)
      .map((key) => `s3://${bucket}/${key}`)
      .filter((one) => one.startsWith(`${location}/`));
  return {
    table,
    put: () => {
      for (const [at, bytes] of table.objects) s3.objects.put(at, bytes);
    },
    clear: () => {
      for (const one of locations()) s3.objects.remove(one);
    },
    objects: () => new Map(locations().map((one) => [one, s3.objects.get(one) ?? new Uint8Array()])),
    uploads: () => s3.objects.uploads(bucket).map(({ key }) => key),
    document: (at) => {
      const bytes = s3.objects.get(at);
      if (bytes === undefined) throw new Error(`There is no ${at}`);
      return mapOf(parseJson(new TextDecoder().decode(bytes)));
    },
  };
}

/** For the built program; what stands in the home folder of whoever runs the tests is not looked at. */
export function programVariables(folder: string): Readonly<Record<string, string>> {
  return {
    AWS_CONFIG_FILE: `${folder}/no-aws-config`,
    AWS_SHARED_CREDENTIALS_FILE: `${folder}/no-aws-credentials`,
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };
}
