// The built program on S3 Tables as far as they are played here: a fake S3 Tables and a fake S3 over real HTTP, and a
// project folder. The table of the example is put into its table's storage as Spark wrote it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";
import { type FakeS3, startS3 } from "../fakes/s3.ts";
import { type FakeS3Tables, startS3Tables } from "../fakes/s3-tables.ts";
import { inside } from "./inside.ts";
import { floeplan, type Ran } from "./support.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const LINEORDER = join(ROOT, "test/data/s3-tables/lineorder");
const STORAGE = "lineorder--table-s3";

export interface TableBucketRun {
  readonly s3: FakeS3;
  readonly tables: FakeS3Tables;
  readonly folder: string;
  /** Writes a file of the project. */
  write(path: string, text: string): void;
  /** In this process. */
  run(...words: readonly string[]): Promise<Ran>;
  /** By the built program. */
  built(...words: readonly string[]): Promise<Ran>;
  /** Runs it, fails unless it ends with that code, and gives what it said, blanks made one. */
  said(exit: number, ...words: readonly string[]): Promise<string>;
  /** Puts `ssb.lineorder` there, with three days in it. */
  seed(): void;
  /** The metadata file that the service names. */
  metadataText(namespace: string, table: string): string;
  metadata(namespace: string, table: string): JsonMetadata;
  stop(): Promise<void>;
}

/** What tests look at of a metadata file; 64-bit ids are not exact in it. */
export interface JsonMetadata {
  readonly location: string;
  readonly "table-uuid": string;
  readonly "current-schema-id": number;
  readonly schemas: readonly {
    readonly "schema-id": number;
    readonly fields: readonly { readonly id: number; readonly name: string; readonly type: unknown }[];
  }[];
  readonly "default-spec-id": number;
  readonly "default-sort-order-id": number;
  readonly properties: Readonly<Record<string, string>>;
  readonly refs: Readonly<Record<string, { readonly type: string }>>;
  readonly "metadata-log": readonly { readonly "metadata-file": string }[];
}

/** A file of the example. */
export function exampleFile(path: string): string {
  return readFileSync(join(ROOT, "examples/s3-tables", path), "utf8");
}

export async function startTableBucket(): Promise<TableBucketRun> {
  const s3 = await startS3({ buckets: [] });
  const tables = await startS3Tables({
    s3,
    bucket: "events",
    namespaces: ["ssb"],
    storageName: (_, name) => `${name.replaceAll("_", "-")}--table-s3`,
  });
  const folder = mkdtempSync(join(tmpdir(), "floeplan-s3-tables-"));
  const variables = {
    ...s3.variables,
    ...tables.variables,
    // None: what stands in the home folder of whoever runs the tests is not looked at.
    AWS_CONFIG_FILE: join(folder, "no-aws-config"),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, "no-aws-credentials"),
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(
    "floeplan.yaml",
    exampleFile("floeplan.yaml").replace("arn:aws:s3tables:eu-west-1:444455556666:bucket/events", tables.arn),
  );
  const metadataText = (namespace: string, table: string): string => {
    const location = tables.tables.get(namespace, table)?.metadataLocation ?? "";
    const bytes = s3.objects.get(location);
    if (bytes === undefined) throw new Error(`There is no ${location}`);
    return new TextDecoder().decode(bytes);
  };
  const run = async (...words: readonly string[]): Promise<Ran> => await inside(folder, words, variables);
  return {
    s3,
    tables,
    folder,
    write,
    run,
    built: async (...words) => await floeplan(folder, words, { variables }),
    said: async (exit, ...words) => {
      const ran = await run(...words);
      expect([ran.exit, ran.exit === exit ? "" : (ran.stdout + ran.stderr).slice(0, 4000)], words.join(" ")).toEqual([exit, ""]);
      return (ran.stdout + ran.stderr).replaceAll(/\s+/g, " ");
    },
    seed: () => {
      tables.tables.create("ssb", "lineorder");
      for (const entry of readdirSync(LINEORDER, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (entry.isFile()) s3.objects.put(`s3://${STORAGE}${file.slice(LINEORDER.length)}`, readFileSync(file));
      }
      const newest = readdirSync(join(LINEORDER, "metadata"))
        .filter((name) => name.endsWith(".metadata.json"))
        .sort()
        .at(-1);
      tables.tables.point("ssb", "lineorder", `s3://${STORAGE}/metadata/${newest ?? ""}`);
    },
    metadataText,
    metadata: (namespace, table) => JSON.parse(metadataText(namespace, table)) as JsonMetadata,
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      const ends = await Promise.allSettled([tables.stop(), s3.stop()]);
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}
