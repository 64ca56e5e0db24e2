// Iceberg's own REST catalog: the reference handlers over SQLite (or any catalog that Iceberg Java knows) and files,
// or S3 where the properties say so.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startChild, tailOf } from "../child.ts";
import { javaProgram } from "../java-program.ts";
import { mavenClassPath, mavenJar } from "../maven.ts";
import type { Service } from "./service.ts";

export interface RestServerOptions {
  /** An empty folder of the suite's: the database, and the warehouse where `properties` names no other. */
  readonly folder: string;
  /** Of the catalog behind it, e.g. `warehouse`, `io-impl`, `s3.endpoint`. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
}

export async function startRestServer(options: RestServerOptions): Promise<Service> {
  const [own, aws] = await Promise.all([mavenClassPath("rest-server"), mavenJar("iceberg-aws-bundle")]);
  const { java, classPath, main } = await javaProgram("RestServer", [...own.jars, ...aws.jars]);
  await mkdir(options.folder, { recursive: true });
  const properties = {
    "catalog-impl": "org.apache.iceberg.jdbc.JdbcCatalog",
    // A file: the connections of an in-memory database do not see each other's tables.
    uri: `jdbc:sqlite:${join(options.folder, "catalog.db")}`,
    "jdbc.schema-version": "V1",
    warehouse: `file://${join(options.folder, "warehouse")}`,
    ...options.properties,
  };
  const words = Object.entries(properties).map(([key, value]) => `${key}=${value}`);
  const child = await startChild({
    name: "rest-server",
    command: [java, "-Xmx256m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", classPath, main, ...words],
    ...(options.variables === undefined ? {} : { variables: options.variables }),
  });
  for await (const line of createInterface({ input: child.output })) {
    const port = /^listening (\d+)$/.exec(line)?.[1];
    if (port !== undefined) return { url: `http://127.0.0.1:${port}`, port: Number(port), stop: child.stop };
  }
  await child.stop();
  throw new Error(`Cannot start Iceberg's REST server (log: ${child.log})\n${tailOf(child.log, 12)}`);
}
