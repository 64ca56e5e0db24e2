// How applying one table ended, as data: told by report/, turned into an exit code by the command.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ToolError } from "../diagnostics/tool-error.ts";
import type { TablePlan } from "../plan/plan.ts";

const OUTCOMES = [
  "applied",
  /** `--dry-run`: everything but the last step was done. */
  "dry-run",
  /** Nothing had to be done. */
  "in-step",
  /** Another run takes it: it is not this one's. */
  "left",
  /** The plan has blockers. */
  "blocked",
  /** Steps that nobody approved. */
  "not-approved",
  /** Held after a rollback. */
  "held",
  /** Other writers kept committing; nothing of ours landed. */
  "conflict",
  /** The catalog or store said no; nothing of ours landed. */
  "refused",
  /** Something failed; the table is as it was. */
  "failed",
  /** Nobody can say whether the commit landed. */
  "unknown",
  /** The commit landed and the table is not what was planned. */
  "differs",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export interface TableResult {
  readonly table: string;
  readonly outcome: Outcome;
  /** The plan that was taken or refused; null when it never came to one. */
  readonly plan: TablePlan | null;
  /** Where the table's metadata is after it; null when it is not known. */
  readonly metadataLocation: string | null;
  /** The snapshot of a rewrite. */
  readonly snapshotId: bigint | null;
  readonly rewrittenFiles: number;
  readonly problems: readonly Diagnostic[];
  readonly error: ToolError | null;
}

/** An ending of which only what is given is known. */
export function tableResult(
  table: string,
  outcome: Outcome,
  plan: TablePlan | null,
  more: Partial<Omit<TableResult, "table" | "outcome" | "plan">> = {},
): TableResult {
  return {
    table,
    outcome,
    plan,
    metadataLocation: null,
    snapshotId: null,
    rewrittenFiles: 0,
    problems: [],
    error: null,
    ...more,
  };
}
