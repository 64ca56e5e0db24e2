// DuckDB with its iceberg extension: reads metadata files and folders, and any SQL. S3 and REST catalogs are told as
// parameters; names and values are quoted here.
import { join } from "node:path";
import { PROGRAMS } from "../places.ts";
import { pythonEnvironment } from "../python.ts";
import type { RowSet } from "../rows.ts";
import type { AwsEmulator } from "../services/aws.ts";
import { startWorker } from "../worker.ts";

export interface DuckDb {
  readonly versions: Readonly<Record<string, string>>;
  readonly startSeconds: number;
  /** One statement; without rows where it has none. */
  readonly sql: (statement: string) => Promise<RowSet>;
  /** The table that a metadata file describes, or a folder with `version-hint.text`. */
  readonly scan: (source: string, asked?: { readonly snapshotId?: bigint }) => Promise<RowSet>;
  /** Lets it read `s3://` paths of an emulator. */
  readonly useS3: (aws: AwsEmulator) => Promise<void>;
  /** Attaches a REST catalog without authentication under a name. */
  readonly attachRest: (name: string, url: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startDuckDb(): Promise<DuckDb> {
  const { python } = await pythonEnvironment("light");
  const worker = await startWorker({ name: "duckdb", command: [python, join(PROGRAMS, "duckdb_worker.py")] });
  const sql = async (statement: string): Promise<RowSet> => await worker.ask("sql", { statement });
  return {
    versions: worker.ready,
    startSeconds: worker.startSeconds,
    stop: worker.stop,
    sql,
    scan: async (source, { snapshotId } = {}) => {
      const snapshot = snapshotId === undefined ? "" : `, snapshot_from_id => ${snapshotId}`;
      return await sql(`SELECT * FROM iceberg_scan(${quoted(source)}${snapshot})`);
    },
    useS3: async (aws) => {
      const options = [
        "TYPE s3",
        `KEY_ID ${quoted(aws.accessKeyId)}`,
        `SECRET ${quoted(aws.secretAccessKey)}`,
        `REGION ${quoted(aws.region)}`,
        `ENDPOINT ${quoted(`127.0.0.1:${aws.port}`)}`,
        "URL_STYLE 'path'",
        "USE_SSL false",
      ];
      await sql(`CREATE OR REPLACE SECRET interop (${options.join(", ")})`);
    },
    attachRest: async (name, url) => {
      await sql(`ATTACH '' AS "${name}" (TYPE iceberg, ENDPOINT ${quoted(url)}, AUTHORIZATION_TYPE 'none')`);
    },
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
