// Lists what lies below a folder-like prefix of S3, page by page as it is asked for. Folder markers that consoles and
// Hadoop leave are no objects. Knows nothing of tables.
import { type RetryPorts, withRetries } from "./aws-retry.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { ObjectInfo } from "./object-store.ts";
import type { S3Calls } from "./s3-calls.ts";
import { withS3Errors } from "./s3-errors.ts";
import { adviseRetry } from "./s3-failure.ts";
import { folderOf } from "./s3-location.ts";

export async function* listObjects(calls: S3Calls, ports: RetryPorts, prefix: string): AsyncGenerator<ObjectInfo> {
  const { bucket, keyPrefix, locationPrefix } = folderOf(prefix);
  const seen = new Set<string>();
  let next: string | null = null;
  do {
    const page = await withS3Errors({ verb: "list", location: prefix, action: "s3:ListBucket" }, () =>
      withRetries(ports, adviseRetry, () => calls.list(bucket, keyPrefix, next)),
    );
    for (const { key, sizeBytes } of page.objects) {
      // Who lists a folder may go on to remove what is in it.
      if (!key.startsWith(keyPrefix)) throw noList(prefix, `it names "${key}", which is not there`);
      if (sizeBytes === 0 && key.endsWith("/")) continue;
      yield { location: `${locationPrefix}${key}`, sizeBytes };
    }
    next = page.next;
    if (next !== null && seen.has(next)) throw noList(prefix, "it gives the same page again and again");
    if (next !== null) seen.add(next);
  } while (next !== null);
}

function noList(prefix: string, why: string): ToolError {
  return new ToolError("unsupported", `Cannot list "${prefix}"`, {
    why: `The answer of the store is none that S3 gives: ${why}`,
    mend: "Check that the endpoint is that of a store that speaks S3",
  });
}
