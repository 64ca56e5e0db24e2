// Names in S3 Tables: one level of namespaces, lower case letters, digits and underscores only. What is new keeps to the
// rules of the user guide; what is there already need only be sayable in a call. Also the ARN of a table bucket.
import { ToolError } from "../diagnostics/tool-error.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";

export interface S3TableName {
  readonly namespace: string;
  readonly table: string;
}

export interface TableBucket {
  readonly arn: string;
  readonly region: string;
  /** Twelve digits. */
  readonly account: string;
  readonly name: string;
}

const ARN = /^arn:aws[-a-z0-9]*:s3tables:([-a-z0-9]+):([0-9]{12}):bucket\/([a-z0-9_-]{3,63})$/;
const MAX_NAME = 255;

/** `catalog` is the catalog's name in the project file. */
export function parseTableBucket(text: string | null | undefined, catalog: string): TableBucket {
  const cannot = (why: string): ToolError =>
    new ToolError("config", `Cannot open the catalog "${catalog}"`, {
      why,
      mend: 'Write `bucket: "arn:aws:s3tables:REGION:ACCOUNT:bucket/NAME"`, as `aws s3tables list-table-buckets` shows it: region and account come from there',
    });
  if (text === null || text === undefined || text === "") throw cannot("A catalog of S3 Tables needs its table bucket");
  const match = ARN.exec(text);
  if (match !== null) {
    const [, region = "", account = "", name = ""] = match;
    return { arn: text, region, account, name };
  }
  if (text.includes("/table/")) throw cannot(`"${text}" is the ARN of a table, and a catalog is a whole table bucket`);
  throw cannot(`"${text}" is not the ARN of a table bucket`);
}

export function printedName(identifier: TableIdentifier): string {
  return formatPath([...identifier.namespace, identifier.name]);
}

export function s3TableName(identifier: TableIdentifier): S3TableName {
  return { namespace: s3Namespace(identifier.namespace), table: checked(identifier.name, "table") };
}

export function s3Namespace(namespace: readonly string[]): string {
  const [name, second] = namespace;
  if (name !== undefined && second === undefined) return checked(name, "namespace");
  const why = namespace.length === 0 ? "A table in S3 Tables stands in a namespace" : "S3 Tables has one level of namespaces";
  throw badName(formatPath(namespace), "namespace", why, "Declare the table as `namespace.table`");
}

export function newS3TableName(identifier: TableIdentifier): S3TableName {
  const name = s3TableName(identifier);
  newS3Namespace(identifier.namespace);
  requireFirst(name.table, "table");
  return name;
}

export function newS3Namespace(namespace: readonly string[]): string {
  const name = s3Namespace(namespace);
  requireFirst(name, "namespace");
  if (name.startsWith("aws")) throw badName(name, "namespace", 'Names that begin with "aws" are those of AWS', OTHER_NAME);
  return name;
}

const OTHER_NAME = "Give it another name";

function checked(name: string, what: string): string {
  if (/^[0-9a-z_]+$/.test(name) && name.length <= MAX_NAME) return name;
  const lower = name.toLowerCase();
  const mend = lower !== name && /^[0-9a-z_]+$/.test(lower) ? `Write "${lower}"` : OTHER_NAME;
  throw badName(name, what, `S3 Tables takes 1 to ${MAX_NAME} lower-case letters, digits and underscores`, mend);
}

function requireFirst(name: string, what: string): void {
  if (name.startsWith("_")) throw badName(name, what, "S3 Tables takes names that begin with a letter or a digit", OTHER_NAME);
}

function badName(name: string, what: string, why: string, mend: string): ToolError {
  return new ToolError("refused", `Cannot use ${JSON.stringify(name)} as the name of a ${what} in S3 Tables`, {
    why,
    mend,
  });
}
