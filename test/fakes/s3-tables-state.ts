// What the fake S3 Tables holds: one table bucket with its namespaces and tables, and the steps on them, which are atomic
// since Node runs each without a break. Knows no HTTP. Ways of AWS: the API model of the AWS SDKs and its documentation,
// awslabs/s3-tables-catalog, getmoto/moto.
import { randomBytes, randomUUID } from "node:crypto";
import type { FakeS3 } from "./s3.ts";
import { firstMetadata, type IcebergInput } from "./s3-tables-metadata.ts";

/** An exception of the service. */
export class S3TablesRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface StoredTable {
  readonly id: string;
  namespace: string;
  name: string;
  versionToken: string;
  metadataLocation: string | null;
  /** `s3://…--table-s3`: all that the table stores. */
  readonly warehouse: string;
  readonly createdAtMs: number;
  modifiedAtMs: number;
  /** `aws`: a table of AWS's own, which nobody else writes. */
  type: "customer" | "aws";
  managedByService: string | null;
}

export interface TablesStore {
  /** `arn:aws:s3tables:REGION:ACCOUNT:bucket/NAME` */
  readonly arn: string;
  readonly s3: FakeS3;
  /** By name; when each was made. */
  readonly namespaces: Map<string, number>;
  /** By `namespace.name`. */
  readonly tables: Map<string, StoredTable>;
  /** The name of the bucket that stores a new table, made ready. */
  readonly newStorage: (namespace: string, name: string) => string;
  readonly nowMs: () => number;
}

export function createNamespace(store: TablesStore, name: string): void {
  checkName(name, "namespace");
  if (name.startsWith("aws")) throw badRequest("The specified namespace name is not valid.");
  if (store.namespaces.has(name)) throw conflict("A namespace with an identical name already exists in the bucket.");
  store.namespaces.set(name, store.nowMs());
}

export function requireNamespace(store: TablesStore, name: string): void {
  if (!store.namespaces.has(name)) throw notFound("The specified namespace does not exist.");
}

export function tableOf(store: TablesStore, namespace: string, name: string): StoredTable {
  const table = store.tables.get(`${namespace}.${name}`);
  if (table === undefined) throw notFound("The specified table does not exist.");
  return table;
}

/** With an Iceberg schema the service writes the first metadata file, with ids of its own. */
export function createTable(store: TablesStore, namespace: string, name: string, iceberg: IcebergInput | null): StoredTable {
  requireNamespace(store, namespace);
  checkName(name, "name");
  if (store.tables.has(`${namespace}.${name}`)) throw conflict("A table with an identical name already exists in the namespace.");
  const warehouse = `s3://${store.newStorage(namespace, name)}`;
  const now = store.nowMs();
  const table: StoredTable = {
    id: randomUUID(),
    namespace,
    name,
    versionToken: newToken(),
    metadataLocation: null,
    warehouse,
    createdAtMs: now,
    modifiedAtMs: now,
    type: "customer",
    managedByService: null,
  };
  if (iceberg !== null) {
    table.metadataLocation = `${warehouse}/metadata/00000-${randomUUID()}.metadata.json`;
    store.s3.objects.put(table.metadataLocation, firstMetadata(warehouse, iceberg, now));
  }
  store.tables.set(`${namespace}.${name}`, table);
  return table;
}

/** The file must be there: a pointer to nothing is no table. AWS's own words on that are not known. */
export function updateMetadataLocation(store: TablesStore, table: StoredTable, token: string, location: string): void {
  const isOfTable = location.startsWith(`${table.warehouse}/`) && /\.metadata\.json(?:\.gz)?$/.test(location);
  if (!isOfTable || store.s3.objects.get(location) === undefined)
    throw badRequest("The specified metadata location is not valid.");
  if (table.versionToken !== token) throw conflict("Provided version token does not match the table version token.");
  table.metadataLocation = location;
  table.versionToken = newToken();
  table.modifiedAtMs = store.nowMs();
}

export interface NewName {
  readonly namespace: string | null;
  readonly name: string | null;
  readonly token: string | null;
}

/** The data stays where it is, and so does the table's id. */
export function renameTable(store: TablesStore, table: StoredTable, to: NewName): void {
  if (to.namespace === null && to.name === null)
    throw badRequest("Neither a new namespace name nor a new table name is specified.");
  const [namespace, name] = [to.namespace ?? table.namespace, to.name ?? table.name];
  checkName(name, "newName");
  if (!store.namespaces.has(namespace)) throw notFound("The specified destination namespace does not exist.");
  if (to.token !== null && to.token !== table.versionToken)
    throw conflict("Provided version token does not match the table version token.");
  if (store.tables.has(`${namespace}.${name}`)) throw conflict("A table with an identical name already exists in the namespace.");
  store.tables.delete(`${table.namespace}.${table.name}`);
  Object.assign(table, { namespace, name, versionToken: newToken(), modifiedAtMs: store.nowMs() });
  store.tables.set(`${namespace}.${name}`, table);
}

function checkName(name: string, member: string): void {
  if (/^[0-9a-z_]{1,255}$/.test(name) && !name.startsWith("_")) return;
  throw badRequest(
    `1 validation error detected: Value '${name.slice(0, 300)}' at '${member}' failed to satisfy constraint: Member must satisfy regular expression pattern: [0-9a-z_]*`,
  );
}

export function newToken(): string {
  return randomBytes(10).toString("hex");
}

export function badRequest(message: string): S3TablesRefusal {
  return new S3TablesRefusal(400, "BadRequestException", message);
}

export function notFound(message: string): S3TablesRefusal {
  return new S3TablesRefusal(404, "NotFoundException", message);
}

function conflict(message: string): S3TablesRefusal {
  return new S3TablesRefusal(409, "ConflictException", message);
}
