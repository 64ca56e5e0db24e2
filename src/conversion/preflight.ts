// What a preflight counted: how many values of one column convert under a rule, by reason and by loss. Counts
// only, never values. Made by rewrite/, read by plan/ and report/.
import type { FailureReason, Loss } from "./conversion.ts";

export interface PreflightCounts {
  readonly values: bigint;
  readonly nulls: bigint;
  /** Non-null values that the rule turns to null (`empty-as-null`, or failures under `on-error: set-null`). */
  readonly becomeNull: bigint;
  readonly failures: ReadonlyMap<FailureReason, bigint>;
  readonly losses: ReadonlyMap<Loss, bigint>;
  readonly files: number;
  readonly bytesRead: number;
}

export function failureTotal(counts: PreflightCounts): bigint {
  let total = 0n;
  for (const count of counts.failures.values()) total += count;
  return total;
}
