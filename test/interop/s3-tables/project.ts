// A project on one table bucket, and what is asked of floeplan and of the engines there.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DuckDb } from "../support/engines/duckdb.ts";
import { type PyIceberg, s3Properties } from "../support/engines/pyiceberg.ts";
import type { Spark } from "../support/engines/spark.ts";
import { sameRows } from "../support/expect.ts";
import { runFloeplan } from "../support/floeplan.ts";
import type { RowSet } from "../support/rows.ts";
import type { AwsEmulator } from "../support/services/aws.ts";
import type { TableBucket } from "./bucket.ts";

export interface Engines {
  readonly moto: AwsEmulator;
  readonly spark: Spark;
  readonly duckdb: DuckDb;
  readonly pyiceberg: PyIceberg;
}

export interface Project {
  readonly folder: string;
  write(path: string, text: string): Promise<void>;
  /** Runs it, fails unless it ends with that code, and gives what it printed. */
  expect(exit: number, ...words: readonly string[]): Promise<string>;
}

export async function projectOf(folder: string, { arn }: TableBucket, { moto }: Engines): Promise<Project> {
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write(
    "floeplan.yaml",
    `floeplan: 1\ntables: [ "tables/**/*.yaml" ]\nenvironments:\n  prod: { catalogs: { events: { type: s3-tables, bucket: "${arn}" } } }\n`,
  );
  return {
    folder,
    write,
    expect: async (exit, ...words) => {
      const ran = await runFloeplan(words, { folder, variables: moto.variables });
      if (ran.exit !== exit)
        throw new Error(`floeplan ${words.join(" ")} ended with ${ran.exit}, not ${exit}\n${ran.stdout}${ran.stderr}`);
      return ran.stdout;
    },
  };
}

/** PyIceberg and DuckDB from the metadata file that the service names, Spark through AWS's catalog. */
export async function allRead(
  { moto, spark, duckdb, pyiceberg }: Engines,
  bucket: TableBucket,
  table: string,
  wanted: RowSet,
  catalog = "events",
): Promise<void> {
  const [namespace = "", name = ""] = table.split(".");
  const location = await bucket.metadataLocation(namespace, name);
  sameRows(await pyiceberg.staticRows(location, {}, s3Properties(moto)), wanted);
  sameRows(await duckdb.scan(location), wanted);
  sameRows(await spark.sql(`SELECT * FROM ${catalog}.${table}`), wanted);
}
