// What is missing when S3 Tables denies a call: the action, on what, and whether the credentials are of another account
// than the table bucket. Works on the words of the answers; knows no client.
import type { TableBucket } from "./s3-tables-names.ts";

/** A call and what it was about, for messages. */
export interface S3TablesCall {
  /** As IAM names it, without `s3tables:`. */
  readonly action: string;
  /** `Cannot read "sales.orders" in S3 Tables`. */
  readonly what: string;
  readonly bucket: TableBucket;
}

export interface Denial {
  readonly why: string;
  readonly mend: string;
}

export function denial(message: string, { action: asked, bucket }: S3TablesCall): Denial {
  const action = /to perform: ([a-z0-9]+:\w+)/.exec(message)?.[1] ?? `s3tables:${asked}`;
  const who = /User: (\S+) is not authorized/.exec(message)?.[1];
  const resource = /on resource: "?([^\s",]+)/.exec(message)?.[1];
  const isNamed = /to perform: /.test(message);
  const because = (isNamed ? /\s(?:because|with) (.+?)\.?$/.exec(message)?.[1] : message.trim().replace(/\.$/, "")) || undefined;
  const role = who === undefined ? "The role" : `"${who}"`;
  const theirs = /^arn:[^:]*:[^:]*:[^:]*:(\d{12}):/.exec(who ?? "")?.[1];
  const why = [
    `${role} lacks ${action}${resource === undefined ? "" : ` on "${resource}"`}${because === undefined ? "" : ` (${because})`}.`,
    ...(theirs !== undefined && theirs !== bucket.account
      ? [`The credentials are of account ${theirs}, and the table bucket belongs to ${bucket.account}.`]
      : []),
  ].join(" ");
  if (/explicit deny/i.test(message)) return { why, mend: `Lift that deny of ${action}: no policy of the role outweighs it` };
  if (action.startsWith("kms:"))
    return { why, mend: `Allow ${action} on the key of the table bucket for the role that runs this; see docs/aws.md` };
  if (theirs !== undefined && theirs !== bucket.account)
    return {
      why,
      mend: `Run with a role of account ${bucket.account}, or name the role in the policy of the table bucket with ${action}`,
    };
  return {
    why,
    mend: `Add ${action} on "${bucket.arn}" and "${bucket.arn}/table/*" to the policy of the role; see docs/aws.md`,
  };
}
