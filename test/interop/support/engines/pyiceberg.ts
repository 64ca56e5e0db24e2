// PyIceberg: reads tables by their metadata file, and reads and writes through SQL, Glue and REST catalogs, which are
// plain properties here.
import { join } from "node:path";
import { PROGRAMS } from "../places.ts";
import { pythonEnvironment } from "../python.ts";
import { lineOf, type Row, type RowSet } from "../rows.ts";
import type { AwsEmulator } from "../services/aws.ts";
import { startWorker } from "../worker.ts";

/** As PyIceberg's `load_catalog` takes them. */
export type CatalogProperties = Readonly<Record<string, string>>;

interface ReadOptions {
  readonly snapshotId?: bigint;
  readonly fields?: readonly string[];
  /** PyIceberg's own expression text, e.g. `id > 3`. */
  readonly filter?: string;
}

interface NewTable {
  /** A struct in Iceberg's JSON. */
  readonly schema: object;
  readonly partition?: readonly { readonly source: string; readonly transform: string; readonly name: string }[];
  readonly properties?: Readonly<Record<string, string>>;
  readonly location?: string;
}

/** Fields are dotted paths, types Iceberg's JSON. All of one call are one commit. */
type TableChange =
  | { readonly change: "add-field"; readonly field: string; readonly type: unknown; readonly doc?: string }
  | { readonly change: "drop-field" | "move-first" | "set-optional"; readonly field: string }
  | { readonly change: "rename-field"; readonly field: string; readonly to: string }
  | { readonly change: "widen-type"; readonly field: string; readonly type: unknown }
  | { readonly change: "move-after"; readonly field: string; readonly after: string }
  | { readonly change: "add-partition-field"; readonly source: string; readonly transform: string; readonly name: string }
  | { readonly change: "remove-partition-field"; readonly name: string }
  | { readonly change: "set-properties"; readonly properties: Readonly<Record<string, string>> };

interface TableState {
  /** Of the metadata file. */
  readonly location: string;
  /** The metadata file as it is. */
  readonly metadata: string;
}

export interface PyIceberg {
  readonly versions: Readonly<Record<string, string>>;
  readonly startSeconds: number;
  readonly staticRows: (metadata: string, asked?: ReadOptions, properties?: CatalogProperties) => Promise<RowSet>;
  readonly rows: (catalog: CatalogProperties, table: string, asked?: ReadOptions) => Promise<RowSet>;
  /** Makes the namespace too. */
  readonly create: (catalog: CatalogProperties, table: string, wanted: NewTable) => Promise<TableState>;
  readonly append: (catalog: CatalogProperties, table: string, rows: readonly Row[]) => Promise<TableState>;
  readonly delete: (catalog: CatalogProperties, table: string, filter: string) => Promise<TableState>;
  readonly evolve: (catalog: CatalogProperties, table: string, changes: readonly TableChange[]) => Promise<TableState>;
  readonly load: (catalog: CatalogProperties, table: string) => Promise<TableState>;
  readonly stop: () => Promise<void>;
}

export async function startPyIceberg(): Promise<PyIceberg> {
  const { python } = await pythonEnvironment("light");
  const worker = await startWorker({
    name: "pyiceberg",
    command: [python, join(PROGRAMS, "pyiceberg_worker.py")],
    // A configuration file in the home folder would change every catalog.
    variables: { PYICEBERG_HOME: PROGRAMS },
  });
  return {
    versions: worker.ready,
    startSeconds: worker.startSeconds,
    stop: worker.stop,
    staticRows: async (metadata, asked = {}, properties = {}) =>
      await worker.ask("static_rows", { metadata, properties, ...readArguments(asked) }),
    rows: async (catalog, table, asked = {}) => await worker.ask("rows", { catalog, table, ...readArguments(asked) }),
    create: async (catalog, table, { schema, partition = [], properties = {}, location }) =>
      await worker.ask("create", { catalog, table, schema, partition, properties, location: location ?? null }),
    append: async (catalog, table, rows) => await worker.ask("append", { catalog, table, lines: rows.map(lineOf) }),
    delete: async (catalog, table, filter) => await worker.ask("delete", { catalog, table, filter }),
    evolve: async (catalog, table, changes) => await worker.ask("evolve", { catalog, table, changes }),
    load: async (catalog, table) => await worker.ask("load", { catalog, table }),
  };
}

function readArguments({ snapshotId, fields = ["*"], filter = "true" }: ReadOptions): Readonly<Record<string, unknown>> {
  return { fields, filter, snapshot: snapshotId === undefined ? null : String(snapshotId) };
}

/** A catalog of its own in a folder: SQLite for the pointers, files for the rest. */
export function sqlCatalog(folder: string): CatalogProperties {
  return { type: "sql", uri: `sqlite:///${join(folder, "catalog.db")}`, warehouse: `file://${join(folder, "warehouse")}` };
}

export function glueCatalog(aws: AwsEmulator, warehouse: string): CatalogProperties {
  return {
    type: "glue",
    "glue.endpoint": aws.url,
    "glue.region": aws.region,
    "glue.access-key-id": aws.accessKeyId,
    "glue.secret-access-key": aws.secretAccessKey,
    ...s3Properties(aws),
    warehouse,
  };
}

export function restCatalog(url: string, properties: CatalogProperties = {}): CatalogProperties {
  return { type: "rest", uri: url, ...properties };
}

export function s3Properties(aws: AwsEmulator): CatalogProperties {
  return {
    "s3.endpoint": aws.url,
    "s3.region": aws.region,
    "s3.access-key-id": aws.accessKeyId,
    "s3.secret-access-key": aws.secretAccessKey,
  };
}
