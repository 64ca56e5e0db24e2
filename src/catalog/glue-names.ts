// Names in Glue: a database is the one namespace level, everything is lower case. What is new keeps to the letters
// that Iceberg's writers and Athena take; what is there already may have any name that Glue has given it.
import { ToolError } from "../diagnostics/tool-error.ts";
import { formatPath } from "../iceberg/field-path.ts";
import { isSingleLine } from "../iceberg/glue-text.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";

export interface GlueName {
  readonly database: string;
  readonly table: string;
}

const MAX_NAME = 255;
const MAX_DATABASE = 252;

export function printedName(identifier: TableIdentifier): string {
  return formatPath([...identifier.namespace, identifier.name]);
}

export function glueName(identifier: TableIdentifier): GlueName {
  return { database: glueDatabase(identifier.namespace), table: checked(identifier.name, "table") };
}

export function glueDatabase(namespace: readonly string[]): string {
  const [database, second] = namespace;
  if (database !== undefined && second === undefined) return checked(database, "namespace");
  throw badName(
    formatPath(namespace),
    "namespace",
    namespace.length === 0 ? "a table in Glue stands in a database" : "Glue has one level of namespaces, its databases",
    "Declare the table as `database.table`",
  );
}

/** Also refuses what Glue itself would take, and Iceberg's writers and Athena would not. */
export function newGlueName(identifier: TableIdentifier): GlueName {
  const name = glueName(identifier);
  requirePlain(name.table, "table", MAX_NAME);
  return name;
}

export function newGlueDatabase(namespace: readonly string[]): string {
  const database = glueDatabase(namespace);
  requirePlain(database, "namespace", MAX_DATABASE);
  return database;
}

function requirePlain(name: string, what: string, max: number): void {
  if (/^[a-z0-9_]+$/.test(name) && name.length <= max) return;
  throw badName(
    name,
    what,
    `Iceberg's writers and Athena take 1 to ${max} lower-case letters, digits and underscores`,
    "Give it another name",
  );
}

function checked(name: string, what: string): string {
  if (name === "" || name.length > MAX_NAME || !isSingleLine(name))
    throw badName(name, what, `Glue takes names of 1 to ${MAX_NAME} characters on one line`, "Give it another name");
  if (name !== name.toLowerCase())
    throw badName(name, what, "Glue keeps all names in lower case", `Write "${name.toLowerCase()}"`);
  return name;
}

function badName(name: string, what: string, why: string, mend: string): ToolError {
  return new ToolError("refused", `Cannot use ${JSON.stringify(name)} as the name of a ${what} in Glue`, {
    why,
    mend,
  });
}
