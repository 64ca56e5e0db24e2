// Swaps the pointer of a table on condition of its version token, and sorts the answer: again where the service certainly
// did nothing and may the next time. Knows tokens and answers, not what they are for.
import { isPassing, isSkewed } from "./aws-error.ts";
import { clauseOf } from "../diagnostics/tool-error.ts";
import type { CatalogPorts } from "./metadata-pointer.ts";
import type { SwapAnswer } from "./metadata-pointer-swap.ts";
import { S3TablesError } from "./s3-tables-error.ts";
import type { S3TableName } from "./s3-tables-names.ts";
import type { PointerSwapInput, S3TablesService } from "./s3-tables-service.ts";

/** Waits between tries of a call that the service turned away without doing anything. */
const WAITS_MS = [200, 800, 3200] as const;

/** Throws where the service did not say whether it did it. */
export async function swapPointer(
  service: S3TablesService,
  { wait: pause }: Pick<CatalogPorts, "wait">,
  { namespace, table }: S3TableName,
  next: PointerSwapInput,
): Promise<SwapAnswer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return { state: "swapped", token: await service.swapPointer(namespace, table, next) };
    } catch (error) {
      if (!(error instanceof S3TablesError) || !error.isCertain) throw error;
      const wait = WAITS_MS[attempt];
      if (wait === undefined || !(isPassing(error) || isSkewed(error))) return refusal(error, table);
      await pause(wait);
    }
  }
}

function refusal(error: S3TablesError, table: string): SwapAnswer {
  // Also where the service itself keeps the table: compaction and expiry commit like any other writer.
  if (error.kind === "conflict")
    return { state: "conflict", why: "Another writer, or the service's own maintenance, committed since the table was read" };
  if (isPassing(error)) return { state: "conflict", why: clauseOf(error) };
  if (error.kind === "not-found")
    return {
      state: "refused",
      why: `There is no table "${table}" of this name any more: it was renamed or deleted since it was read (${clauseOf(error)})`,
      cause: error,
    };
  const mend = error.mend === undefined ? "" : `. ${error.mend}`;
  return { state: "refused", why: `${clauseOf(error)}${mend}`, cause: error };
}
