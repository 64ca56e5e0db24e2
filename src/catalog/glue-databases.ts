// Glue's databases as namespaces: what is in them, and where the files of a new table go. Reads pages in order.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { CatalogProblem } from "../iceberg/catalog-state.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { joinLocation } from "../iceberg/location.ts";
import { stripTrailingSlashes } from "../iceberg/metadata-file.ts";
import { allPages, distinct } from "./all-pages.ts";
import type { NewTable } from "./catalog.ts";
import { GlueError } from "./glue-error.ts";
import { glueDatabase, newGlueDatabase, newGlueName, printedName } from "./glue-names.ts";
import { foreignDatabase, isIceberg } from "./glue-pointer.ts";
import type { GlueService } from "./glue-service.ts";

export async function databaseExists(service: GlueService, namespace: readonly string[]): Promise<boolean> {
  const database = await service.getDatabase(glueDatabase(namespace));
  const foreign = database === null ? null : foreignDatabase(database);
  if (foreign !== null) throw foreign;
  return database !== null;
}

export async function createDatabase(service: GlueService, namespace: readonly string[]): Promise<void> {
  try {
    await service.createDatabase(newGlueDatabase(namespace));
  } catch (error) {
    const isThere = error instanceof GlueError && error.code === "AlreadyExistsException";
    // An answer may be lost, or be about a first try of the client's own.
    if (!isThere && !(isUnclear(error) && (await databaseExists(service, namespace)))) throw error;
  }
}

function isUnclear(error: unknown): boolean {
  return error instanceof GlueError && !error.isCertain;
}

/** Iceberg tables only, sorted; of databases that lead elsewhere none, unless one is asked for by name. */
export async function* listGlueTables(
  service: GlueService,
  namespace: readonly string[] | undefined,
): AsyncGenerator<TableIdentifier> {
  if (namespace !== undefined) {
    yield* tablesOf(service, glueDatabase(namespace));
    return;
  }
  const databases = (await allPages((token) => service.getDatabases(token), "databases of Glue")) ?? [];
  const names = databases.flatMap((database) => (foreignDatabase(database) === null ? [database.Name ?? ""] : []));
  for (const name of distinct(names, (one) => one).sort(compareText)) if (name !== "") yield* tablesOf(service, name);
}

async function* tablesOf(service: GlueService, database: string): AsyncGenerator<TableIdentifier> {
  const entries = (await allPages((token) => service.getTables(database, token), `tables of "${database}" in Glue`)) ?? [];
  const names = entries.flatMap((entry) => (isIceberg(entry) && entry.Name !== undefined ? [entry.Name] : []));
  for (const name of distinct(names, (one) => one).sort(compareText)) yield { namespace: [database], name };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const IN_S3 = /^s3[an]?:\/\/[^/]+\/./;

/** The one that is given, else below the location of the database. */
export async function newGlueTableLocation(service: GlueService, table: NewTable): Promise<string> {
  const place = await placeOf(service, table);
  if (typeof place === "string") return place;
  const { what, why, mend } = place;
  throw new ToolError("config", what, { why, mend });
}

/** Null where there is a place. */
export async function glueTablePlaceProblem(service: GlueService, table: NewTable): Promise<CatalogProblem | null> {
  const place = await placeOf(service, table);
  return typeof place === "string" ? null : place;
}

async function placeOf(service: GlueService, { identifier, location }: NewTable): Promise<string | CatalogProblem> {
  const { database, table } = newGlueName(identifier);
  if (location !== null && IN_S3.test(location)) return stripTrailingSlashes(location);
  if (location !== null)
    return {
      what: `Cannot put "${printedName(identifier)}" at "${location}"`,
      why: "A table in Glue lies in a bucket of S3",
      mend: 'Write the location as "s3://BUCKET/…"',
    };
  const found = await service.getDatabase(database);
  const foreign = found === null ? null : foreignDatabase(found);
  if (foreign !== null) throw foreign;
  if (found?.LocationUri !== undefined && found.LocationUri !== "") return joinLocation(found.LocationUri, table);
  return {
    what: `Cannot choose a place for the files of "${printedName(identifier)}"`,
    why:
      found === null
        ? `there is no database "${database}" in Glue, and the project gives the table no location`
        : `the database "${database}" has no location in Glue, and the project gives the table none`,
    mend: 'Write `location: "s3://BUCKET/{namespace}/{table}"` in the environment of the project file, or `location:` in the table file',
  };
}
