// Spark with Iceberg's runtime in one local session on Java 17; Hadoop, Glue and REST catalogs are added to it by name.
import { join } from "node:path";
import { findJava } from "../java.ts";
import { type JarName, mavenJar } from "../maven.ts";
import { PROGRAMS } from "../places.ts";
import { packageFolder, pythonEnvironment } from "../python.ts";
import type { RowSet } from "../rows.ts";
import type { AwsEmulator } from "../services/aws.ts";
import { startWorker } from "../worker.ts";

export interface SparkOptions {
  /** The AWS bundle is on the class path and the variables of this emulator are set: needed for Glue and S3. */
  readonly aws?: AwsEmulator;
  /** Also the catalog of S3 Tables that AWS gives for Spark; wants `aws`. */
  readonly s3Tables?: boolean;
  /** 2 unless said otherwise. */
  readonly cores?: number;
  /** Of the Java process; `2g` unless said otherwise. */
  readonly memory?: string;
}

export interface Spark {
  readonly versions: Readonly<Record<string, string>>;
  readonly startSeconds: number;
  /** The catalog's tables are `NAME.namespace.table`. Nothing is cached: it sees what others wrote. */
  readonly addCatalog: (name: string, properties: Readonly<Record<string, string>>) => Promise<void>;
  readonly sql: (statement: string) => Promise<RowSet>;
  /** The table that a metadata file describes, or the newest of a folder of the standard layout. */
  readonly scan: (source: string) => Promise<RowSet>;
  /** Python statements with `spark` and `jvm` at hand, for what has no SQL; they leave the answer in `result`. */
  readonly evaluate: (code: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

export async function startSpark(options: SparkOptions = {}): Promise<Spark> {
  const { aws, s3Tables = false, cores = 2, memory = "2g" } = options;
  const names: readonly JarName[] = [
    "iceberg-spark-runtime",
    ...(aws === undefined ? [] : (["iceberg-aws-bundle"] as const)),
    ...(s3Tables ? (["s3-tables-catalog", "aws-s3-tables-client", "commons-configuration", "caffeine"] as const) : []),
  ];
  const [environment, ...archives] = await Promise.all([pythonEnvironment("spark"), ...names.map(mavenJar)]);
  const jars = archives.flatMap((archive) => archive.jars).join(",");
  const worker = await startWorker({
    name: "spark",
    command: [environment.python, join(PROGRAMS, "spark_worker.py"), jars, String(cores), memory],
    variables: {
      ...aws?.variables,
      // Spark 4.0 does not start on Java 24 and later.
      JAVA_HOME: findJava(17).home,
      SPARK_HOME: packageFolder(environment, "pyspark"),
      // Spark writes it into the tables' properties.
      SPARK_USER: "interop",
      PYSPARK_PYTHON: environment.python,
    },
  });
  return {
    versions: worker.ready,
    startSeconds: worker.startSeconds,
    stop: worker.stop,
    addCatalog: async (name, properties) => {
      await worker.ask("add_catalog", { name, properties: { "cache-enabled": "false", ...properties } });
    },
    sql: async (statement) => await worker.ask("sql", { statement }),
    scan: async (source) => await worker.ask("scan", { source }),
    evaluate: async (code) => await worker.ask("evaluate", { code }),
  };
}

/** The standard folder layout: `WAREHOUSE/namespace/table`. */
export function sparkHadoopCatalog(warehouse: string): Readonly<Record<string, string>> {
  return { type: "hadoop", warehouse };
}

export function sparkGlueCatalog(aws: AwsEmulator, warehouse: string): Readonly<Record<string, string>> {
  return { type: "glue", warehouse, "glue.endpoint": aws.url, ...sparkS3(aws) };
}

/** Through AWS's own catalog; its tables are those of one table bucket. */
export function sparkS3TablesCatalog(aws: AwsEmulator, bucketArn: string): Readonly<Record<string, string>> {
  return {
    "catalog-impl": "software.amazon.s3tables.iceberg.S3TablesCatalog",
    warehouse: bucketArn,
    "s3tables.endpoint": aws.url,
    ...sparkS3(aws),
  };
}

export function sparkRestCatalog(
  url: string,
  properties: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return { type: "rest", uri: url, ...properties };
}

/** For any catalog whose tables lie in S3. */
function sparkS3(aws: AwsEmulator): Readonly<Record<string, string>> {
  return {
    "io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
    "client.region": aws.region,
    "s3.endpoint": aws.url,
    "s3.path-style-access": "true",
    "s3.access-key-id": aws.accessKeyId,
    "s3.secret-access-key": aws.secretAccessKey,
  };
}
