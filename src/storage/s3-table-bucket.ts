// Buckets of S3 Tables, each the storage of one table: told by the suffix that S3 keeps for their names. Their objects are
// guarded by actions of S3 Tables, and nobody may list them. Knows names only.

/** Does the location lie in the storage of a table of S3 Tables? */
export function isInTableBucket(location: string): boolean {
  return /^s3[an]?:\/\/[^/]+--table-s3(?:\/|$)/i.test(location);
}

const TABLE_ACTIONS: Readonly<Record<string, string>> = {
  "s3:GetObject": "s3tables:GetTableData",
  "s3:PutObject": "s3tables:PutTableData",
};

/** The permission that a call of S3 needs at this place. */
export function actionAt(location: string, action: string): string {
  return isInTableBucket(location) ? (TABLE_ACTIONS[action] ?? action) : action;
}
