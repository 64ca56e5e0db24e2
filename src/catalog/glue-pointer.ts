// From an entry in Glue to the metadata file that it names. Says what an entry is that is no Iceberg table, or no
// table of this catalog at all. Reads entries only.
import { ToolError } from "../diagnostics/tool-error.ts";
import {
  type GlueDatabase,
  type GlueFederation,
  type GlueTable,
  type GlueTarget,
  METADATA_LOCATION,
  PREVIOUS_METADATA_LOCATION,
  TABLE_TYPE,
} from "../iceberg/glue-entry.ts";
import type { GlueName } from "./glue-names.ts";

export function isIceberg(entry: GlueTable): boolean {
  return entry.Parameters?.[TABLE_TYPE]?.toUpperCase() === "ICEBERG" && !isLink(entry) && !isView(entry);
}

/** Throws for everything that is no Iceberg table of the asked catalog. `account` is null where none is configured. */
export function metadataPointer(entry: GlueTable, { database, table }: GlueName, account: string | null): string {
  const name = `${database}.${table}`;
  const cannot = (why: string, mend: string): ToolError =>
    new ToolError("unsupported", `Cannot load "${name}" from Glue`, { why, mend });

  if (isLink(entry)) throw cannot(`It is a resource link to ${targetOf(entry.TargetTable)}`, linkMend(entry.TargetTable));
  if (entry.FederatedTable !== undefined) throw cannot(federatedWhy(entry.FederatedTable), federatedMend(entry.FederatedTable));
  const elsewhere = elsewhereOf(entry, database, account);
  if (elsewhere !== null)
    throw cannot(
      `Its database "${database}" is a resource link to ${targetOf(elsewhere)}`,
      linkMend({ ...elsewhere, Name: table }),
    );
  if (entry.Name !== undefined && entry.Name.toLowerCase() !== table)
    throw new ToolError("corrupt", `Cannot load "${name}" from Glue`, {
      why: `Glue answers with the entry of another table, "${entry.Name}"`,
      mend: "Look at what stands between this machine and Glue: a proxy, or an endpoint that is not that of AWS",
    });
  if (isView(entry)) throw cannot("It is a view", "Take its file out of the project: floeplan keeps tables");
  const format = entry.Parameters?.[TABLE_TYPE];
  if (format?.toUpperCase() !== "ICEBERG")
    throw cannot(
      `It is no Iceberg table: Glue has it as ${kindOf(entry, format)}`,
      "Give the declared table another name, or make that one an Iceberg table first",
    );
  const location = entry.Parameters?.[METADATA_LOCATION];
  if (location !== undefined && location !== "") return location;
  throw missingPointer(name, entry);
}

export function previousPointer(entry: GlueTable): string | null {
  return entry.Parameters?.[PREVIOUS_METADATA_LOCATION] ?? null;
}

/** Why tables of this database are not of this catalog, or null. */
export function foreignDatabase(database: GlueDatabase): ToolError | null {
  const name = database.Name ?? "";
  if (database.TargetDatabase !== undefined)
    return new ToolError("unsupported", `Cannot use the database "${name}" of Glue`, {
      why: `It is a resource link to ${targetOf(database.TargetDatabase)}`,
      mend: `Declare its tables in the database itself${ofAccount(database.TargetDatabase)}`,
    });
  if (database.FederatedDatabase !== undefined)
    return new ToolError("unsupported", `Cannot use the database "${name}" of Glue`, {
      why: federatedWhy(database.FederatedDatabase),
      mend: federatedMend(database.FederatedDatabase),
    });
  return null;
}

function missingPointer(name: string, entry: GlueTable): ToolError {
  const previous = previousPointer(entry);
  return new ToolError("corrupt", `Cannot load "${name}" from Glue: it does not say where the metadata is`, {
    why: `The entry has ${TABLE_TYPE} ICEBERG and no ${METADATA_LOCATION}: another tool has probably rewritten it`,
    mend:
      previous === null
        ? `Find the newest file *.metadata.json in the table's folder, and set the parameter ${METADATA_LOCATION} to it.`
        : `Set the parameter ${METADATA_LOCATION} to the newest metadata file; it came after "${previous}".`,
    context: entry.StorageDescriptor?.Location === undefined ? {} : { location: entry.StorageDescriptor.Location },
  });
}

function isLink(entry: GlueTable): boolean {
  return entry.TargetTable !== undefined;
}

// A table that is asked for through a linked database is answered under the name that it has there.
function elsewhereOf(entry: GlueTable, database: string, account: string | null): GlueTarget | null {
  const { DatabaseName, CatalogId } = entry;
  const hasOtherName = DatabaseName !== undefined && DatabaseName.toLowerCase() !== database;
  const hasOtherAccount = account !== null && CatalogId !== undefined && CatalogId !== account;
  return hasOtherName || hasOtherAccount ? { DatabaseName: DatabaseName ?? database, CatalogId } : null;
}

function isView(entry: GlueTable): boolean {
  const { TableType = "", ViewOriginalText = "", Parameters = {} } = entry;
  return (
    /VIEW/i.test(TableType) ||
    ViewOriginalText !== "" ||
    entry.IsMultiDialectView === true ||
    entry.IsMaterializedView === true ||
    /view/i.test(Parameters[TABLE_TYPE] ?? "")
  );
}

function targetOf({ CatalogId, DatabaseName, Name, Region }: GlueTarget | undefined = {}): string {
  const name = [DatabaseName, Name].filter((part) => part !== undefined).join(".");
  const account = CatalogId === undefined ? "" : ` of account ${CatalogId}`;
  return `"${name}"${account}${Region === undefined ? "" : ` in ${Region}`}`;
}

function linkMend({ CatalogId, DatabaseName, Name }: GlueTarget | undefined = {}): string {
  const name = [DatabaseName, Name].filter((part) => part !== undefined).join(".");
  return `Declare the table itself${name === "" ? "" : ` as "${name}"`}${ofAccount({ CatalogId })}`;
}

function ofAccount({ CatalogId }: GlueTarget): string {
  return CatalogId === undefined ? "" : `, in a catalog with \`account: "${CatalogId}"\``;
}

function federatedWhy({ ConnectionType, ConnectionName, Identifier }: GlueFederation): string {
  const source = ConnectionType ?? ConnectionName ?? Identifier ?? "another service";
  return `Glue only passes on what "${source}" keeps`;
}

function federatedMend({ ConnectionType, ConnectionName, Identifier = "" }: GlueFederation): string {
  const isS3Tables = [ConnectionType, ConnectionName].some((connection) => connection?.toLowerCase() === "aws:s3tables");
  if (!isS3Tables) return "Reach the table through the service that keeps it";
  // The identifier of a table is its own ARN, below that of its bucket.
  const bucket = /^arn:[^:]*:s3tables:[^:]*:[^:]*:bucket\/[\w-]+/.exec(Identifier)?.[0];
  return `Give it a catalog of \`type: s3-tables\` with \`bucket:\` ${bucket === undefined ? "the table bucket's ARN" : `"${bucket}"`}`;
}

/** What a person would call a table that is not Iceberg. */
function kindOf(entry: GlueTable, format: string | undefined): string {
  const parameters = entry.Parameters ?? {};
  const provider = parameters["spark.sql.sources.provider"]?.toLowerCase();
  if (format !== undefined && format !== "") return `"${format}"`;
  if (provider === "delta") return "a Delta Lake table";
  if (provider === "hudi" || Object.keys(parameters).some((key) => key.startsWith("hoodie."))) return "a Hudi table";
  const classification = parameters["classification"] ?? provider;
  return classification === undefined ? "a Hive table" : `a Hive table of ${classification} files`;
}
