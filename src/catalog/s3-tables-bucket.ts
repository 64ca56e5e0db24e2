// A table bucket and what is in it: namespaces, tables in order, and the place that the service gives a new table. Reads
// pages one after the other.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { CatalogProblem } from "../iceberg/catalog-state.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { allPages, distinct } from "./all-pages.ts";
import type { NewTable } from "./catalog.ts";
import { S3TablesError } from "./s3-tables-error.ts";
import { readPointer, type S3TablesReader } from "./s3-tables-load.ts";
import { newS3Namespace, newS3TableName, printedName, s3Namespace, type TableBucket } from "./s3-tables-names.ts";
import type { S3TablesService, TablePointer } from "./s3-tables-service.ts";

/** Looks once. Who may not list namespaces cannot tell, and goes on. */
export function bucketCheck(service: S3TablesService, bucket: TableBucket): () => Promise<void> {
  let checked: Promise<void> | null = null;
  const check = async (): Promise<void> => {
    try {
      if (await service.hasBucket()) return;
    } catch (error) {
      if (error instanceof S3TablesError && error.kind === "auth") return;
      checked = null;
      throw error;
    }
    throw new ToolError("config", `Cannot find the table bucket "${bucket.name}"`, {
      why: `There is no "${bucket.arn}"`,
      mend: "Correct `bucket:` in the project file; `aws s3tables list-table-buckets` shows the ARNs of an account and region",
    });
  };
  return async () => {
    checked ??= check();
    await checked;
  };
}

export async function namespaceExists(reader: S3TablesReader, namespace: readonly string[]): Promise<boolean> {
  const exists = await reader.service.hasNamespace(s3Namespace(namespace));
  if (!exists) await reader.requireBucket();
  return exists;
}

export async function createNamespace({ service }: S3TablesReader, namespace: readonly string[]): Promise<void> {
  const name = newS3Namespace(namespace);
  try {
    await service.createNamespace(name);
  } catch (error) {
    const isThere = error instanceof S3TablesError && error.kind === "conflict";
    // An answer may be lost, or be about a first try of the client's own.
    const isUnclear = error instanceof S3TablesError && !error.isCertain;
    if (!isThere && !(isUnclear && (await service.hasNamespace(name)))) throw error;
  }
}

/** Sorted; without the tables that AWS keeps for itself. */
export async function* listS3Tables(
  reader: S3TablesReader,
  namespace: readonly string[] | undefined,
): AsyncGenerator<TableIdentifier> {
  const one = namespace === undefined ? null : s3Namespace(namespace);
  const where = one === null ? "" : ` of "${one}"`;
  const tables = await allPages((token) => reader.service.listTables(one, token), `tables${where} in S3 Tables`);
  if (tables === null) {
    await reader.requireBucket();
    return;
  }
  const own = distinct(tables, ({ namespace: level, name }) => JSON.stringify([level, name])).filter(
    ({ isManaged }) => !isManaged,
  );
  const found = own.map((table): TableIdentifier => ({ namespace: [table.namespace], name: table.name }));
  yield* found.sort((a, b) => compareText(a.namespace[0] ?? "", b.namespace[0] ?? "") || compareText(a.name, b.name));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Only the service knows where a table will be, and only of a table that is there: so the name is taken, empty. */
export async function newS3TableLocation(reader: S3TablesReader, table: NewTable): Promise<string> {
  newS3TableName(table.identifier);
  const problem = s3TablePlaceProblem(table);
  if (problem === null) return (await requireTable(reader, table.identifier)).warehouseLocation;
  throw new ToolError("refused", problem.what, { why: problem.why, mend: problem.mend });
}

export function s3TablePlaceProblem({ identifier, location }: NewTable): CatalogProblem | null {
  if (location === null) return null;
  return {
    what: `Cannot put "${printedName(identifier)}" at "${location}"`,
    why: "S3 Tables chooses where a table is stored",
    mend: "Leave the location out",
  };
}

/** The table's pointer; the table is made, without metadata, where it is not there. */
export async function requireTable(reader: S3TablesReader, identifier: TableIdentifier): Promise<TablePointer> {
  const { namespace, table } = newS3TableName(identifier);
  const found = await readPointer(reader, identifier);
  if (found !== null) return found;
  try {
    await reader.service.createTable(namespace, table);
  } catch (error) {
    // Made meanwhile, by another writer or by a first try whose answer was lost.
    if (!(error instanceof S3TablesError) || error.kind !== "conflict") throw error;
  }
  const made = await readPointer(reader, identifier);
  if (made !== null) return made;
  throw new ToolError("conflict", `Cannot create "${printedName(identifier)}" in S3 Tables`, {
    why: "It was made, and is gone again: another writer renamed or deleted it",
  });
}
