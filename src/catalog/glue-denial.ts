// What is missing when Glue denies a call: an IAM action, or a permission of Lake Formation, which guards the same
// calls a second time. Works on the words of the answers (seen 2024 to 2026); knows no client.

/** A call and what it was about, for messages. */
export interface GlueCall {
  /** As IAM names it, without `glue:`. */
  readonly action: string;
  /** `Cannot read "sales.orders" in Glue`. */
  readonly what: string;
  readonly database?: string;
  readonly table?: string;
}

export interface Denial {
  readonly why: string;
  readonly mend: string;
}

export function denial(message: string, call: GlueCall): Denial {
  const lake = /Insufficient Lake Formation permission\(s\)(?::\s*Required (.+?))?(?:\s+on\s+(.+?))?\.?$/i.exec(message);
  return lake === null ? iamDenial(message, call) : lakeDenial(lake[1], lake[2], call);
}

function iamDenial(message: string, call: GlueCall): Denial {
  const action = /to perform: (glue:\w+)/.exec(message)?.[1] ?? `glue:${call.action}`;
  const who = /User: (\S+) is not authorized/.exec(message)?.[1];
  const resource = /on resource: (\S+?)(?:[,.]?\s|$)/.exec(message)?.[1];
  const because = /\s(?:because|with) (.+?)\.?$/.exec(message)?.[1];
  const role = who === undefined ? "The role" : `"${who}"`;
  const isDenied = /explicit deny/i.test(message);
  return {
    why: `${role} lacks ${action}${resource === undefined ? "" : ` on "${resource}"`}${because === undefined ? "" : ` (${because})`}.`,
    mend: isDenied
      ? `Lift that deny of ${action}: no policy of the role outweighs it.`
      : `Add ${action} on ${resourcesOf(call)} to the policy of the role; see docs/aws.md.`,
  };
}

function resourcesOf({ database, table }: GlueCall): string {
  const parts = ["the catalog"];
  if (database !== undefined) parts.push(`database/${database}`);
  if (database !== undefined && table !== undefined) parts.push(`table/${database}/${table}`);
  return parts.length < 3 ? parts.join(" and ") : `${parts[0]}, ${parts[1]} and ${parts[2]}`;
}

/** What each call asks of Lake Formation, where the answer does not say it. */
const ASKED: Readonly<Record<string, string>> = {
  GetTable: "Describe",
  GetTables: "Describe",
  GetDatabase: "Describe",
  GetDatabases: "Describe",
  CreateTable: "Create Table",
  UpdateTable: "Alter",
  CreateDatabase: "Create Database",
};

function lakeDenial(required: string | undefined, resource: string | undefined, call: GlueCall): Denial {
  const isLocation = resource !== undefined && /^(?:s3[an]?:|arn:[^:]*:s3:)/.test(resource);
  const asked = isLocation ? "Data Location Access" : (required ?? ASKED[call.action] ?? "the permission");
  const permission = asked
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, "_");
  const subject = resource ?? nameOf(call);
  const where = isLocation ? `the location "${subject}"` : `"${subject}"`;
  const more = permission === "DESCRIBE" ? " It answers the same where there is no such table." : "";
  return {
    why: `Lake Formation guards the catalog, and the role lacks ${permission} on ${where}.${more}`,
    mend: `Grant ${permission} on ${where} to the role in Lake Formation (aws lakeformation grant-permissions); IAM alone does not do`,
  };
}

function nameOf({ database, table }: GlueCall): string {
  return database === undefined ? "the catalog" : table === undefined ? database : `${database}.${table}`;
}
